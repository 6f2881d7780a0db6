import { movePoints, type StoredPockets } from "../../domain/ledger/pockets.ts"
import { one, type Reads } from "../database.ts"
import { commitmentTo, firstHash, hashOf } from "../ledger/chain.ts"
import { noteOf } from "../rows.ts"
import { fields, type RowOf, type SQL, select, sql } from "../sql.ts"
import { balances, erasures, ledgerState, notes, transactions, users } from "../tables.ts"

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

/** A row of `transactions`, with its note and its erasure. The four fields of a note are null when it has none. */
export const ledgerColumns = {
  id: transactions.id,
  receiverId: transactions.userId,
  senderId: transactions.fromId,
  value: transactions.value,
  date: transactions.date,
  kind: transactions.kind,
  reverses: transactions.reverses,
  group: transactions.groupId,
  commitment: transactions.commitment,
  hash: transactions.hash,
  erasedAt: sql<number | null>`${erasures.erasedAt}`,
  salt: sql<Uint8Array | null>`${notes.salt}`,
  reason: sql<string | null>`${notes.reason}`,
  tags: sql<string | null>`${notes.tags}`,
  isPrivate: sql<number | null>`${notes.isPrivate}`,
}
export type LedgerRow = RowOf<typeof ledgerColumns>

const storedBalance = {
  userId: users.id,
  username: users.username,
  /** These three are null when the user has no row in `balances`. */
  value: sql<number | null>`${balances.value}`,
  earned: sql<number | null>`${balances.earned}`,
  earnedGiven: sql<number | null>`${balances.earnedGiven}`,
  /** How many transactions the user has, of others, to others, and to the own account. */
  receivedCount: sql<number>`coalesce(${balances.receivedCount}, 0)`,
  sentCount: sql<number>`coalesce(${balances.sentCount}, 0)`,
  selfCount: sql<number>`coalesce(${balances.selfCount}, 0)`,
}
const balance = fields(storedBalance)

/** Where the ledger ends. */
export const ledgerEnd = fields({
  count: ledgerState.transactionCount,
  lastId: ledgerState.lastId,
  lastDate: ledgerState.lastDate,
  lastHash: ledgerState.lastHash,
})
export type LedgerEnd = typeof ledgerEnd extends SQL<infer Row> ? Row : never

/** What is stored about all transactions together. */
interface StoredLedger {
  /** Of every user. */
  readonly balances: readonly RowOf<typeof storedBalance>[]
  /** Of all balances; null when there is none. */
  readonly sumOfBalances: string | null
  /** Null when it is missing. */
  readonly state: LedgerEnd | null
}

/**
 * A check that sees each transaction once, in the order of ids, and compares what is stored about all of them at the
 * end.
 */
export interface LedgerCheck<Row extends LedgerRow = LedgerRow> {
  readonly name: string
  /** Returns a fault of this transaction, or null. */
  see(row: Row): string | null
  end(stored: StoredLedger): Iterable<string>
}

/** One fault can make every later transaction look wrong. Further findings of the same check are only counted. */
export const maxListed = 100

/** The garbage collector does not know how large the hashes of discarded rows are, so it is run after so many rows. */
const rowsBetweenCollections = 10_000
const rowsBetweenReports = 250_000

interface LedgerRequest<Row extends LedgerRow> {
  /** The columns of a row, which has at least those of `ledgerColumns`. */
  readonly columns: SQL<Row>
  /** Checks what this kind of database stores to find the pages of histories. */
  readonly lists: LedgerCheck<Row>
  readonly onProgress?: OnProgress | undefined
  readonly anchoring?: Anchoring | undefined
}

/** Runs all checks that need every transaction, on one reading. The memory does not grow with the number of transactions. */
export async function* ledgerFaults<Row extends LedgerRow>(
  reads: Reads,
  { columns, lists, onProgress = () => {}, anchoring }: LedgerRequest<Row>,
): AsyncGenerator<Damage> {
  const originals = new Map<number, Reversed>()
  const reversedBy: ReversedBy = (id) => originals.get(id)
  const checks: LedgerCheck<Row>[] = [
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
  const counts = new Map<string, number>()
  let seen = 0

  for await (const page of inPages((after) => reads.all(ledgerAfter(columns, after)))) {
    originals.clear()
    if (page.some(({ reverses }) => reverses !== null))
      for (const { id, ...original } of await reads.all(originalsIn(page))) originals.set(id, original)
    for (const row of page) {
      for (const { name, see } of checks) {
        const fault = see(row)
        if (fault !== null) yield* report(name, `transaction ${row.id}: ${fault}`)
      }
      seen += 1
      if (seen % rowsBetweenCollections === 0) Bun.gc(true)
      if (seen % rowsBetweenReports === 0) onProgress(seen)
    }
  }
  const stored = await storedIn(reads)
  for (const { name, end } of checks) for (const fault of end(stored)) yield* report(name, fault)
  for (const [check, count] of counts)
    if (count > maxListed) yield { check, fault: `there are ${count - maxListed} more of these` }

  function* report(check: string, fault: string): Generator<Damage> {
    const count = (counts.get(check) ?? 0) + 1
    counts.set(check, count)
    if (count <= maxListed) yield { check, fault }
  }
}

/** Rows read at once: some 2 MB. */
export const pageLength = 5000

/** Pages of rows by id. The next page is requested while one is processed. */
export async function* inPages<Row extends { readonly id: number }>(
  rowsAfter: (id: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  const pageAfter = (id: number) => {
    const page = rowsAfter(id)
    page.catch(() => {}) // it is awaited later
    return page
  }
  for (let next = pageAfter(0); ; ) {
    const page = await next
    const last = page.at(-1)
    if (last === undefined) return
    next = pageAfter(last.id)
    yield page
  }
}

const ledgerAfter = <Row>(columns: SQL<Row>, id: number) => select(columns)`FROM ${transactions}
  LEFT JOIN ${notes} ON ${notes.transactionId} = ${transactions.id}
  LEFT JOIN ${erasures} ON ${erasures.transactionId} = ${transactions.id}
  WHERE ${transactions.id} > ${id} ORDER BY ${transactions.id} LIMIT ${pageLength}`

const originalsIn = (page: readonly LedgerRow[]) => select(reversed)`FROM ${transactions} AS reversal
  JOIN ${transactions} ON ${transactions.id} = reversal.reverses
  WHERE reversal.id >= ${page[0]?.id ?? 0} AND reversal.id <= ${page.at(-1)?.id ?? 0}`

async function storedIn(reads: Reads): Promise<StoredLedger> {
  const [stored, sum, state] = await Promise.all([
    reads.all(select(balance)`FROM ${users} LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
      ORDER BY ${users.id}`),
    one(reads, sql<{ sum: string | null }>`SELECT CAST(sum(${balances.value}) AS text) AS sum FROM ${balances}`),
    reads.first(select(ledgerEnd)`FROM ${ledgerState}`),
  ])
  return { balances: stored, sumOfBalances: sum.sum, state }
}

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
      const originalKind = reverses === null ? null : (reversedBy(id)?.kind ?? null)
      movePoints({ kind, value, originalKind }, accountOf(senderId), accountOf(receiverId))
      return null
    },
    *end(stored) {
      for (const { userId, username, value, earned, earnedGiven } of stored.balances) {
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

const original = {
  kind: transactions.kind,
  senderId: transactions.fromId,
  receiverId: transactions.userId,
  value: transactions.value,
  /** Points that reversals have moved back, up to and including the reversal that is checked. */
  reversed: sql<number>`(SELECT sum(other.value)::bigint FROM ${transactions} AS other
    WHERE other.reverses = ${transactions.id} AND other.id <= reversal.id)`,
}
/** The transaction that a reversal names. */
type Reversed = RowOf<typeof original>
const reversed = fields({ id: sql<number>`reversal.id`, ...original })

/** Finds the transaction that the reversal `id` reverses, unless it is missing. */
type ReversedBy = (id: number) => Reversed | undefined

/**
 * A reversal moves points back between the same two people. All reversals of a transaction together move back at most
 * its value.
 */
function createReversalsCheck(reversedBy: ReversedBy): LedgerCheck {
  return {
    name: "reversals",
    see({ id, reverses, senderId, receiverId }) {
      if (reverses === null) return null
      const original = reversedBy(id)
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
