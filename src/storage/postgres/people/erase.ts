import { DomainError } from "../../../domain/errors.ts"
import type { JobState } from "../../../domain/model.ts"
import { emailKey, usernameCaseKey } from "../../../domain/people/fields.ts"
import type { UserStore } from "../../../domain/store.ts"
import { deletedTables, hasPersonalDetail, isErasedWith } from "../../personal-data.ts"
import { writeAudit } from "../audit.ts"
import { lockAccounts } from "../auth/sessions.ts"
import type { Client, Queries } from "../database/client.ts"

const deletions = deletedTables.map((table) => `DELETE FROM ${table} WHERE user_id = $1`)

/** A person may have hundreds of thousands of reasons, and the audit log as many entries. */
const patienceMs = 300_000

const jobsAtOnce = 500

/** Replaces the names of a person and deletes their data, in one commit. */
export function createErase(client: Client): Pick<UserStore, "erase"> {
  return {
    erase: (userId, { at, replacement, reasons }, audit) =>
      client.transaction(
        async (tx) => {
          // Before the lock is taken, because it may take long and log-ins need the lock.
          const mail = await mailTo(tx, await leaverWith(tx, userId))
          if (reasons !== "none") {
            tx.send("UPDATE replies SET text = NULL WHERE user_id = $1", [userId])
            tx.send("UPDATE redemptions SET comment = NULL WHERE user_id = $1", [userId])
            if (reasons === "all") tx.send("UPDATE redemptions SET answer = NULL WHERE user_id = $1", [userId])
            tx.send(eraseNotes, [userId, at, reasons === "all"])
            if (reasons === "all") tx.send(eraseNotesOfGroups, [userId, at])
          }
          lockAccounts(tx)
          const before = await leaverWith(tx, userId)
          const newMail = await mailTo(tx, before, mail.lastRead)
          const { username, name, email, password } = replacement

          for (const deletion of deletions) tx.send(deletion, [userId])
          tx.send("DELETE FROM sessions WHERE username = $1", [before.username])
          tx.send("DELETE FROM jobs WHERE id = ANY($1::bigint[])", [[...mail.jobs, ...newMail.jobs]])
          tx.send(
            `UPDATE users SET username = $2, username_key = $3, name = $4, email = $5, email_key = $6, avatar = NULL,
               bio = NULL, password = $7, kept_token = NULL, access_version = access_version + 1,
               refresh_version = refresh_version + 1, erased_at = $8 WHERE id = $1`,
            [userId, username, usernameCaseKey(username), name, email, emailKey(email), password, at],
          )
          tx.send(eraseAudit, [before.username, username])
          writeAudit(tx, audit)
        },
        { patienceMs },
      ),
  }
}

interface Leaver {
  readonly id: number
  readonly username: string
  readonly email: string
}

/** @throws DomainError `still_active` */
async function leaverWith({ query }: Queries, id: number): Promise<Leaver> {
  const [user] = await query<Leaver & { deactivatedAt: number | null }>(
    `SELECT id, username, email, deactivated_at AS "deactivatedAt" FROM users WHERE id = $1`,
    [id],
  )
  if (!user) throw new Error(`user ${id} does not exist`)
  if (user.deactivatedAt === null) throw new DomainError("still_active")
  return user
}

/** Ids of jobs above `after` that send mail to the person. Reads in parts, because there may be a job for everybody. */
async function mailTo({ query }: Queries, leaver: Leaver, after = 0) {
  const jobs: number[] = []
  for (let lastRead = after; ; ) {
    const rows = await query<{ id: number; kind: string; state: JobState; payload: unknown }>(
      `SELECT id, kind, state, payload FROM jobs WHERE id > $1 ORDER BY id LIMIT ${jobsAtOnce}`,
      [lastRead],
    )
    jobs.push(...rows.filter((job) => isErasedWith(leaver, job)).map(({ id }) => id))
    lastRead = rows.at(-1)?.id ?? lastRead
    if (rows.length < jobsAtOnce) return { jobs, lastRead }
  }
}

/**
 * Replaces the username, and deletes the person's IP addresses, former names and names of tokens. On the command line
 * `who` is an account of the operating system, not a username.
 */
const eraseAudit = `
  UPDATE audit SET
    who = CASE WHEN who = $1 AND way = 'http' THEN $2 ELSE who END,
    whom = CASE WHEN whom = $1 THEN $2 ELSE whom END,
    address = CASE WHEN way = 'http' AND (who = $1 OR (who IS NULL AND whom = $1)) THEN NULL ELSE address END,
    detail = CASE WHEN whom = $1 AND ${hasPersonalDetail} THEN NULL ELSE detail END
  WHERE (who = $1 AND way = 'http') OR whom = $1`

/** The reason of an allowance or a reversal was written by somebody else. Another erasure may erase the same note. */
const eraseNotes = `
  INSERT INTO erasures (transaction_id, erased_at)
  SELECT n.transaction_id, $2 FROM notes n JOIN transactions t ON t.id = n.transaction_id
  WHERE CASE WHEN $3 THEN t.from_id = $1 OR t.user_id = $1
    ELSE t.from_id = $1 AND t.kind IN ('transfer', 'grant') END
  ON CONFLICT DO NOTHING`

/** All receivers of a group share one reason. */
const eraseNotesOfGroups = `
  INSERT INTO erasures (transaction_id, erased_at)
  SELECT n.transaction_id, $2 FROM transactions own
    JOIN transactions t ON t.group_id = own.group_id JOIN notes n ON n.transaction_id = t.id
  WHERE own.user_id = $1
  ON CONFLICT DO NOTHING`
