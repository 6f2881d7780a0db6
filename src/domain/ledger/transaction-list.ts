import { type Calendar, dayFrom } from "../calendar.ts"
import { invalid } from "../errors.ts"
import {
  type Abortable,
  maxPageSize,
  type PageBefore,
  type PageQuery,
  type PageRange,
  pageAmong,
  pageRange,
} from "../paging.ts"
import { usernameKey } from "../people/fields.ts"
import type { User } from "../people/model.ts"
import { folded } from "../people/people-search.ts"
import { onlyPersonShown } from "../people/roles.ts"
import { maxReasonLength } from "../programme/programme-fields.ts"
import type { Store } from "../store.ts"
import { isLongerThan, wordOf } from "../text.ts"
import {
  type EntryQuery,
  type HistoryFilter,
  type Note,
  type Transaction,
  type TransactionEntry,
  transactionKinds,
} from "./model.ts"
import { asSeenBy } from "./reason-readers.ts"
import { checkedName, type Referenced, withReferences } from "./references.ts"

/** The transactions that a filter selects, in terms of user ids. */
export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "received" | "sent" | "participant"; readonly user: number }
  | { readonly kind: "pair"; readonly sender: number; readonly receiver: number }

/** Null when nothing can match: a named user does not exist, or the participant is neither of the two named users. */
export function selectionOf(
  { participantId, ...named }: HistoryFilter,
  idOf: (username: string) => number | undefined,
): Selection | null {
  let receiver = named.receiver === undefined ? undefined : idOf(named.receiver)
  let sender = named.sender === undefined ? undefined : idOf(named.sender)
  if (named.receiver !== undefined && receiver === undefined) return null
  if (named.sender !== undefined && sender === undefined) return null
  if (participantId !== undefined && participantId !== receiver && participantId !== sender) {
    if (receiver === undefined && sender === undefined) return { kind: "participant", user: participantId }
    if (receiver !== undefined && sender !== undefined) return null
    receiver ??= participantId
    sender ??= participantId
  }
  if (receiver === undefined) return sender === undefined ? { kind: "all" } : { kind: "sent", user: sender }
  return sender === undefined ? { kind: "received", user: receiver } : { kind: "pair", sender, receiver }
}

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
interface TransactionListQuery extends TransactionFilter, PageQuery, Abortable {
  /** Only what this user sent or received. */
  readonly username?: string | undefined
  /** Only these ids, at most `maxPageSize`, separated by commas. All other parameters except `username` are ignored. */
  readonly ids?: string | undefined
  /**
   * Only what requests with this reference sent: of the viewer, for a superuser of everybody or of the user named. All
   * other filters are ignored.
   */
  readonly reference?: string | undefined
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "references" | "users">
  readonly calendar: Calendar
}

/** The history with kinds, reasons and reversals (docs/interface/transactions.md). */
export function createTransactionList({ store, calendar }: Dependencies) {
  return {
    /** One page of what `viewer` may see: everything for a superuser, otherwise what the viewer sent or received.
     *  Reasons that the viewer may not read are empty.
     *  @throws DomainError `invalid`, naming the parameter; `user_not_found`, `not_own_transactions` (`username`) */
    async page(viewer: User, query: TransactionListQuery): Promise<PageBefore<Referenced<TransactionEntry>>> {
      const { items, next } = await found(viewer, query)
      return { items: await withReferences(store, viewer, items), next }
    },
  }

  async function found(viewer: User, query: TransactionListQuery): Promise<PageBefore<TransactionEntry>> {
    const { ids, reference, signal } = query
    const range = pageRange(query, "a transaction")
    const participantId = await onlyPersonShown(store.users, viewer, query.username, "not_own_transactions")
    if (ids !== undefined) return { items: await entriesOf(idsIn(ids), participantId, viewer), next: null }
    if (reference !== undefined) {
      const sent = await idsSentWith(checkedName(reference), participantId, range)
      return pageAmong(await entriesOf(sent, participantId, viewer), range)
    }
    const visible = participantId === undefined ? {} : { participantId }
    const filter = filterOf(viewer.id, query, calendar)
    const { items, next } = pageAmong(await store.ledger.entries({ ...visible, ...filter, ...range, signal }), range)
    return { items: items.map((entry) => asSeenBy(viewer.id, entry)), next }
  }

  /** Newest first, as many as the range takes. */
  async function idsSentWith(name: string, senderId: number | undefined, range: PageRange): Promise<number[]> {
    const { before = Number.MAX_SAFE_INTEGER, limit } = range
    const requests = await store.references.requests({ name, senderId, before, limit })
    const ids: number[] = []
    for (const { first, last } of requests)
      for (let id = Math.min(last, before - 1); id >= first && ids.length < limit; id -= 1) ids.push(id)
    return ids
  }

  /** Newest first. Leaves out transactions that the viewer may not see. */
  async function entriesOf(
    ids: readonly number[],
    participantId: number | undefined,
    viewer: User,
  ): Promise<TransactionEntry[]> {
    const found = await store.ledger.entriesWith(ids)
    return found
      .filter(
        ({ senderId, receiverId }) => participantId === undefined || [senderId, receiverId].includes(participantId),
      )
      .map((entry) => asSeenBy(viewer.id, entry))
  }
}

/** The filter in the form that a store takes. `viewerId` is null for the operator, who may read no private reason.
 *  @throws DomainError `invalid`, naming the parameter */
export function filterOf(viewerId: number | null, query: TransactionFilter, calendar: Calendar) {
  const { user, from_user, kind, from, to } = query
  const last = to === undefined ? undefined : dayFrom("to", to)
  return {
    ...(user !== undefined && { receiver: usernameKey(user) }),
    ...(from_user !== undefined && { sender: usernameKey(from_user) }),
    kind: kind === undefined ? undefined : wordOf("kind", transactionKinds, kind),
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

/**
 * A test for the tag and the text in the reason. It ignores reasons that the viewer may not read, because each hit
 * would reveal a part of the reason.
 */
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
