import { DomainError } from "../../domain/errors.ts"
import { emailKey, usernameCaseKey } from "../../domain/people/fields.ts"
import type { Erasure } from "../../domain/people/model.ts"
import { searchKey } from "../../domain/people/people-search.ts"
import type { UserStore } from "../../domain/people/ports.ts"
import { writeAudit } from "../audit.ts"
import { lockAccounts } from "../auth/access.ts"
import { type Database, one, type Reads, type Tx } from "../database.ts"
import { fields, list, select, set, sql } from "../sql.ts"
import {
  audit,
  deliveries,
  erasures,
  jobs,
  notes,
  redemptions,
  replies,
  sessions,
  transactions,
  users,
} from "../tables.ts"
import { type HeldUsername, heldUsernames } from "./former-usernames.ts"
import { deletedTables, hasPersonalDetail, isErasedWith } from "./personal-data.ts"
import { nothingSaid } from "./user-rows.ts"

/** A person may have hundreds of thousands of reasons, and the audit log as many entries. */
const patienceMs = 300_000

/** Jobs that one statement reads: 1 to 2 ms. */
const jobsAtOnce = 500

/** Replaces the names of a person and deletes their data, in one commit. */
export function createErase(db: Database, scrub: () => Promise<void>): Pick<UserStore, "erase"> {
  return {
    async erase(userId, { at, replacement, reasons }, entry) {
      await db.write(
        async (tx) => {
          // Before the lock is taken, because it may take long and log-ins need the lock.
          const mail = await mailTo(tx, await leaverWith(tx, userId))
          if (reasons !== "none") {
            tx.send(sql`UPDATE ${replies} SET text = NULL WHERE ${replies.userId} = ${userId}`)
            const words = { comment: null, answer: reasons === "all" ? null : undefined }
            tx.send(sql`UPDATE ${redemptions} SET ${set(redemptions, words)} WHERE ${redemptions.userId} = ${userId}`)
            eraseNotes(tx, userId, at, reasons)
          }
          // Whose name and words the answers of other systems repeat cannot be known.
          tx.send(sql`UPDATE ${deliveries} SET response = NULL WHERE ${deliveries.response} IS NOT NULL`)
          lockAccounts(tx)
          const before = await leaverWith(tx, userId)
          const newMail = await mailTo(tx, before, mail.lastRead)
          const { username, name, email, password } = replacement
          const held = await tx.all(heldUsernames(userId))

          for (const table of deletedTables) tx.send(sql`DELETE FROM ${table} WHERE user_id = ${userId}`)
          tx.send(sql`DELETE FROM ${sessions} WHERE ${sessions.username} = ${before.username}`)
          const ids = list("erased", [...mail.jobs, ...newMail.jobs], "bigint")
          tx.send(sql`DELETE FROM ${jobs} WHERE ${jobs.id} IN (SELECT value FROM ${ids})`)
          const replaced = {
            ...{ username, usernameKey: usernameCaseKey(username), name, searchKey: searchKey(replacement) },
            ...{ email, emailKey: emailKey(email), password },
            ...{ ...nothingSaid, keptToken: null, erasedAt: at },
            ...{ accessVersion: sql`access_version + 1`, refreshVersion: sql`refresh_version + 1` },
          }
          tx.send(sql`UPDATE ${users} SET ${set(users, replaced)} WHERE ${users.id} = ${userId}`)
          for (const each of held) eraseAudit(tx, each, username)
          writeAudit(tx, entry)
        },
        { patienceMs },
      )
      await scrub()
    },
  }
}

/**
 * Erases the reasons of a person's transactions: those that the person wrote, or all. The reason of an allowance or a reversal
 * was written by somebody else. All receivers of a group share one reason. Another erasure may erase the same note.
 */
function eraseNotes(tx: Tx, userId: number, at: number, reasons: Exclude<Erasure["reasons"], "none">) {
  const written = sql`${transactions.fromId} = ${userId}`
  const received = sql`${transactions.userId} = ${userId}`
  const parts =
    reasons === "all" ? [written, received] : [sql`${written} AND ${transactions.kind} IN ('transfer', 'grant')`]
  for (const part of parts)
    tx.send(sql`INSERT INTO ${erasures} (transaction_id, erased_at)
      SELECT ${notes.transactionId}, ${at}::bigint FROM ${transactions}
        CROSS JOIN ${notes} WHERE ${part} AND ${notes.transactionId} = ${transactions.id}
      ON CONFLICT DO NOTHING`)
  if (reasons === "all")
    tx.send(sql`INSERT INTO ${erasures} (transaction_id, erased_at)
      SELECT ${notes.transactionId}, ${at}::bigint FROM ${transactions}
        CROSS JOIN ${transactions} AS other CROSS JOIN ${notes}
      WHERE ${received} AND ${transactions.groupId} IS NOT NULL AND other.group_id = ${transactions.groupId}
        AND ${notes.transactionId} = other.id
      ON CONFLICT DO NOTHING`)
}

const leaver = fields({
  id: users.id,
  username: users.username,
  email: users.email,
  deactivatedAt: users.deactivatedAt,
})

/** @throws DomainError `still_active` */
async function leaverWith(reads: Reads, id: number) {
  const found = await one(reads, select(leaver)`FROM ${users} WHERE ${users.id} = ${id}`)
  if (found.deactivatedAt === null) throw new DomainError("still_active")
  return found
}

const job = fields({ id: jobs.id, kind: jobs.kind, state: jobs.state, payload: jobs.payload })

/** Ids of jobs above `after` that send mail to the person. Reads in parts, because there may be a job for everybody. */
async function mailTo(reads: Reads, person: { readonly id: number; readonly email: string }, after = 0) {
  const mail: number[] = []
  for (let lastRead = after; ; ) {
    const some = await reads.all(
      select(job)`FROM ${jobs} WHERE ${jobs.id} > ${lastRead} ORDER BY ${jobs.id} LIMIT ${jobsAtOnce}`,
    )
    mail.push(...some.filter((each) => isErasedWith(person, each)).map(({ id }) => id))
    lastRead = some.at(-1)?.id ?? lastRead
    if (some.length < jobsAtOnce) return { jobs: mail, lastRead }
  }
}

/**
 * Replaces a username, and deletes the person's IP addresses, former names, names of tokens, and values that changed, and what
 * others' changes of manager say. On the command line `who` is an account of the operating system, not a username.
 */
function eraseAudit(tx: Tx, { username: before, since, until }: HeldUsername, after: string) {
  tx.send(sql`UPDATE ${audit} SET
      who = CASE WHEN who = ${before} AND way = 'http' THEN ${after} ELSE who END,
      whom = CASE WHEN whom = ${before} THEN ${after} ELSE whom END,
      address = CASE WHEN way = 'http' AND (who = ${before} OR (who IS NULL AND whom = ${before})) THEN NULL
        ELSE address END,
      detail = CASE WHEN (whom = ${before} AND ${hasPersonalDetail}) OR ${namesManager(before)} THEN NULL
        ELSE detail END,
      before_values = CASE WHEN whom = ${before} OR ${namesManager(before)} THEN NULL ELSE before_values END,
      after_values = CASE WHEN whom = ${before} OR ${namesManager(before)} THEN NULL ELSE after_values END
    WHERE ${audit.at} >= ${since} AND ${audit.at} < ${until}
      AND ((who = ${before} AND way = 'http') OR whom = ${before} OR ${namesManager(before)})`)
}

/** Whether the detail of an entry about a change of manager (`managerChange`) has this username. */
const namesManager = (username: string) =>
  sql`(action = 'manager_changed' AND replace(' -> ' || detail || ' -> ', ' -> ' || ${username}::text || ' -> ', '')
    <> ' -> ' || detail || ' -> ')`
