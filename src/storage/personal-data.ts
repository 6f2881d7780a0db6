import type { PersonalRows } from "../domain/model.ts"
import { isMailTo } from "./mail-jobs.ts"

type Row = Readonly<Record<string, unknown>>

/** Reads rows with the user's id ($1) or username ($2) as its parameters. */
export type ReadRows = (sql: string) => Promise<readonly Row[]>

/** Each list of rows about a person, but no hash of a credential: it says nothing about them. */
const lists = {
  account: `SELECT id, username, name, email, dept, currency, avatar, bio, deactivated_at FROM users WHERE id = $1 AND username = $2`,
  balance: `SELECT value FROM balances WHERE user_id = $1 AND $2 <> ''`,
  sessions: `SELECT opened_at, expires_at, address FROM sessions WHERE username = $2 AND $1 > 0 ORDER BY expires_at`,
  identities: `SELECT issuer, subject, linked_at FROM identities WHERE user_id = $1 AND $2 <> '' ORDER BY issuer`,
  login_sources: `SELECT source, used_at FROM login_sources WHERE user_id = $1 AND $2 <> '' ORDER BY used_at`,
  idempotency_keys: `SELECT key, transaction_id, expires_at FROM idempotency_keys WHERE user_id = $1 AND $2 <> '' ORDER BY key`,
  mail_choices: `SELECT mail, language FROM mail_choices WHERE user_id = $1 AND $2 <> ''`,
  notifications_seen: `SELECT through_id FROM notifications_seen WHERE user_id = $1 AND $2 <> ''`,
  reactions: `SELECT transaction_id, emoji FROM reactions WHERE user_id = $1 AND $2 <> '' ORDER BY transaction_id, emoji`,
  replies: `SELECT id, transaction_id, text, date, hidden FROM replies WHERE user_id = $1 AND $2 <> '' ORDER BY id`,
  redemptions: `SELECT id, reward_name, state, comment, answer, answered_at FROM redemptions
    WHERE user_id = $1 AND $2 <> '' ORDER BY id`,
  audit: `SELECT at, action, who, whom, way, address, count, detail FROM audit
    WHERE (who = $2 OR whom = $2) AND $1 > 0 ORDER BY id`,
} as const

const jobs = "SELECT kind, payload, state, run_at, last_error FROM jobs WHERE $1 > 0 AND $2 <> '' ORDER BY id"

export async function personalRows(read: ReadRows, { email }: { readonly email: string }): Promise<PersonalRows> {
  const found: Record<string, readonly Row[]> = {}
  for (const [name, sql] of Object.entries(lists)) found[name] = await read(sql)
  const mails = (await read(jobs)).map((job) => ({ ...job, payload: parsed(job.payload) }))
  return { ...found, mails: mails.filter(({ payload }) => isMailTo(email, payload)) }
}

/** SQLite stores JSON as text. */
const parsed = (payload: unknown): unknown => (typeof payload === "string" ? JSON.parse(payload) : payload)
