import type { TransactionKind } from "../../domain/ledger/model.ts"
import { movePoints, type StoredPockets } from "../../domain/ledger/pockets.ts"
import { commitmentTo, firstHash, hashOf } from "../ledger/chain.ts"
import { noteOf } from "../rows.ts"

/** Something in the database that is damaged, missing, or contradicts the rest. */
export interface Damage {
  /** The name of the check, such as `balances`. */
  readonly check: string
  /** One sentence without full stop. */
  readonly fault: string
}

export interface Verification {
  /** Number of transactions; null when the database is too damaged to count them. */
  readonly transactions: number | null
  readonly findings: readonly Damage[]
}

/** Called from time to time with the number of transactions read so far. */
export type OnProgress = (transactions: number) => void

/** A row of `transactions`, with its note and its erasure. */
export interface LedgerRow {
  readonly id: number
  readonly receiverId: number
  readonly senderId: number
  readonly value: number
  readonly date: number
  readonly kind: TransactionKind
  readonly reverses: number | null
  readonly group: number | null
  readonly commitment: Uint8Array | null
  readonly hash: Uint8Array
  readonly erasedAt: number | null
  /** Its note; all four fields are null when it has none. */
  readonly salt: Uint8Array | null
  readonly reason: string | null
  readonly tags: string | null
  readonly isPrivate: number | null
}

/** What is stored about all transactions together. */
export interface StoredLedger {
  /** Of every user. */
  readonly balances: () => Iterable<StoredBalance>
  /** Of all balances; null when there is none. */
  readonly sumOfBalances: string | null
  /** Null when it is missing. */
  readonly state: StoredState | null
}

export interface StoredBalance {
  readonly userId: number
  readonly username: string
  /** These three are null when the user has no row in `balances`. */
  readonly value: number | null
  readonly earned: number | null
  readonly earnedGiven: number | null
}

interface StoredState {
  readonly count: number
  readonly lastId: number
  readonly lastDate: number
  readonly lastHash: Uint8Array
}

/**
 * A check that sees each transaction once, in the order of ids, and compares what is stored about all of them at the
 * end.
 */
export interface LedgerCheck<Row extends LedgerRow = LedgerRow, Stored extends StoredLedger = StoredLedger> {
  readonly name: string
  /** Returns a fault of this transaction, or null. */
  see(row: Row): string | null
  end(stored: Stored): Iterable<string>
}

/** One fault can make every later transaction look wrong. Further findings of the same check are only counted. */
export const maxListed = 100

/** The garbage collector does not know how large the hashes of discarded rows are, so it is run after so many rows. */
const rowsBetweenCollections = 10_000
const rowsBetweenReports = 250_000

/** Reads the ledger once for all checks. The memory does not grow with the number of transactions. */
export function readLedger<Row extends LedgerRow, Stored extends StoredLedger>(
  checks: readonly LedgerCheck<Row, Stored>[],
  onProgress: OnProgress = () => {},
) {
  const counts = new Map<LedgerCheck<Row, Stored>, number>()
  let seen = 0

  return {
    *see(row: Row): Generator<Damage> {
      for (const one of checks) {
        const fault = one.see(row)
        if (fault !== null) yield* report(one, `transaction ${row.id}: ${fault}`)
      }
      seen += 1
      if (seen % rowsBetweenCollections === 0) Bun.gc(true)
      if (seen % rowsBetweenReports === 0) onProgress(seen)
    },
    *end(stored: Stored): Generator<Damage> {
      for (const one of checks) for (const fault of one.end(stored)) yield* report(one, fault)
      for (const [{ name: check }, count] of counts)
        if (count > maxListed) yield { check, fault: `there are ${count - maxListed} more of these` }
    },
  }

  function* report(one: LedgerCheck<Row, Stored>, fault: string): Generator<Damage> {
    const count = (counts.get(one) ?? 0) + 1
    counts.set(one, count)
    if (count <= maxListed) yield { check: one.name, fault }
  }
}

/** All checks. `lists` checks what this kind of database stores to find the pages of histories. */
export const ledgerChecks = <Row extends LedgerRow, Stored extends StoredLedger>(
  lists: LedgerCheck<Row, Stored>,
  reversedBy: ReversedBy,
  anchoring: Anchoring | undefined,
): LedgerCheck<Row, Stored>[] => [
  createOrderCheck(),
  createBalancesCheck(reversedBy),
  lists,
  createChainCheck(),
  createNotesCheck(),
  createReversalsCheck(reversedBy),
  createGroupsCheck(),
  createCountersCheck(),
  ...(anchoring ? [createAnchorCheck(anchoring)] : []),
]

/** Ids ascend from 1 without gaps, and dates never go backwards. */
function createOrderCheck(): LedgerCheck {
  let last = { id: 0, date: Number.NEGATIVE_INFINITY }

  return {
    name: "order",
    see(row) {
      const before = last
      last = row
      if (row.id > before.id + 1) return missingRange(before.id + 1, row.id - 1)
      return row.date < before.date ? "its date is before the date of the one before it" : null
    },
    end: () => [],
  }
}

const missingRange = (first: number, last: number): string =>
  first === last
    ? `transaction ${first} before it is missing`
    : `transactions ${first} to ${last} before it are missing`

/** Each balance and its pockets are what the transactions of its user leave, and all balances add up to zero. */
function createBalancesCheck(reversedBy: ReversedBy): LedgerCheck {
  const accounts = new Map<number, StoredPockets>()
  const accountOf = (userId: number): StoredPockets => {
    const account = accounts.get(userId) ?? { balance: 0, earned: 0, earnedGiven: 0 }
    accounts.set(userId, account)
    return account
  }

  return {
    name: "balances",
    see({ id, kind, senderId, receiverId, value, reverses }) {
      if (senderId === receiverId) return null
      const originalKind = reverses === null ? null : (reversedBy(id, reverses)?.kind ?? null)
      movePoints({ kind, value, originalKind }, accountOf(senderId), accountOf(receiverId))
      return null
    },
    *end(stored) {
      for (const { userId, username, value, earned, earnedGiven } of stored.balances()) {
        const account = accountOf(userId)
        if ((value ?? 0) !== account.balance)
          yield `the balance of ${username} is ${value ?? 0} instead of ${account.balance}`
        else if ((earned ?? 0) !== account.earned)
          yield `of the balance of ${username}, ${earned ?? 0} are stored as earned instead of ${account.earned}`
        else if ((earnedGiven ?? 0) !== account.earnedGiven)
          yield `of what ${username} gave, ${earnedGiven ?? 0} are stored as earned instead of ${account.earnedGiven}`
      }
      const sum = stored.sumOfBalances
      if (sum && sum !== "0") yield `all balances add up to ${sum} instead of 0`
    },
  }
}

/**
 * Each hash follows from the one before it and the transaction's own fields (../ledger/chain.ts), up to the stored last
 * hash.
 */
function createChainCheck(): LedgerCheck {
  let last = firstHash

  return {
    name: "chain",
    see(row) {
      const expected = hashOf(last, row)
      last = row.hash
      return isEqual(expected, row.hash) ? null : "its hash does not follow from its fields and the hash before it"
    },
    *end({ state }) {
      if (state && !isEqual(state.lastHash, last))
        yield "the hash of the last transaction is not the one that is stored as last"
    },
  }
}

/** The words of each note are those that its transaction committed to; they are missing only where they were erased. */
function createNotesCheck(): LedgerCheck {
  return {
    name: "notes",
    see({ commitment, erasedAt, salt, reason, tags, isPrivate }) {
      if (salt === null || reason === null || tags === null || isPrivate === null) {
        if (commitment === null) return erasedAt === null ? null : "a note is said to be erased that never was"
        return erasedAt === null ? "its note is missing" : null
      }
      if (erasedAt !== null) return "its note was erased, but is there"
      const expected = commitmentTo(noteOf({ reason, tags, isPrivate }), salt)
      return commitment && isEqual(commitment, expected) ? null : "its note is not the one that it was sent with"
    },
    end: () => [],
  }
}

/** The transaction that a reversal names. */
export interface Reversed {
  readonly kind: TransactionKind
  readonly senderId: number
  readonly receiverId: number
  readonly value: number
  /** Points that reversals have moved back, up to and including the reversal that is checked. */
  readonly reversed: number
}

/** Finds the transaction that the reversal `id` reverses. */
type ReversedBy = (id: number, reverses: number) => Reversed | null | undefined

/**
 * A reversal moves points back between the same two people. All reversals of a transaction together move back at most
 * its value.
 */
function createReversalsCheck(reversedBy: ReversedBy): LedgerCheck {
  return {
    name: "reversals",
    see({ id, reverses, senderId, receiverId }) {
      if (reverses === null) return null
      const original = reversedBy(id, reverses)
      if (!original) return `it reverses transaction ${reverses}, which is missing`
      if (original.kind === "reversal") return `it reverses transaction ${reverses}, a reversal itself`
      if (original.senderId !== receiverId || original.receiverId !== senderId)
        return `it reverses transaction ${reverses}, which is between other people`
      return original.reversed > original.value ? `more than transaction ${reverses} moved was reversed` : null
    },
    end: () => [],
  }
}

/** The transfers of a group are adjacent, begin with the one that names it, and thank different people in the same way. */
function createGroupsCheck(): LedgerCheck {
  let last: LedgerRow | null = null
  const thanked = new Set<number>()

  return {
    name: "groups",
    see(row) {
      const before = last
      last = row
      const { id, group, kind, senderId, receiverId, value, date } = row
      if (group === null) return null
      if (group === id) thanked.clear()
      const isRepeated = thanked.has(receiverId)
      thanked.add(receiverId)
      if (kind !== "transfer" || senderId === receiverId) return `it is in group ${group}, but is no recognition`
      if (isRepeated) return `group ${group} thanks user ${receiverId} twice`
      if (group === id) return null
      if (before === null || before.group !== group) return `it is in group ${group}, but not next to its transfers`
      if (before.senderId !== senderId) return `it is in group ${group}, but of another sender`
      return before.value === value && before.date === date ? null : `it is in group ${group}, but not like the others`
    },
    end: () => [],
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

/** The stored state of the ledger is right: the number of transactions, and the last one's id and date. */
function createCountersCheck(): LedgerCheck {
  let count = 0
  let last = { id: 0, date: 0 }

  return {
    name: "counters",
    see(row) {
      count += 1
      last = row
      return null
    },
    *end({ state }) {
      if (!state) return yield "the state of the ledger is missing"
      if (state.count !== count) yield `the count of transactions is ${state.count} instead of ${count}`
      if (state.lastId !== last.id) yield `the last transaction is stored as ${state.lastId} instead of ${last.id}`
      if (state.lastDate !== last.date) yield `the last date is stored as ${state.lastDate} instead of ${last.date}`
    },
  }
}

/**
 * The newest transaction at some moment, written down outside the database. A hash covers all transactions before its
 * own, so a database with this transaction and an intact hash chain has the same history up to there.
 */
export interface Anchor {
  readonly id: number
  readonly hash: Uint8Array
}

export interface Anchoring {
  /** The anchor that the history must contain; null: none. */
  readonly against: Anchor | null
  /** Called with the newest transaction, unless there is none. */
  readonly onNewest: (anchor: Anchor) => void
}

/** An anchor as text: `ID:HASH`, with 64 hexadecimal digits. */
export const anchorText = ({ id, hash }: Anchor): string => `${id}:${hash.toHex()}`

/** Null when the text is no anchor. */
export function anchorFrom(text: string): Anchor | null {
  const [, id = "", hash = ""] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  return id === "" ? null : { id: Number(id), hash: Uint8Array.fromHex(hash) }
}

/** Checks that the history up to the anchor has not changed since the anchor was written down. */
function createAnchorCheck({ against, onNewest }: Anchoring): LedgerCheck {
  let newest: Anchor | null = null
  let isFound = false

  return {
    name: "anchor",
    see({ id, hash }) {
      newest = { id, hash }
      if (id !== against?.id) return null
      isFound = true
      return Buffer.from(hash).equals(against.hash) ? null : "another hash than the anchor's: the history was changed"
    },
    *end() {
      if (newest) onNewest(newest)
      if (against && !isFound) yield `transaction ${against.id} is missing, which the anchor names`
    },
  }
}
