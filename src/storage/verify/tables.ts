import { faultOf } from "../../domain/allowances/schedule.ts"
import { createCalendar } from "../../domain/calendar.ts"
import type { CountedTransaction } from "../../domain/ledger/model.ts"
import { emailKey, usernameCaseKey } from "../../domain/people/fields.ts"
import { inCircles } from "../../domain/people/managers.ts"
import { isActive } from "../../domain/people/model.ts"
import { adminUsername } from "../../domain/people/users.ts"
import { columns, createTotals } from "../../domain/recognition/leaderboards.ts"
import { countedAs, countedAsGrant } from "../../domain/recognition/recognitions.ts"
import type { Reads } from "../database.ts"
import { snapshot, transactionsAfter } from "../recognition/statistics.ts"
import { columnsOf, type StoredSnapshot } from "../recognition/stored-snapshots.ts"
import { fields, select, sql } from "../sql.ts"
import {
  allowanceRuns,
  allowances,
  idempotencyKeys,
  leaderboardSnapshots,
  ledgerState,
  occasions,
  redemptions,
  transactionReferences,
  transactions,
  users,
} from "../tables.ts"
import { type Damage, inPages, maxListed, pageLength } from "./verification.ts"

/** Everything outside the ledger that contradicts the rest, on the snapshot of these reads. */
export async function* tableFaults(reads: Reads): AsyncGenerator<Damage> {
  yield* userFaults(reads)
  yield* keyFaults(reads)
  yield* referenceFaults(reads)
  yield* redemptionFaults(reads)
  yield* allowanceFaults(reads)
  yield* occasionFaults(reads)
  yield* leaderboardFaults(reads)
}

/** The keys by which log-ins find an account, and its manager. */
const checkedUser = fields({
  id: users.id,
  username: users.username,
  usernameKey: users.usernameKey,
  email: users.email,
  emailKey: users.emailKey,
  managerId: users.managerId,
  deactivatedAt: users.deactivatedAt,
})

/**
 * Users whom a log-in would not find, or whose manager cannot be one. Their confusables are not checked, because these follow from the Unicode data of the
 * version that wrote them.
 */
async function* userFaults(reads: Reads): AsyncGenerator<Damage> {
  let listed = 0
  const all = await reads.all(select(checkedUser)`FROM ${users} ORDER BY ${users.id}`)
  const active = new Set(all.filter(isActive).map(({ id }) => id))
  const circles = inCircles(new Map(all.map(({ id, managerId }) => [id, managerId])))
  for (const user of all) {
    const wrong = [
      ...(user.usernameKey === usernameCaseKey(user.username) ? [] : ["its username_key is not that of its username"]),
      ...(user.emailKey === emailKey(user.email) ? [] : ["its email_key is not that of its email"]),
      ...(user.managerId === null || active.has(user.managerId) ? [] : ["its manager is no active user"]),
      ...(circles.has(user.id) ? ["it reports to itself through its managers"] : []),
    ]
    for (const fault of wrong) yield { check: "users", fault: `user ${user.id}: ${fault}` }
    listed += wrong.length
    if (listed >= maxListed) return
  }
}

/** Idempotency keys that name a transaction that does not exist. */
async function* keyFaults(reads: Reads): AsyncGenerator<Damage> {
  const last = sql`transaction_id + transaction_count - 1`
  const keys = await reads.all(sql<{ userId: number; first: number; last: number }>`
    SELECT user_id AS "userId", transaction_id AS first, ${last} AS last FROM ${idempotencyKeys}
    WHERE transaction_id < 1 OR ${last} > (SELECT ${ledgerState.lastId} FROM ${ledgerState})
    ORDER BY user_id, key LIMIT ${maxListed}`)
  for (const { userId, first, last } of keys)
    yield {
      check: "idempotency keys",
      fault: `a key of user ${userId} names transactions ${first} to ${last}, which do not all exist`,
    }
}

/** References that name a transaction of somebody else, or one that does not exist. */
async function* referenceFaults(reads: Reads): AsyncGenerator<Damage> {
  const last = sql`transaction_id + transaction_count - 1`
  const references = await reads.all(sql<{ userId: number; first: number; last: number }>`
    SELECT user_id AS "userId", transaction_id AS first, ${last} AS last FROM ${transactionReferences} AS r
    WHERE transaction_count <> (SELECT count(*) FROM ${transactions} AS t
      WHERE t.id BETWEEN r.transaction_id AND ${last} AND t.from_id = r.user_id)
    ORDER BY user_id, reference LIMIT ${maxListed}`)
  for (const { userId, first, last } of references)
    yield {
      check: "references",
      fault: `a reference of user ${userId} names transactions ${first} to ${last}, which this user did not all send`,
    }
}

/**
 * Redemptions that contradict the transactions which took the points and returned them. The stock of a reward is not
 * checked: superusers set it, so nothing else in the database determines it.
 */
async function* redemptionFaults(reads: Reads): AsyncGenerator<Damage> {
  const faults = await reads.all(sql<{ id: number; fault: string }>`
    SELECT id, fault FROM (
      SELECT r.id, CASE
          WHEN paid.kind <> 'redemption' THEN 'its transaction is of another kind'
          WHEN paid.from_id <> r.user_id THEN 'somebody else paid for it'
          WHEN returned.id IS NULL THEN NULL
          WHEN returned.kind <> 'refund' THEN 'its refund is a transaction of another kind'
          WHEN returned.user_id <> paid.from_id OR returned.from_id <> paid.user_id
            THEN 'its refund is between other people'
          WHEN returned.value <> paid.value THEN 'its refund is not what was paid'
          WHEN returned.id < paid.id THEN 'its refund came before it'
        END AS fault
      FROM ${redemptions} AS r JOIN ${transactions} AS paid ON paid.id = r.id
        LEFT JOIN ${transactions} AS returned ON returned.id = r.refund_id
      UNION ALL
      SELECT t.id, 'points were taken, but nothing was redeemed' FROM ${transactions} AS t
      WHERE t.kind = 'redemption' AND NOT EXISTS (SELECT 1 FROM ${redemptions} AS r WHERE r.id = t.id)
      UNION ALL
      SELECT t.id, 'points were returned, but no redemption was declined' FROM ${transactions} AS t
      WHERE t.kind = 'refund'
        AND t.from_id = (SELECT ${users.id} FROM ${users} WHERE ${users.username} = ${adminUsername})
        AND NOT EXISTS (SELECT 1 FROM ${redemptions} AS r WHERE r.refund_id = t.id)
    ) AS compared WHERE fault IS NOT NULL ORDER BY id, fault LIMIT ${maxListed}`)
  for (const { id, fault } of faults) yield { check: "redemptions", fault: `transaction ${id}: ${fault}` }
}

/** Occasions that contradict the transactions of their points. */
async function* occasionFaults(reads: Reads): AsyncGenerator<Damage> {
  const faults = await reads.all(sql<{ fault: string }>`
    SELECT fault FROM (
      SELECT o.id, CASE
          WHEN t.kind <> 'occasion' THEN 'occasion ' || o.id || ': its transaction is of another kind'
          WHEN t.user_id <> o.user_id THEN 'occasion ' || o.id || ': somebody else got its points'
        END AS fault
      FROM ${occasions} AS o JOIN ${transactions} AS t ON t.id = o.transaction_id
      UNION ALL
      SELECT t.id, 'transaction ' || t.id || ': it is for an occasion that is missing' FROM ${transactions} AS t
      WHERE t.kind = 'occasion' AND NOT EXISTS (SELECT 1 FROM ${occasions} AS o WHERE o.transaction_id = t.id)
    ) AS compared WHERE fault IS NOT NULL ORDER BY id, fault LIMIT ${maxListed}`)
  for (const { fault } of faults) yield { check: "occasions", fault }
}

const schedule = fields({
  id: allowances.id,
  period: allowances.period,
  dueDay: allowances.dueDay,
  dueTime: allowances.dueTime,
  startsOn: allowances.startsOn,
  endsOn: allowances.endsOn,
  audience: allowances.audience,
})
const runAudience = fields({ id: allowanceRuns.id, audience: allowanceRuns.audience })

/** Allowances that cannot be paid, because their schedule or audience is none. */
async function* allowanceFaults(reads: Reads): AsyncGenerator<Damage> {
  const check = "allowances"
  for (const { id, audience, ...rest } of await reads.all(select(schedule)`FROM ${allowances} ORDER BY id`)) {
    const fault = faultOf(rest)
    if (fault !== null) yield { check, fault: `allowance ${id} has ${fault}` }
    if ("damaged" in audience) yield { check, fault: `allowance ${id} has an audience that is none` }
  }
  for (const { id, audience } of await reads.all(select(runAudience)`FROM ${allowanceRuns} ORDER BY id`))
    if ("damaged" in audience || "named" in audience)
      yield { check, fault: `run ${id} of an allowance has an audience that is none` }
}

/** The snapshots for leaderboards and statistics hold the totals of the transactions up to their `through_id`. */
async function* leaderboardFaults(reads: Reads): AsyncGenerator<Damage> {
  const rows = await reads.all(select(snapshot)`FROM ${leaderboardSnapshots} ORDER BY period`)
  if (rows.length === 0) return
  const counted = rows.map((row) => {
    const calendar = createCalendar(row.timeZone)
    return {
      row,
      calendar,
      span: calendar.spanOf(row.of === "days" ? "all" : row.of, row.startsAt),
      sums: createTotals(),
    }
  })
  /** The last transaction that must be seen. */
  const throughId = Math.max(...rows.map(({ throughId }) => throughId))
  for await (const page of inPages((after) => reads.all(transactionsAfter(after, pageLength)))) {
    for (const transaction of page) if (transaction.id <= throughId) add(transaction)
    if ((page.at(-1)?.id ?? 0) >= throughId) break
  }
  for (const { row, sums } of counted)
    if (!isStored(row, sums.copy()))
      yield { check: "leaderboard snapshots", fault: `the totals of ${row.of} are not those of the transactions` }

  function add(transaction: CountedTransaction) {
    const one = countedAs(transaction)
    const grant = countedAsGrant(transaction)
    for (const { row, calendar, span, sums } of counted) {
      if (transaction.id > row.throughId) continue
      if (grant && row.of !== "days" && grant.date >= span.start && grant.date < span.end)
        sums.addPoints("granted", grant.userId, grant.points)
      if (one === null || one.date < span.start || one.date >= span.end) continue
      const { senderId, receiverId, date, points, count } = one
      if (row.of !== "days") sums.add("received", receiverId, points, count)
      sums.add("sent", row.of === "days" ? calendar.dayOf(date) : senderId, points, count)
    }
  }
}

/** Stored columns may be longer, with zeros at the end. */
function isStored(row: StoredSnapshot, counted: readonly Float64Array[]): boolean {
  const stored = columnsOf(row)
  if (stored === null) return false
  return columns.every((_, index) => {
    const [one = new Float64Array(0), other = new Float64Array(0)] = [stored[index], counted[index]]
    for (let number = 0; number < Math.max(one.length, other.length); number += 1)
      if ((one[number] ?? 0) !== (other[number] ?? 0)) return false
    return true
  })
}
