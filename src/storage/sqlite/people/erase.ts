import type { Database } from "bun:sqlite"
import { DomainError } from "../../../domain/errors.ts"
import type { AuditEntry, Erasure, JobState } from "../../../domain/model.ts"
import { emailKey, usernameCaseKey } from "../../../domain/people/fields.ts"
import type { UserStore } from "../../../domain/store.ts"
import { deletedTables, hasPersonalDetail, isErasedWith } from "../../personal-data.ts"
import { createAuditWriter } from "../audit.ts"
import type { Connection } from "../database/connection.ts"
import type { Slices } from "../database/write.ts"
import { createLists } from "../history/lists.ts"
import { createPeople } from "../history/records.ts"

/** Audit entries, and jobs, that one time slice reads: 1 to 2 ms. */
const entriesInSlice = 5000
const jobsInSlice = 500

/** Replaces the names of a person and deletes their data, in one commit and in time slices. */
export function createErase({
  writeInSlices,
  scrub,
}: Pick<Connection, "writeInSlices" | "scrub">): Pick<UserStore, "erase"> {
  return {
    async erase(userId, erasure, audit) {
      await writeInSlices((client) => erasing(client, userId, erasure, audit))
      await scrub()
    },
  }
}

function* erasing(
  client: Database,
  userId: number,
  { at, replacement, reasons }: Erasure,
  audit: AuditEntry,
): Slices<void> {
  const before = client
    .query<{ username: string; email: string; deactivatedAt: number | null }, [number]>(
      "SELECT username, email, deactivated_at AS deactivatedAt FROM users WHERE id = ?",
    )
    .get(userId)
  if (!before) throw new Error(`user ${userId} does not exist`)
  if (before.deactivatedAt === null) throw new DomainError("still_active")
  const { username, name, email, password } = replacement

  for (const table of deletedTables) client.run(`DELETE FROM ${table} WHERE user_id = ?`, [userId])
  client.run("DELETE FROM sessions WHERE username = ?", [before.username])
  client.run(
    `UPDATE users SET username = ?, username_key = ?, name = ?, email = ?, email_key = ?, avatar = NULL, bio = NULL,
       password = ?, kept_token = NULL, access_version = access_version + 1, refresh_version = refresh_version + 1,
       erased_at = ? WHERE id = ?`,
    [username, usernameCaseKey(username), name, email, emailKey(email), password, at, userId],
  )
  yield

  yield* erasingJobs(client, { id: userId, email: before.email })
  yield* erasingAudit(client, before.username, username)
  if (reasons !== "none") {
    client.run("UPDATE replies SET text = NULL WHERE user_id = ?", [userId])
    client.run("UPDATE redemptions SET comment = NULL WHERE user_id = ?", [userId])
    if (reasons === "all") client.run("UPDATE redemptions SET answer = NULL WHERE user_id = ?", [userId])
    yield* erasingNotes(client, userId, at, reasons)
  }
  createAuditWriter({ client })(audit)
}

function* erasingJobs(client: Database, person: { readonly id: number; readonly email: string }): Slices<void> {
  const some = client.prepare<{ id: number; kind: string; state: JobState; payload: string }, [number]>(
    `SELECT id, kind, state, payload FROM jobs WHERE id > ? ORDER BY id LIMIT ${jobsInSlice}`,
  )
  for (let rows = some.all(0); rows.length > 0; rows = some.all(rows.at(-1)?.id ?? 0)) {
    for (const { id, payload, ...job } of rows)
      if (isErasedWith(person, { ...job, payload: JSON.parse(payload) }))
        client.run("DELETE FROM jobs WHERE id = ?", [id])
    yield
  }
}

/**
 * Replaces the username, and deletes the person's IP addresses, former names and names of tokens. On the command line
 * `who` is an account of the operating system, not a username.
 */
function* erasingAudit(client: Database, before: string, after: string): Slices<void> {
  const last = client.query<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM audit").get()?.id ?? 0
  const update = client.prepare(
    `UPDATE audit SET
       who = CASE WHEN who = $before AND way = 'http' THEN $after ELSE who END,
       whom = CASE WHEN whom = $before THEN $after ELSE whom END,
       address = CASE WHEN way = 'http' AND (who = $before OR (who IS NULL AND whom = $before)) THEN NULL ELSE address END,
       detail = CASE WHEN whom = $before AND ${hasPersonalDetail} THEN NULL ELSE detail END
     WHERE id > $from AND id <= $from + ${entriesInSlice} AND ((who = $before AND way = 'http') OR whom = $before)`,
  )
  for (let from = 0; from < last; from += entriesInSlice) {
    update.run({ before, after, from })
    yield
  }
}

function* erasingNotes(client: Database, userId: number, at: number, reasons: "written" | "all"): Slices<void> {
  const lists = createLists(client)
  const { sent, self, received } = createPeople(client, lists).listsOf(userId)
  // The reason of an allowance or a reversal was written by somebody else. All receivers of a group share one reason.
  const erase = client.prepare(
    `INSERT INTO erasures (transaction_id, erased_at)
     SELECT t.id, $at FROM (
       SELECT value AS id FROM json_each($ids)
       UNION
       SELECT other.id FROM json_each($ids) AS asked CROSS JOIN transactions AS own ON own.id = asked.value
         CROSS JOIN transactions AS other ON other.group_id = own.group_id
       WHERE $all
     ) AS asked
       CROSS JOIN notes ON notes.transaction_id = asked.id CROSS JOIN transactions AS t ON t.id = asked.id
     WHERE $all OR t.kind IN ('transfer', 'grant')`,
  )
  for (const ids of lists.idsIn(reasons === "all" ? [sent, self, received] : [sent, self], "up")) {
    erase.run({ at, ids: JSON.stringify(ids), all: reasons === "all" ? 1 : 0 })
    yield
  }
}
