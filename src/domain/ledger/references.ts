import type { User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { checkLine, isLine, isLongerThan, normalized, sha256, trimmedLines } from "../text.ts"
import { entriesThrough } from "./ledger.ts"
import type { Reference, Transaction, TransactionEntry } from "./model.ts"
import type { NoteRequest } from "./notes.ts"

/** In characters. */
export const maxReferenceLength = 128

/** A request that sends points, as its sender wrote it. */
interface SendingRequest {
  /** The receivers, in a form for JSON. */
  readonly to: unknown
  readonly value: number
  readonly note: NoteRequest
}

/**
 * The `reference` of a request (docs/interface/transactions.md, "A reference of one's own"); undefined when it has none. Whether a later
 * request is the same must not depend on what has changed since, such as people and tags. So the hash is that of what the
 * sender wrote, and of nothing else. Databases store it for ever, so it never changes.
 * @throws DomainError `invalid`
 */
export function checkedReference(given: string | null | undefined, request: SendingRequest): Reference | undefined {
  if (given == null) return undefined
  const { to, value, note } = request
  const words = [trimmedLines(note.reason ?? ""), note.tags ?? [], note.private === true]
  return { name: checkedName(given), requestHash: sha256(JSON.stringify([to, value, ...words])) }
}

/** A reference as it is stored. @throws DomainError `invalid` */
export function checkedName(given: string): string {
  checkLine("reference", given, maxReferenceLength)
  return nameOf(given)
}

const nameOf = (given: string): string => normalized(given, "NFC", maxReferenceLength)

/** A transaction with its reference; null when it has none, or the reader may not see it. */
export type Referenced<T extends Transaction> = T & { readonly reference: string | null }

/** The references of these transactions, for their senders and superusers. `viewer` is null for the operator. */
export async function withReferences<T extends Transaction>(
  { references }: Pick<Store, "references">,
  viewer: User | null,
  transactions: readonly T[],
): Promise<Referenced<T>[]> {
  const seesAll = viewer === null || isSuperuser(viewer)
  const shown = transactions.filter(({ senderId }) => seesAll || senderId === viewer.id).map(({ id }) => id)
  const names = shown.length === 0 ? new Map<number, string>() : await references.namesOf(shown)
  return transactions.map((transaction) => ({ ...transaction, reference: names.get(transaction.id) ?? null }))
}

/** The transactions of a request, in their order. */
type SentBefore = readonly [TransactionEntry, ...TransactionEntry[]]

/** What requests with a reference have sent. */
export function createReferences({ ledger, references }: Pick<Store, "ledger" | "references">) {
  return {
    /** Whether the sender has used the reference, which was not checked yet. */
    isUsed: async (sender: User, given: string): Promise<boolean> =>
      !isLongerThan(given, maxReferenceLength) &&
      isLine(given) &&
      (await references.requests({ name: nameOf(given), senderId: sender.id, limit: 1 })).length > 0,

    /**
     * The transactions of the same request; null when the sender has not used the reference. It counts even if
     * people have left or the rules have changed.
     * @throws DomainError `reference_reused`
     */
    async sentBefore(sender: User, reference: Reference | undefined): Promise<SentBefore | null> {
      const replay = reference && (await references.findReplay(sender.id, reference))
      const last = replay?.transactions.at(-1)
      if (!replay || !last) return null
      const [first, ...others] = await entriesThrough(ledger, last.id, replay.transactions.length)
      if (!first) throw new Error(`transaction ${last.id} is missing`)
      return [first, ...others]
    },
  }
}
