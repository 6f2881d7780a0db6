import { type Column, getTableColumns, getTableName, type Table } from "drizzle-orm"
import { mattermostGiveKind, slackGiveKind } from "../../domain/jobs/jobs.ts"
import type { JobState } from "../../domain/jobs/ports.ts"
import { avatarPath } from "../../domain/people/avatars.ts"
import { emailKey } from "../../domain/people/fields.ts"
import type { PersonalSlice, User } from "../../domain/people/model.ts"
import { largestOf, type Reads } from "../database.ts"
import { columnsOf, namesOf, raw, type SQL, sql } from "../sql.ts"
import * as tables from "../tables.ts"
import {
  allowanceMembers,
  allowances,
  apiTokens,
  audit,
  avatars,
  balances,
  externalIds,
  idempotencyKeys,
  identities,
  jobs,
  loginSources,
  mailChoices,
  notificationsSeen,
  occasions,
  pushDevices,
  reactions,
  reasonTemplates,
  redemptions,
  renames,
  replies,
  replyNotices,
  secondFactors,
  sessions,
  transactionReferences,
  transactions,
  users,
  wishes,
} from "../tables.ts"
import { heldUsernames } from "./former-usernames.ts"

type PersonalRow = Readonly<Record<string, unknown>>
type Person = Pick<User, "id" | "email">

/**
 * For each table: in which lists of the export it appears, and what an erasure does to it. Null: the table holds no data
 * about a person. A test compares this with the tables of the schemas.
 */
export const personalTables: Readonly<Record<string, Held | null>> = {
  users: { lists: ["account"], erased: "in its own way" },
  avatars: { lists: ["picture"], erased: "in its own way" }, // a trigger deletes a picture that is no longer used
  confusables: { lists: [], erased: "rows" }, // look-alike forms of username and name
  renames: { lists: ["renames"], erased: "rows" },
  people_changes: { lists: [], erased: "nothing" }, // that an account was changed; PostgreSQL only
  external_ids: { lists: ["external_ids"], erased: "rows" },
  identities: { lists: ["identities"], erased: "rows" },
  second_factors: { lists: ["second_factors"], erased: "rows" },
  totp_setups: { lists: [], erased: "rows" }, // an encrypted secret
  recovery_codes: { lists: [], erased: "rows" }, // hashes
  transactions: { lists: ["transactions"], erased: "nothing" }, // only ids; an erased one leads to a placeholder
  notes: { lists: ["transactions"], erased: "in its own way" },
  erasures: { lists: [], erased: "nothing" }, // that the note of a transaction was erased
  pairs: { lists: [], erased: "nothing" }, // numbers of transactions
  leaderboard_snapshots: { lists: [], erased: "nothing" }, // sums of transactions
  balances: { lists: ["balance"], erased: "nothing" },
  idempotency_keys: { lists: ["idempotency_keys"], erased: "rows" },
  transaction_references: { lists: ["transaction_references"], erased: "rows" },
  occasions: { lists: ["occasions"], erased: "nothing" }, // they name the person by the placeholder then
  reactions: { lists: ["reactions"], erased: "nothing" },
  replies: { lists: ["replies"], erased: "in its own way" },
  reply_notices: { lists: ["reply_notices"], erased: "rows" },
  notifications_seen: { lists: ["notifications_seen"], erased: "rows" },
  reason_templates: { lists: ["reason_templates"], erased: "rows" },
  sessions: { lists: ["sessions"], erased: "in its own way" },
  api_tokens: { lists: ["api_tokens"], erased: "rows" },
  login_sources: { lists: ["login_sources"], erased: "rows" },
  push_devices: { lists: ["push_devices"], erased: "rows" },
  mail_choices: { lists: ["mail_choices"], erased: "rows" },
  jobs: { lists: ["jobs"], erased: "in its own way" },
  allowances: null,
  allowance_members: { lists: ["allowances"], erased: "nothing" }, // ids of people
  allowance_runs: { lists: [], erased: "nothing" }, // as above; what they paid are transactions
  wishes: { lists: ["wishes"], erased: "rows" },
  redemptions: { lists: ["redemptions"], erased: "in its own way" },
  audit: { lists: ["audit"], erased: "in its own way" },
  events: { lists: [], erased: "nothing" }, // only ids of users and transactions, as in the ledger
  deliveries: { lists: [], erased: "in its own way" }, // other systems may answer with what they got
  webhooks: null,
  event_state: null,
  spent_tokens: null, // hashes; rate_limits too
  rate_limits: null,
  rewards: null,
  access_changes: null,
  recent_batches: null,
  programme: null,
  push_keys: null,
  people_revision: null,
  ledger_state: null,
  scheduled_work: null,
  job_progress: null,
  audit_retention: null,
  migrations: null,
}

interface Held {
  /** The lists of the export that show it: those below, and `transactions`. */
  readonly lists: readonly string[]
  /** "rows": an erasure deletes all rows with the person's `user_id`. */
  readonly erased: "rows" | "in its own way" | "nothing"
}

/** Tables of which an erasure deletes all rows with the person's `user_id`. */
export const deletedTables: readonly Table[] = Object.values(tables).filter(
  (table) => personalTables[getTableName(table)]?.erased === "rows",
)

/**
 * Whether the detail of an audit entry about a person holds words of theirs: a former name, who their manager was, or
 * the name of their own token. Names of service tokens were given by superusers.
 */
export const hasPersonalDetail = sql`(action = 'profile_changed'
  OR action = 'manager_changed' OR action = 'user_renamed' OR action IN ('token_created', 'token_revoked') AND detail LIKE 'personal %')`

/** Rows in a slice of a long list. */
const sliceLength = 500
/** Ids in a window. */
const windowLength = 5000

/** Rows about a person. Hashes of credentials are left out, because they say nothing about the person. */
interface List {
  /** `id` is that of the person. What `after` and `window` say follows. */
  readonly rows: (id: Value, ...bounds: Value[]) => SQL<PersonalRow>
  /**
   * For a long list, which is read in slices: the columns by which the next slice continues, with values that sort
   * before the first row. `rows` gets the values of these columns in the last row of the slice before. Absent: the list
   * is short.
   */
  readonly after?: Readonly<Record<string, string | number>>
  /** For a table without an index by person: `rows` reads a window of these ids, from (exclusive) and through. */
  readonly window?: Column
  readonly isAbout?: (row: PersonalRow, person: Person) => boolean
  readonly shown?: (row: PersonalRow) => PersonalRow
}

type Value = string | number

/** Whether a column of the audit log names somebody by a username of `held`. */
const isHeld = (column: Column) => sql`EXISTS (SELECT 1 FROM held
  WHERE held.username = ${column} AND ${audit.at} >= held.since AND ${audit.at} < held.until)`

const secrets = ["password", "accessVersion", "refreshVersion", "keptToken"] as const
const account = namesOf(columnsOf(users, "usernameKey", "emailKey", "searchKey", "managerId", ...secrets))

const lists: Readonly<Record<string, List>> = {
  account: {
    rows: (id) => sql`SELECT ${account},
        (SELECT manager.username FROM ${users} AS manager WHERE manager.id = ${users.managerId}) AS manager
      FROM ${users} WHERE id = ${id}`,
  },
  picture: {
    rows: (id) => sql`SELECT hash, kind, bytes FROM ${users} JOIN ${avatars} ON avatar = ${avatarPath}::text || hash
      WHERE ${users.id} = ${id}`,
    shown: ({ bytes, ...row }) => ({ ...row, base64: bytes instanceof Uint8Array ? bytes.toBase64() : "" }),
  },
  renames: owned(renames, columnsOf(renames, "userId", "usernameKey")),
  balance: owned(balances, columnsOf(balances, "userId", "receivedCount", "sentCount", "selfCount")),
  external_ids: owned(externalIds, columnsOf(externalIds, "userId")),
  identities: owned(identities, columnsOf(identities, "userId")),
  second_factors: owned(
    secondFactors,
    columnsOf(secondFactors, "id", "userId", "credentialId", "transports", "key", "counter"),
  ),
  sessions: {
    rows: (id) => sql`
      SELECT opened_at, expires_at, address FROM ${sessions}
        WHERE username = (SELECT ${users.username} FROM ${users} WHERE ${users.id} = ${id}) ORDER BY expires_at`,
  },
  api_tokens: owned(apiTokens, columnsOf(apiTokens, "id", "userId", "hash")),
  login_sources: owned(loginSources, columnsOf(loginSources, "userId")),
  idempotency_keys: owned(
    idempotencyKeys,
    columnsOf(idempotencyKeys, "userId", "requestHash", "transactionCount", "balance", "made"),
  ),
  transaction_references: owned(
    transactionReferences,
    columnsOf(transactionReferences, "userId", "requestHash", "balance"),
  ),
  // Without the endpoint and the keys, which let others send messages.
  push_devices: owned(
    pushDevices,
    columnsOf(
      pushDevices,
      "id",
      "userId",
      "endpoint",
      "p256dh",
      "auth",
      "sessionHash",
      "endsAt",
      "silences",
      "silentSince",
    ),
  ),
  mail_choices: owned(mailChoices, columnsOf(mailChoices, "userId")),
  reason_templates: owned(reasonTemplates, columnsOf(reasonTemplates, "userId")),
  notifications_seen: owned(notificationsSeen, columnsOf(notificationsSeen, "userId")),
  reply_notices: owned(replyNotices, columnsOf(replyNotices, "userId")),
  occasions: owned(occasions, columnsOf(occasions, "userId")),
  reactions: owned(reactions, columnsOf(reactions, "userId")),
  replies: owned(replies, columnsOf(replies, "userId")),
  wishes: owned(wishes, columnsOf(wishes, "userId")),
  redemptions: owned(redemptions, columnsOf(redemptions, "userId")),
  allowances: {
    rows: (id) => sql`SELECT id, name, value, mode, period, reason FROM ${allowanceMembers}
      JOIN ${allowances} ON id = allowance_id WHERE user_id = ${id} ORDER BY id`,
  },
  jobs: {
    rows: (_, from, through) => sql`
      SELECT ${jobs.kind} AS kind, payload, state, run_at, last_error, user_id AS receiver FROM ${jobs}
        LEFT JOIN ${transactions} ON ${transactions.id} = CAST(payload ->> 'transactionId' AS BIGINT)
      WHERE ${jobs.id} > ${from} AND ${jobs.id} <= ${through} ORDER BY ${jobs.id}`,
    window: jobs.id,
    isAbout: ({ payload, receiver }, person) => receiver === person.id || isMailTo(person, parsed(payload)),
    shown: ({ receiver: _, payload, ...row }) => ({ ...row, payload: parsed(payload) }),
  },
  // The address belongs to the person who acted. On the command line, `who` is an account of the operating system.
  audit: {
    rows: (id, from, through) => sql`
      WITH held AS (${heldUsernames(Number(id))})
      SELECT at, action, who, whom, way, CASE WHEN ${isHeld(audit.who)} OR who IS NULL THEN address END AS address, count,
        detail, CASE WHEN ${isHeld(audit.whom)} THEN before_values END AS before_values,
        CASE WHEN ${isHeld(audit.whom)} THEN after_values END AS after_values
      FROM ${audit} WHERE ((way = 'http' AND ${isHeld(audit.who)}) OR ${isHeld(audit.whom)})
        AND id > ${from} AND id <= ${through} ORDER BY id`,
    window: audit.id,
    shown: ({ before_values, after_values, ...row }) => ({
      ...row,
      before_values: parsed(before_values),
      after_values: parsed(after_values),
    }),
  },
}

export const personalLists = Object.keys(lists)

/** The rows of a table with the person's `user_id`, in the order of its key; in slices if its key is among the columns. */
function owned(table: Table, columns: Readonly<Record<string, Column>>): List {
  const key = Object.values(getTableColumns(table)).filter(({ primary, name }) => primary && name !== "user_id")
  const names = key.map(({ name }) => `"${name}"`).join(", ")
  const ofPerson = (id: Value) => sql<PersonalRow>`SELECT ${namesOf(columns)} FROM ${table} WHERE user_id = ${id}`
  const inOrder = raw(key.length === 0 ? "" : ` ORDER BY ${names}`)
  if (key.length === 0 || !key.every((column) => Object.values(columns).includes(column)))
    return { rows: (id) => sql`${ofPerson(id)}${inOrder}` }
  const bound = [` AND (${names}) > (`, ...key.slice(1).map(() => ", "), ")"]
  return {
    rows: (id, ...after) => sql`${ofPerson(id)}${{ strings: bound, values: after }}${inOrder} LIMIT ${sliceLength}`,
    after: Object.fromEntries(key.map((column) => [column.name, column.getSQLType() === "text" ? "" : 0])),
  }
}

/** `ExportStore.personalRows`. Each slice is read when the caller asks for it. */
export async function* personalRows(reads: Reads, person: Person): AsyncGenerator<PersonalSlice, void> {
  for (const [name, list] of Object.entries(lists)) {
    const { isAbout = () => true, shown = (row) => row } = list
    yield { list: name, rows: [] } // so that a list without rows is shown too
    for await (const rows of slicesOf(reads, list, person)) {
      yield { list: name, rows: rows.filter((row) => isAbout(row, person)).map(shown) }
    }
  }
}

async function* slicesOf(reads: Reads, { rows, after, window }: List, { id }: Person) {
  if (window !== undefined) {
    const last = await largestOf(reads, window)
    for (let from = 0; from < last; from += windowLength) yield await reads.all(rows(id, from, from + windowLength))
    return
  }
  for (let behind = Object.values(after ?? {}); ; ) {
    const slice = await reads.all(rows(id, ...behind))
    yield slice
    const last = slice.at(-1)
    if (after === undefined || last === undefined || slice.length < sliceLength) return
    behind = Object.keys(after).map((column) => keyOf(last[column]))
  }
}

/** Whether a job with this payload sends mail to this person. */
const isMailTo = ({ id, email }: Pick<Person, "id" | "email">, payload: unknown): boolean => {
  const { email: address, userId, to } = (payload ?? {}) as Readonly<Record<string, unknown>>
  return userId === id || to === id || (typeof address === "string" && emailKey(address) === emailKey(email))
}

/**
 * Whether an erasure of this person deletes this job: mail to them, and every finished transfer from a chat. The latter
 * holds a reason, and names its sender only by an id in the chat, so nobody knows whose it is.
 */
export const isErasedWith = (person: Pick<Person, "id" | "email">, job: ErasableJob): boolean =>
  isMailTo(person, job.payload) ||
  ([slackGiveKind, mattermostGiveKind].includes(job.kind) && (job.state === "completed" || job.state === "discarded"))

interface ErasableJob {
  readonly kind: string
  readonly state: JobState
  /** Parsed. */
  readonly payload: unknown
}

/** Parses the payload of SQLite, which stores JSON as text. */
const parsed = (payload: unknown): unknown => (typeof payload === "string" ? JSON.parse(payload) : payload)

const keyOf = (value: unknown): string | number => (typeof value === "number" ? value : String(value))
