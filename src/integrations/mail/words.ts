import { mailTexts as de } from "../../domain/languages/de/mail.ts"
import { mailTexts as en } from "../../domain/languages/en/mail.ts"
import { mailTexts as es } from "../../domain/languages/es/mail.ts"
import { mailTexts as fr } from "../../domain/languages/fr/mail.ts"
import { type Language, type Writing, writingOf } from "../../domain/languages/languages.ts"
import { mailTexts as pt } from "../../domain/languages/pt/mail.ts"
import type { Programme } from "../../domain/programme/model.ts"
import { withNamedPoints } from "../named-points.ts"

export type MailTexts = typeof en

export const mailTexts: Readonly<Record<Language, MailTexts>> = { de, en, es, fr, pt }

/** What mail says in a language, and how that language writes numbers. */
export interface MailWords extends Writing {
  readonly texts: MailTexts
  readonly points: (value: number) => string
}

export function mailWords(language: Language, programme: Pick<Programme, "points_name">): MailWords {
  const [texts, writing] = [withNamedPoints(mailTexts[language], language, programme), writingOf(language)]
  return { ...writing, texts, points: (value) => writing.count(value, texts.points) }
}

/** Text that a person wrote, as a paragraph of its own. */
export const quoted = (words: string | null): string => (words === null ? "" : `\n${words.replaceAll(/^/gm, "> ")}\n`)
