import type { Database } from "bun:sqlite"
import { and, eq, getTableColumns, isNull, ne, sql } from "drizzle-orm"
import { DomainError, type ErrorCode } from "../../../domain/errors.ts"
import type { AuditEntry, Picture, Pockets, RenamedDept, User } from "../../../domain/model.ts"
import { avatarPath } from "../../../domain/people/avatars.ts"
import { emailKey, usernameCaseKey } from "../../../domain/people/fields.ts"
import type { UserStore } from "../../../domain/store.ts"
import { createSourcesOfLogins } from "../../auth/identities.ts"
import { emptyPockets, nobody } from "../../rows.ts"
import { createAuditWriter } from "../audit.ts"
import { createEndAccess, createRequireNotEnded, createSetActive } from "../auth/sessions.ts"
import type { Connection } from "../database/connection.ts"
import { sqliteCodeOf } from "../database/errors.ts"
import { createPruning } from "../database/pruning.ts"
import { balances, sessions, spentTokens, users } from "../database/schema.ts"
import type { Slices } from "../database/write.ts"
import { createErase } from "./erase.ts"
import { createUserMerge } from "./user-merge.ts"
import { createConfusables, createUserInsert, userColumns } from "./user-rows.ts"

const { emailKey: _, usernameKey: __, ...userFields } = getTableColumns(users)

export function createUserStore(connection: Connection): UserStore {
  const writeAudit = createAuditWriter(connection)
  const { client, db, write } = connection
  // Raw SQL, because Drizzle's mapping takes three times as long as the look-up.
  const byUsername = client.prepare<User, [string]>(`SELECT ${userColumns} FROM users WHERE username = ?`)
  const cache = createUserCache(connection, (username) => byUsername.get(username))
  const insert = createUserInsert(client)
  const confusables = createConfusables(client)
  const setActive = createSetActive(client)
  const endAccess = createEndAccess(client)
  const requireNotEnded = createRequireNotEnded(client)
  const byLoginName = client.prepare<User, [string, string]>(
    `SELECT ${userColumns} FROM users WHERE username_key = ? OR email_key = ? ORDER BY users.id`,
  )
  const nameOf = client.prepare<{ name: string }, [number]>("SELECT name FROM users WHERE id = ?")
  const byIds = client.prepare<User, [string]>(
    `SELECT ${userColumns} FROM json_each(?) AS asked CROSS JOIN users ON users.id = asked.value`,
  )
  const balance = client.prepare<{ value: number }, [number]>("SELECT value FROM balances WHERE user_id = ?")
  const pockets = client.prepare<Pockets, [number]>("SELECT value AS balance, earned FROM balances WHERE user_id = ?")
  const someBalances = client.prepare<{ id: number; value: number }, [string]>(
    "SELECT user_id AS id, balances.value FROM json_each(?) AS asked CROSS JOIN balances ON user_id = asked.value",
  )
  const picture = client.prepare<Picture, [string]>("SELECT hash, kind, bytes FROM avatars WHERE hash = ?")
  const keepPicture = client.prepare(
    "INSERT INTO avatars (hash, kind, bytes) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING",
  )
  const templates = client.prepare<{ reasons: string }, [number]>(
    "SELECT reasons FROM reason_templates WHERE user_id = ?",
  )
  const keepTemplates = client.prepare(
    `INSERT INTO reason_templates (user_id, reasons) VALUES (?, ?)
     ON CONFLICT (user_id) DO UPDATE SET reasons = excluded.reasons`,
  )
  const isSpent = (tokenHash: string): boolean =>
    db.select().from(spentTokens).where(eq(spentTokens.tokenHash, tokenHash)).get() !== undefined

  return {
    ...createUserMerge(connection),
    ...createErase(connection),
    renameDept: (from, to, audit) => connection.writeInSlices((client) => movingPeople(client, { from, to }, audit)),
    byUsername: async (username) => cache.byUsername(username),
    byEmail: async (email) =>
      db
        .select(userFields)
        .from(users)
        .where(eq(users.emailKey, emailKey(email)))
        .get() ?? null,
    byLoginName: async (name) => byLoginName.all(usernameCaseKey(name), emailKey(name)),
    list: async () =>
      db
        .select({ ...userFields, balance: sql<number>`coalesce(${balances.value}, 0)` })
        .from(users)
        .leftJoin(balances, eq(balances.userId, users.id))
        .orderBy(users.id)
        .all(),
    byIds: async (userIds) => byIds.all(JSON.stringify(userIds)),
    inDept: async (dept, limit) =>
      db
        .select(userFields)
        .from(users)
        .where(and(eq(users.dept, dept), isNull(users.deactivatedAt)))
        .orderBy(users.id)
        .limit(limit)
        .all(),
    balanceOf: async (userId) => balance.get(userId)?.value ?? 0,
    pocketsOf: async (userId) => pockets.get(userId) ?? emptyPockets,

    balancesOf: async (userIds) => {
      const known = new Map(someBalances.all(JSON.stringify(userIds)).map(({ id, value }) => [id, value]))
      return (userId) => known.get(userId) ?? 0
    },

    create: async (user, entry) =>
      cache.change(() => {
        writeAudit(entry)
        if (byUsername.get(user.username)) throw new DomainError("username_taken")
        if (confusables.isTaken("username", user.username, nobody)) throw new DomainError("username_lookalike")
        const created = refusingTaken("integrity", () => insert(user))
        confusables.add(created.id, created.username, created.name)
        return created
      }),

    updateProfile: async (userId, { name, avatar, bio }, entry, namesakes = "allow") =>
      cache.change(() => {
        writeAudit(entry)
        if (name !== undefined) rename(userId, name, namesakes)
        return db.update(users).set({ name, avatar, bio }).where(eq(users.id, userId)).returning(userFields).get()
      }),

    saveAvatar: async (userId, picture, entry) =>
      cache.change(() => {
        writeAudit(entry)
        keepPicture.run(picture.hash, picture.kind, picture.bytes)
        const avatar = avatarPath + picture.hash
        return db.update(users).set({ avatar }).where(eq(users.id, userId)).returning(userFields).get()
      }),

    picture: async (hash) => picture.get(hash),
    templatesOf: async (userId) => JSON.parse(templates.get(userId)?.reasons ?? "[]") as string[],
    saveTemplates: (userId, reasons) => write(() => void keepTemplates.run(userId, JSON.stringify(reasons))),

    correct: async (userId, { name, email, dept }, entries = []) =>
      cache.change(() => {
        entries.forEach(writeAudit)
        if (name !== undefined) rename(userId, name, "allow")
        const before = current(userId)
        if (before.erasedAt !== null) throw new DomainError("erased")
        const isReaddressed = email !== undefined && email !== before.email
        const corrected = {
          name,
          dept,
          email,
          emailKey: email && emailKey(email),
          ...(isReaddressed && { refreshVersion: sql`${users.refreshVersion} + 1` }),
        }
        return refusingTaken("email_taken", () =>
          db.update(users).set(corrected).where(eq(users.id, userId)).returning(userFields).get(),
        )
      }),

    setActive: async (userId, deactivatedAt, entry) =>
      cache.change(() => {
        writeAudit(entry)
        if (deactivatedAt === null && current(userId).erasedAt !== null) throw new DomainError("erased")
        setActive(userId, deactivatedAt)
        connection.versions.invalidate()
        return current(userId)
      }),

    endAccess: async (userId, entry) =>
      cache.change(() => {
        writeAudit(entry)
        if (userId !== null) return endAccess(userId, { session: null, token: null })
        db.update(users)
          .set({
            accessVersion: sql`${users.accessVersion} + 1`,
            refreshVersion: sql`${users.refreshVersion} + 1`,
            keptToken: null,
          })
          .run()
        return db.delete(sessions).returning({ idHash: sessions.idHash }).all().length
      }),

    endOthers: async (userId, kept, entry) =>
      cache.change(() => {
        writeAudit(entry)
        return endAccess(userId, kept)
      }),

    changePassword: async ({ userId, password, endsEverything, keepSession, accessVersion, spends }, entry) =>
      cache.change(() => {
        writeAudit(entry)
        if (spends) {
          const { tokenHash, expiresAt, version } = spends
          const ended = version !== null && version !== current(userId).refreshVersion
          if (ended || isSpent(tokenHash)) throw new DomainError("not_own_password")
          db.insert(spentTokens).values({ tokenHash, expiresAt }).run()
        }
        if (!endsEverything)
          requireNotEnded(userId, { session: keepSession, token: null, accessVersion }, "not_own_password")
        const user = db
          .update(users)
          .set({
            password,
            refreshVersion: sql`${users.refreshVersion} + 1`,
            ...(endsEverything && { accessVersion: sql`${users.accessVersion} + 1`, keptToken: null }),
          })
          .where(eq(users.id, userId))
          .returning(userFields)
          .get()
        const kept = endsEverything || keepSession === null ? undefined : ne(sessions.idHash, keepSession)
        db.delete(sessions)
          .where(and(eq(sessions.username, user.username), kept))
          .run()
        return user
      }),

    renewHash: async (userId, old, renewed) => {
      await cache.change(() =>
        db
          .update(users)
          .set({ password: renewed })
          .where(and(eq(users.id, userId), eq(users.password, old)))
          .run(),
      )
    },

    ...createSourcesOfLogins(connection.database),
    isSpent: async (tokenHash) => isSpent(tokenHash),
    spend: async (token) =>
      write(() => db.insert(spentTokens).values(token).onConflictDoNothing().returning().all().length > 0),
    pruneSpent: createPruning(connection, { table: "spent_tokens", key: "token_hash", condition: "expires_at <= ?1" }),
  }

  /** The user as stored now; the cache may be older. */
  function current(userId: number): User {
    const user = db.select(userFields).from(users).where(eq(users.id, userId)).get()
    if (!user) throw new Error(`user ${userId} does not exist`)
    return user
  }

  function rename(userId: number, name: string, namesakes: "allow" | "refuse") {
    const before = nameOf.get(userId)?.name ?? name
    if (before === name) return
    if (namesakes === "refuse" && confusables.isTaken("name", name, userId)) throw new DomainError("name_lookalike")
    confusables.rename(userId, before, name)
    connection.versions.invalidate()
  }
}

/** @throws DomainError `code` when a value must be unique and is not */
function refusingTaken<T>(code: ErrorCode, change: () => T): T {
  try {
    return change()
  } catch (error) {
    throw sqliteCodeOf(error).startsWith("SQLITE_CONSTRAINT") ? new DomainError(code) : error
  }
}

/** Users in memory, about 1 KB each; beyond this number all are dropped. */
const maxCached = 10_000

/**
 * Users by username, valid until another connection writes or this one changes a user. Each request asks for two to four
 * users, and reading one costs as much as appending a transaction (2 µs; from the cache 0.1).
 */
function createUserCache(
  { write, versions }: Pick<Connection, "write" | "versions">,
  find: (username: string) => User | null,
) {
  const cached = new Map<string, User>()
  let cachedVersion = -1

  return {
    byUsername(username: string): User | null {
      const version = versions.ofTick()
      if (version !== cachedVersion || cached.size > maxCached) cached.clear()
      cachedVersion = version
      const known = cached.get(username)
      if (known) return known
      const user = find(username)
      if (user) cached.set(username, Object.freeze(user))
      return user
    },
    /** Runs a write that changes users. */
    change: <T>(work: () => T): Promise<T> =>
      write(() => {
        cached.clear()
        return work()
      }),
  }
}

/** People moved in one time slice: 2 to 5 ms. */
const peopleInSlice = 128

/** Moves a whole department in time slices, because a department may hold everybody. */
function* movingPeople(
  client: Database,
  { from, to }: { readonly from: string; readonly to: string },
  audit: AuditEntry,
): Slices<RenamedDept> {
  const count = (sql: string) => client.query<{ count: number }, [string]>(sql).get(from)?.count ?? 0
  // A run keeps its audience in memory while it pays. Under the old name it would then find nobody.
  if (
    count(`SELECT count(*) AS count FROM allowance_runs
      WHERE finished_at IS NULL AND json_extract(audience, '$.dept') = ?`) > 0
  )
    throw new DomainError("dept_being_paid")
  const renamed = {
    people: count("SELECT count(*) AS count FROM users WHERE dept = ? AND deactivated_at IS NULL"),
    allowances: count(`SELECT count(*) AS count FROM allowances
      WHERE removed_at IS NULL AND json_extract(audience, '$.dept') = ?`),
  }
  client.run("UPDATE allowances SET audience = json_object('dept', ?) WHERE json_extract(audience, '$.dept') = ?", [
    to,
    from,
  ])
  createAuditWriter({ client })(audit)
  const move = client.prepare(
    `UPDATE users SET dept = $to
     WHERE id IN (SELECT id FROM users WHERE dept = $from ORDER BY id LIMIT ${peopleInSlice})`,
  )
  while (move.run({ from, to }).changes > 0) yield
  return renamed
}
