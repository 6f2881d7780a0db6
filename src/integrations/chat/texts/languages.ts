import type { Language } from "../../../domain/languages/languages.ts"
import { en } from "./en.ts"
import { pt } from "./pt.ts"
import type { ChatTexts } from "./texts.ts"

export const chatTexts: Readonly<Record<Language, ChatTexts>> = { en, pt }
