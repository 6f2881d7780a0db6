import { isAudience } from "../../domain/allowances/fields.ts"
import type { AllowanceSchedule } from "../../domain/allowances/model.ts"
import { faultOf } from "../../domain/allowances/schedule.ts"
import { createCalendar } from "../../domain/calendar.ts"
import type { CountedTransaction } from "../../domain/ledger/model.ts"
import { emailKey, usernameCaseKey } from "../../domain/people/fields.ts"
import { adminUsername } from "../../domain/people/users.ts"
import { columns, createTotals } from "../../domain/recognition/leaderboards.ts"
import { countedAs, countedAsGrant } from "../../domain/recognition/recognitions.ts"
import { columnsOf, type StoredSnapshot } from "../recognition/stored-snapshots.ts"
import { jsonOrNull } from "../rows.ts"
import { type Damage, maxListed } from "./ledger.ts"

/** A user with the keys by which log-ins find the account. */
export interface UserKeys {
  readonly id: number
  readonly username: string
  readonly username_key: string
  readonly email: string
  readonly email_key: string
}

export const selectUserKeys = "SELECT id, username, username_key, email, email_key FROM users ORDER BY id"

/** Users whom a log-in would not find. Their confusables are not checked, because these follow from the Unicode data of the
 *  version that wrote them. */
export function* userFaults(users: Iterable<UserKeys>): Generator<Damage> {
  let listed = 0
  for (const { id, username, username_key, email, email_key } of users) {
    const wrong = [
      ...(username_key === usernameCaseKey(username) ? [] : ["its username_key is not that of its username"]),
      ...(email_key === emailKey(email) ? [] : ["its email_key is not that of its email"]),
    ]
    for (const fault of wrong) yield { check: "users", fault: `user ${id}: ${fault}` }
    listed += wrong.length
    if (listed >= maxListed) return
  }
}

/** The snapshots for leaderboards and statistics hold the totals of the transactions up to their `through_id`. */
export function createSnapshotsCheck(rows: readonly StoredSnapshot[]) {
  const counted = rows.map((row) => {
    const calendar = createCalendar(row.timeZone)
    return { row, calendar, span: calendar.spanOf(spanName(row), row.startsAt), sums: createTotals() }
  })

  return {
    /** The last transaction that must be seen; 0 when none needs to be. */
    throughId: Math.max(0, ...rows.map(({ throughId }) => throughId)),
    see(transaction: CountedTransaction) {
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
    },
    *end(): Generator<Damage> {
      for (const { row, sums } of counted)
        if (!isStored(row, sums.copy()))
          yield { check: "leaderboard snapshots", fault: `the totals of ${row.of} are not those of the transactions` }
    },
  }
}

const spanName = ({ of }: StoredSnapshot) => (of === "days" ? "all" : of)

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

interface RedemptionRow {
  readonly id: number
  readonly fault: string
}

/**
 * Redemptions that contradict the transactions which took the points and returned them. The stock of a reward is not
 * checked: superusers set it, so nothing else in the database determines it.
 */
export const redemptionsAgainstLedger = `
  SELECT id, fault FROM (
    SELECT r.id, CASE
        WHEN paid.kind <> 'redemption' THEN 'its transaction is of another kind'
        WHEN paid.from_id <> r.user_id THEN 'somebody else paid for it'
        WHEN returned.id IS NULL THEN NULL
        WHEN returned.kind <> 'refund' THEN 'its refund is a transaction of another kind'
        WHEN returned.user_id <> paid.from_id OR returned.from_id <> paid.user_id THEN 'its refund is between other people'
        WHEN returned.value <> paid.value THEN 'its refund is not what was paid'
        WHEN returned.id < paid.id THEN 'its refund came before it'
      END AS fault
    FROM redemptions r JOIN transactions paid ON paid.id = r.id LEFT JOIN transactions returned ON returned.id = r.refund_id
    UNION ALL
    SELECT t.id, 'points were taken, but nothing was redeemed' FROM transactions t
    WHERE t.kind = 'redemption' AND NOT EXISTS (SELECT 1 FROM redemptions r WHERE r.id = t.id)
    UNION ALL
    SELECT t.id, 'points were returned, but no redemption was declined' FROM transactions t
    WHERE t.kind = 'refund' AND t.from_id = (SELECT id FROM users WHERE username = '${adminUsername}')
      AND NOT EXISTS (SELECT 1 FROM redemptions r WHERE r.refund_id = t.id)
  ) AS compared WHERE fault IS NOT NULL ORDER BY id, fault LIMIT ${maxListed}`

export const redemptionFault = ({ id, fault }: RedemptionRow): Damage => ({
  check: "redemptions",
  fault: `transaction ${id}: ${fault}`,
})

export interface AllowanceRow extends Omit<AllowanceSchedule, "dueDay"> {
  readonly id: number
  readonly dueDay: string | null
  readonly audience: string
}

export const selectAllowances = `SELECT id, period, due_day AS "dueDay", due_time AS "dueTime", starts_on AS "startsOn",
  ends_on AS "endsOn", audience FROM allowances ORDER BY id`

export interface RunAudience {
  readonly id: number
  readonly audience: string
}

export const selectRunAudiences = "SELECT id, audience FROM allowance_runs ORDER BY id"

/** Allowances that cannot be paid, because their schedule or audience is none. */
export function* allowanceFaults(allowances: Iterable<AllowanceRow>, runs: Iterable<RunAudience>): Generator<Damage> {
  for (const { id, dueDay, audience, ...schedule } of allowances) {
    const fault = faultOf({ ...schedule, dueDay: dueDay === null || dueDay === "last" ? dueDay : Number(dueDay) })
    if (fault !== null) yield { check: "allowances", fault: `allowance ${id} has ${fault}` }
    const who = jsonOrNull(audience)
    if (!isAudience(who) && Object(who).named !== true)
      yield { check: "allowances", fault: `allowance ${id} has an audience that is none` }
  }
  for (const { id, audience } of runs)
    if (!isAudience(jsonOrNull(audience)))
      yield { check: "allowances", fault: `run ${id} of an allowance has an audience that is none` }
}

interface KeyRow {
  readonly userid: number
  readonly first: number
  readonly last: number
}

/** Idempotency keys that name a transaction that does not exist. */
export const keysWithoutTransactions = `
  SELECT user_id AS userid, transaction_id AS first, transaction_id + transaction_count - 1 AS last
  FROM idempotency_keys
  WHERE transaction_id < 1 OR transaction_id + transaction_count - 1 > (SELECT last_id FROM ledger_state)
  ORDER BY user_id, key LIMIT ${maxListed}`

export const keyFault = ({ userid, first, last }: KeyRow): Damage => ({
  check: "idempotency keys",
  fault: `a key of user ${userid} names transactions ${first} to ${last}, which do not all exist`,
})
