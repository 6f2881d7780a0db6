import { DomainError } from "../../../domain/errors.ts"
import type {
  AuditEntry,
  NewUser,
  Picture,
  Pockets,
  RenamedDept,
  User,
  UserWithBalance,
} from "../../../domain/model.ts"
import { avatarPath } from "../../../domain/people/avatars.ts"
import { emailKey, usernameCaseKey } from "../../../domain/people/fields.ts"
import type { UserStore } from "../../../domain/store.ts"
import { createSourcesOfLogins } from "../../auth/identities.ts"
import { emptyPockets, nobody } from "../../rows.ts"
import { writeAudit } from "../audit.ts"
import { endAccess, endSessions, lockAccounts, lockLedger, requireNotEnded, setActive } from "../auth/sessions.ts"
import type { Client, Transaction } from "../database/client.ts"
import type { Parameter } from "../database/connection.ts"
import { createDatabase } from "../database/database.ts"
import { brokenConstraint } from "../database/errors.ts"
import { cacheByTick, gatherByTick } from "../database/gather.ts"
import { createPruning } from "../database/pruning.ts"
import { createErase } from "./erase.ts"
import { createUserMerge } from "./user-merge.ts"
import { addConfusables, isConfusable, renameConfusables, userColumns } from "./user-rows.ts"

/** `UserStore`. A change takes effect in every process at once. */
export function createUserStore(client: Client): UserStore {
  const byUsername = cacheByTick<User>(client, {
    columns: userColumns,
    join: "users u ON u.username = ANY($1)",
    key: "username",
  })
  const pocketsOf = gatherByTick<number, Pockets>((userIds) => allPocketsOf(client, userIds))

  return {
    byUsername,
    byEmail: async (email) =>
      first(await client.query<User>(`SELECT ${userColumns} FROM users u WHERE u.email_key = $1`, [emailKey(email)])),
    byLoginName: (name) =>
      client.query(`SELECT ${userColumns} FROM users u WHERE u.username_key = $1 OR u.email_key = $2 ORDER BY u.id`, [
        usernameCaseKey(name),
        emailKey(name),
      ]),
    byIds: (userIds) =>
      client.query(
        `SELECT ${userColumns} FROM unnest($1::bigint[]) WITH ORDINALITY AS asked (id, place)
           JOIN users u ON u.id = asked.id ORDER BY asked.place`,
        [userIds],
      ),
    inDept: (dept, limit) =>
      client.query(
        `SELECT ${userColumns} FROM users u WHERE u.dept = $1 AND u.deactivated_at IS NULL ORDER BY u.id LIMIT $2`,
        [dept, limit],
      ),
    list: () =>
      client.query<UserWithBalance>(
        `SELECT ${userColumns}, coalesce(b.value, 0) AS balance
         FROM users u LEFT JOIN balances b ON b.user_id = u.id ORDER BY u.id`,
      ),
    balanceOf: async (userId) => (await pocketsOf(userId))?.balance ?? 0,
    pocketsOf: async (userId) => (await pocketsOf(userId)) ?? emptyPockets,
    async balancesOf(userIds) {
      const known = await allPocketsOf(client, userIds)
      return (userId) => known.get(userId)?.balance ?? 0
    },
    picture: async (hash) =>
      first(await client.query<Picture>("SELECT hash, kind, bytes FROM avatars WHERE hash = $1", [hash])),

    async templatesOf(userId) {
      const sql = "SELECT reasons FROM reason_templates WHERE user_id = $1"
      const [kept] = await client.query<{ reasons: string }>(sql, [userId])
      return JSON.parse(kept?.reasons ?? "[]") as string[]
    },
    async saveTemplates(userId, reasons) {
      await client.change(
        `INSERT INTO reason_templates (user_id, reasons) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET reasons = excluded.reasons`,
        [userId, JSON.stringify(reasons)],
      )
    },

    create: (user, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        const taken = await tx.query<{ isNamesake: boolean }>(
          `SELECT username = $1 AS "isNamesake" FROM users WHERE username = $1 OR email_key = $2`,
          [user.username, emailKey(user.email)],
        )
        if (taken.some(({ isNamesake }) => isNamesake)) throw new DomainError("username_taken")
        if (await isConfusable(tx, "username", user.username, nobody)) throw new DomainError("username_lookalike")
        if (taken.length > 0) throw new DomainError("integrity") // an INSERT that is refused would use up an id
        const created = await insert(tx, user)
        await addConfusables(tx, [created])
        writeAudit(tx, entry)
        return created
      }),

    updateProfile: (userId, { name, avatar, bio }, entry, namesakes = "allow") =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        if (name !== undefined) await rename(tx, userId, name, namesakes)
        writeAudit(tx, entry)
        return update(
          tx,
          userId,
          `name = coalesce($2, name), avatar = CASE WHEN $3 THEN $4 ELSE avatar END,
           bio = CASE WHEN $5 THEN $6 ELSE bio END`,
          [name ?? null, avatar !== undefined, avatar ?? null, bio !== undefined, bio ?? null],
        )
      }),

    saveAvatar: (userId, { hash, kind, bytes }, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        // Locks the row of the picture: a reward that gives it up at this moment must not delete it.
        tx.send(
          `INSERT INTO avatars (hash, kind, bytes) VALUES ($1, $2, $3)
           ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash`,
          [hash, kind, bytes],
        )
        writeAudit(tx, entry)
        return update(tx, userId, "avatar = $2", [avatarPath + hash])
      }),

    correct: (userId, { name, email, dept }, entries = []) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        await refuseErased(tx, userId)
        if (name !== undefined) await rename(tx, userId, name, "allow")
        writeAudit(tx, ...entries)
        return refusingTakenAddress(() =>
          update(
            tx,
            userId,
            `name = coalesce($2, name), dept = coalesce($3, dept),
             refresh_version = refresh_version + CASE WHEN $4 <> email THEN 1 ELSE 0 END,
             email = coalesce($4, email), email_key = coalesce($5, email_key)`,
            [name ?? null, dept ?? null, email ?? null, email === undefined ? null : emailKey(email)],
          ),
        )
      }),

    setActive: (userId, deactivatedAt, entry) =>
      client.transaction(async (tx) => {
        lockLedger(tx)
        lockAccounts(tx)
        if (deactivatedAt === null) await refuseErased(tx, userId)
        writeAudit(tx, entry)
        setActive(tx, userId, deactivatedAt)
        const [user] = await tx.query<User>(`SELECT ${userColumns} FROM users u WHERE u.id = $1`, [userId])
        return existing(user)
      }),

    ...createUserMerge(client),
    ...createErase(client),
    renameDept: (from, to, audit) =>
      client.transaction((tx) => movePeople(tx, from, to, audit), { patienceMs: renamePatienceMs }),

    changePassword: ({ userId, password, endsEverything, keepSession, accessVersion, spends }, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        if (spends) {
          const [user] = await tx.query<{ version: number }>(
            "SELECT refresh_version AS version FROM users WHERE id = $1",
            [userId],
          )
          const hasEnded = spends.version !== null && spends.version !== user?.version
          const [spent] = await tx.query(
            "INSERT INTO spent_tokens (token_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
            [spends.tokenHash, spends.expiresAt],
          )
          if (hasEnded || !spent) throw new DomainError("not_own_password")
        }
        if (!endsEverything)
          await requireNotEnded(tx, userId, { session: keepSession, token: null, accessVersion }, "not_own_password")
        const user = await update(
          tx,
          userId,
          `password = $2, refresh_version = refresh_version + 1,
           access_version = access_version + CASE WHEN $3 THEN 1 ELSE 0 END,
           kept_token = CASE WHEN $3 THEN NULL ELSE kept_token END`,
          [password, endsEverything],
        )
        await endSessions(tx, user.username, endsEverything ? null : keepSession)
        writeAudit(tx, entry)
        return user
      }),

    renewHash: (userId, old, renewed) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        tx.send("UPDATE users SET password = $3 WHERE id = $1 AND password = $2", [userId, old, renewed])
      }),

    endAccess: (userId, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        writeAudit(tx, entry)
        if (userId !== null) return endAccess(tx, userId, { session: null, token: null })
        await tx.query(
          "UPDATE users SET access_version = access_version + 1, refresh_version = refresh_version + 1, kept_token = NULL",
        )
        return (await tx.query("DELETE FROM sessions RETURNING 1")).length
      }),

    endOthers: (userId, kept, entry) =>
      client.transaction(async (tx) => {
        lockAccounts(tx)
        writeAudit(tx, entry)
        return endAccess(tx, userId, kept)
      }),

    isSpent: async (tokenHash) =>
      (await client.query("SELECT 1 FROM spent_tokens WHERE token_hash = $1", [tokenHash])).length > 0,
    async spend({ tokenHash, expiresAt }) {
      const spent = await client.change(
        "INSERT INTO spent_tokens (token_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
        [tokenHash, expiresAt],
      )
      return spent.length > 0
    },
    pruneSpent: createPruning(client, { table: "spent_tokens", key: "token_hash", condition: "expires_at <= $1" }),

    ...createSourcesOfLogins(createDatabase(client)),
  }
}

const first = <T>([row]: readonly T[]): T | null => row ?? null

async function allPocketsOf(client: Client, userIds: readonly number[]): Promise<ReadonlyMap<number, Pockets>> {
  const found = await client.query<Pockets & { id: number }>(
    "SELECT user_id AS id, value AS balance, earned FROM balances WHERE user_id = ANY($1::bigint[])",
    [userIds],
  )
  return new Map(found.map(({ id, ...pockets }) => [id, pockets]))
}

async function insert(tx: Transaction, user: NewUser): Promise<User> {
  const [created] = await tx.query<User>(
    `INSERT INTO users AS u (email, email_key, username, username_key, name, dept, currency, avatar, bio, password)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${userColumns}`,
    [
      user.email,
      emailKey(user.email),
      user.username,
      usernameCaseKey(user.username),
      user.name,
      user.dept,
      user.currency,
      user.avatar,
      user.bio,
      user.password,
    ],
  )
  return existing(created)
}

/** @throws DomainError `email_taken` */
async function refusingTakenAddress<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw brokenConstraint(error) !== null ? new DomainError("email_taken") : error
  }
}

/** `changes` assigns the parameters from $2 on. */
async function update(tx: Transaction, userId: number, changes: string, params: readonly Parameter[]): Promise<User> {
  const [user] = await tx.query<User>(`UPDATE users AS u SET ${changes} WHERE u.id = $1 RETURNING ${userColumns}`, [
    userId,
    ...params,
  ])
  return existing(user)
}

function existing(user: User | undefined): User {
  if (!user) throw new Error("a user who is to be changed does not exist")
  return user
}

async function refuseErased(tx: Transaction, userId: number) {
  const [erased] = await tx.query("SELECT FROM users WHERE id = $1 AND erased_at IS NOT NULL", [userId])
  if (erased) throw new DomainError("erased")
}

async function rename(tx: Transaction, userId: number, name: string, namesakes: "allow" | "refuse") {
  const [user] = await tx.query<{ name: string }>("SELECT name FROM users WHERE id = $1", [userId])
  if (!user || user.name === name) return
  if (namesakes === "refuse" && (await isConfusable(tx, "name", name, userId))) throw new DomainError("name_lookalike")
  await renameConfusables(tx, [{ id: userId, before: user.name, after: name }])
}

/** Long, because a department may hold everybody. */
const renamePatienceMs = 60_000

/** Moves a whole department. */
async function movePeople(tx: Transaction, from: string, to: string, audit: AuditEntry): Promise<RenamedDept> {
  lockAccounts(tx)
  // First, because it waits for runs that begin at this moment and copy the audience.
  const allowances = await tx.query<{ isRemoved: boolean }>(
    `UPDATE allowances SET audience = json_build_object('dept', $2::text)::text
     WHERE audience::json ->> 'dept' = $1 RETURNING removed_at IS NOT NULL AS "isRemoved"`,
    [from, to],
  )
  // A run keeps its audience in memory while it pays. Under the old name it would then find nobody.
  const [run] = await tx.query(
    "SELECT 1 FROM allowance_runs WHERE finished_at IS NULL AND audience::json ->> 'dept' = $1 LIMIT 1",
    [from],
  )
  if (run) throw new DomainError("dept_being_paid")
  const people = await tx.query<{ isActive: boolean }>(
    `UPDATE users SET dept = $2 WHERE dept = $1 RETURNING deactivated_at IS NULL AS "isActive"`,
    [from, to],
  )
  writeAudit(tx, audit)
  return {
    people: people.filter(({ isActive }) => isActive).length,
    allowances: allowances.filter(({ isRemoved }) => !isRemoved).length,
  }
}
