import type { Database } from "bun:sqlite"
import type { Audience, AudienceMember, NewRun, PeriodKey } from "../../domain/model.ts"
import type { AllowanceStore } from "../../domain/store.ts"
import { type LockedAccount, type LockedLedger, sumsOf } from "../postings.ts"
import {
  type AllowanceRow,
  allowanceColumns,
  allowanceOf,
  allowanceValueColumns,
  allowanceValues,
  listedAllowanceOf,
  namedAudience,
  namedIn,
  type RunRow,
  runColumns,
  runOf,
  type WithNamed,
} from "../rows.ts"
import { createAuditWriter } from "./audit.ts"
import { type Connection, mapped, type Value } from "./database/connection.ts"
import { createRemember } from "./ledger/idempotency-keys.ts"

export function createAllowanceStore(connection: Connection): AllowanceStore {
  const { client, write } = connection
  const writeAudit = createAuditWriter(connection)
  const remember = createRemember(client)
  const all = client.prepare<AllowanceRow, []>(
    `SELECT ${allowanceColumns} FROM allowances a WHERE removed_at IS NULL ORDER BY id`,
  )
  const allFor = client.prepare<AllowanceRow, [Record<string, Value>]>(
    `SELECT ${allowanceColumns} FROM allowances a WHERE removed_at IS NULL AND CASE
       WHEN audience = '{"everyone":true}' THEN TRUE
       WHEN audience = '${namedAudience}' THEN EXISTS (SELECT 1 FROM allowance_members WHERE allowance_id = a.id AND user_id = $id)
       ELSE json_extract(audience, '$.dept') = $dept
     END ORDER BY id`,
  )
  const one = client.prepare<AllowanceRow & WithNamed, [number]>(
    `SELECT ${allowanceColumns}, (SELECT json_group_array(user_id) FROM allowance_members WHERE allowance_id = a.id) AS userIds
     FROM allowances a WHERE id = ? AND removed_at IS NULL`,
  )
  const usernames = client.prepare<{ username: string }, [number]>(
    `SELECT username FROM allowance_members CROSS JOIN users ON users.id = user_id WHERE allowance_id = ? ORDER BY user_id`,
  )
  const forget = client.prepare<unknown, [number]>("DELETE FROM allowance_members WHERE allowance_id = ?")
  const nameAll = client.prepare<unknown, [number, string]>(
    "INSERT INTO allowance_members (allowance_id, user_id) SELECT ?, value FROM json_each(?)",
  )
  const saveNamed = (id: number, audience: Audience) => {
    forget.run(id)
    nameAll.run(id, JSON.stringify(namedIn(audience) ?? []))
  }
  const insert = client.prepare<{ id: number }, Value[]>(
    `INSERT INTO allowances (${allowanceValueColumns.join(", ")}) VALUES (${allowanceValueColumns.map(() => "?").join(", ")}) RETURNING id`,
  )
  const update = client.prepare<unknown, Value[]>(
    `UPDATE allowances SET ${allowanceValueColumns.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`,
  )
  const remove = client.prepare<unknown, [number, number]>(
    "UPDATE allowances SET removed_at = ? WHERE id = ? AND removed_at IS NULL",
  )
  const begin = client.prepare<RunRow, [Record<string, Value>]>(
    `INSERT INTO allowance_runs (allowance_id, period, first_day, begun_at, value, mode, audience, reason)
     SELECT id, $period, $firstDay, $begunAt, value, mode, CASE audience WHEN '${namedAudience}' THEN (
         SELECT json_object('userIds', json_group_array(user_id)) FROM allowance_members WHERE allowance_id = allowances.id
       ) ELSE audience END, reason FROM allowances
     WHERE id = $allowanceId AND removed_at IS NULL AND ($dueAt IS NULL OR (active = 1 AND due_from <= $dueAt))
     ON CONFLICT DO NOTHING RETURNING ${runColumns}`,
  )
  const ofPeriod = client.prepare<RunRow, [number, string, string]>(
    `SELECT ${runColumns} FROM allowance_runs WHERE allowance_id = ? AND period = ? AND first_day = ?`,
  )
  const unfinished = client.prepare<RunRow, []>(
    `SELECT ${runColumns} FROM allowance_runs WHERE finished_at IS NULL ORDER BY id`,
  )
  const newest = client.prepare<RunRow, [number, number, number]>(
    `SELECT ${runColumns} FROM allowance_runs WHERE allowance_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  )
  const receivers = createReceivers(connection)

  return {
    list: async () => all.all().map(listedAllowanceOf),
    listFor: async ({ id, dept }) => allFor.all({ id, dept }).map(listedAllowanceOf),
    usernamesOf: async (id) => usernames.all(id).map(({ username }) => username),
    find: async (id) => mapped(one.get(id), allowanceOf),
    create: async (allowance, audit, once) =>
      write(() => {
        writeAudit(audit)
        const { id } = insert.get(...allowanceValues(allowance)) ?? { id: 0 }
        saveNamed(id, allowance.audience)
        return remember(once, { ...allowance, id, lastRunAt: null })
      }),
    update: async (id, change) =>
      write(() => {
        const before = mapped(one.get(id), allowanceOf)
        if (!before) return null
        const { after, audit } = change(before)
        update.run(...allowanceValues(after), id)
        if (after.audience !== before.audience) saveNamed(id, after.audience)
        writeAudit(audit)
        return after
      }),
    remove: async (id, now, audit) =>
      write(() => {
        const { changes } = remove.run(now, id)
        if (changes > 0) writeAudit(audit)
        return changes > 0
      }),
    begin: async (run: NewRun, audit, once) =>
      write(() => {
        const begun = mapped(begin.get({ ...run }), runOf)
        if (!begun) return null
        writeAudit(audit)
        return remember(once, begun)
      }),
    runOf: async (allowanceId, { period, firstDay }: PeriodKey) =>
      mapped(ofPeriod.get(allowanceId, period, firstDay), runOf),
    unfinished: async () => unfinished.all().map(runOf),
    runs: async (allowanceId, { before = Number.MAX_SAFE_INTEGER, limit }) =>
      newest.all(allowanceId, before, limit).map(runOf),
    receivers: async (audience, afterId, limit) => receivers(audience, afterId, limit),
  }
}

function createReceivers({ client }: Connection) {
  const select = (condition: string) =>
    `SELECT u.id, u.username, u.name, coalesce(b.value, 0) AS balance, coalesce(b.earned, 0) AS earned
     FROM users u LEFT JOIN balances b ON b.user_id = u.id WHERE u.id > $afterId AND u.deactivated_at IS NULL ${condition} ORDER BY u.id LIMIT $limit`
  const everyone = client.prepare<AudienceMember, [Record<string, Value>]>(select(""))
  const inDept = client.prepare<AudienceMember, [Record<string, Value>]>(select("AND u.dept = $dept"))
  const named = client.prepare<AudienceMember, [Record<string, Value>]>(
    select("AND u.id IN (SELECT value FROM json_each($userIds))"),
  )

  return (audience: Audience, afterId: number, limit: number): AudienceMember[] => {
    if ("everyone" in audience) return everyone.all({ afterId, limit })
    if ("dept" in audience) return inDept.all({ afterId, limit, dept: audience.dept })
    return named.all({ afterId, limit, userIds: JSON.stringify(audience.userIds) })
  }
}

/** The runs of allowances, for the commits that pay them. */
export function createRuns(client: Database): Pick<LockedLedger<LockedAccount>, "runPaidThrough" | "advanceRun"> {
  const find = client.prepare<{ throughId: number }, [number]>(
    "SELECT through_id AS throughId FROM allowance_runs WHERE id = ? AND finished_at IS NULL",
  )
  const advance = client.prepare(
    `UPDATE allowance_runs SET through_id = ?, people = people + ?, total = total + ?, expired = expired + ?,
       finished_at = ? WHERE id = ?`,
  )

  return {
    runPaidThrough: (runId) => find.get(runId)?.throughId ?? null,
    advanceRun({ runId, throughId, isLast, date }, transactions) {
      const { people, total, expired } = sumsOf(transactions)
      advance.run(throughId, people, total, expired, isLast ? date : null, runId)
    },
  }
}
