import { expect, test } from "bun:test"
import { createAllowances } from "../../../src/domain/allowances/allowances.ts"
import type { Allowance } from "../../../src/domain/allowances/model.ts"
import { createCalendar } from "../../../src/domain/calendar.ts"
import { adminUsername } from "../../../src/domain/people/users.ts"
import type { Store } from "../../../src/domain/store.ts"
import { person, unkeyed } from "./people.ts"
import type { OpenSubject, Subject } from "./subject.ts"

const operator = { user: null, who: "olga", way: "command line", address: null } as const
const due = Date.UTC(2026, 11, 1, 9)
const monthly = { name: "Budget", value: 100, mode: "add", period: "month", audience: { everyone: true } }

/** The rules in one process, one second after the allowance has fallen due. One commit pays two people. */
const process = (store: Pick<Store, "allowances" | "ledger" | "users">) =>
  createAllowances({
    store,
    clock: () => due + 1000,
    calendar: createCalendar("UTC"),
    makeOnce: unkeyed,
    peopleAtOnce: 2,
  })

/** Seven people, and an allowance that is due. */
async function company({ store }: Subject): Promise<Allowance> {
  await store.users.create(person("Admin", { username: adminUsername, dept: "management" }))
  for (let index = 0; index < 7; index++) await store.users.create(person(`Person${index}`))
  const before = createAllowances({
    store,
    clock: () => due - 1000,
    calendar: createCalendar("UTC"),
    makeOnce: unkeyed,
  })
  return (await before.add(operator, monthly)).allowance
}

const demandSuccess = (error: unknown) => {
  throw error
}

/** Expects that everybody was paid once and that the run is finished. */
async function expectPaidOnce({ ledger, users, allowances }: Store, { id }: Allowance) {
  const balances = Object.fromEntries((await users.list()).map(({ username, balance }) => [username, balance]))
  const expected = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`person${index}`, 100]))
  expect(balances).toEqual({ admin: -700, ...expected })
  expect(await ledger.lastId()).toBe(7)
  expect(await allowances.runs(id, { limit: 9 })).toMatchObject([{ firstDay: "2026-12-01", people: 7, total: 700 }])
  expect(await allowances.unfinished()).toEqual([])
}

/**
 * The store, with one failing commit: number `fatal` of those that begin a run or pay a slice. It fails before or after
 * it is made.
 */
function failing(store: Store, fatal: number, when: "before" | "after") {
  let commits = 0
  const faulty =
    <A extends unknown[], R>(commit: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const fails = commits++ === fatal
      if (fails && when === "before") throw new Error("the process ended")
      const result = await commit(...given)
      if (fails) throw new Error("the process ended")
      return result
    }
  const parts = {
    users: store.users,
    allowances: { ...store.allowances, begin: faulty(store.allowances.begin) },
    ledger: { ...store.ledger, payRun: faulty(store.ledger.payRun) },
  }
  return { parts, commits: () => commits }
}

export function allowanceRunPromises(open: OpenSubject) {
  test("stores that pay repeatedly at the same time pay everybody once", async () => {
    await using subject = await open()
    const allowance = await company(subject)
    const processes = [subject.store, await subject.reopen(), await subject.reopen()].map(process)

    for (let round = 0; round < 6; round++) await Promise.all(processes.map(({ payDue }) => payDue(demandSuccess)))
    await expectPaidOnce(subject.store, allowance)
  })

  test("a person who left after the slice was read gets nothing; the others are paid", async () => {
    await using subject = await open()
    const { store } = subject
    const { id } = await company(subject)
    const payRun: Store["ledger"]["payRun"] = async (slice, pointsFor) => {
      if (slice.receiverIds.includes(3)) await store.users.setActive(3, due)
      return store.ledger.payRun(slice, pointsFor)
    }

    await process({ ...store, ledger: { ...store.ledger, payRun } }).payDue(demandSuccess)

    expect(await store.users.balanceOf(3)).toBe(0)
    expect(await store.allowances.runs(id, { limit: 9 })).toMatchObject([{ people: 6, total: 600 }])
    expect(await store.allowances.unfinished()).toEqual([])
  })

  test.each(["before", "after"] as const)(
    "if a process ends %s any of its commits, the next one pays the rest, and nobody is paid twice",
    async (when) => {
      // One commit begins the run, and four pay: `admin` and one person, then two, two, two.
      for (let fatal = 0; fatal < 5; fatal++) {
        await using subject = await open()
        const allowance = await company(subject)
        const { parts, commits } = failing(subject.store, fatal, when)
        const failures: unknown[] = []
        await process(parts).payDue((error) => void failures.push(error))

        expect([fatal, commits(), failures.length]).toEqual([fatal, fatal + 1, 1])
        const { payDue } = process(await subject.reopen())
        await payDue(demandSuccess)
        await payDue(demandSuccess)
        await expectPaidOnce(subject.store, allowance)
      }
    },
    60_000,
  )
}
