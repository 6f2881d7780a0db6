import type { Language } from "../../../domain/recognition/model.ts"
import { en } from "./en.ts"
import type { MailTexts } from "./kinds.ts"
import { pt } from "./pt.ts"

export const mailTexts: Readonly<Record<Language, MailTexts>> = { en, pt }
