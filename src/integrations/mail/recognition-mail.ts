import {
  digestMailKind,
  newcomerMailKind,
  recapMailKind,
  summaryMailKind,
  teamMailKind,
  thanksMailKind,
} from "../../domain/jobs/jobs.ts"
import type { User } from "../../domain/people/model.ts"
import type {
  Digest,
  MailContents,
  Newcomer,
  Overlooked,
  Summary,
  Thanks,
} from "../../domain/recognition/mail-contents.ts"
import type { MailChoice } from "../../domain/recognition/model.ts"
import type { Recap } from "../../domain/recognition/recaps.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { fill } from "../../languages/writing.ts"
import { type UnsubscribeTokens, unsubscribePath } from "../../security/secrets.ts"
import { composed, type Letter } from "./letter.ts"
import { type MailOptions, send } from "./sending.ts"
import { type MailWords, mailWords } from "./words.ts"

/** How many recognitions a digest quotes, and how many people a mail names. It only counts the others. */
const maxQuotes = 20

interface RecognitionMailOptions extends MailOptions {
  readonly contents: MailContents
  readonly unsubscribeTokens: UnsubscribeTokens
}

type Body = Pick<Letter, "subject" | "paragraphs" | "quotes" | "closing" | "link" | "from">

/** The handlers of mail about recognition, by kind. The result is `sent`, or `nothing to send`. */
export function recognitionMailHandlers(options: RecognitionMailOptions): Record<string, Handler> {
  const { contents, unsubscribeTokens, logo, faceOf, service, programme, address } = options

  return {
    [thanksMailKind]: handler(
      (payload) => contents.thanks({ transactionId: integerIn(payload, "transactionId") }),
      thanksBody,
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
      summaryBody,
    ),
    [recapMailKind]: handler(
      (payload) => contents.recap({ userId: integerIn(payload, "userId"), period: textIn(payload, "period") }),
      recapBody,
    ),
    [teamMailKind]: handler((payload) => contents.team({ userId: integerIn(payload, "userId") }), teamBody),
    [newcomerMailKind]: handler((payload) => contents.newcomer({ userId: integerIn(payload, "userId") }), newcomerBody),
  }

  async function thanksBody(words: MailWords, thanks: Thanks): Promise<Body> {
    const { from, addedTo, reason, tags } = thanks
    const { texts } = words
    const said = { from, first: addedTo ?? "", points: words.points(thanks.value) }
    const { subject, text } = addedTo === null ? texts.thanks : texts.added
    return {
      subject: fill(subject, said),
      from: await faceOf({ name: from, avatar: thanks.avatar }),
      paragraphs: [fill(text, said)],
      quotes: reason === "" && tags.length === 0 ? [] : [quoteOf(words, thanks)],
      closing: [],
      link: { text: texts.open, url: addressOf(thanks) },
    }
  }

  async function digestBody(words: MailWords, { thanks, given, toGive, period }: Digest): Promise<Body> {
    const { digest, open } = words.texts
    const left = thanks.length - maxQuotes
    const points = words.points(thanks.reduce((sum, { value }) => sum + value, 0))
    const sentence = fill(words.count(thanks.length, digest[period]), { points })
    return {
      ...(thanks.length === 0
        ? { subject: digest.nobodySubject, paragraphs: [digest.nobody] }
        : { subject: sentence, paragraphs: [`${sentence}.`] }),
      quotes: await Promise.all(
        thanks.slice(0, maxQuotes).map(async (one) => ({
          ...quoteOf(words, one),
          face: await faceOf({ name: one.from, avatar: one.avatar }),
        })),
      ),
      closing: [
        ...(left > 0 ? [words.count(left, digest.more)] : []),
        ...(period === "week" ? [given === 0 ? digest.givenNone : words.count(given, digest.given)] : []),
        ...(toGive > 0 ? [fill(digest.toGive, { points: words.points(toGive) })] : []),
      ],
      link: { text: open, url: `${address.url}/` },
    }
  }

  function summaryBody(words: MailWords, { from, month: counted, tags, overlooked }: Summary): Body {
    const { summary, openInsights } = words.texts
    const month = words.month(from)
    const said = {
      month,
      senders: words.count(counted.senders, summary.senders),
      receivers: words.count(counted.receivers, summary.receivers),
      times: words.count(counted.count, summary.times),
      points: words.points(counted.value),
    }
    const used = tags.map(({ tag, count }) => `${tag} (${words.number(count)})`).join(", ")
    return {
      subject: fill(summary.subject, { month }),
      paragraphs: [
        fill(summary.text, said),
        ...(tags.length > 0 ? [fill(summary.tags, { tags: used })] : []),
        overlooked === 0 ? summary.everybody : words.count(overlooked, summary.overlooked),
      ],
      quotes: [],
      closing: [],
      link: { text: openInsights, url: `${address.url}/admin/insights` },
    }
  }

  function recapBody(words: MailWords, { period, received, given, words: said }: Recap): Body {
    const { recap } = words.texts
    const [year = "", quarter = ""] = period.split("-Q")
    const people = words.count(received.people, recap.people)
    return {
      subject: fill(recap.subjects[Number(quarter) - 1] ?? "", { year }),
      paragraphs: [
        received.count === 0
          ? recap.receivedNone
          : fill(words.count(received.count, recap.received), { people, points: words.points(received.value) }),
        given.count === 0 ? recap.givenNone : words.count(given.count, recap.given),
      ],
      quotes: said.slice(0, 1).map(({ recognitionId, text, from }) => ({
        title: from.name,
        text,
        tags: [],
        url: `${address.url}/recognition/${recognitionId}`,
      })),
      closing: [],
      link: { text: recap.open, url: `${address.url}/recap/${period}` },
    }
  }

  function teamBody(words: MailWords, overlooked: Overlooked): Body {
    const { team } = words.texts
    const left = overlooked.length - maxQuotes
    return {
      subject: words.count(overlooked.length, team.subject),
      paragraphs: [team.text],
      quotes: overlooked.slice(0, maxQuotes).map(({ username, name, lastThanked }) => ({
        title: name,
        text: lastThanked === null ? team.never : fill(team.last, { day: words.day(lastThanked) }),
        tags: [],
        url: `${address.url}/people/${encodeURIComponent(username)}`,
      })),
      closing: left > 0 ? [words.count(left, words.texts.digest.more)] : [],
      link: toTeam(words),
    }
  }

  function newcomerBody(words: MailWords, { name, joined, thanked }: Newcomer): Body {
    const { newcomer } = words.texts
    return {
      subject: fill(newcomer.subject, { name }),
      paragraphs: [
        fill(newcomer.text, { name, day: words.day(joined) }),
        fill(thanked === 0 ? newcomer.nobody : words.count(thanked, newcomer.thanked), { name }),
      ],
      quotes: [],
      closing: [],
      link: toTeam(words),
    }
  }

  function toTeam({ texts }: MailWords): Body["link"] {
    return { text: texts.openTeam, url: `${address.url}/team` }
  }

  function quoteOf({ texts, points }: MailWords, thanks: Thanks) {
    const { from, addedTo, reason, tags, value } = thanks
    const said = { from, first: addedTo ?? "", points: points(value) }
    const title = addedTo === null ? `${from}: ${said.points}` : fill(texts.added.title, said)
    return { title, text: reason, tags, url: addressOf(thanks) }
  }

  function addressOf({ id }: Thanks): string {
    return `${address.url}/recognition/${id}`
  }

  function handler<T>(
    read: (payload: unknown) => Promise<{ user: User; choice: MailChoice; content: T } | null>,
    write: (words: MailWords, content: T) => Body | Promise<Body>,
  ): Handler {
    return async (payload, run) => {
      const found = await read(payload)
      if (found === null) return "nothing to send"
      const { user, choice, content } = found
      const language = choice.language ?? service.language
      const words = mailWords(language, await programme.current())
      const { whyRecognition, unsubscribe } = words.texts
      const letter = {
        ...(await write(words, content)),
        language,
        logo,
        reason: fill(whyRecognition, { service: service.name }),
        unsubscribe: {
          text: unsubscribe,
          url: `${address.url}${unsubscribePath}?token=${unsubscribeTokens.sign(user.id)}`,
        },
      }
      return send(options, { to: user.email, ...composed(letter) }, run)
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
