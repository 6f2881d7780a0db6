import { dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import { invalid } from "../errors.ts"
import type { Receiver, TransactionEntry } from "../ledger/model.ts"
import { asSeenBy } from "../ledger/reason-readers.ts"
import { maxValue } from "../points.ts"
import { isFeedEntry } from "../recognition/recognitions.ts"
import type { Store } from "../store.ts"
import { type Event, type EventType, eventTypes, type RecordedEvent } from "./model.ts"

export const defaultEventLimit = 100
export const maxEventLimit = 1000
/** How many events a page reads at most to find those of the requested `types`. */
const maxScanned = 5000
/** Transactions that are recorded at once: their events share one row and one commit. */
const transactionsAtOnce = 1000

/** The query parameters of GET /api/v1/events, parsed. */
interface EventQuery {
  /** Only later events: `next` of the page before. */
  readonly after?: number | undefined
  /** 1 to `maxEventLimit`. */
  readonly limit?: number | undefined
  /** Separated by commas. */
  readonly types?: string | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "events" | "ledger" | "recognitions" | "rewards" | "users">
  readonly clock: Clock
  /** The setting `webhooks.keep_days`. */
  readonly keepDays: number
}

export type Events = ReturnType<typeof createEvents>

/**
 * The events that webhooks and `GET /api/v1/events` deliver (docs/interface/webhooks.md). A stored event
 * has only the id of its subject. Names and reasons are read on delivery, so that erased data is not sent.
 */
export function createEvents({ store, clock, keepDays }: Dependencies) {
  const { events, ledger, recognitions, rewards, users } = store

  return {
    /** Records the events of all transactions that have none yet. Several processes may do this at the same time. */
    async record(): Promise<void> {
      let recorded: number
      do recorded = await events.recordTransactions(transactionsAtOnce, clock())
      while (recorded === transactionsAtOnce)
    },

    load,

    /** Ascending by id, with the `after` of the next page. @throws DomainError `invalid`, naming the parameter */
    async page({ after = 0, limit = defaultEventLimit, types }: EventQuery) {
      if (!(after >= 0 && after <= maxValue)) throw invalid("after", "the id of an event, or 0")
      if (!(limit >= 1 && limit <= maxEventLimit)) throw invalid("limit", `an integer from 1 to ${maxEventLimit}`)
      const wanted = types === undefined ? eventTypes : checkedTypes("types", types.split(","))
      const items: Event[] = []
      let next = after
      for (let scanned = 0; scanned < maxScanned && items.length < limit; ) {
        const recorded = await events.after(next, maxEventLimit)
        scanned += recorded.length
        const found = (await load(recorded.filter((one) => mayBe(wanted, one)))).filter(({ type }) =>
          wanted.includes(type),
        )
        const missing = limit - items.length
        items.push(...found.slice(0, missing))
        next = (found.length >= missing ? found[missing - 1] : recorded.at(-1))?.id ?? next
        if (recorded.length < maxEventLimit) break
      }
      return { items, next }
    },

    /** Deletes events older than `keepDays`. */
    sweep: (now: number): Promise<void> => events.prune(now - keepDays * dayMs),
  }

  /** The events with their subjects, in the same order. Private reasons are empty. */
  async function load(recorded: readonly RecordedEvent[]): Promise<Event[]> {
    const [transactions, people, renames] = await Promise.all([
      entriesOf(recorded.filter(({ type }) => type === "transaction")),
      usersOf(recorded.filter(({ type }) => type.startsWith("user.") && type !== "user.renamed")),
      renamesOf(recorded.filter(({ type }) => type === "user.renamed")),
    ])
    const loaded = await Promise.all(
      recorded.map(async ({ id, type, subject, at }): Promise<Event | null> => {
        switch (type) {
          case "transaction": {
            const transaction = transactions.get(subject)
            if (!transaction) return null
            const isReversal = transaction.kind === "reversal"
            return {
              id,
              at: transaction.date,
              type: isReversal ? "transaction.reversed" : "transaction.created",
              transaction,
              receivers: await receiversOf(transaction),
            }
          }
          case "user.created":
          case "user.updated":
          case "user.deactivated": {
            const user = people.get(subject)
            return user ? { id, at, type, user } : null
          }
          case "user.renamed": {
            const rename = renames.get(subject)
            return rename ? { id, at, type, user: rename.user, former: rename.username } : null
          }
          case "occasion.celebrated": {
            const occasion = await recognitions.find(-subject)
            return occasion && { id, at, type, occasion }
          }
          default: {
            const redemption = await rewards.redemption(subject)
            return redemption && { id, at, type, redemption }
          }
        }
      }),
    )
    return loaded.filter((event) => event !== null)
  }

  async function entriesOf(recorded: readonly RecordedEvent[]) {
    const ids = recorded.map(({ subject }) => subject)
    const first = Math.min(...ids)
    const last = Math.max(...ids)
    // The transactions of a page have adjacent ids.
    const entries = ids.length === 0 ? [] : await ledger.entries({ before: last + 1, limit: last - first + 1 })
    return new Map(entries.map((entry) => [entry.id, asSeenBy(null, entry)]))
  }

  async function receiversOf(transaction: TransactionEntry): Promise<readonly Receiver[]> {
    if (!isFeedEntry(transaction)) return []
    const { id, group, receiverId: userId, receiver, reversed } = transaction
    if (group === null) return [{ ...receiver, userId, transactionId: id, reversed }]
    return (await recognitions.find(id))?.receivers ?? []
  }

  async function renamesOf(recorded: readonly RecordedEvent[]) {
    const found = recorded.length === 0 ? [] : await users.renames(recorded.map(({ subject }) => subject))
    return new Map(found.map((rename) => [rename.id, rename]))
  }

  async function usersOf(recorded: readonly RecordedEvent[]) {
    const ids = [...new Set(recorded.map(({ subject }) => subject))]
    return new Map((await users.byIds(ids)).map((user) => [user.id, user]))
  }
}

/** @throws DomainError `invalid` */
export function checkedTypes(field: string, given: readonly string[]): EventType[] {
  const types = eventTypes.filter((type) => given.includes(type))
  if (types.length !== new Set(given).size) throw invalid(field, `some of ${eventTypes.join(", ")}`)
  return types
}

const mayBe = (wanted: readonly EventType[], { type }: RecordedEvent): boolean =>
  type === "transaction" ? wanted.some((one) => one.startsWith("transaction.")) : wanted.includes(type)
