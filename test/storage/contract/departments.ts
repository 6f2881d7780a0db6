import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import { listed, monthly } from "./allowances.ts"
import { person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const renamed = auditEntry({ who: "olga", way: "command line", address: null }, 70, "dept_renamed", {
  detail: "sales -> growth",
})
const added = { ...renamed, action: "allowance_added" } as const

export function departmentPromises(open: OpenSubject) {
  test("renaming a department changes all its people, also those who left, and nobody else; every store sees it", async () => {
    await using subject = await open()
    const { users, people, events, audit } = subject.store
    const other = await subject.reopen()
    const { ana, bruno, carla } = await threePeople(subject.store)
    await users.setActive(carla.id, 50)
    const left = await users.create(person("Dora", { dept: "Sales" }))
    expect(await other.users.byUsername("ana")).toEqual(ana)
    const last = await events.lastId()

    expect(await users.renameDept("sales", "growth", renamed)).toEqual({ people: 2, allowances: 0 })

    const moved = [ana, bruno, { ...carla, deactivatedAt: 50, accessVersion: 1, refreshVersion: 1 }]
    const now = [...moved.map((user) => ({ ...user, dept: "growth" })), left].map((user) => ({ ...user, balance: 0 }))
    expect(await users.list()).toEqual(now)
    expect(await other.users.list()).toEqual(now)
    expect(await other.users.byUsername("ana")).toEqual({ ...ana, dept: "growth" })
    const departments = [
      { name: "growth", people: 2 },
      { name: "Sales", people: 1 },
    ]
    expect(await people.departments()).toEqual(departments)
    expect(await other.people.departments()).toEqual(departments)
    expect(await audit.list({ limit: 9 })).toEqual([{ ...renamed, id: 1 }])
    const told = (await events.after(last, 9)).map(({ type, subject }) => [type, subject])
    expect(told.toSorted()).toEqual([ana, bruno, carla].map(({ id }) => ["user.updated", id]))
    expect(await users.renameDept("nowhere", "growth", renamed)).toEqual({ people: 0, allowances: 0 })
  })

  test("a department of hundreds can be merged into another", async () => {
    await using subject = await open()
    const { users, people } = subject.store
    const create = Array.from({ length: 300 }, (_, index) => person(`P${index}`, { dept: index < 270 ? "a" : "b" }))
    await users.merge({ create, update: [], entries: [], jobs: [] })

    expect(await users.renameDept("a", "b", renamed)).toEqual({ people: 270, allowances: 0 })
    expect(await people.departments()).toEqual([{ name: "b", people: 300 }])
  })

  test("allowances for the department follow a rename; while one is being paid, nothing is renamed", async () => {
    await using subject = await open()
    const { users, allowances, ledger, audit } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const forDept = (dept: string) => allowances.create({ ...monthly, audience: { dept } }, added)
    const [sales, everybody, other] = [
      await forDept("sales"),
      await allowances.create(monthly, added),
      await forDept("Sales"),
    ]
    const removed = await forDept("sales")
    await allowances.remove(removed.id, 60, added)
    const audiences = async () => (await allowances.list()).map(({ audience }) => audience)
    const january = { period: "month", firstDay: "2026-01-01" } as const
    const run = await allowances.begin({ ...january, allowanceId: sales.id, begunAt: 5000, dueAt: 2000 })
    if (!run) throw new Error("the run did not begin")

    expect(await refusalOf(users.renameDept("sales", "growth", renamed))).toMatchObject({ code: "dept_being_paid" })
    expect(await audiences()).toEqual([sales, everybody, other].map((one) => listed(one).audience))
    expect(await users.byUsername("ana")).toEqual(ana)
    expect((await audit.list({ limit: 9, action: "dept_renamed" })).length).toBe(0)

    const slice = { runId: run.id, afterId: 0, throughId: 9, senderId: bruno.id, receiverIds: [ana.id], date: 6000 }
    await ledger.payRun({ ...slice, note: undefined, isLast: true }, () => ({ value: 5, expired: 0 }))
    expect(await users.renameDept("sales", `"growth" & more`, renamed)).toEqual({ people: 3, allowances: 1 })
    expect(await audiences()).toEqual([{ dept: `"growth" & more` }, { everyone: true }, { dept: "Sales" }])
    expect(await allowances.runOf(sales.id, january)).toMatchObject({ audience: { dept: "sales" } })
  })
}
