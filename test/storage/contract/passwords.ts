import { expect, test } from "bun:test"
import type { PasswordChange } from "../../../src/domain/people/credentials.ts"
import type { User } from "../../../src/domain/people/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { hashOf, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const now = 1_000
const refused = { code: "not_own_password" }

const changeOf = (user: User, fields: Partial<PasswordChange> = {}): PasswordChange => ({
  userId: user.id,
  password: hashOf("new"),
  endsEverything: true,
  keepSession: null,
  spends: null,
  ...fields,
})

/** Opens Ana's sessions a1 and a2, and Bruno's b1. */
async function openSessions({ sessions }: Store) {
  for (const [idHash, username] of [
    ["a1", "ana"],
    ["a2", "ana"],
    ["b1", "bruno"],
  ] as const)
    await sessions.open({ idHash, username, expiresAt: now + 1, openedAt: null, address: null }, null)
}

async function living({ sessions }: Store): Promise<string[]> {
  const found = await Promise.all(["a1", "a2", "b1"].map((idHash) => sessions.find(idHash, now)))
  return found.flatMap((session) => session?.idHash ?? [])
}

export function passwordPromises(open: OpenSubject) {
  test("all sessions and tokens of a user end except the kept one; those of others stay", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    await openSessions(subject.store)
    const { users } = subject.store
    const other = await subject.reopen()

    expect(await users.endOthers(ana.id, { session: "a2", token: null })).toBe(1)
    expect(await living(other)).toEqual(["a2", "b1"])
    expect(await users.byUsername("ana")).toEqual({ ...ana, accessVersion: 1, refreshVersion: 1 })
    expect(await users.endOthers(ana.id, { session: null, token: "t1" })).toBe(1)
    expect(await living(other)).toEqual(["b1"])
    const kept = { ...ana, accessVersion: 2, refreshVersion: 2, keptToken: "t1" }
    expect(await other.users.byUsername("ana")).toEqual(kept)
    expect(await other.users.byUsername("bruno")).toEqual(bruno)

    const own = await users.changePassword(changeOf(ana, { endsEverything: false }))
    expect(own).toMatchObject({ accessVersion: 2, keptToken: "t1" })
    expect(await users.changePassword(changeOf(ana))).toMatchObject({ accessVersion: 3, keptToken: null })
  })

  test("a token that ended meanwhile is not kept and does not become valid again", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)
    const { users } = subject.store
    const kept = async (token: string, accessVersion: number) => {
      await users.endOthers(ana.id, { session: null, token, accessVersion })
      return (await users.byUsername("ana"))?.keptToken
    }

    expect(await kept("t1", 0)).toBe("t1")
    expect(await kept("t1", 0)).toBe("t1") // it is the kept one
    expect(await kept("t2", 0)).toBeNull()
    await users.changePassword(changeOf(ana))
    expect(await kept("t1", 3)).toBeNull()
    expect(await kept("t3", 5)).toBe("t3")
  })

  test("ending everything ends a kept token too", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    const { users } = subject.store
    for (const user of [ana, bruno]) await users.endOthers(user.id, { session: null, token: "t1" })

    await users.endAccess(ana.id)
    expect(await users.byUsername("ana")).toMatchObject({ accessVersion: 2, keptToken: null })
    await users.endAccess(null)
    expect(await users.byUsername("bruno")).toMatchObject({ accessVersion: 2, keptToken: null })
  })

  test("a renewed hash replaces only the one that was verified, and ends nothing", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    await openSessions(subject.store)
    const { users } = subject.store
    const other = await subject.reopen()

    await users.renewHash(ana.id, ana.password, hashOf("renewed"))
    await users.renewHash(ana.id, ana.password, hashOf("late"))

    for (const store of [subject.store, other]) {
      expect(await store.users.byUsername("ana")).toEqual({ ...ana, password: hashOf("renewed") })
      expect(await store.users.byUsername("bruno")).toEqual(bruno)
    }
    expect(await living(other)).toEqual(["a1", "a2", "b1"])
  })

  test("a change by somebody else ends refresh tokens, access tokens and every session of that user only", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    await openSessions(subject.store)

    const changed = await subject.store.users.changePassword(changeOf(ana, { keepSession: "a1" }))

    expect(changed).toEqual({ ...ana, password: hashOf("new"), accessVersion: 1, refreshVersion: 1 })
    const other = await subject.reopen()
    expect(await other.users.byUsername("ana")).toEqual(changed)
    expect(await other.users.byUsername("bruno")).toEqual(bruno)
    expect(await living(other)).toEqual(["b1"])
  })

  test("a change of one's own password keeps access tokens and the session that made it", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)
    await openSessions(subject.store)

    const change = changeOf(ana, { endsEverything: false, keepSession: "a2" })
    const changed = await subject.store.users.changePassword(change)

    expect(changed).toEqual({ ...ana, password: hashOf("new"), accessVersion: 0, refreshVersion: 1 })
    expect(await living(subject.store)).toEqual(["a2", "b1"])
  })

  test("a change of one's own password by token ends all sessions", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)
    await openSessions(subject.store)

    await subject.store.users.changePassword(changeOf(ana, { endsEverything: false }))

    expect(await living(subject.store)).toEqual(["b1"])
  })

  test("a change of one's own password is refused if the session or token that allowed it has ended", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)
    await openSessions(subject.store)
    const { users } = subject.store
    const own = { endsEverything: false, password: hashOf("late") }
    const bySession = changeOf(ana, { ...own, keepSession: "a2" })
    const byToken = changeOf(ana, { ...own, accessVersion: ana.accessVersion })

    await users.changePassword(changeOf(ana, { endsEverything: false, keepSession: "a1" })) // ends a2, but no access token
    expect(users.changePassword(bySession)).rejects.toMatchObject(refused)
    expect(users.changePassword(changeOf(ana, { ...own, keepSession: "b1" }))).rejects.toMatchObject(refused)
    expect(await users.changePassword(byToken)).toMatchObject({ accessVersion: 0, refreshVersion: 2 })
    const reset = await users.changePassword(changeOf(ana)) // by a superuser

    for (const late of [bySession, byToken]) expect(users.changePassword(late)).rejects.toMatchObject(refused)
    expect(await (await subject.reopen()).users.byUsername("ana")).toEqual(reset)
  })

  test("each change raises the versions by one", async () => {
    await using subject = await open()
    const { ana } = await threePeople(subject.store)

    await subject.store.users.changePassword(changeOf(ana))
    await subject.store.users.changePassword(changeOf(ana, { endsEverything: false }))

    expect(await subject.store.users.byUsername("ana")).toMatchObject({ accessVersion: 1, refreshVersion: 2 })
  })

  test("a change spends its reset token; a second change with it is refused and changes nothing", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana } = await threePeople(subject.store)
    const spends = { tokenHash: "t1", expiresAt: now, version: null }

    expect(await users.isSpent("t1")).toBe(false)
    const changed = await users.changePassword(changeOf(ana, { spends }))
    expect(await users.isSpent("t1")).toBe(true)
    expect(await users.isSpent("t2")).toBe(false)
    await openSessions(subject.store)

    const again = changeOf(ana, { spends, password: hashOf("newer") })
    expect(await refusalOf(users.changePassword(again))).toMatchObject(refused)
    expect(await users.byUsername("ana")).toEqual(changed)
    expect(await living(subject.store)).toEqual(["a1", "a2", "b1"])
  })

  test("one of 50 simultaneous changes with one reset token, from two stores, succeeds", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana } = await threePeople(subject.store)
    const spends = { tokenHash: "t1", expiresAt: now, version: null }

    const changes = await Promise.allSettled(
      Array.from({ length: 25 }).flatMap((_, index) =>
        stores.map(({ users }, store) =>
          users.changePassword(changeOf(ana, { spends, password: hashOf(`${index} of ${store}`) })),
        ),
      ),
    )

    const made = changes.flatMap((change) => (change.status === "fulfilled" ? [change.value] : []))
    const reasons = changes.flatMap((change) => (change.status === "rejected" ? [change.reason] : []))
    expect(made).toHaveLength(1)
    expect(reasons).toEqual(Array.from({ length: 49 }, () => expect.objectContaining(refused)))
    expect([await subject.store.users.byUsername("ana")]).toEqual(made)
  })

  test("a reset token with an ended version is refused, not spent, and changes nothing", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana } = await threePeople(subject.store)
    const changed = await users.changePassword(
      changeOf(ana, { spends: { tokenHash: "t1", expiresAt: now, version: 0 } }),
    )
    await openSessions(subject.store)

    const late = changeOf(ana, {
      password: hashOf("newer"),
      spends: { tokenHash: "t2", expiresAt: now, version: 0 },
    })
    expect(await refusalOf(users.changePassword(late))).toMatchObject(refused)
    expect(await users.byUsername("ana")).toEqual(changed)
    expect(await users.isSpent("t2")).toBe(false)
    expect(await living(subject.store)).toEqual(["a1", "a2", "b1"])

    const current = changeOf(ana, { spends: { tokenHash: "t3", expiresAt: now, version: 1 } })
    expect(await users.changePassword(current)).toMatchObject({ refreshVersion: 2 })
  })

  test("spent tokens are pruned after they expire, not before", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await users.changePassword(changeOf(ana, { spends: { tokenHash: "expired", expiresAt: now, version: null } }))
    await users.changePassword(changeOf(bruno, { spends: { tokenHash: "valid", expiresAt: now + 1, version: null } }))

    await users.pruneSpent(now)

    expect(await users.isSpent("expired")).toBe(false)
    expect(await users.isSpent("valid")).toBe(true)
  })

  test("ending one user's access ends every session and all tokens of that user only", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    await openSessions(subject.store)

    expect(await subject.store.users.endAccess(ana.id)).toBe(2)
    expect(await subject.store.users.endAccess(ana.id)).toBe(0)

    const other = await subject.reopen()
    expect(await other.users.byUsername("ana")).toEqual({ ...ana, accessVersion: 2, refreshVersion: 2 })
    expect(await other.users.byUsername("bruno")).toEqual(bruno)
    expect(await living(other)).toEqual(["b1"])
  })

  test("ending everybody's access ends the sessions and tokens of all users", async () => {
    await using subject = await open()
    const { ana, bruno } = await threePeople(subject.store)
    await openSessions(subject.store)

    expect(await subject.store.users.endAccess(null)).toBe(3)

    const other = await subject.reopen()
    expect(await other.users.byUsername("ana")).toEqual({ ...ana, accessVersion: 1, refreshVersion: 1 })
    expect(await other.users.byUsername("bruno")).toEqual({ ...bruno, accessVersion: 1, refreshVersion: 1 })
    expect(await living(other)).toEqual([])
  })
}
