import { expect, test } from "bun:test"
import type { AuditEntry, NewTransaction, User } from "../../../src/domain/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, hashOf, person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const entry: AuditEntry = {
  at: 1,
  action: "login",
  who: null,
  whom: null,
  way: "http",
  address: "192.0.2.1",
  count: 1,
  detail: null,
}

const replacement = {
  username: "erased-1",
  name: "Former colleague",
  email: "erased-1@erased.invalid",
  password: hashOf("none"),
}

const sending = (sender: User, receiver: User, reason: string): NewTransaction => ({
  kind: "transfer",
  senderId: sender.id,
  receiverId: receiver.id,
  value: 1,
  date: 10,
  note: { reason, tags: [], isPrivate: false },
})

/** Ana has one of everything that a store keeps of a person, and has left. */
async function left(store: Store) {
  const { users, ledger, jobs, sessions, audit } = store
  const { ana, bruno, carla } = await threePeople(store)
  await users.saveAvatar(ana.id, { hash: "a".repeat(64), kind: "png", bytes: new Uint8Array([1]) })
  await users.updateProfile(ana.id, { bio: "I am Ana" })
  await ledger.post(sending(ana, bruno, "written"), allow, { key: "k", requestHash: "h", expiresAt: 1000 })
  await ledger.post(sending(bruno, ana, "received"), allow)
  await ledger.post({ ...sending(ana, ana, "to myself"), kind: "transfer" }, allow)
  await ledger.post({ ...sending(ana, bruno, "taken back"), kind: "reversal", reverses: 2 }, allow)
  await ledger.post(sending(bruno, carla, "of others"), allow)
  await users.saveLoginSources([{ userId: ana.id, source: "192.0.2.7", usedAt: 5 }])
  await sessions.open({ idHash: "x", username: "ana", expiresAt: 1e12, openedAt: 1, address: "192.0.2.8" }, null)
  for (const email of ["ANA@example.com", "bruno@example.com"])
    await jobs.enqueue({ kind: "m", payload: { email }, maxAttempts: 1, retryUntil: 9, runAt: 1, createdAt: 1 })
  await audit.append([
    { ...entry, who: "ana" },
    { ...entry, action: "login_failed", whom: "ana" },
    { ...entry, action: "profile_changed", who: "bruno", whom: "ana", detail: "name: Ana -> Anna" },
    { ...entry, who: "ana", way: "command line" },
    { ...entry, who: "bruno" },
  ])
  const inactive = await users.setActive(ana.id, 50)
  return { ana: inactive, bruno, carla }
}

const erased = { ...entry, action: "user_erased", who: "admin", whom: replacement.username } as const

const reasonsIn = async ({ ledger }: Store) =>
  (await ledger.entries({ limit: 9 })).map(({ note }) => note?.reason ?? null).reverse()

export function erasurePromises(open: OpenSubject) {
  test("an erasure leaves the placeholder, the transactions and what concerns others", async () => {
    await using subject = await open()
    const { ana, bruno } = await left(subject.store)
    const other = await subject.reopen()
    expect((await other.exports.users().next()).done).toBe(false)
    expect((await other.ledger.page({ page: 1, size: 9 })).items[0]).toMatchObject({ senderUsername: "ana" })

    await subject.store.users.erase(ana.id, { at: 60, replacement, reasons: "none" }, erased)

    await new Promise(setImmediate)
    for (const store of [subject.store, other]) {
      const { users, audit, people, ledger } = store
      expect(await users.byUsername("ana")).toBeNull()
      expect(await users.byEmail("ana@example.com")).toBeNull()
      expect(await users.byUsername("erased-1")).toEqual({
        ...ana,
        ...replacement,
        avatar: null,
        bio: null,
        accessVersion: 2,
        refreshVersion: 2,
        erasedAt: 60,
      })
      expect(await users.picture("a".repeat(64))).toBeNull()
      expect(await users.lastLoginFrom(ana.id, "192.0.2.7")).toBeNull()
      expect(await store.sessions.list(null, 1)).toEqual([])
      const key = { key: "k", requestHash: "h", expiresAt: 1000 }
      expect(await ledger.findReplay(ana.id, key, 20)).toBeNull()
      expect((await people.search({ words: ["ana"], dept: null, active: null, after: null, size: 9 })).items).toEqual(
        [],
      )
      expect((await audit.list({ limit: 20 })).map(({ id: _, at: __, count: ___, ...entry }) => entry)).toEqual([
        { action: "login", who: "erased-1", whom: null, way: "http", address: null, detail: null },
        { action: "login_failed", who: null, whom: "erased-1", way: "http", address: null, detail: null },
        { action: "profile_changed", who: "bruno", whom: "erased-1", way: "http", address: "192.0.2.1", detail: null },
        { action: "login", who: "ana", whom: null, way: "command line", address: "192.0.2.1", detail: null },
        { action: "login", who: "bruno", whom: null, way: "http", address: "192.0.2.1", detail: null },
        { action: "user_erased", who: "admin", whom: "erased-1", way: "http", address: "192.0.2.1", detail: null },
      ])
      expect((await ledger.page({ page: 1, size: 9 })).items[0]).toMatchObject({ senderUsername: "erased-1" })
      expect((await ledger.after(0, 1))[0]).toMatchObject({ senderName: "Former colleague" })
      expect(await reasonsIn(store)).toEqual(["written", "received", "to myself", "taken back", "of others"])
      expect(await users.balanceOf(bruno.id)).toBe(0)
    }
    const claimed = await subject.store.jobs.claim("w", 5, 10)
    expect(claimed?.payload).toEqual({ email: "bruno@example.com" })
    expect(await subject.store.jobs.claim("w", 5, 10)).toBeNull()
    await subject.store.users.create(person("Ana"))
  })

  test("everything that is stored about a person can be read, and nothing of others", async () => {
    await using subject = await open()
    const { ana } = await left(subject.store)

    const rows = await subject.store.users.personalRows(ana)

    expect(rows).toMatchObject({
      account: [{ username: "ana", name: "Ana", email: "ana@example.com", bio: "I am Ana", deactivated_at: 50 }],
      balance: [{ value: -1 }],
      login_sources: [{ source: "192.0.2.7", used_at: 5 }],
      idempotency_keys: [{ key: "k", transaction_id: 1 }],
      mails: [{ payload: { email: "ANA@example.com" } }],
    })
    expect(rows.audit).toHaveLength(4)
    expect(JSON.stringify(rows)).not.toContain("bruno@example.com")
    expect(JSON.stringify(rows)).not.toContain(ana.password)
  })

  test("the reasons that the person wrote are erased, or all", async () => {
    await using subject = await open()
    const { ana } = await left(subject.store)
    const { users } = subject.store

    await users.erase(ana.id, { at: 60, replacement, reasons: "written" }, erased)
    expect(await reasonsIn(subject.store)).toEqual([null, "received", null, "taken back", "of others"])

    await users.erase(ana.id, { at: 61, replacement, reasons: "all" }, erased)
    expect(await reasonsIn(subject.store)).toEqual([null, null, null, null, "of others"])
    expect(await subject.store.ledger.lastId()).toBe(5)
  })

  test("an active account is not erased; a log-in source that waited in memory is not stored afterwards", async () => {
    await using subject = await open()
    const { ana, bruno } = await left(subject.store)
    const { users } = subject.store

    const refusal = await refusalOf(users.erase(bruno.id, { at: 60, replacement, reasons: "all" }, erased))
    expect(refusal).toMatchObject({ code: "still_active" })
    expect(await users.byUsername("bruno")).toMatchObject({ id: bruno.id, name: "Bruno", erasedAt: null })

    await users.erase(ana.id, { at: 60, replacement, reasons: "none" }, erased)
    await users.saveLoginSources([ana, bruno].map(({ id: userId }) => ({ userId, source: "192.0.2.9", usedAt: 70 })))
    expect(await users.lastLoginFrom(ana.id, "192.0.2.9")).toBeNull()
    expect(await users.lastLoginFrom(bruno.id, "192.0.2.9")).toBe(70)
  })
}
