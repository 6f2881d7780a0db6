import type { Language } from "../../../domain/recognition/model.ts"
import { en } from "./en.ts"
import { pt } from "./pt.ts"
import type { SlackTexts } from "./texts.ts"

export const slackTexts: Readonly<Record<Language, SlackTexts>> = { en, pt }
