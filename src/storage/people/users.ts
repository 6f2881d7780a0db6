import type { AuditEntry, EntryOf } from "../../domain/audit/ports.ts"
import { DomainError } from "../../domain/errors.ts"
import { isOwnProfile } from "../../domain/people/changes.ts"
import type { SpentToken } from "../../domain/people/credentials.ts"
import { emailKey, usernameCaseKey } from "../../domain/people/fields.ts"
import type { Pockets, RenamedDept, User } from "../../domain/people/model.ts"
import { searchKey } from "../../domain/people/people-search.ts"
import type { UserStore } from "../../domain/people/ports.ts"
import { unusableRest } from "../../domain/people/unusable-hash.ts"
import { audienceOfDept } from "../allowances.ts"
import { writeAudit, writeProfileAudit } from "../audit.ts"
import {
  endAccess,
  endPush,
  endSessions,
  lockAccounts,
  lockLedger,
  requireNotEnded,
  setActive,
} from "../auth/access.ts"
import { createSourcesOfLogins } from "../auth/identities.ts"
import { countOf, type Database, DuplicateKey, exists, one, type Reads, type Tx } from "../database.ts"
import { cacheByTick, createVersions, gatherByTick } from "../gather.ts"
import { remember } from "../idempotency.ts"
import { insertJobs } from "../jobs.ts"
import { keepPicture } from "../pictures.ts"
import { prune } from "../pruning.ts"
import { fields, list, returning, row, select, set, sql } from "../sql.ts"
import {
  allowanceRuns,
  allowances,
  avatars,
  balances,
  identities,
  pushDevices,
  reasonTemplates,
  sessions,
  spentTokens,
  users,
} from "../tables.ts"
import { createErase } from "./erase.ts"
import { changeUsername, createFormerUsernames, refuseFormer } from "./former-usernames.ts"
import { checkManager, createManagerReads } from "./managers.ts"
import { createUserMerge } from "./user-merge.ts"
import {
  addConfusables,
  isConfusable,
  newRow,
  renameConfusables,
  user,
  userFields,
  userWithBalance,
} from "./user-rows.ts"

const pocketsOfUser = fields({ userId: balances.userId, balance: balances.value, earned: balances.earned })
const picture = fields({ hash: avatars.hash, kind: avatars.kind, bytes: avatars.bytes })
const templates = fields({ reasons: reasonTemplates.reasons })
const withId = fields({ id: users.id })
const names = fields({ username: users.username })
const called = fields({ username: users.username, name: users.name })
const tokenVersions = fields({ refreshVersion: users.refreshVersion })

/** How long a change of everybody may take; a department may hold everybody too. */
const forEverybodyMs = 60_000

const pockets = fields({ balance: balances.value, earned: balances.earned })
export const pocketsWhere = (userId: number) => select(pockets)`FROM ${balances} WHERE ${balances.userId} = ${userId}`

/** The pockets of a user without a row in `balances`. */
export const emptyPockets: Pockets = { balance: 0, earned: 0 }

/** `UserStore`. A change takes effect in every process at once. `scrub`: removes what an erasure left in the files. */
export function createUserStore(db: Database, scrub: () => Promise<void>, versions = createVersions(db)): UserStore {
  const gathered = gatherByTick((userIds: readonly number[]) => pocketsByUser(db, userIds))
  const pocketsOf = async (userId: number) => (await gathered(userId)) ?? emptyPockets

  return {
    byUsername: cacheByTick(db, versions, {
      columns: userFields,
      join: (usernames) =>
        sql`${users} ON ${users.username} IN (SELECT value FROM ${list("asked", usernames, "text")})`,
      key: "username",
    }),
    revision: async () => (await versions.current()).access,
    ...createFormerUsernames(db),
    byEmail: (email) => db.first(select(user)`FROM ${users} WHERE ${users.emailKey} = ${emailKey(email)}`),
    byLoginName: (name) =>
      db.all(select(user)`FROM ${users} WHERE ${users.usernameKey} = ${usernameCaseKey(name)}
        OR ${users.emailKey} = ${emailKey(name)} ORDER BY ${users.id}`),
    byIds: (userIds) =>
      db.all(select(user)`FROM ${list("asked", userIds, "bigint")} CROSS JOIN ${users}
        WHERE ${users.id} = asked.value ORDER BY asked.key`),
    ...createManagerReads(db),
    inDept: (dept, limit) =>
      db.all(select(user)`FROM ${users} WHERE ${users.dept} = ${dept} AND ${users.deactivatedAt} IS NULL
        ORDER BY ${users.id} LIMIT ${limit}`),
    async idsInDept(dept, limit) {
      const found = await db.all(select(withId)`FROM ${users} WHERE ${users.dept} = ${dept}
        AND ${users.deactivatedAt} IS NULL ORDER BY ${users.id} LIMIT ${limit}`)
      return found.map(({ id }) => id)
    },
    withDuties: () => db.all(select(user)`FROM ${users} WHERE ${users.duties} <> '' ORDER BY ${users.id}`),
    neverLoggedIn: ({ after, limit }) =>
      db.all(select(user)`FROM ${users} WHERE ${users.id} > ${after} AND ${users.deactivatedAt} IS NULL
        AND ${users.password} LIKE ${`%${unusableRest}`}
        AND NOT EXISTS (SELECT 1 FROM ${identities} WHERE ${identities.userId} = ${users.id})
        ORDER BY ${users.id} LIMIT ${limit}`),
    async withHistory(userIds) {
      const found = await db.all(select(withId)`FROM ${list("asked", userIds, "bigint")} CROSS JOIN ${users}
        WHERE ${users.id} = asked.value
          AND (EXISTS (SELECT 1 FROM ${identities} WHERE ${identities.userId} = ${users.id})
            OR EXISTS (SELECT 1 FROM ${balances} WHERE ${balances.userId} = ${users.id} AND ${balances.earned} <> 0))`)
      return found.map(({ id }) => id)
    },
    list: () =>
      db.all(select(userWithBalance)`FROM ${users} LEFT JOIN ${balances} ON ${balances.userId} = ${users.id}
        ORDER BY ${users.id}`),
    pocketsOf,
    balanceOf: async (userId) => (await pocketsOf(userId)).balance,
    async balancesOf(userIds) {
      const known = await pocketsByUser(db, userIds)
      return (userId) => known.get(userId)?.balance ?? 0
    },
    picture: (hash) => db.first(select(picture)`FROM ${avatars} WHERE ${avatars.hash} = ${hash}`),
    async templatesOf(userId) {
      const kept = await db.first(
        select(templates)`FROM ${reasonTemplates} WHERE ${reasonTemplates.userId} = ${userId}`,
      )
      return kept?.reasons ?? []
    },

    create: (newUser, entry, newJobs = [], once) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        const taken = await tx.all(select(names)`FROM ${users}
          WHERE ${users.username} = ${newUser.username} OR ${users.emailKey} = ${emailKey(newUser.email)}`)
        if (taken.some(({ username }) => username === newUser.username)) throw new DomainError("username_taken")
        await refuseFormer(tx, [newUser.username], entry?.at ?? 0)
        if (await isConfusable(tx, "username", newUser.username)) throw new DomainError("username_lookalike")
        if (taken.length > 0) throw new DomainError("integrity") // an INSERT that is refused would use up an id
        const created = await one(tx, returning(user)`INSERT INTO ${users} ${row(users, newRow(newUser))}`)
        addConfusables(tx, [created])
        insertJobs(tx, newJobs)
        writeAudit(tx, entry)
        return remember(tx, once, created)
      }),
    updateProfile: (userId, change, entry, namesakes = "allow") =>
      db.write(async (tx) => {
        lockAccounts(tx)
        const renamed = await rename(tx, userId, { name: change.name }, namesakes)
        return audited(tx, userId, entry, () => update(tx, userId, { ...change, ...renamed }))
      }),
    saveAvatar: (userId, saved, entry) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        const avatar = keepPicture(tx, saved)
        return audited(tx, userId, entry, () => update(tx, userId, { avatar }))
      }),
    correct: (userId, { email, renamed, ...others }, entries = []) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        await refuseErased(tx, userId)
        const called = await rename(tx, userId, { name: others.name, username: renamed?.username }, "allow")
        if (renamed !== undefined) await changeUsername(tx, userId, renamed)
        if (others.managerId != null) await checkManager(tx, userId, others.managerId)
        const named = renamed !== undefined && {
          username: renamed.username,
          usernameKey: usernameCaseKey(renamed.username),
        }
        const readdressed = email !== undefined && {
          email,
          emailKey: emailKey(email),
          refreshVersion: sql`refresh_version + CASE WHEN ${email} <> email THEN 1 ELSE 0 END`,
        }
        try {
          return await audited(tx, userId, entries, () =>
            update(tx, userId, { ...others, ...called, ...named, ...readdressed }),
          )
        } catch (error) {
          throw error instanceof DuplicateKey ? new DomainError("email_taken") : error
        }
      }),
    renameDept: (from, to, audit) => db.write((tx) => movePeople(tx, from, to, audit), { patienceMs: forEverybodyMs }),
    saveTemplates: (userId, reasons) =>
      db.write(async (tx) =>
        tx.send(sql`INSERT INTO ${reasonTemplates} ${row(reasonTemplates, { userId, reasons })}
          ON CONFLICT (user_id) DO UPDATE SET reasons = excluded.reasons`),
      ),
    setActive: (userId, deactivatedAt, entry) =>
      db.write(async (tx) => {
        lockLedger(tx)
        lockAccounts(tx)
        if (deactivatedAt === null) await refuseErased(tx, userId)
        writeAudit(tx, entry)
        setActive(tx, userId, deactivatedAt, entry)
        return one(tx, select(user)`FROM ${users} WHERE ${users.id} = ${userId}`)
      }),
    ...createErase(db, scrub),
    ...createUserMerge(db),

    changePassword: ({ userId, password, endsEverything, keepSession, accessVersion, spends }, entry) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        if (spends) {
          const now = await one(tx, select(tokenVersions)`FROM ${users} WHERE ${users.id} = ${userId}`)
          const hasEnded = spends.version !== null && spends.version !== now.refreshVersion
          if (hasEnded || !(await spend(tx, spends))) throw new DomainError("not_own_password")
        }
        if (!endsEverything)
          await requireNotEnded(tx, userId, { session: keepSession, token: null, accessVersion }, "not_own_password")
        const changed = await update(tx, userId, {
          password,
          refreshVersion: sql`refresh_version + 1`,
          ...(endsEverything && { accessVersion: sql`access_version + 1`, keptToken: null }),
        })
        endPush(tx, userId)
        await endSessions(tx, changed.username, endsEverything ? null : keepSession)
        writeAudit(tx, entry)
        return changed
      }),
    renewHash: (userId, old, renewed) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        tx.send(sql`UPDATE ${users} SET password = ${renewed}
          WHERE ${users.id} = ${userId} AND ${users.password} = ${old}`)
      }),
    endAccess: (userId, entry) =>
      db.write(
        async (tx) => {
          lockAccounts(tx)
          writeAudit(tx, entry)
          return userId === null ? endAllAccess(tx) : endAccess(tx, userId, { session: null, token: null })
        },
        userId === null ? { patienceMs: forEverybodyMs } : {},
      ),
    endOthers: (userId, kept, entry) =>
      db.write(async (tx) => {
        lockAccounts(tx)
        writeAudit(tx, entry)
        return endAccess(tx, userId, kept)
      }),
    isSpent: (tokenHash) => exists(db, sql`${spentTokens} WHERE ${spentTokens.tokenHash} = ${tokenHash}`),
    spend: (token) => db.write((tx) => spend(tx, token)),
    pruneSpent: (now) =>
      prune(db, {
        table: spentTokens,
        condition: sql`${spentTokens.expiresAt} <= ${now}`,
      }),

    ...createSourcesOfLogins(db),
  }
}

/** Pockets by user id, of those who have any. */
export async function pocketsByUser(db: Reads, userIds: readonly number[]): Promise<ReadonlyMap<number, Pockets>> {
  const found = await db.all(select(pocketsOfUser)`FROM ${list("asked", userIds, "bigint")}
    CROSS JOIN ${balances} WHERE ${balances.userId} = asked.value`)
  return new Map(found.map(({ userId, ...rest }) => [userId, rest]))
}

/** Changes a user, who exists. Call `lockAccounts` first. */
const update = (tx: Tx, userId: number, changes: Parameters<typeof set<typeof users>>[1]) =>
  one(tx, returning(user)`UPDATE ${users} SET ${set(users, changes)} WHERE ${users.id} = ${userId}`)

type Entries = EntryOf<User> | readonly AuditEntry[] | ((before: User, after: User) => readonly AuditEntry[])

/** Makes a change of a user, and writes the entries about it. Call `lockAccounts` first. */
async function audited(
  tx: Tx,
  userId: number,
  entries: Entries | undefined,
  change: () => Promise<User>,
): Promise<User> {
  const before = await one(tx, select(user)`FROM ${users} WHERE ${users.id} = ${userId}`)
  const after = await change()
  const made = typeof entries === "function" ? entries(before, after) : (entries ?? [])
  for (const entry of [made].flat())
    if (isOwnProfile(entry)) await writeProfileAudit(tx, entry)
    else writeAudit(tx, entry)
  return after
}

/** Returns what else changes with the name. */
async function rename(tx: Tx, userId: number, changed: Renamed, namesakes: "allow" | "refuse") {
  if (changed.name === undefined && changed.username === undefined) return {}
  const before = await one(tx, select(called)`FROM ${users} WHERE ${users.id} = ${userId}`)
  const { name = before.name, username = before.username } = changed
  if (name !== before.name) {
    if (namesakes === "refuse" && (await isConfusable(tx, "name", name, userId)))
      throw new DomainError("name_lookalike")
    renameConfusables(tx, "name", [{ id: userId, before: before.name, after: name }])
  }
  return { searchKey: searchKey({ name, username }) }
}

interface Renamed {
  readonly name?: string | undefined
  /** Not checked here. */
  readonly username?: string | undefined
}

async function refuseErased(tx: Tx, userId: number) {
  const isErased = await exists(tx, sql`${users} WHERE ${users.id} = ${userId} AND ${users.erasedAt} IS NOT NULL`)
  if (isErased) throw new DomainError("erased")
}

const readdressed = fields({ removedAt: allowances.removedAt })

/** Moves a whole department. */
async function movePeople(tx: Tx, from: string, to: string, audit: AuditEntry): Promise<RenamedDept> {
  lockAccounts(tx)
  // First, because it waits for runs that begin at this moment and copy the audience.
  const paid = await tx.all(returning(readdressed)`
    UPDATE ${allowances} SET ${set(allowances, { audience: { dept: to } })}
    WHERE ${allowances.audience} = ${audienceOfDept(from)}`)
  // A run keeps its audience in memory while it pays. Under the old name it would then find nobody.
  const isBeingPaid = await exists(
    tx,
    sql`${allowanceRuns}
    WHERE ${allowanceRuns.finishedAt} IS NULL AND ${allowanceRuns.audience} = ${audienceOfDept(from)}`,
  )
  if (isBeingPaid) throw new DomainError("dept_being_paid")
  writeAudit(tx, audit)
  const people = await countOf(tx, sql`${users} WHERE ${users.dept} = ${from} AND ${users.deactivatedAt} IS NULL`)
  tx.send(sql`UPDATE ${users} SET ${set(users, { dept: to })} WHERE ${users.dept} = ${from}`)
  return { people, allowances: paid.filter(({ removedAt }) => removedAt === null).length }
}

/** Uses up a token. False when it has been used before. */
async function spend(tx: Tx, { tokenHash, expiresAt }: Pick<SpentToken, "tokenHash" | "expiresAt">): Promise<boolean> {
  const spent = await tx.run(
    sql`INSERT INTO ${spentTokens} ${row(spentTokens, { tokenHash, expiresAt })} ON CONFLICT DO NOTHING`,
  )
  return spent > 0
}

/** Ends every session, token and notification of everyone. Returns the number of sessions. */
function endAllAccess(tx: Tx): Promise<number> {
  tx.send(sql`UPDATE ${users} SET access_version = access_version + 1, refresh_version = refresh_version + 1,
    kept_token = NULL`)
  tx.send(sql`DELETE FROM ${pushDevices}`)
  return tx.run(sql`DELETE FROM ${sessions}`)
}
