import { DomainError, type ErrorCode } from "../../../domain/errors.ts"
import type { NewUser, Picture, SpentToken, User, UserWithBalance } from "../../../domain/model.ts"
import { avatarPath } from "../../../domain/people/avatars.ts"
import { emailKey, usernameCaseKey } from "../../../domain/people/fields.ts"
import type { UserStore } from "../../../domain/store.ts"
import { createAuditWriter } from "../audit.ts"
import { createEndAccess, createSetActive } from "../auth/end-access.ts"
import { createSources } from "../auth/logins.ts"
import type { Connection, Value } from "../database/connection.ts"
import { codeOf } from "../database/errors.ts"
import { createConfusables } from "./confusables.ts"
import { createErase } from "./erase.ts"
import { createRenameDept } from "./rename-dept.ts"
import { createUserMerge } from "./user-merge.ts"
import { userColumns } from "./user-rows.ts"

export function createUserStore(connection: Connection): UserStore {
  const writeAudit = createAuditWriter(connection)
  const { client, write } = connection
  const byUsername = client.prepare<User, [string]>(`SELECT ${userColumns} FROM users WHERE username = ?`)
  const cache = createUserCache(connection, (username) => byUsername.get(username))
  const confusables = createConfusables(client)
  const setActive = createSetActive(client)
  const endAccess = createEndAccess(client)
  const byEmail = client.prepare<User, [string]>(`SELECT ${userColumns} FROM users WHERE email_key = ?`)
  const byLoginName = client.prepare<User, [string, string]>(
    `SELECT ${userColumns} FROM users WHERE username_key = ? OR email_key = ? ORDER BY users.id`,
  )
  const byId = client.prepare<User, [number]>(`SELECT ${userColumns} FROM users WHERE id = ?`)
  const nameOf = client.prepare<{ name: string }, [number]>("SELECT name FROM users WHERE id = ?")
  const byIds = client.prepare<User, [string]>(
    `SELECT ${userColumns} FROM json_each(?) AS asked CROSS JOIN users ON users.id = asked.value`,
  )
  const inDept = client.prepare<User, [string, number]>(
    `SELECT ${userColumns} FROM users WHERE dept = ? AND deactivated_at IS NULL ORDER BY users.id LIMIT ?`,
  )
  const list = client.prepare<UserWithBalance, []>(
    `SELECT ${userColumns}, coalesce(balances.value, 0) AS balance
     FROM users LEFT JOIN balances ON balances.user_id = users.id ORDER BY users.id`,
  )
  const insert = client.prepare<User, (string | null)[]>(
    `INSERT INTO users (email, email_key, username, username_key, name, dept, currency, avatar, bio, password)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${userColumns}`,
  )
  const balance = client.prepare<{ value: number }, [number]>("SELECT value FROM balances WHERE user_id = ?")
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
  const renewHash = client.prepare<unknown, [string, number, string]>(
    "UPDATE users SET password = ? WHERE id = ? AND password = ?",
  )
  const endTokens = client.prepare(
    "UPDATE users SET access_version = access_version + 1, refresh_version = refresh_version + 1, kept_token = NULL",
  )
  const endSessions = client.prepare("DELETE FROM sessions RETURNING 1")
  const endSessionsOf = client.prepare<unknown, [string, string | null]>(
    "DELETE FROM sessions WHERE username = ? AND id_hash IS NOT ?",
  )
  const hasSession = client.prepare<unknown, [string, string]>(
    "SELECT 1 FROM sessions WHERE id_hash = ? AND username = ?",
  )
  const spent = client.prepare<unknown, [string]>("SELECT 1 FROM spent_tokens WHERE token_hash = ?")
  const spend = client.prepare<unknown, [string, number]>(
    "INSERT INTO spent_tokens (token_hash, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
  )
  const pruneSpent = client.prepare<unknown, [number]>("DELETE FROM spent_tokens WHERE expires_at <= ?")

  return {
    ...createUserMerge(connection),
    ...createErase(connection),
    ...createRenameDept(connection),
    byUsername: async (username) => cache.byUsername(username),
    byEmail: async (email) => byEmail.get(emailKey(email)),
    byLoginName: async (name) => byLoginName.all(usernameCaseKey(name), emailKey(name)),
    list: async () => list.all(),
    byIds: async (userIds) => byIds.all(JSON.stringify(userIds)),
    inDept: async (dept, limit) => inDept.all(dept, limit),
    balanceOf: async (userId) => balance.get(userId)?.value ?? 0,

    balancesOf: async (userIds) => {
      const known = new Map(someBalances.all(JSON.stringify(userIds)).map(({ id, value }) => [id, value]))
      return (userId) => known.get(userId) ?? 0
    },

    create: async (user, entry) =>
      cache.change(() => {
        writeAudit(entry)
        if (byUsername.get(user.username)) throw new DomainError("username_taken")
        if (confusables.isTaken("username", user.username, nobody)) throw new DomainError("username_lookalike")
        const created = add(user)
        confusables.add(created.id, created.username, created.name)
        return created
      }),

    updateProfile: async (userId, { name, avatar, bio }, entry, namesakes = "allow") =>
      cache.change(() => {
        writeAudit(entry)
        if (name !== undefined) rename(userId, name, namesakes)
        return update(userId, { name, avatar, bio })
      }),

    saveAvatar: async (userId, picture, entry) =>
      cache.change(() => {
        writeAudit(entry)
        keepPicture.run(picture.hash, picture.kind, picture.bytes)
        return update(userId, { avatar: avatarPath + picture.hash })
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
        return refusingTaken("email_taken", () =>
          update(userId, {
            name,
            dept,
            email,
            email_key: email && emailKey(email),
            refresh_version: isReaddressed ? before.refreshVersion + 1 : undefined,
          }),
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
        endTokens.run()
        return endSessions.all().length
      }),

    endOthers: async (userId, kept, entry) =>
      cache.change(() => {
        writeAudit(entry)
        return endAccess(userId, kept)
      }),

    changePassword: async ({ userId, password, endsEverything, keepSession, accessVersion, spends }, entry) =>
      cache.change(() => {
        writeAudit(entry)
        const before = current(userId)
        if (spends) {
          const hasEnded = spends.version !== null && spends.version !== before.refreshVersion
          if (hasEnded || !isFirstUse(spends)) throw new DomainError("not_own_password")
        }
        if (!endsEverything && !isStillAllowed(before, accessVersion, keepSession))
          throw new DomainError("not_own_password")
        const user = update(userId, {
          password,
          refresh_version: before.refreshVersion + 1,
          ...(endsEverything && { access_version: before.accessVersion + 1, kept_token: null }),
        })
        endSessionsOf.run(user.username, endsEverything ? null : keepSession)
        return user
      }),

    renewHash: async (userId, old, renewed) => {
      await cache.change(() => renewHash.run(renewed, userId, old))
    },

    ...createSources(connection),
    isSpent: async (tokenHash) => spent.get(tokenHash) !== null,
    spend: async (token) => write(() => isFirstUse(token)),
    pruneSpent: async (now) => {
      await write(() => pruneSpent.run(now))
    },
  }

  function add({ email, username, name, dept, currency, avatar, bio, password }: NewUser): User {
    const keys = { email: emailKey(email), username: usernameCaseKey(username) }
    const values = [email, keys.email, username, keys.username, name, dept, currency, avatar, bio, password]
    return refusingTaken("integrity", () => existing(insert.get(...values)))
  }

  /** Whether the credential that allowed a change of the own password has not ended. */
  function isStillAllowed(user: User, accessVersion = user.accessVersion, session: string | null): boolean {
    return accessVersion === user.accessVersion && (session === null || hasSession.get(session, user.username) !== null)
  }

  /** As stored now. */
  function current(userId: number): User {
    return existing(byId.get(userId))
  }

  /** Sets the columns whose values are not undefined, at least one. */
  function update(userId: number, changes: Readonly<Record<string, Value | undefined>>): User {
    const given = Object.entries(changes).flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]))
    const assignments = given.map(({ column }) => `${column} = ?`).join(", ")
    const sql = `UPDATE users SET ${assignments} WHERE id = ? RETURNING ${userColumns}`
    return existing(client.prepare<User, Value[]>(sql).get(...given.map(({ value }) => value), userId))
  }

  /** Marks a token as spent, unless it is. */
  function isFirstUse({ tokenHash, expiresAt }: Pick<SpentToken, "tokenHash" | "expiresAt">): boolean {
    return spend.run(tokenHash, expiresAt).changes > 0
  }

  function rename(userId: number, name: string, namesakes: "allow" | "refuse") {
    const before = nameOf.get(userId)?.name ?? name
    if (before === name) return
    if (namesakes === "refuse" && confusables.isTaken("name", name, userId)) throw new DomainError("name_lookalike")
    confusables.rename(userId, before, name)
    connection.versions.invalidate()
  }
}

function existing(user: User | null): User {
  if (!user) throw new Error("a user who was to be read or changed does not exist")
  return user
}

/** @throws DomainError `code` when a value must be unique and is not */
function refusingTaken<T>(code: ErrorCode, change: () => T): T {
  try {
    return change()
  } catch (error) {
    throw codeOf(error).startsWith("SQLITE_CONSTRAINT") ? new DomainError(code) : error
  }
}

/** No user's id. */
const nobody = 0

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
