import { inEnglish, inPortuguese } from "../counted.ts"
import type { Event, MailLanguage, TransactionEntry, WebhookFormat } from "../domain/model.ts"
import { isRecognition } from "../domain/recognition/recognitions.ts"

type ChatFormat = Exclude<WebhookFormat, "standard">

interface Dependencies {
  readonly service: { readonly name: string; readonly language: MailLanguage }
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
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
export function createMessages({ service, address }: Dependencies) {
  const texts = byLanguage[service.language]
  const open = texts.open(service.name)

  return {
    /** Null for events that are not recognitions, and for a recognition that was reversed completely. */
    compose(format: ChatFormat, event: Event): object | null {
      if (event.type !== "transaction.created") return null
      const { transaction } = event
      if (!isRecognition(transaction) || transaction.reversed >= transaction.value) return null
      return formats[format](messageOf(transaction))
    },

    test: (format: ChatFormat): object =>
      formats[format]({
        sentence: [{ text: texts.test(service.name) }],
        quote: null,
        tags: [],
        link: { text: open, url: `${address.url}/` },
      }),
  }

  function messageOf({ id, value, reversed, sender, receiver, note }: TransactionEntry): Message {
    const [before, between, after] = texts.thanked(value - reversed)
    const parts = [
      { text: before },
      { text: sender.name, isBold: true as const },
      { text: between },
      { text: receiver.name, isBold: true as const },
      { text: after },
    ]
    return {
      sentence: parts.filter(({ text }) => text !== ""),
      quote: note?.reason || null,
      tags: note?.tags ?? [],
      link: { text: open, url: `${address.url}/recognition/${id}` },
    }
  }
}

/** The parts of the sentence before the sender, between sender and receiver, and after the receiver. */
interface Texts {
  readonly thanked: (points: number) => readonly [string, string, string]
  readonly open: (service: string) => string
  readonly test: (service: string) => string
}

const byLanguage: Readonly<Record<MailLanguage, Texts>> = {
  en: {
    thanked: (value) => ["", " thanked ", `: ${inEnglish(value, "point", "points")}`],
    open: (service) => `Open in ${service}`,
    test: (service) => `A test from ${service}. Recognitions will appear here.`,
  },
  pt: {
    thanked: (value) => ["", " agradeceu a ", `: ${inPortuguese(value, "ponto", "pontos")}`],
    open: (service) => `Abrir em ${service}`,
    test: (service) => `Um teste de ${service}. Os reconhecimentos aparecerão aqui.`,
  },
}

const sentenceOf = ({ sentence }: Message): string => sentence.map(({ text }) => text).join("")
const tagsOf = ({ tags }: Message): string => tags.map((tag) => `#${tag}`).join(" ")

/**
 * What people wrote is never treated as markup: Slack and Teams get plain text elements, and for Discord it is escaped.
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
      fallbackText: plainTextOf(message),
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
      .map(({ text, isBold }) => (isBold ? `**${discordText(text)}**` : discordText(text)))
      .join("")
    const quote = message.quote === null ? [] : message.quote.split("\n").map((line) => `> ${discordText(line)}`)
    const tags = message.tags.length === 0 ? [] : [discordText(tagsOf(message))]
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

const discordText = (text: string): string => text.replaceAll(/[\\*_~`|<>[\]()#+.!:@-]/g, "\\$&")
