import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import { managerChange } from "../../../src/domain/people/managers.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, hashOf, person, personalRowsOf, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const by = { who: "olga", way: "http", address: "192.0.2.7" } as const
const change = (whom: string, before: string | null, after: string | null) =>
  auditEntry(by, 5, "manager_changed", {
    whom,
    detail: managerChange(before, after),
    before: { manager: before },
    after: { manager: after },
  })

/** Who reports to whom, by usernames. */
async function reports({ users }: Pick<Store, "users">) {
  const all = await users.list()
  const nameOf = new Map(all.map(({ id, username }) => [id, username]))
  return Object.fromEntries(
    all.flatMap(({ username, managerId }) => (managerId === null ? [] : [[username, nameOf.get(managerId)]])),
  )
}

/** Ana leads Bruno, who leads Carla. */
async function threeLevels(store: Store) {
  const { ana, bruno, carla } = await threePeople(store)
  return {
    ana,
    bruno: await store.users.correct(bruno.id, { managerId: ana.id }),
    carla: await store.users.correct(carla.id, { managerId: bruno.id }),
  }
}

export function managerPromises(open: OpenSubject) {
  test("in every store, a person has the manager that was set, until somebody sets another or none", async () => {
    await using subject = await open()
    const there = await subject.reopen()
    const { users } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    expect(await there.users.byUsername("bruno")).toEqual(bruno)

    const managed = await users.correct(bruno.id, { managerId: ana.id }, [change("bruno", null, "ana")])

    expect(managed).toEqual({ ...bruno, managerId: ana.id })
    await new Promise(setImmediate)
    for (const store of [subject.store, there]) expect(await store.users.byUsername("bruno")).toEqual(managed)
    expect(await users.correct(bruno.id, { dept: "care" })).toEqual({ ...managed, dept: "care" })
    expect(await users.correct(bruno.id, { managerId: null })).toMatchObject({ managerId: null })
    expect(await reports(there)).toEqual({})
  })

  test("nobody gets a manager who reports to them, nor one who has left", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno, carla } = await threeLevels(subject.store)
    const dora = await users.create(person("Dora"))
    await users.setActive(dora.id, 5)

    for (const managerId of [ana.id, bruno.id, carla.id])
      expect(await refusalOf(users.correct(ana.id, { managerId, dept: "x" }))).toMatchObject({ code: "manager_cycle" })
    expect(await refusalOf(users.correct(ana.id, { managerId: dora.id }))).toMatchObject({
      code: "invalid",
      message: "manager: this person has left",
    })

    expect(await users.byUsername("ana")).toEqual(ana)
    expect(await users.managersAbove([carla.id, dora.id]).then((all) => all.map(({ id }) => id).sort())).toEqual([
      ana.id,
      bruno.id,
      carla.id,
      dora.id,
    ])
  })

  test("a team has the active people who report to somebody, or everybody below, nearest first", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno, carla } = await threeLevels(subject.store)
    const dora = await users.create(person("Dora"))
    const eva = await users.create(person("Eva"))
    for (const { id } of [dora, eva]) await users.correct(id, { managerId: ana.id })
    await users.setActive(eva.id, 5)

    expect(await users.reportsOf(ana.id, "direct", 9)).toEqual([bruno.id, dora.id])
    expect(await users.reportsOf(ana.id, "all", 9)).toEqual([bruno.id, dora.id, carla.id])
    expect(await users.reportsOf(ana.id, "all", 2)).toEqual([bruno.id, dora.id])
    expect(await users.reportsOf(carla.id, "all", 9)).toEqual([])
    expect(await Promise.all([ana, bruno, carla].map(({ id }) => users.countReports(id)))).toEqual([2, 1, 0])
  })

  test("of two changes at the same moment that would make a circle together, one is refused", async () => {
    await using subject = await open()
    const there = await subject.reopen()
    for (let round = 0; round < 10; round += 1) {
      const { users } = subject.store
      const ana = await users.create(person(`Ana${round}`))
      const bruno = await users.create(person(`Bruno${round}`))

      const both = await Promise.allSettled([
        users.correct(ana.id, { managerId: bruno.id }),
        there.users.correct(bruno.id, { managerId: ana.id }),
      ])

      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
      expect(both.find((one) => one.status === "rejected")?.reason).toMatchObject({ code: "manager_cycle" })
    }
  })

  const left = auditEntry(by, 9, "user_deactivated", { whom: "bruno" })
  const leaving: Readonly<Record<string, (store: Store, bruno: number) => Promise<unknown>>> = {
    "a deactivation": ({ users }, id) => users.setActive(id, 9, left),
    "a deactivation that returns points": ({ ledger }, senderId) =>
      ledger.postLast({ kind: "refund", senderId, receiverId: 1, value: 1, date: 9 }, allow, left),
    "an import": async ({ users }) => {
      const before = await users.byUsername("bruno")
      if (before === null) throw new Error("Bruno is missing")
      const carla = await users.byUsername("carla")
      if (carla === null) throw new Error("Carla is missing")
      // Carla is changed behind Bruno, as the import was planned: with Bruno as her manager.
      const update = [
        { before, after: { ...before, deactivatedAt: 9 } },
        { before: carla, after: { ...carla, bio: "Tea" } },
      ]
      expect(await users.merge({ create: [], update, entries: [left], jobs: [] })).toBe(true)
    },
  }
  for (const [way, leaves] of Object.entries(leaving))
    test(`${way} hands a leaver's reports over to the leaver's manager in its commit, and the audit log says so`, async () => {
      await using subject = await open()
      const { users, audit } = subject.store
      const { ana, bruno } = await threeLevels(subject.store)
      const dora = await users.create(person("Dora"))
      await users.correct(dora.id, { managerId: bruno.id })
      await users.setActive(dora.id, 7)

      await leaves(subject.store, bruno.id)

      expect(await reports(subject.store)).toEqual({ bruno: "ana", carla: "ana", dora: "ana" })
      const changes = (await audit.list({ limit: 9, action: "manager_changed" })).map(({ id: _, ...entry }) => entry)
      expect(changes).toEqual(
        ["carla", "dora"].map((whom) => ({
          ...{ ...by, at: 9, action: "manager_changed" as const, whom, count: 1, detail: "bruno -> ana" },
          ...{ before: { manager: "bruno" }, after: { manager: "ana" } },
        })),
      )

      await users.setActive(ana.id, 10)
      expect(await reports(subject.store)).toEqual({})
      await users.setActive(bruno.id, null)
      expect(await reports(subject.store)).toEqual({})
    })

  test("a manager who leaves while somebody is assigned to them is no manager afterwards, whichever comes first", async () => {
    await using subject = await open()
    const there = await subject.reopen()
    for (let round = 0; round < 10; round += 1) {
      const { users } = subject.store
      const ana = await users.create(person(`Ana${round}`))
      const bruno = await users.create(person(`Bruno${round}`))

      await Promise.allSettled([
        users.correct(bruno.id, { managerId: ana.id }),
        there.users.setActive(ana.id, 5, auditEntry(by, 5, "user_deactivated", { whom: ana.username })),
      ])

      expect(await reports(there)).toEqual({})
    }
  })

  test("a merge sets managers by username, also of people whom it creates, and none that would make a circle", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno } = await threeLevels(subject.store)
    const merging = (...managers: (readonly [string, string])[]) =>
      users.merge({
        create: [],
        update: [],
        managers: managers.map(([username, manager]) => ({ username, manager })),
        entries: [],
        jobs: [],
      })
    const create = [person("Dora"), person("Eva")]
    const managers = [
      { username: "ana", manager: "eva" },
      { username: "dora", manager: "carla" },
    ]

    expect(await users.merge({ create, update: [], managers, entries: [], jobs: [] })).toBe(true)

    const expected = { ana: "eva", bruno: "ana", carla: "bruno", dora: "carla" }
    expect(await reports(subject.store)).toEqual(expected)
    expect(await merging(["eva", "dora"])).toBe(false)
    expect(await merging(["bruno", "nobody"])).toBe(false)
    expect(await reports(subject.store)).toEqual(expected)
    const update = [{ before: bruno, after: { ...bruno, name: "Bruna" } }]
    await users.correct(bruno.id, { managerId: null })
    expect(await users.merge({ create: [], update, entries: [], jobs: [] })).toBe(false)
    expect(await merging(["ana", "bruno"], ["carla", "ana"])).toBe(true)
    await users.setActive(ana.id, 5)
    expect(await merging(["eva", "ana"])).toBe(false)
  })

  test("an erasure forgets whom the person reported to, and their name in the changes of others", async () => {
    await using subject = await open()
    const { users, audit } = subject.store
    const { bruno } = await threeLevels(subject.store)
    await users.correct(3, { managerId: bruno.id }, [
      change("carla", "ana", "bruno"),
      change("carla", "bruno", null),
      change("carla", null, "brunos"),
      change("bruno", null, "ana"),
    ])
    const replacement = { username: "erased-2", name: "Left", email: "e@erased.invalid", password: hashOf("none") }
    await users.setActive(bruno.id, 5)
    const before = await users.byUsername("bruno")
    expect(before && (await personalRowsOf(subject.store, before))).toMatchObject({ account: [{ manager: "ana" }] })
    const entry = auditEntry(by, 6, "user_erased", { whom: "erased-2" })

    await users.erase(bruno.id, { at: 6, replacement, reasons: "none" }, entry)

    expect(await users.byUsername("erased-2")).toMatchObject({ managerId: null })
    expect(
      (await audit.list({ limit: 9, action: "manager_changed" })).map((one) => [
        one.whom,
        one.detail,
        one.before,
        one.after,
      ]),
    ).toEqual([
      ["carla", null, null, null],
      ["carla", null, null, null],
      ["carla", "(nobody) -> brunos", { manager: null }, { manager: "brunos" }],
      ["erased-2", null, null, null],
    ])
  })
}
