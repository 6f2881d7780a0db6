import { DomainError, isOutage } from "../../domain/errors.ts"
import type { Ledger, ProgrammeOf } from "../../domain/ledger/ledger.ts"
import { givableOf } from "../../domain/ledger/pockets.ts"
import { takesPart, type User } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { PermanentFailure, TemporaryFailure } from "../../jobs/attempt.ts"
import type { Outbound } from "../../net/outbound.ts"
import type { Log } from "../../support/log.ts"
import { fieldsOf, type SlackApi, SlackRefusal } from "./api.ts"
import { escaped, type GiveRequest, type SlackPerson } from "./give-request.ts"
import type { SlackTexts } from "./texts/texts.ts"

/** The payload of a job of kind `slack_give`. */
export interface GiveJob extends GiveRequest {
  /** The person who gives, by their id in Slack. */
  readonly slackUser: string
  /** The idempotency key, which stays the same when Slack repeats a request. */
  readonly key: string
  /** Where to send the answer; null for a direct message. */
  readonly responseUrl: string | null
}

interface Dependencies {
  readonly api: SlackApi
  readonly outbound: Pick<Outbound, "send">
  readonly users: Store["users"]
  readonly ledger: Pick<Ledger, "sendPoints">
  readonly programme: ProgrammeOf
  readonly texts: SlackTexts
  readonly log: Log
}

/** Handler of kind `slack_give` with the payload `GiveJob`: sends the points, then tells the person in Slack the outcome. */
export function createGive({ api, outbound, users, ledger, programme, texts, log }: Dependencies) {
  return give

  /** May run again after a crash: thanks to the idempotency key, the points move once and the answer is the same. */
  async function give(payload: unknown): Promise<string> {
    const job = jobOf(payload)
    try {
      const text = await outcomeOf(job)
      if (job.responseUrl === null) await api.tell(job.slackUser, escaped(text))
      else await reply(job.responseUrl, privately(escaped(text)))
      return "answered"
    } catch (error) {
      if (error instanceof PermanentFailure) throw error
      if (error instanceof SlackRefusal) throw new PermanentFailure(error.message, { cause: error })
      throw new TemporaryFailure(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  async function outcomeOf({ slackUser, to, value, reason, tags: given, key }: GiveJob): Promise<string> {
    try {
      const sender = await senderOf(slackUser)
      if (typeof sender === "string") return sender
      const receiver = await receiverOf(to)
      if (typeof receiver === "string") return receiver
      const tags = (await programme()).tags.map(({ name }) => name)
      if (!given.every((tag) => tags.includes(tag))) return texts.unknownTag(tags)
      try {
        const note = { reason, tags: given }
        await ledger.sendPoints({ sender, receiver, value, note, idempotencyKey: key })
        return texts.sent(value, receiver.name, await left(sender))
      } catch (error) {
        if (isOutage(error) || !(error instanceof DomainError)) throw error
        if (error.code === "insufficient_balance") return texts.tooLittle(await left(sender))
        return texts.refused(error)
      }
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error
      log.error("points cannot be given from Slack", { error: error.message })
      return texts.notSetUp
    }
  }

  async function left(sender: User): Promise<number> {
    return givableOf(sender, await users.pocketsOf(sender.id), await programme())
  }

  /** The user, or a message that says why there is none. */
  async function senderOf(id: string): Promise<User | string> {
    const found = await api.user(id)
    if (!found?.isMember || found.email === null) return texts.unknownSender(null)
    const user = await users.byEmail(found.email)
    return takesPart(user) ? user : texts.unknownSender(found.email)
  }

  async function receiverOf(person: SlackPerson): Promise<User | string> {
    if ("name" in person) {
      const [user, ...others] = await users.byLoginName(person.name)
      return others.length === 0 && takesPart(user) ? user : texts.unknownReceiver(person.name)
    }
    const found = await api.user(person.slackUser)
    const user = found?.email ? await users.byEmail(found.email) : null
    return takesPart(user) ? user : texts.unknownReceiver(found?.name ?? person.slackUser)
  }

  async function reply(responseUrl: string, message: object) {
    const headers = { "content-type": "application/json" }
    const { status } = await outbound.send({ method: "POST", url: responseUrl, headers, body: JSON.stringify(message) })
    if (status === 404 || status === 410) throw new PermanentFailure(`Slack no longer accepts the answer: ${status}`)
    if (status !== 200) throw new Error(`Slack did not accept the answer: ${status}`)
  }
}

/** A reply that only the person who sent the command sees. */
export const privately = (text: string) => ({ response_type: "ephemeral", text })

function jobOf(payload: unknown): GiveJob {
  const { slackUser, to, value, reason, tags, key, responseUrl } = fieldsOf(payload)
  const person = fieldsOf(to)
  const isWhole = typeof slackUser === "string" && typeof value === "number" && typeof key === "string"
  if (!isWhole || !Array.isArray(tags)) throw new PermanentFailure("the payload is not that of a transfer from Slack")
  return {
    slackUser,
    to: typeof person.slackUser === "string" ? { slackUser: person.slackUser } : { name: String(person.name) },
    value,
    reason: String(reason),
    tags: tags.map(String),
    key,
    responseUrl: typeof responseUrl === "string" ? responseUrl : null,
  }
}
