import { isSuperuser } from "../auth/roles.ts"
import { type Calendar, dayFrom } from "../calendar.ts"
import { DomainError, invalid } from "../errors.ts"
import {
  type EntryQuery,
  type Note,
  type Transaction,
  type TransactionEntry,
  type TransactionKind,
  transactionKinds,
  type User,
} from "../model.ts"
import { usernameKey } from "../people/fields.ts"
import { folded } from "../people/people-search.ts"
import { asSeenBy } from "../recognition/recognitions.ts"
import type { Store } from "../store.ts"
import { isLongerThan } from "../text.ts"
import { defaultPageSize, maxPageSize, maxValue } from "./ledger.ts"
import { maxReasonLength } from "./notes.ts"

/** In characters. */
export const maxSearchLength = 100

/** The filters of the list and of its export. All that are present must match. */
export interface TransactionFilter {
  /** Username of the receiver. */
  readonly user?: string | undefined
  /** Username of the sender. */
  readonly from_user?: string | undefined
  /** One of `transactionKinds`. */
  readonly kind?: string | undefined
  readonly tag?: string | undefined
  /** Text in the reason, without regard to case and accents. */
  readonly q?: string | undefined
  /** First and last day, `YYYY-MM-DD`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The query parameters of GET /api/v1/transactions, parsed. */
interface TransactionListQuery extends TransactionFilter {
  /** Only what this user sent or received. */
  readonly username?: string | undefined
  /** Ids, separated by commas: only these, at most `maxPageSize`. Nothing else but `username` applies then. */
  readonly ids?: string | undefined
  /** Only lower ids: `next` of the previous page. */
  readonly before?: number | undefined
  /** 1 to `maxPageSize`. */
  readonly size?: number | undefined
}

interface TransactionList {
  /** Newest first; reasons that the viewer may not read are empty. */
  readonly items: readonly TransactionEntry[]
  /** `before` of the next page; null on the last one. */
  readonly next: number | null
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "users">
  readonly calendar: Calendar
}

/** The history with kinds, reasons and reversals (docs/interface.md, "Transactions"). */
export function createTransactionList({ store, calendar }: Dependencies) {
  return {
    /** One page of what `viewer` may see: everything for a superuser, otherwise what the viewer sent or received.
     *  @throws DomainError `invalid`, naming the parameter; `user_not_found`, `not_own_transactions` (`username`) */
    async page(viewer: User, query: TransactionListQuery): Promise<TransactionList> {
      const { ids, before, size = defaultPageSize } = query
      if (before !== undefined && !(before >= 1 && before <= maxValue))
        throw invalid("before", "the id of a transaction")
      if (!(size >= 1 && size <= maxPageSize)) throw invalid("size", `an integer from 1 to ${maxPageSize}`)
      const visible = await visibleTo(viewer, query)
      if (ids !== undefined) return { items: await entriesOf(idsIn(ids), visible, viewer), next: null }
      const filter = filterOf(viewer.id, query, calendar)
      const found = await store.ledger.entries({ ...visible, ...filter, before, limit: size + 1 })
      const items = found.slice(0, size).map((entry) => asSeenBy(viewer.id, entry))
      return { items, next: found.length > size ? (items.at(-1)?.id ?? null) : null }
    },
  }

  /** Newest first, without those that are not visible. */
  async function entriesOf(
    ids: readonly number[],
    { participantId }: { participantId?: number },
    viewer: User,
  ): Promise<TransactionEntry[]> {
    const found = await Promise.all([...new Set(ids)].sort((one, other) => other - one).map(store.ledger.entry))
    return found
      .filter((entry) => entry !== null)
      .filter(
        ({ senderId, receiverId }) => participantId === undefined || [senderId, receiverId].includes(participantId),
      )
      .map((entry) => asSeenBy(viewer.id, entry))
  }

  async function visibleTo(viewer: User, { username }: TransactionListQuery): Promise<{ participantId?: number }> {
    if (username === undefined) return isSuperuser(viewer) ? {} : { participantId: viewer.id }
    const person = await store.users.byUsername(usernameKey(username))
    if (!person) throw new DomainError("user_not_found")
    if (!isSuperuser(viewer) && person.id !== viewer.id) throw new DomainError("not_own_transactions")
    return { participantId: person.id }
  }
}

/** The filter as a store takes it. `viewerId` null: the operator, who may read no private reason.
 *  @throws DomainError `invalid`, naming the parameter */
export function filterOf(viewerId: number | null, query: TransactionFilter, calendar: Calendar) {
  const { user, from_user, kind, from, to } = query
  const last = to === undefined ? undefined : dayFrom("to", to)
  return {
    ...(user !== undefined && { receiver: usernameKey(user) }),
    ...(from_user !== undefined && { sender: usernameKey(from_user) }),
    kind: kind === undefined ? undefined : kindOf(kind),
    since: from === undefined ? undefined : calendar.startOf(dayFrom("from", from)),
    until: last === undefined ? undefined : calendar.startOf(last + 1),
    noteMatches: noteFilter(viewerId, query),
  }
}

function idsIn(list: string): number[] {
  const ids = list.split(",", maxPageSize + 1).map(Number)
  if (ids.length > maxPageSize || ids.some((id) => !(Number.isSafeInteger(id) && id >= 1)))
    throw invalid("ids", `at most ${maxPageSize} ids of transactions, separated by commas`)
  return ids
}

function kindOf(word: string): TransactionKind {
  const kind = transactionKinds.find((known) => known === word)
  if (!kind) throw invalid("kind", `one of ${transactionKinds.join(", ")}`)
  return kind
}

/** Private reasons are not searched for those who may not read them: each hit would give some of it away. */
export function noteFilter(
  viewerId: number | null,
  { tag, q }: Pick<TransactionFilter, "tag" | "q">,
): EntryQuery["noteMatches"] {
  if (q !== undefined && isLongerThan(q, maxSearchLength)) throw invalid("q", `at most ${maxSearchLength} characters`)
  const text = q === undefined ? "" : folded(q).trim()
  if (tag === undefined && text === "") return undefined
  return (transaction: Transaction & { readonly note: Note }) =>
    (tag === undefined || transaction.note.tags.includes(tag)) &&
    (text === "" || folded(asSeenBy(viewerId, transaction).note.reason, maxReasonLength).includes(text))
}
