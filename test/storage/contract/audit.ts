import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import { profileEntry } from "../../../src/domain/people/changes.ts"
import type { User } from "../../../src/domain/people/model.ts"
import { allow, hashOf, person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const carla = { who: "carla", way: "http", address: "198.51.100.1" } as const
const operator = { who: "root", way: "command line", address: null } as const
const all = { limit: 100 }

const entries: readonly AuditEntry[] = [
  auditEntry(carla, 10, "login"),
  { ...auditEntry({ ...carla, who: null }, 20, "login_failed", { whom: "ana" }), count: 3 },
  auditEntry(operator, 30, "dept_changed", { whom: "ana", detail: "sales -> management" }),
  auditEntry(operator, 40, "dept_changed", {
    whom: "carla",
    detail: "support -> management",
    before: { dept: "support", duties: ["people"], name: "Carla" },
    after: { dept: "management", duties: [], name: "Carla" },
  }),
]

export function auditPromises(open: OpenSubject) {
  test("every store lists all entries in the order of writing", async () => {
    await using subject = await open()
    await subject.store.audit.append(entries.slice(0, 3))
    await subject.store.audit.append(entries.slice(3))

    const { audit } = await subject.reopen()

    expect(await audit.list(all)).toEqual(entries.map((entry, index) => ({ id: index + 1, ...entry })))
  })

  test("a list can be limited to a user (as actor or target), an action, a time and the newest entries", async () => {
    await using subject = await open()
    const { audit } = subject.store
    await audit.append(entries)
    const ids = async (query: object) => (await audit.list({ ...all, ...query })).map(({ id }) => id)

    expect(await ids({ user: "carla" })).toEqual([1, 4])
    expect(await ids({ user: "ana" })).toEqual([2, 3])
    expect(await ids({ action: "dept_changed" })).toEqual([3, 4])
    expect(await ids({ since: 20 })).toEqual([2, 3, 4])
    expect(await ids({ limit: 2 })).toEqual([3, 4])
    expect(await ids({ user: "ana", action: "dept_changed", since: 30, limit: 1 })).toEqual([3])
    expect(await ids({ user: "nobody" })).toEqual([])
  })

  test("slices have all entries that match, newest first, however many there are", async () => {
    await using subject = await open()
    const { audit } = subject.store
    await audit.append([
      ...entries,
      ...Array.from({ length: 1200 }, (_, n) => auditEntry(carla, 100 + n, "login", { detail: `${n}` })),
    ])
    await audit.append([auditEntry(operator, 50, "dept_changed")])
    const ids = async (filter: object, before?: number) =>
      (await Array.fromAsync(audit.slices(filter, before))).flat().map(({ id }) => id)

    expect(await ids({})).toEqual(Array.from({ length: 1205 }, (_, n) => 1205 - n))
    expect(await ids({ action: "dept_changed" })).toEqual([1205, 4, 3])
    expect(await ids({ action: "dept_changed" }, 1205)).toEqual([4, 3])
    expect(await ids({ who: "root", since: 40 })).toEqual([1205, 4])
    expect(await ids({ until: 30 })).toEqual([2, 1])
    expect(await ids({ since: 20, until: 41 }, 4)).toEqual([3, 2])
    expect(await ids({}, 1)).toEqual([])
    expect((await Array.fromAsync(audit.slices({ since: 40, until: 41 }))).flat()).toEqual([
      {
        ...auditEntry(operator, 40, "dept_changed", { whom: "carla", detail: "support -> management" }),
        id: 4,
        before: { dept: "support", duties: ["people"] },
        after: { dept: "management", duties: [] },
      },
    ])
  })

  test("the entry about a change has what was stored when it was made", async () => {
    await using subject = await open()
    const { audit, users } = subject.store
    const { ana } = await threePeople(subject.store)
    const entry = (before: User, after: User) =>
      auditEntry(operator, 5, "dept_changed", { before: { dept: before.dept }, after: { dept: after.dept } })

    await Promise.all(["a", "b", "c"].map((dept) => users.correct(ana.id, { dept }, (...rows) => [entry(...rows)])))

    const steps = (await audit.list(all)).map(({ before, after }) => [before?.dept, after?.dept])
    expect(steps.map(([before]) => before)).toEqual(["sales", ...steps.slice(0, 2).map(([, after]) => after)])
  })

  test("a change and its audit entry share one commit", async () => {
    await using subject = await open()
    const { audit, users } = subject.store
    const { ana } = await threePeople(subject.store)
    const entry = auditEntry(operator, 5, "user_created", { whom: "ana" })
    const change = { userId: ana.id, password: hashOf("new"), endsEverything: true, keepSession: null }
    const spends = { tokenHash: "t", expiresAt: 9, version: 7 }

    expect(await refusalOf(users.create(person("Ana"), entry))).toMatchObject({ code: "username_taken" })
    expect(await refusalOf(users.changePassword({ ...change, spends }, entry))).toMatchObject({
      code: "not_own_password",
    })
    expect(await audit.list(all)).toEqual([])

    const nth = (count: number) => ({ ...entry, detail: `${count}` })
    await users.create(person("Dora"), nth(1))
    await users.updateProfile(ana.id, { avatar: null, bio: "Hi" }, nth(2))
    await users.correct(ana.id, { dept: "support" }, [nth(3)])
    await users.changePassword({ ...change, spends: null }, nth(4))
    await users.endAccess(ana.id, nth(5))
    expect(await audit.list(all)).toEqual([1, 2, 3, 4, 5].map((id) => ({ id, ...nth(id) })))
  })

  test("equal entries of a minute are one, with their count and the last time; any difference makes another", async () => {
    await using subject = await open()
    const { audit } = subject.store
    const other = await subject.reopen()
    const about = { whom: "ana", detail: "d", before: { dept: "support" }, after: { dept: "care" } }
    const one = auditEntry(carla, 60_000, "dept_changed", about)
    const different: readonly AuditEntry[] = [
      { ...one, action: "profile_changed" },
      { ...one, who: "bruno" },
      { ...one, who: null },
      { ...one, whom: "dora" },
      { ...one, whom: null },
      { ...one, way: "server" },
      { ...one, address: null },
      { ...one, detail: null },
      { ...one, before: null },
      { ...one, after: { dept: "trade" } },
    ]

    await audit.append([one, { ...one, at: 60_500 }])
    await other.audit.append([...different, { ...one, at: 119_999, count: 3 }, { ...one, at: 120_000 }])
    await audit.append([...different, { ...one, at: 120_001 }])
    expect(await audit.list(all)).toEqual(
      [
        { ...one, at: 119_999, count: 5 },
        ...different.map((entry) => ({ ...entry, count: 2 })),
        { ...one, at: 120_001, count: 2 },
      ].map((entry, index) => ({ id: index + 1, ...entry })),
    )
  })

  test("what people change in their own profile in a minute, except for the name, is one entry: the first values before, the last after", async () => {
    await using subject = await open()
    const { audit, users } = subject.store
    const { ana } = await threePeople(subject.store)
    const own = { who: "ana", way: "http", address: null } as const
    const change = (
      by: typeof own | typeof operator,
      at: number,
      profile: { name?: string; bio?: string | null; avatar?: string | null },
    ) => users.updateProfile(ana.id, { avatar: null, bio: null, ...profile }, profileEntry(by, at))

    const avatar = "https://x.example/a.png"
    await change(own, 60_000, { bio: "One" })
    await change(own, 60_001, { bio: "Two", avatar })
    await change(own, 60_002, { bio: "Three", avatar })
    await change(own, 60_003, { bio: "Three", avatar, name: "Anna" })
    await change(own, 60_004, { bio: "Four", avatar })
    await change(operator, 60_005, { bio: "Five", avatar })
    await change(own, 60_006, { bio: "Six", avatar })
    await change(own, 60_007, { bio: "Six", avatar })
    await change(own, 120_000, { bio: "Seven", avatar })

    const about = (entry: object) => ({ ...auditEntry(own, 0, "profile_changed", { whom: "ana" }), ...entry })
    expect(await audit.list(all)).toEqual(
      [
        { at: 60_002, count: 3, before: { avatar: null, bio: null }, after: { avatar, bio: "Three" } },
        { at: 60_003, detail: "name: Ana -> Anna", before: { name: "Ana" }, after: { name: "Anna" } },
        { at: 60_004, before: { bio: "Three" }, after: { bio: "Four" } },
        { ...operator, at: 60_005, before: { bio: "Four" }, after: { bio: "Five" } },
        { at: 60_007, count: 2, before: { bio: "Five" }, after: { bio: "Six" } },
        { at: 120_000, before: { bio: "Six" }, after: { bio: "Seven" } },
      ].map((entry, index) => ({ id: index + 1, ...about(entry) })),
    )
  })

  test("pruning deletes only older entries, and their ids are not reused", async () => {
    await using subject = await open()
    const { audit } = subject.store
    await audit.append(entries)

    await audit.prune(30)
    await audit.prune(20)
    expect((await audit.list(all)).map(({ id }) => id)).toEqual([3, 4])
    await audit.prune(50)
    await audit.append(entries.slice(0, 1))

    expect((await audit.list(all)).map(({ id }) => id)).toEqual([5])
  })

  test("the audit entry of a transfer is written once, and not for a refusal or a replay", async () => {
    await using subject = await open()
    const { audit, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
    const sent = auditEntry(operator, 1, "points_sent", { whom: "bruno", detail: "5" })
    const granted = auditEntry(operator, 1, "points_granted", { detail: "5 each to 1, 5 in all" })
    const once = { key: "one", requestHash: "five", expiresAt: 1000 }
    const refuse = () => {
      throw new Error("no")
    }

    await refusalOf(ledger.post(entry, refuse, { audit: sent }))
    expect(await audit.list(all)).toEqual([])

    await ledger.post(entry, allow, { idempotencyKey: once, audit: sent })
    await ledger.post(entry, allow, { idempotencyKey: once, audit: sent })
    await ledger.postAll([entry], allow, { audit: granted })
    expect(await audit.list(all)).toEqual([sent, granted].map((one, index) => ({ id: index + 1, ...one })))
  })
}
