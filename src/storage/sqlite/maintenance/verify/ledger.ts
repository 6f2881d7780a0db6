import type { Database } from "bun:sqlite"
import type { TransactionKind } from "../../../../domain/model.ts"
import { commitmentTo, firstHash, hashOf } from "../../../chain.ts"
import { noteOf } from "../../../notes.ts"
import type { Finding, LedgerCheck, Row, Subject } from "./check.ts"
import { createHistoryIndexCheck } from "./history-index.ts"

/** One fault can make every later transaction look wrong. Further findings of the same check are only counted. */
const maxListed = 100

/** The garbage collector does not know how large the hashes of discarded rows are, so it is run by hand. */
const rowsBetweenCollections = 10_000

const columns = `id, user_id AS receiverId, from_id AS senderId, value, date, user_prev AS userPrev, from_prev AS fromPrev,
  kind, reverses, commitment, hash, erased_at AS erasedAt, salt, reason, tags, private AS isPrivate`

/** Reads the ledger once for all checks that need every transaction. Memory does not grow with their number. */
export function* ledgerFaults(subject: Subject): Generator<Finding> {
  const checks: readonly LedgerCheck[] = [
    createOrderCheck(),
    createBalancesCheck(),
    createHistoryIndexCheck(subject),
    createChainCheck(),
    createNotesCheck(),
    createReversalsCheck(subject),
    createCountersCheck(),
  ]
  const rows = subject.client.query<Row, []>(
    `SELECT ${columns} FROM transactions
     LEFT JOIN notes ON notes.transaction_id = id LEFT JOIN erasures ON erasures.transaction_id = id ORDER BY id`,
  )
  const counts = new Map<LedgerCheck, number>()

  for (const row of rows.iterate()) {
    for (const one of checks) {
      const fault = one.see(row)
      if (fault !== null) yield* report(one, `transaction ${row.id}: ${fault}`)
    }
    if (row.id % rowsBetweenCollections === 0) Bun.gc(true)
  }
  for (const one of checks) for (const fault of one.end(subject)) yield* report(one, fault)
  for (const [{ name: check }, count] of counts)
    if (count > maxListed) yield { check, fault: `there are ${count - maxListed} more of these` }

  function* report(one: LedgerCheck, fault: string): Generator<Finding> {
    const count = (counts.get(one) ?? 0) + 1
    counts.set(one, count)
    if (count <= maxListed) yield { check: one.name, fault }
  }
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

interface StoredBalance {
  readonly userId: number
  readonly username: string
  /** Null where the user has no row of balances. */
  readonly value: number | null
}

/** Each balance is what its user received minus what the user sent, and all add up to zero. */
function createBalancesCheck(): LedgerCheck {
  const balances = new Map<number, number>()
  const add = (userId: number, value: number) => balances.set(userId, (balances.get(userId) ?? 0) + value)

  return {
    name: "balances",
    see({ senderId, receiverId, value }) {
      if (senderId !== receiverId) {
        add(senderId, -value)
        add(receiverId, value)
      }
      return null
    },
    *end({ client }) {
      for (const { userId, username, value } of storedBalances(client)) {
        const balance = balances.get(userId) ?? 0
        if ((value ?? 0) !== balance) yield `the balance of ${username} is ${value ?? 0} instead of ${balance}`
      }
      const sum = client
        .query<{ sum: string | null }, []>("SELECT CAST(sum(value) AS TEXT) AS sum FROM balances")
        .get()?.sum
      if (sum && sum !== "0") yield `all balances add up to ${sum} instead of 0`
    },
  }
}

const storedBalances = (client: Database): Iterable<StoredBalance> =>
  client
    .query<StoredBalance, []>(
      `SELECT users.id AS userId, username, value
       FROM users LEFT JOIN balances ON user_id = users.id ORDER BY users.id`,
    )
    .iterate()

/** Each hash follows from the one before it and the transaction's own fields (see ledger/chain.ts), up to the stored last hash. */
function createChainCheck(): LedgerCheck {
  let last = firstHash

  return {
    name: "chain",
    see(row) {
      const expected = hashOf(last, row)
      last = row.hash
      return isEqual(expected, row.hash) ? null : "its hash does not follow from its fields and the hash before it"
    },
    *end({ client }) {
      const stored = client.query<{ hash: Uint8Array }, []>("SELECT last_hash AS hash FROM ledger_state").get()
      if (stored && !isEqual(stored.hash, last))
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

interface Reversed {
  readonly kind: TransactionKind
  readonly senderId: number
  readonly receiverId: number
  readonly value: number
  /** By all reversals up to the one that is checked. */
  readonly reversed: number
}

/** A reversal moves points between the same two people back, and all together no more than there were. */
function createReversalsCheck({ client }: Subject): LedgerCheck {
  const reversedBy = client.query<Reversed, [number, number]>(
    `SELECT kind, from_id AS senderId, user_id AS receiverId, value,
       (SELECT sum(value) FROM transactions WHERE reverses = original.id AND id <= ?) AS reversed
     FROM transactions AS original WHERE id = ?`,
  )

  return {
    name: "reversals",
    see({ id, reverses, senderId, receiverId }) {
      if (reverses === null) return null
      const original = reversedBy.get(id, reverses)
      if (!original) return `it reverses transaction ${reverses}, which is missing`
      if (original.kind === "reversal") return `it reverses transaction ${reverses}, a reversal itself`
      if (original.senderId !== receiverId || original.receiverId !== senderId)
        return `it reverses transaction ${reverses}, which is between other people`
      return original.reversed > original.value ? `more than transaction ${reverses} moved was reversed` : null
    },
    end: () => [],
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

interface Counters {
  readonly count: number
  readonly lastId: number
  readonly lastDate: number
}

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
    *end({ client }) {
      const stored = client
        .query<Counters, []>(
          "SELECT transaction_count AS count, last_id AS lastId, last_date AS lastDate FROM ledger_state",
        )
        .get()
      if (!stored) return yield "the state of the ledger is missing"
      if (stored.count !== count) yield `the count of transactions is ${stored.count} instead of ${count}`
      if (stored.lastId !== last.id) yield `the last transaction is stored as ${stored.lastId} instead of ${last.id}`
      if (stored.lastDate !== last.date) yield `the last date is stored as ${stored.lastDate} instead of ${last.date}`
    },
  }
}
