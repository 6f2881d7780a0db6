import type { Clock } from "../../domain/clock.ts"
import { DomainError, isOutage } from "../../domain/errors.ts"
import type { Language } from "../../domain/languages.ts"
import type { Ledger, ProgrammeOf } from "../../domain/ledger/ledger.ts"
import { givableOf } from "../../domain/ledger/pockets.ts"
import { takesPart, type User } from "../../domain/people/model.ts"
import type { Programme } from "../../domain/programme/model.ts"
import type { Store } from "../../domain/store.ts"
import { PermanentFailure, TemporaryFailure } from "../../jobs/attempt.ts"
import type { Outbound } from "../../net/outbound.ts"
import type { Log } from "../../support/log.ts"
import { type Chat, ChatRefusal, ChatUnreachable, fieldsOf, type Recipient } from "./chat.ts"
import type { ChatPerson, GiveRequest } from "./give-request.ts"
import { type ChatWords, chatWords } from "./words.ts"

/** How long Slack and Mattermost accept an answer at `response_url`. A job is retried until then. */
const replyMs = 30 * 60_000

/** A job that sends points for somebody in a chat. */
export interface GiveJob extends GiveRequest, Recipient {
  /** The idempotency key, which stays the same when the chat repeats a request. */
  readonly key: string
}

/** What a chat needs besides its settings. */
export interface ChatDependencies {
  readonly outbound: Pick<Outbound, "send">
  readonly store: Pick<Store, "jobs" | "mail" | "users">
  readonly ledger: Pick<Ledger, "sendPoints">
  readonly programme: ProgrammeOf
  readonly language: Language
  readonly clock: Clock
  readonly log: Log
  readonly maxAttempts: number
  readonly onEnqueue: () => void
}

/** Giving points from a chat: a request becomes a job, and its outcome reaches the person afterwards. */
export function createGiving(chat: Chat, dependencies: ChatDependencies) {
  const { store, ledger, programme, language, clock, log, maxAttempts, onEnqueue } = dependencies
  const { jobs, mail, users } = store
  return { wordsIn, enqueue, give }

  /** What people read while this programme is in force. Null: in the language of the service. */
  function wordsIn(rules: Programme, chosen: Language | null = null): ChatWords {
    return chatWords(chosen ?? language, chat, rules)
  }

  /** Enqueues a `GiveJob`, which the handler of this kind passes to `give`. */
  async function enqueue(kind: string, payload: object) {
    const now = clock()
    await jobs.enqueue({ kind, payload, maxAttempts, runAt: now, createdAt: now, retryUntil: now + replyMs })
    onEnqueue()
  }

  /**
   * Sends the points, then tells the person the outcome. May run again after a crash: thanks to the idempotency key, the
   * points move once and the answer is the same.
   */
  async function give(payload: unknown): Promise<string> {
    const job = jobOf(payload)
    try {
      await chat.answer(job, await outcomeOf(job))
      return "answered"
    } catch (error) {
      if (error instanceof ChatRefusal) throw new PermanentFailure(error.message, { cause: error })
      if (error instanceof ChatUnreachable || isOutage(error))
        throw new TemporaryFailure(error.message, { cause: error })
      throw error // a bug, whose attempts are limited; or a permanent failure
    }
  }

  async function outcomeOf({ giver, to, value, reason, tags: given, key }: GiveJob): Promise<string> {
    const rules = await programme()
    let texts = wordsIn(rules)
    try {
      const sender = await senderOf(giver, texts)
      if (typeof sender === "string") return sender
      texts = wordsIn(rules, (await mail.choiceOf(sender.id)).language)
      const receiver = await receiverOf(to, texts)
      if (typeof receiver === "string") return receiver
      const tags = rules.tags.map(({ name }) => name)
      if (!given.every((tag) => tags.includes(tag))) return texts.unknownTag(tags.map(chat.plain))
      try {
        const note = { reason, tags: given }
        await ledger.sendPoints({ sender, receiver, value, note, idempotencyKey: key })
        return texts.sent(value, chat.plain(receiver.name), await left(sender))
      } catch (error) {
        if (isOutage(error) || !(error instanceof DomainError)) throw error
        if (error.code === "insufficient_balance") return texts.tooLittle(await left(sender))
        return chat.plain(texts.refused(error))
      }
    } catch (error) {
      if (!(error instanceof ChatRefusal)) throw error
      log.error(`points cannot be given from ${chat.name}`, { error: error.message })
      return texts.notSetUp
    }
  }

  async function left(sender: User): Promise<number> {
    return givableOf(sender, await users.pocketsOf(sender.id), await programme())
  }

  /** The user, or a message that says why there is none. */
  async function senderOf(id: string, texts: ChatWords): Promise<User | string> {
    const found = await chat.user(id)
    if (!found?.isMember || found.email === null) return texts.unknownSender(null)
    const user = await users.byEmail(found.email)
    return takesPart(user) ? user : texts.unknownSender(chat.plain(found.email))
  }

  /** A name that the chat does not know may be that of an account here. */
  async function receiverOf(person: ChatPerson, texts: ChatWords): Promise<User | string> {
    const unknown = (name: string) => texts.unknownReceiver(chat.plain(name))
    const found = await ("id" in person ? chat.user(person.id) : chat.userNamed?.(person.name))
    if (!found && "name" in person) {
      const [user, ...others] = await users.byLoginName(person.name)
      return others.length === 0 && takesPart(user) ? user : unknown(person.name)
    }
    const user = found?.email ? await users.byEmail(found.email) : null
    return takesPart(user) ? user : unknown(found?.name ?? ("id" in person ? person.id : person.name))
  }
}

function jobOf(payload: unknown): GiveJob {
  const { giver, to, value, reason, tags, key, responseUrl } = fieldsOf(payload)
  const person = fieldsOf(to)
  const isWhole = typeof giver === "string" && typeof value === "number" && typeof key === "string"
  if (!isWhole || !Array.isArray(tags)) throw new PermanentFailure("the payload is not that of a transfer from a chat")
  return {
    giver,
    to: typeof person.id === "string" ? { id: person.id } : { name: String(person.name) },
    value,
    reason: String(reason),
    tags: tags.map(String),
    key,
    responseUrl: typeof responseUrl === "string" ? responseUrl : null,
  }
}
