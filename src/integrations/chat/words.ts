import type { DomainError } from "../../domain/errors.ts"
import type { Language } from "../../domain/languages.ts"
import type { Programme } from "../../domain/programme/model.ts"
import { chatTexts as de } from "../../languages/de/chat.ts"
import { details as deDetails } from "../../languages/de/refusals.ts"
import { chatTexts as en } from "../../languages/en/chat.ts"
import { details as enDetails } from "../../languages/en/refusals.ts"
import { chatTexts as es } from "../../languages/es/chat.ts"
import { details as esDetails } from "../../languages/es/refusals.ts"
import { chatTexts as fr } from "../../languages/fr/chat.ts"
import { details as frDetails } from "../../languages/fr/refusals.ts"
import { chatTexts as pt } from "../../languages/pt/chat.ts"
import { details as ptDetails } from "../../languages/pt/refusals.ts"
import { type Details, translatedRefusal } from "../../languages/refusals.ts"
import { fill, writingOf } from "../../languages/writing.ts"
import { withNamedPoints } from "../named-points.ts"
import type { Chat } from "./chat.ts"

export type ChatTexts = typeof en

export const chatTexts: Readonly<Record<Language, ChatTexts>> = { de, en, es, fr, pt }

const refusals: Readonly<Record<Language, Details>> = {
  de: deDetails,
  en: enDetails,
  es: esDetails,
  fr: frDetails,
  pt: ptDetails,
}

export type ChatWords = ReturnType<typeof chatWords>

/** What people read in a chat, in a language. The form shows plain text; elsewhere the name of points must not be markup. */
export function chatWords(
  language: Language,
  { name: chat, plain }: Pick<Chat, "name" | "plain">,
  { points_name }: Pick<Programme, "points_name">,
) {
  const [own, details] = [chatTexts[language], refusals[language]]
  const points = { one: plain(points_name.one), many: plain(points_name.many) }
  const said = withNamedPoints(own, language, { points_name: points })
  const { count, number } = writingOf(language)
  return {
    usage: said.usage,
    sending: said.sending,
    badValue: said.badValue,
    notSetUp: said.notSetUp,
    noDialog: said.noDialog,
    dialog: withNamedPoints(own.dialog, language, { points_name }),
    sent: (value: number, name: string, left: number) =>
      fill(said.sent, { name, points: count(value, said.points), left: number(left) }),
    unknownSender: (email: string | null) =>
      email === null ? fill(said.noAddress, { chat }) : fill(said.unknownSender, { chat, email }),
    unknownReceiver: (name: string) => fill(said.unknownReceiver, { chat, name }),
    tooLittle: (left: number) => fill(said.tooLittle, { left: number(left) }),
    unknownTag: (tags: readonly string[]) =>
      tags.length === 0 ? said.noTags : fill(said.unknownTag, { tags: tags.map((tag) => `#${tag}`).join(" ") }),
    refused: ({ code, field, message }: DomainError) =>
      fill(said.refused, { why: translatedRefusal({ code, field, detail: message }, details) ?? message }),
  }
}
