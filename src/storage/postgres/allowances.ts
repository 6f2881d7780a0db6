import type { Audience, AudienceMember } from "../../domain/model.ts"
import type { AllowanceStore } from "../../domain/store.ts"
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
import { writeAudit } from "./audit.ts"
import type { Client, Transaction } from "./database/client.ts"
import { remember } from "./ledger/idempotency-keys.ts"

export function createAllowanceStore(client: Client): AllowanceStore {
  return {
    async list() {
      const rows = await client.query<AllowanceRow>(
        `SELECT ${allowanceColumns} FROM allowances a WHERE removed_at IS NULL ORDER BY id`,
      )
      return rows.map(listedAllowanceOf)
    },
    async listFor({ id, dept }) {
      const rows = await client.query<AllowanceRow>(
        `SELECT ${allowanceColumns} FROM allowances a WHERE removed_at IS NULL AND CASE
           WHEN audience = '{"everyone":true}' THEN TRUE
           WHEN audience = '${namedAudience}' THEN EXISTS (SELECT FROM allowance_members WHERE allowance_id = a.id AND user_id = $1)
           ELSE audience::json ->> 'dept' = $2
         END ORDER BY id`,
        [id, dept],
      )
      return rows.map(listedAllowanceOf)
    },
    async usernamesOf(id) {
      const rows = await client.query<{ username: string }>(
        "SELECT u.username FROM allowance_members m JOIN users u ON u.id = m.user_id WHERE m.allowance_id = $1 ORDER BY u.id",
        [id],
      )
      return rows.map(({ username }) => username)
    },
    async find(id) {
      const [row] = await client.query<AllowanceRow & WithNamed>(one, [id])
      return row ? allowanceOf(row) : null
    },
    create: (allowance, audit, once) =>
      client.transaction(async (tx) => {
        writeAudit(tx, audit)
        const [created] = await tx.query<{ id: number }>(insert, allowanceValues(allowance))
        const id = created?.id ?? 0
        saveNamed(tx, id, allowance.audience)
        return remember(tx, once, { ...allowance, id, lastRunAt: null })
      }),
    update: (id, change) =>
      client.transaction(async (tx) => {
        tx.send("SELECT FROM allowances WHERE id = $1 FOR UPDATE", [id])
        const [row] = await tx.query<AllowanceRow & WithNamed>(one, [id])
        if (!row) return null
        const before = allowanceOf(row)
        const { after, audit } = change(before)
        tx.send(update, [...allowanceValues(after), id])
        if (after.audience !== before.audience) saveNamed(tx, id, after.audience)
        writeAudit(tx, audit)
        return after
      }),
    remove: (id, now, audit) =>
      client.transaction(async (tx) => {
        const { count } = await tx.query("UPDATE allowances SET removed_at = $2 WHERE id = $1 AND removed_at IS NULL", [
          id,
          now,
        ])
        if (count > 0) writeAudit(tx, audit)
        return count > 0
      }),
    begin: ({ allowanceId, period, firstDay, begunAt, dueAt }, audit, once) =>
      client.transaction(async (tx) => {
        tx.send("SELECT FROM allowances WHERE id = $1 FOR SHARE", [allowanceId])
        const [row] = await tx.query<RunRow>(begin, [allowanceId, period, firstDay, begunAt, dueAt])
        if (!row) return null
        writeAudit(tx, audit)
        return remember(tx, once, runOf(row))
      }),
    async runOf(allowanceId, { period, firstDay }) {
      const [row] = await client.query<RunRow>(
        `SELECT ${runColumns} FROM allowance_runs WHERE allowance_id = $1 AND period = $2 AND first_day = $3`,
        [allowanceId, period, firstDay],
      )
      return row ? runOf(row) : null
    },
    async unfinished() {
      const rows = await client.query<RunRow>(
        `SELECT ${runColumns} FROM allowance_runs WHERE finished_at IS NULL ORDER BY id`,
      )
      return rows.map(runOf)
    },
    async runs(allowanceId, { before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = await client.query<RunRow>(
        `SELECT ${runColumns} FROM allowance_runs WHERE allowance_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
        [allowanceId, before, limit],
      )
      return rows.map(runOf)
    },
    receivers(audience, afterId, limit) {
      if ("everyone" in audience) return client.query<AudienceMember>(receivers(""), [afterId, limit])
      if ("dept" in audience)
        return client.query<AudienceMember>(receivers("AND u.dept = $3"), [afterId, limit, audience.dept])
      return client.query<AudienceMember>(receivers("AND u.id = ANY($3::bigint[])"), [afterId, limit, audience.userIds])
    },
  }
}

const one = `
  SELECT ${allowanceColumns}, (SELECT coalesce(json_agg(user_id ORDER BY user_id), '[]')::text FROM allowance_members
    WHERE allowance_id = a.id) AS "userIds"
  FROM allowances a WHERE id = $1 AND removed_at IS NULL`

function saveNamed(tx: Transaction, id: number, audience: Audience) {
  tx.send("DELETE FROM allowance_members WHERE allowance_id = $1", [id])
  tx.send("INSERT INTO allowance_members (allowance_id, user_id) SELECT $1, unnest($2::bigint[])", [
    id,
    namedIn(audience) ?? [],
  ])
}

const insert = `
  INSERT INTO allowances (${allowanceValueColumns.join(", ")})
  VALUES (${allowanceValueColumns.map((_, index) => `$${index + 1}`).join(", ")}) RETURNING id`

const update = `
  UPDATE allowances SET ${allowanceValueColumns.map((column, index) => `${column} = $${index + 1}`).join(", ")}
  WHERE id = $${allowanceValueColumns.length + 1}`

// Call it while the allowance is locked, so that a change at the same moment is seen whole or not at all.
const begin = `
  INSERT INTO allowance_runs (allowance_id, period, first_day, begun_at, value, mode, audience, reason)
  SELECT id, $2::text, $3::text, $4::bigint, value, mode, CASE audience WHEN '${namedAudience}' THEN (
      SELECT json_build_object('userIds', coalesce(json_agg(user_id ORDER BY user_id), '[]'))::text FROM allowance_members
      WHERE allowance_id = allowances.id
    ) ELSE audience END, reason FROM allowances
  WHERE id = $1 AND removed_at IS NULL AND ($5::bigint IS NULL OR (active = 1 AND due_from <= $5))
  ON CONFLICT DO NOTHING RETURNING ${runColumns}`

const receivers = (condition: string): string => `
  SELECT u.id, u.username, u.name, coalesce(b.value, 0) AS balance, coalesce(b.earned, 0) AS earned
  FROM users u LEFT JOIN balances b ON b.user_id = u.id WHERE u.id > $1 AND u.deactivated_at IS NULL ${condition} ORDER BY u.id LIMIT $2`
