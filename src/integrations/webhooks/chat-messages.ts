import type { Language } from "../../domain/languages.ts"
import type { ProgrammeOf } from "../../domain/ledger/ledger.ts"
import type { Receiver, TransactionEntry } from "../../domain/ledger/model.ts"
import { seesAmounts } from "../../domain/programme/amounts.ts"
import type { OccasionKind, Programme } from "../../domain/programme/model.ts"
import type { Recognition } from "../../domain/recognition/model.ts"
import { isTakenBack } from "../../domain/recognition/recognitions.ts"
import type { Event, WebhookFormat } from "../../domain/webhooks/model.ts"
import { fill, writingOf } from "../../languages/writing.ts"
import { chatTexts } from "../chat/words.ts"
import { withNamedPoints } from "../named-points.ts"

type ChatFormat = Exclude<WebhookFormat, "standard">

interface Dependencies {
  readonly service: { readonly name: string; readonly language: Language }
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
  readonly programme: ProgrammeOf
}

/** A message, independent of the chat service. */
interface Message {
  /** One sentence, in parts, so that names can be bold. */
  readonly sentence: readonly { readonly text: string; readonly isBold?: true }[]
  readonly quote: string | null
  readonly tags: readonly string[]
  readonly link: { readonly text: string; readonly url: string }
}

export type Messages = ReturnType<typeof createMessages>

/** Recognitions as chat messages (docs/operations/slack.md, docs/operations/teams.md). */
export function createMessages({ service, address, programme }: Dependencies) {
  const texts = textsIn(service.language)
  const open = texts.open(service.name)

  return {
    /** Null for events that are no entry of the feed, and for an entry that was reversed completely. */
    async compose(format: ChatFormat, event: Event): Promise<object | null> {
      const rules = await programme()
      if (event.type === "occasion.celebrated")
        return isTakenBack(event.occasion) ? null : formats[format](congratulationOf(event.occasion, rules))
      if (event.type !== "transaction.created") return null
      const { transaction, receivers } = event
      const thanked = receivers.filter(({ reversed }) => reversed < transaction.value)
      return thanked.length === 0 ? null : formats[format](messageOf(transaction, thanked, rules))
    },

    test: (format: ChatFormat): object =>
      formats[format]({
        sentence: [{ text: texts.test(service.name) }],
        quote: null,
        tags: [],
        link: { text: open, url: `${address.url}/` },
      }),
  }

  function messageOf(
    { id, value, sender, note }: TransactionEntry,
    receivers: readonly Receiver[],
    rules: Programme,
  ): Message {
    const points = `: ${pointsOf(
      receivers.map(({ reversed }) => value - reversed),
      rules,
    )}`
    return {
      sentence: [
        { text: sender.name, isBold: true },
        { text: texts.thanked },
        ...namesOf(receivers),
        ...(isShown(rules) ? [{ text: points }] : []),
      ],
      quote: note?.reason || null,
      tags: note?.tags ?? [],
      link: { text: open, url: `${address.url}/recognition/${id}` },
    }
  }

  function congratulationOf({ id, occasion, value, note }: Recognition, rules: Programme): Message {
    const points = value === 0 || !isShown(rules) ? "" : ` +${counted(value, rules)}`
    const text = `${occasion === null ? "" : emojiOf[occasion.kind]} ${note?.reason ?? ""}${points}`
    return {
      sentence: [{ text }],
      quote: null,
      tags: [],
      link: { text: open, url: `${address.url}/recognition/${id}` },
    }
  }

  function namesOf(receivers: readonly Receiver[]): Message["sentence"] {
    const names = receivers.map(({ name }) => name)
    const shown = names.length > maxNames ? names.slice(0, maxNames - 1) : names
    const others = names.length > shown.length ? [texts.others(names.length - shown.length)] : []
    let place = 0
    return new Intl.ListFormat(service.language).formatToParts([...shown, ...others]).map(({ type, value: text }) => {
      if (type === "element") place += 1
      return type === "element" && place <= shown.length ? { text, isBold: true } : { text }
    })
  }

  /** `left`: the points of each receiver. They differ only where some were taken back. */
  function pointsOf(left: readonly number[], rules: Programme): string {
    const [first = 0] = left
    if (left.some((points) => points !== first))
      return texts.together(
        counted(
          left.reduce((sum, one) => sum + one),
          rules,
        ),
      )
    return left.length === 1 ? counted(first, rules) : texts.each(counted(first, rules))
  }

  /** `1 point`, `5 points`, or what the programme calls them. */
  function counted(points: number, rules: Programme): string {
    const { language } = service
    return writingOf(language).count(points, withNamedPoints(chatTexts[language].points, language, rules))
  }
}

/** Whether a message names points: everybody in the channel reads it. */
const isShown = (rules: Programme): boolean => seesAmounts(null, [], rules)

/** How the entry of an occasion begins. */
const emojiOf: Readonly<Record<OccasionKind, string>> = { birthday: "🎂", anniversary: "🎉", first_day: "👋" }

/** At most this many names; beyond, the number of the other people. */
const maxNames = 10

interface Texts {
  /** Between sender and receivers. */
  readonly thanked: string
  readonly others: (people: number) => string
  readonly each: (points: string) => string
  readonly together: (points: string) => string
  readonly open: (service: string) => string
  readonly test: (service: string) => string
}

const textsIn = (language: Language): Texts => {
  const { messages } = chatTexts[language]
  const { count } = writingOf(language)
  return {
    thanked: /\{from\}(.*)\{to\}/.exec(messages.thanked)?.[1] ?? "",
    others: (people) => count(people, messages.others),
    each: (points) => fill(messages.each, { points }),
    together: (points) => fill(messages.together, { points }),
    open: (service) => fill(messages.open, { service }),
    test: (service) => fill(messages.test, { service }),
  }
}

const sentenceOf = ({ sentence }: Message): string => sentence.map(({ text }) => text).join("")
const tagsOf = ({ tags }: Message): string => tags.map((tag) => `#${tag}`).join(" ")

/**
 * What people wrote is never treated as markup: Slack and Teams get plain text elements, and for Discord, and the text that Teams shows
 * where it shows no cards, it is escaped.
 */
const formats: Readonly<Record<ChatFormat, (message: Message) => object>> = {
  slack: (message) => {
    const { quote, link } = message
    const line = (...elements: object[]) => ({ type: "rich_text_section", elements })
    const sentence = message.sentence.map(({ text, isBold }) => ({
      type: "text",
      text,
      ...(isBold && { style: { bold: true } }),
    }))
    const tags = message.tags.length === 0 ? [] : [line({ type: "text", text: tagsOf(message) })]
    const elements = [
      line(...sentence),
      ...(quote === null ? [] : [{ type: "rich_text_quote", elements: [{ type: "text", text: quote }] }]),
      ...tags,
      line({ type: "link", url: link.url, text: link.text }),
    ]
    return { text: plainTextOf(message), blocks: [{ type: "rich_text", elements }] }
  },

  teams: (message) => {
    const { quote, link } = message
    const paragraph = (inlines: object[], more: object = {}) => ({ type: "RichTextBlock", inlines, ...more })
    const run = (text: string, style: object = {}) => ({ type: "TextRun", text, ...style })
    const body = [
      paragraph(message.sentence.map(({ text, isBold }) => run(text, isBold && { weight: "Bolder" }))),
      ...(quote === null ? [] : [paragraph([run(quote, { italic: true })], { separator: true })]),
      ...(message.tags.length === 0 ? [] : [paragraph([run(tagsOf(message), { isSubtle: true })])]),
    ]
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      fallbackText: [sentenceOf(message), message.quote ?? "", tagsOf(message)]
        .filter((line) => line !== "")
        .map(markdownText)
        .concat(link.url)
        .join("\n"),
      body,
      actions: [{ type: "Action.OpenUrl", title: link.text, url: link.url }],
    }
    return {
      type: "message",
      attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
    }
  },

  discord: (message) => {
    const sentence = message.sentence
      .map(({ text, isBold }) => (isBold ? `**${markdownText(text)}**` : markdownText(text)))
      .join("")
    const quote = message.quote === null ? [] : message.quote.split("\n").map((line) => `> ${markdownText(line)}`)
    const tags = message.tags.length === 0 ? [] : [markdownText(tagsOf(message))]
    return {
      embeds: [
        { description: [sentence, ...quote, ...tags].join("\n"), url: message.link.url, title: message.link.text },
      ],
      allowed_mentions: { parse: [] },
    }
  },
}

/**
 * For notifications, and for chat services that show only text, such as Mattermost and Rocket.Chat. An "@" mentions
 * nobody.
 */
function plainTextOf(message: Message): string {
  const lines = [sentenceOf(message), message.quote ?? "", tagsOf(message), message.link.url]
  const text = lines.filter((line) => line !== "").join("\n")
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("@", "@\u200b")
}

const markdownText = (text: string): string => text.replaceAll(/[\\*_~`|<>[\]()#+.!:@-]/g, "\\$&")
