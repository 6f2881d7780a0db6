import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import type { NewApiToken } from "../../../src/domain/auth/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { hashOf, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const byAna = { who: "ana", way: "http", address: "192.0.2.7" } as const
const created = auditEntry(byAna, 5, "token_created", { whom: "ana", detail: "Bot" })
const revoked = auditEntry(byAna, 6, "token_revoked", { whom: "ana", detail: "Bot" })

const hash = (letter: string) => letter.repeat(64)

export const tokenOf = (userId: number, letter: string, fields: Partial<NewApiToken> = {}): NewApiToken => ({
  userId,
  kind: "personal",
  name: "Bot",
  prefix: "rwd_abcd",
  hash: hash(letter),
  scopes: ["read", "give"],
  createdAt: 5,
  expiresAt: 1_000,
  ...fields,
})

const actionsIn = async ({ audit }: Store) => (await audit.list({ limit: 10 })).map(({ action }) => action)

/** Stores a token of each kind for Ana ("a" and "b") and a personal one for Bruno ("c"). */
async function threeTokens(store: Store) {
  const people = await threePeople(store)
  const { ana, bruno } = people
  for (const token of [tokenOf(ana.id, "a"), tokenOf(ana.id, "b", { kind: "service" }), tokenOf(bruno.id, "c")])
    await store.apiTokens.create(token, 9, created)
  return people
}

/** The letters of the tokens that the store still has. */
async function kept({ apiTokens }: Store) {
  const letters = []
  for (const letter of "abc") if (await apiTokens.find(hash(letter))) letters.push(letter)
  return letters.join("")
}

export function apiTokenPromises(open: OpenSubject) {
  test("every store finds a token by its hash, unchanged, and its audit entry", async () => {
    await using subject = await open()
    const { apiTokens } = subject.store
    const { ana } = await threePeople(subject.store)

    const token = await apiTokens.create(tokenOf(ana.id, "a"), 1, created)

    const { userId: _, hash: __, ...rest } = tokenOf(ana.id, "a")
    expect(token).toEqual({ ...rest, id: token.id, username: "ana", lastUsedAt: null, lastUsedFrom: null })
    const other = await subject.reopen()
    expect(await other.apiTokens.find(hash("a"))).toEqual(token)
    expect(await other.apiTokens.find(hash("b"))).toBeNull()
    expect(await actionsIn(other)).toEqual(["token_created"])
  })

  test("an account cannot have more tokens of a kind than the limit; a refused one leaves no trace", async () => {
    await using subject = await open()
    const { apiTokens } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await apiTokens.create(tokenOf(ana.id, "a"), 1, created)

    expect(await refusalOf(apiTokens.create(tokenOf(ana.id, "b"), 1, created))).toMatchObject({
      code: "too_many_tokens",
    })
    expect(await actionsIn(subject.store)).toEqual(["token_created"])

    await apiTokens.create(tokenOf(ana.id, "b", { kind: "service" }), 1, created)
    await apiTokens.create(tokenOf(bruno.id, "c"), 1, created)
    expect(await kept(subject.store)).toBe("abc")
  })

  test("an account that was deactivated gets no service token, and nothing is stored", async () => {
    await using subject = await open()
    const { users, apiTokens } = subject.store
    const { ana } = await threePeople(subject.store)
    await users.setActive(ana.id, 5, auditEntry(byAna, 5, "user_deactivated", { whom: "ana" }))

    expect(await refusalOf(apiTokens.create(tokenOf(ana.id, "a", { kind: "service" }), 1, created))).toMatchObject({
      code: "user_not_found",
    })
    expect(await kept(subject.store)).toBe("")
    expect(await actionsIn(subject.store)).toEqual(["user_deactivated"])
  })

  test("tokens are listed by account and kind, in order of creation", async () => {
    await using subject = await open()
    const { ana } = await threeTokens(subject.store)
    const { apiTokens } = subject.store
    const listed = async (...asked: Parameters<typeof apiTokens.list>) =>
      (await apiTokens.list(...asked)).map(({ username, kind }) => `${username} ${kind}`)

    expect(await listed(null, null)).toEqual(["ana personal", "ana service", "bruno personal"])
    expect(await listed(ana.id, "personal")).toEqual(["ana personal"])
    expect(await listed(null, "service")).toEqual(["ana service"])
    expect(await listed(999, null)).toEqual([])
  })

  test("a revoked token is gone in every store and counts as a change of access; revoking it again does nothing", async () => {
    await using subject = await open()
    await threeTokens(subject.store)
    const other = await subject.reopen()
    const id = (await other.apiTokens.find(hash("a")))?.id ?? 0
    const before = await other.sessions.accessChanges()

    expect(await subject.store.apiTokens.revoke(id, revoked)).toBe(true)

    expect(await kept(other)).toBe("bc")
    expect(await other.sessions.accessChanges()).toBeGreaterThan(before)
    expect(await subject.store.apiTokens.revoke(id, revoked)).toBe(false)
    expect((await actionsIn(other)).filter((action) => action === "token_revoked")).toHaveLength(1)
  })

  test("the latest use is stored for tokens that still exist", async () => {
    await using subject = await open()
    await threeTokens(subject.store)
    const { apiTokens } = subject.store
    const id = (await apiTokens.find(hash("a")))?.id ?? 0

    await apiTokens.saveUses([
      { id, at: 20, address: "192.0.2.1" },
      { id: 999, at: 20, address: "192.0.2.1" },
    ])
    await apiTokens.saveUses([{ id, at: 10, address: "192.0.2.2" }]) // of a process that writes later

    expect(await apiTokens.find(hash("a"))).toMatchObject({ lastUsedAt: 20, lastUsedFrom: "192.0.2.1" })
    await apiTokens.saveUses([{ id, at: 900_000_000, address: "192.0.2.1" }]) // by a clock that ran ahead
    await apiTokens.saveUses([{ id, at: 30, address: "192.0.2.3" }])
    expect(await apiTokens.find(hash("a"))).toMatchObject({ lastUsedAt: 30, lastUsedFrom: "192.0.2.3" })
    expect(await apiTokens.find(hash("b"))).toMatchObject({ lastUsedAt: null, lastUsedFrom: null })
  })

  test("pruning deletes tokens that expired before a given time, and none that never expires", async () => {
    await using subject = await open()
    const { apiTokens } = subject.store
    const { ana } = await threePeople(subject.store)
    await apiTokens.create(tokenOf(ana.id, "a", { expiresAt: 99 }), 9, created)
    await apiTokens.create(tokenOf(ana.id, "b", { expiresAt: 100 }), 9, created)
    await apiTokens.create(tokenOf(ana.id, "c", { expiresAt: null }), 9, created)

    await apiTokens.prune(100)

    expect(await kept(subject.store)).toBe("bc")
  })

  test("a personal token is not created if access tokens ended after the request", async () => {
    await using subject = await open()
    const { apiTokens, users } = subject.store
    const { ana } = await threePeople(subject.store)
    const late = tokenOf(ana.id, "a", { accessVersion: ana.accessVersion })
    await (await subject.reopen()).users.endAccess(ana.id)

    expect(await refusalOf(apiTokens.create(late, 9, created))).toMatchObject({ code: "bad_credentials" })
    expect(await kept(subject.store)).toBe("")
    expect(await actionsIn(subject.store)).toEqual([])
    await apiTokens.create({ ...late, accessVersion: ana.accessVersion + 1 }, 9, created)
    expect((await users.byUsername("ana"))?.accessVersion).toBe(1)
    expect(await kept(subject.store)).toBe("a")
  })

  test("whatever ends access tokens ends personal tokens; changes of one's own password, profile or department do not", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana } = await threeTokens(subject.store)
    const change = { userId: ana.id, password: hashOf("new"), keepSession: null, spends: null }

    await users.changePassword({ ...change, endsEverything: false })
    await users.updateProfile(ana.id, { bio: "Hello" })
    await users.correct(ana.id, { dept: "support", email: "ana@example.org" })
    expect(await kept(subject.store)).toBe("abc")
    await users.changePassword({ ...change, endsEverything: true })
    expect(await kept(subject.store)).toBe("bc")
    await users.endAccess(null)
    expect(await kept(subject.store)).toBe("b")
  })

  test("ending all other access of a user ends the personal tokens too", async () => {
    await using subject = await open()
    const { ana } = await threeTokens(subject.store)

    await subject.store.users.endOthers(ana.id, { session: null, token: null })

    expect(await kept(subject.store)).toBe("bc")
  })

  test("a deactivation ends tokens of both kinds", async () => {
    await using subject = await open()
    const { ana } = await threeTokens(subject.store)

    await subject.store.users.setActive(ana.id, 500)

    expect(await kept(subject.store)).toBe("c")
  })
}
