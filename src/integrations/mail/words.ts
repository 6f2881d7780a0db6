import type { Language } from "../../domain/languages.ts"
import type { Programme } from "../../domain/programme/model.ts"
import { mailTexts as de } from "../../languages/de/mail.ts"
import { mailTexts as en } from "../../languages/en/mail.ts"
import { mailTexts as es } from "../../languages/es/mail.ts"
import { mailTexts as fr } from "../../languages/fr/mail.ts"
import { mailTexts as pt } from "../../languages/pt/mail.ts"
import { type Writing, writingOf } from "../../languages/writing.ts"
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
