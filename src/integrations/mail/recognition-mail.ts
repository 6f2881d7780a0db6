import { digestMailKind, summaryMailKind, thanksMailKind } from "../../domain/jobs/jobs.ts"
import type { User } from "../../domain/people/model.ts"
import type { Digest, MailContents, Thanks } from "../../domain/recognition/mail.ts"
import type { MailChoice } from "../../domain/recognition/model.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { type UnsubscribeTokens, unsubscribePath } from "../../security/secrets.ts"
import { composed, type Letter } from "./letter.ts"
import { type MailOptions, sendTo } from "./sending.ts"
import type { RecognitionTexts } from "./texts/kinds.ts"
import { mailTexts } from "./texts/languages.ts"

/** How many recognitions a digest quotes. It only counts the others. */
const maxQuotes = 20

interface RecognitionMailOptions extends MailOptions {
  readonly contents: MailContents
  readonly unsubscribeTokens: UnsubscribeTokens
}

type Body = Pick<Letter, "subject" | "paragraphs" | "quotes" | "closing" | "link">

/** The handlers of mail about recognition, by kind. The result is `sent`, or `nothing to send`. */
export function recognitionMailHandlers(options: RecognitionMailOptions): Record<string, Handler> {
  const { contents, unsubscribeTokens, mailer, sender, service, address } = options

  return {
    [thanksMailKind]: handler(
      (payload) => contents.thanks({ transactionId: integerIn(payload, "transactionId") }),
      (texts, thanks) => ({
        ...texts.thanks(thanks),
        quotes: thanks.reason === "" && thanks.tags.length === 0 ? [] : [quoteOf(texts, thanks)],
        closing: [],
        link: { text: texts.open, url: addressOf(thanks) },
      }),
    ),
    [digestMailKind]: handler(
      (payload) =>
        contents.digest({
          userId: integerIn(payload, "userId"),
          period: textIn(payload, "period") === "day" ? "day" : "week",
          since: integerIn(payload, "since"),
          until: integerIn(payload, "until"),
        }),
      digestBody,
    ),
    [summaryMailKind]: handler(
      (payload) =>
        contents.summary({
          userId: integerIn(payload, "userId"),
          from: textIn(payload, "from"),
          to: textIn(payload, "to"),
        }),
      (texts, summary) => ({
        ...texts.summary(summary),
        quotes: [],
        closing: [],
        link: { text: texts.openInsights, url: `${address.url}/admin/insights` },
      }),
    ),
  }

  function digestBody(texts: RecognitionTexts, digest: Digest): Body {
    const { thanks, given, toGive, period } = digest
    const left = thanks.length - maxQuotes
    return {
      ...texts.digest(digest),
      quotes: thanks.slice(0, maxQuotes).map((one) => quoteOf(texts, one)),
      closing: [
        ...(left > 0 ? [texts.more(left)] : []),
        ...(period === "week" ? [texts.given(given)] : []),
        ...(toGive > 0 ? [texts.toGive(toGive)] : []),
      ],
      link: { text: texts.open, url: `${address.url}/` },
    }
  }

  function quoteOf(texts: RecognitionTexts, thanks: Thanks) {
    return { title: texts.quoteTitle(thanks), text: thanks.reason, tags: thanks.tags, url: addressOf(thanks) }
  }

  function addressOf({ id }: Thanks): string {
    return `${address.url}/recognition/${id}`
  }

  function handler<T>(
    read: (payload: unknown) => Promise<{ user: User; choice: MailChoice; content: T } | null>,
    write: (texts: RecognitionTexts, content: T) => Body,
  ): Handler {
    return async (payload, { signal }) => {
      const found = await read(payload)
      if (found === null) return "nothing to send"
      const { user, choice, content } = found
      const language = choice.language ?? service.language
      const texts = mailTexts[language].recognition
      const letter = {
        ...write(texts, content),
        language,
        reason: texts.reason(service.name),
        unsubscribe: {
          text: texts.unsubscribe,
          url: `${address.url}${unsubscribePath}?token=${unsubscribeTokens.sign(user.id)}`,
        },
      }
      await sendTo(mailer, { from: sender, to: user.email, ...composed(letter) }, signal)
      return "sent"
    }
  }
}

function integerIn(payload: unknown, field: string): number {
  const value = valueIn(payload, field)
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    throw new PermanentFailure(`the payload has no ${field}`)
  return value
}

function textIn(payload: unknown, field: string): string {
  const value = valueIn(payload, field)
  if (typeof value !== "string") throw new PermanentFailure(`the payload has no ${field}`)
  return value
}

const valueIn = (payload: unknown, field: string): unknown =>
  typeof payload === "object" && payload !== null
    ? new Map<string, unknown>(Object.entries(payload)).get(field)
    : undefined
