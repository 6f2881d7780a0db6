import { expect, test } from "bun:test"
import type { Allowance, ListedAllowance, NewAllowance, RunSlice, Share } from "../../../src/domain/allowances/model.ts"
import type { AuditEntry } from "../../../src/domain/audit/ports.ts"
import type { Pockets, User } from "../../../src/domain/people/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

export const monthly: NewAllowance = {
  name: "Monthly allowance",
  value: 100,
  mode: "top_up",
  period: "month",
  dueDay: "last",
  dueTime: "09:00",
  audience: { everyone: true },
  reason: "Pass it on",
  startsOn: "2026-01-01",
  endsOn: null,
  catchUp: "latest",
  isActive: true,
  dueFrom: 1000,
}

const weekly: NewAllowance = { ...monthly, period: "week", dueDay: 1, audience: { dept: "sales" }, reason: null }

const audit = (action: AuditEntry["action"]): AuditEntry => ({
  at: 0,
  action,
  who: "olga",
  whom: null,
  way: "command line",
  address: null,
  count: 1,
  detail: null,
  before: null,
  after: null,
})
const added = audit("allowance_added")
/** A change of the allowance to `after`. */
const to = (after: Allowance) => () => ({ after, audit: audit("allowance_changed") })
/** One for each time that it happened. */
const actionsIn = async ({ audit }: Store) =>
  (await audit.list({ limit: 100 })).flatMap(({ action, count }) => Array.from({ length: count }, () => action))

const january = { period: "month", firstDay: "2026-01-01" } as const

async function begun({ allowances }: Store) {
  const { id: allowanceId } = await allowances.create(monthly, added)
  const run = await allowances.begin({ ...january, allowanceId, begunAt: 5000, dueAt: 2000 })
  if (!run) throw new Error("the run did not begin")
  return run
}

const sliceFrom = ({ id }: { id: number }, sender: User, receivers: readonly User[]): RunSlice => ({
  runId: id,
  afterId: 0,
  throughId: receivers.at(-1)?.id ?? 0,
  senderId: sender.id,
  receiverIds: receivers.map((receiver) => receiver.id),
  date: 6000,
  note: { reason: "Pass it on", tags: [], isPrivate: false },
  isLast: false,
})

/** As the list has it: without the ids of named people. */
export const listed = ({ audience, ...allowance }: Allowance): ListedAllowance => ({
  ...allowance,
  audience: "userIds" in audience ? { named: true } : audience,
})

const upTo100 = ({ balance }: Pockets): Share => ({ value: 100 - balance, expired: 0 })
const hundred = (): Share => ({ value: 100, expired: 0 })

export function allowancePromises(open: OpenSubject) {
  test("an allowance is stored with every field, changed and removed, each with an audit entry", async () => {
    await using subject = await open()
    const { store } = subject
    const { allowances } = store
    await threePeople(store)
    const first = await allowances.create(monthly, added)
    const second = await allowances.create({ ...weekly, audience: { userIds: [1, 3] }, isActive: false }, added)
    const daily = await allowances.create({ ...weekly, period: "day", dueDay: null, catchUp: "none" }, added)

    expect(first).toEqual({ ...monthly, id: first.id, lastRunAt: null })
    expect(await (await subject.reopen()).allowances.list()).toEqual([first, second, daily].map(listed))
    expect(await allowances.find(second.id)).toEqual(second)
    const changed = {
      ...first,
      name: "Budget",
      value: 5,
      dueDay: 28,
      startsOn: null,
      endsOn: "2027-01-01",
      isActive: false,
    }
    expect(await allowances.update(first.id, to({ ...changed, lastRunAt: 1 }))).toEqual({ ...changed, lastRunAt: 1 })
    expect(await allowances.find(first.id)).toEqual(changed)
    expect(await allowances.remove(first.id, 9000, audit("allowance_removed"))).toBe(true)
    expect(await allowances.list()).toEqual([second, daily].map(listed))
    expect(await allowances.find(first.id)).toBeNull()
    expect(await allowances.update(first.id, to(first))).toBeNull()
    expect(await allowances.remove(first.id, 9000, audit("allowance_removed"))).toBe(false)
    expect(await actionsIn(store)).toEqual([
      "allowance_added",
      "allowance_added",
      "allowance_added",
      "allowance_changed",
      "allowance_removed",
    ])
  })

  test("simultaneous changes from several stores are all applied, and one that is refused changes nothing", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { allowances } = subject.store
    const { id, value } = await allowances.create(monthly, added)
    const increase = (before: Allowance) => to({ ...before, value: before.value + 1 })()

    const changes = Array.from({ length: 5 }).flatMap(() =>
      stores.map((store) => store.allowances.update(id, increase)),
    )
    const paused = subject.store.allowances.update(id, (before) => to({ ...before, isActive: false })())
    await Promise.all([...changes, paused])
    const refusal = allowances.update(id, () => {
      throw new Error("refused")
    })

    await expect(refusal).rejects.toThrow("refused")
    expect(await allowances.find(id)).toEqual({ ...monthly, id, value: value + 10, isActive: false, lastRunAt: null })
    expect(await actionsIn(subject.store)).toHaveLength(12)
  })

  test("if several stores begin a period at the same time, one succeeds; the run has the terms of that moment", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen(), await subject.reopen()]
    const { allowances } = subject.store
    const allowance = await allowances.create(monthly, added)
    const run = { ...january, allowanceId: allowance.id, begunAt: 5000, dueAt: 2000 }

    const begun = await Promise.all(stores.map(({ allowances }) => allowances.begin(run, audit("allowance_run"))))
    const [first] = begun.filter((one) => one !== null)
    expect(begun.filter((one) => one !== null)).toHaveLength(1)
    const { value, mode, audience, reason, id: allowanceId } = allowance
    expect(first).toEqual({
      ...january,
      ...{ value, mode, audience, reason, allowanceId },
      id: first?.id ?? 0,
      begunAt: 5000,
      finishedAt: null,
      throughId: 0,
      people: 0,
      total: 0,
      expired: 0,
    })
    await allowances.update(allowance.id, to({ ...allowance, value: 1 }))
    expect(await allowances.runOf(allowanceId, january)).toEqual(first ?? null)
    expect(await allowances.unfinished()).toEqual(first ? [first] : [])
    expect((await allowances.find(allowanceId))?.lastRunAt).toBe(5000)
    expect(await actionsIn(subject.store)).toEqual(["allowance_added", "allowance_run", "allowance_changed"])
  })

  test("a paused or late allowance begins only on request, and a removed one never", async () => {
    await using subject = await open()
    const { allowances } = subject.store
    const allowance = await allowances.create(monthly, added)
    const allowanceId = allowance.id
    const due = (dueAt: number | null, firstDay = "2026-01-01") =>
      allowances.begin({ period: "month", firstDay, allowanceId, begunAt: 5000, dueAt })

    expect(await due(999)).toBeNull()
    await allowances.update(allowanceId, to({ ...allowance, isActive: false }))
    expect(await due(2000)).toBeNull()
    expect(await due(null)).toMatchObject({ allowanceId, firstDay: "2026-01-01" })
    await allowances.remove(allowanceId, 6000, added)
    expect(await due(null, "2026-02-01")).toBeNull()
    expect(await allowances.runOf(allowanceId, { period: "month", firstDay: "2026-02-01" })).toBeNull()
  })

  test("a slice is paid once, by the balances of that moment, and advances the run", async () => {
    await using subject = await open()
    const { ledger, allowances, users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 30, date: 5500 }, () => {})
    const run = await begun(subject.store)
    const slice = sliceFrom(run, ana, [bruno, carla])

    const paid = await ledger.payRun(slice, upTo100)
    expect(paid).toMatchObject([
      { kind: "allowance", senderId: ana.id, receiverId: bruno.id, value: 70, date: 6000 },
      { kind: "allowance", receiverId: carla.id, value: 100, note: { reason: "Pass it on" } },
    ])
    expect(await ledger.payRun(slice, hundred)).toBeNull()
    expect(await users.balanceOf(bruno.id)).toBe(100)
    const moved = { ...run, throughId: carla.id, people: 2, total: 170 }
    expect(await allowances.runOf(run.allowanceId, january)).toEqual(moved)
    expect(await allowances.unfinished()).toEqual([moved])

    const last = { ...slice, afterId: carla.id, throughId: 99, receiverIds: [], date: 7000, isLast: true }
    expect(await ledger.payRun(last, hundred)).toEqual([])
    expect(await allowances.runOf(run.allowanceId, january)).toEqual({ ...moved, throughId: 99, finishedAt: 7000 })
    expect(await allowances.unfinished()).toEqual([])
    expect(await ledger.payRun({ ...last, afterId: 99 }, hundred)).toBeNull()
    expect(await ledger.lastId()).toBe(3)
  })

  test("what expires goes back to the sender before the payment, in the same commit; pockets and run know it", async () => {
    await using subject = await open()
    const { ledger, allowances, users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const gift = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 30, date: 1 } as const
    await ledger.post(gift, () => {})
    await ledger.post({ ...gift, kind: "grant", value: 20 }, () => {})
    const run = await begun(subject.store)
    const seen: [Pockets, number][] = []

    const paid = await ledger.payRun(sliceFrom(run, ana, [bruno, carla]), ({ balance, earned }, sender) => {
      seen.push([{ balance, earned }, sender])
      return { value: 100, expired: balance - earned }
    })
    expect(paid).toMatchObject([
      { kind: "expiry", senderId: bruno.id, receiverId: ana.id, value: 20, date: 6000, note: undefined },
      { kind: "allowance", senderId: ana.id, receiverId: bruno.id, value: 100 },
      { kind: "allowance", senderId: ana.id, receiverId: carla.id, value: 100 },
    ])
    expect(seen.slice(-2)).toEqual([
      [{ balance: 50, earned: 30 }, -50],
      [{ balance: 0, earned: 0 }, -130],
    ])
    expect(await users.pocketsOf(bruno.id)).toEqual({ balance: 130, earned: 30 })
    expect(await users.pocketsOf(carla.id)).toEqual({ balance: 100, earned: 0 })
    expect(await users.pocketsOf(99)).toEqual({ balance: 0, earned: 0 })
    expect(await allowances.runOf(run.allowanceId, january)).toMatchObject({ people: 2, total: 200, expired: 20 })
    const reopened = await subject.reopen()
    expect(await reopened.users.pocketsOf(bruno.id)).toEqual({ balance: 130, earned: 30 })
    await reopened.ledger.post(
      { ...gift, kind: "reversal", senderId: bruno.id, receiverId: ana.id, reverses: 1 },
      () => {},
    )
    expect(await users.pocketsOf(bruno.id)).toEqual({ balance: 100, earned: 0 })
  })

  test("a receiver whose payment is zero gets no transaction", async () => {
    await using subject = await open()
    const { ledger, allowances } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const run = await begun(subject.store)

    const paid = await ledger.payRun(sliceFrom(run, ana, [bruno, carla]), (_, sender) => ({
      value: sender === 0 ? 5 : 0,
      expired: 0,
    }))
    expect(paid).toMatchObject([{ receiverId: bruno.id, value: 5 }])
    expect(await allowances.runOf(run.allowanceId, january)).toMatchObject({ people: 1, total: 5, throughId: carla.id })
  })

  test("if several stores pay a slice at the same time, one succeeds, even with thousands of receivers; transfers in between are kept", async () => {
    await using subject = await open()
    const stores = [subject.store, await subject.reopen()]
    const { ana } = await threePeople(subject.store)
    const many: User[] = []
    for (let index = 0; index < 600; index++) many.push(await subject.store.users.create(person(`Person${index}`)))
    const run = await begun(subject.store)
    const slice = sliceFrom(run, ana, many)
    const [first] = many
    if (!first) throw new Error("nobody")

    const [paid] = await Promise.all([
      Promise.all(stores.map(({ ledger }) => ledger.payRun(slice, upTo100))),
      ...stores.map(({ ledger }) =>
        ledger.post({ kind: "transfer", senderId: ana.id, receiverId: first.id, value: 1, date: 6000 }, () => {}),
      ),
    ])
    expect(paid.filter((one) => one !== null)).toHaveLength(1)
    const { transactions } = { transactions: paid.find((one) => one !== null) ?? [] }
    expect(transactions).toHaveLength(600)
    const balance = await subject.store.users.balanceOf(first.id)
    expect(balance).toBeGreaterThanOrEqual(100)
    expect(await subject.store.users.balanceOf(many.at(-1)?.id ?? 0)).toBe(100)
    const total = transactions.reduce((sum, { value }) => sum + value, 0)
    expect(await subject.store.users.balanceOf(ana.id)).toBe(-total - 2)
    expect(await subject.store.allowances.runOf(run.allowanceId, january)).toMatchObject({ people: 600, total })
  })

  test("runs are listed newest first, page by page, for a removed allowance too", async () => {
    await using subject = await open()
    const { allowances } = subject.store
    const { id: allowanceId } = await allowances.create(monthly, added)
    const { id: otherId } = await allowances.create(monthly, added)
    for (const firstDay of ["2026-01-01", "2026-02-01", "2026-03-01"])
      for (const id of [allowanceId, otherId])
        await allowances.begin({ period: "month", firstDay, allowanceId: id, begunAt: 5000, dueAt: null })
    await allowances.remove(allowanceId, 6000, added)

    const page = await allowances.runs(allowanceId, { limit: 2 })
    expect(page.map(({ firstDay }) => firstDay)).toEqual(["2026-03-01", "2026-02-01"])
    const rest = await allowances.runs(allowanceId, { before: page.at(-1)?.id, limit: 2 })
    expect(rest.map(({ firstDay }) => firstDay)).toEqual(["2026-01-01"])
    expect(await allowances.unfinished()).toHaveLength(6)
  })

  test("each person finds the allowances that include them; those for named people follow a change of the names", async () => {
    await using subject = await open()
    const { allowances, users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const dora = await users.create(person("Dora", { dept: "support" }))
    const everybody = await allowances.create(monthly, added)
    const support = await allowances.create({ ...monthly, audience: { dept: "support" } }, added)
    const some = await allowances.create({ ...monthly, audience: { userIds: [ana.id, dora.id] } }, added)
    const removed = await allowances.create(monthly, added)
    await allowances.remove(removed.id, 9000, added)
    const idsFor = async (user: User) => (await allowances.listFor(user)).map(({ id }) => id)

    expect(await idsFor(dora)).toEqual([everybody.id, support.id, some.id])
    expect(await idsFor(ana)).toEqual([everybody.id, some.id])
    expect(await idsFor(bruno)).toEqual([everybody.id])
    expect(await allowances.listFor(ana)).toEqual([everybody, some].map(listed))
    expect(await allowances.usernamesOf(some.id)).toEqual(["ana", "dora"])
    expect(await allowances.usernamesOf(everybody.id)).toEqual([])

    const january = { period: "month", firstDay: "2026-01-01", begunAt: 5000, dueAt: null } as const
    const run = await allowances.begin({ ...january, allowanceId: some.id })
    await allowances.update(some.id, to({ ...some, audience: { userIds: [carla.id] } }))
    expect((await allowances.find(some.id))?.audience).toEqual({ userIds: [carla.id] })
    expect([await idsFor(dora), await idsFor(carla)]).toEqual([
      [everybody.id, support.id],
      [everybody.id, some.id],
    ])
    expect(run?.audience).toEqual({ userIds: [ana.id, dora.id] })
    await allowances.update(some.id, to({ ...some, audience: { everyone: true } }))
    expect(await allowances.usernamesOf(some.id)).toEqual([])
  })

  test("an audience is read in slices by id, with balances: all active people, a department, or named people", async () => {
    await using subject = await open()
    const { allowances, users, ledger } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const dora = await users.create(person("Dora", { dept: "support" }))
    await ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 7, date: 1 }, () => {})
    const as = ({ id, username, name }: User, balance = 0) => ({
      id,
      username,
      name,
      balance,
      earned: Math.max(0, balance),
    })

    const everyone = await allowances.receivers({ everyone: true }, 0, 2)
    expect(everyone).toEqual([as(ana, -7), as(bruno, 7)])
    expect(await allowances.receivers({ everyone: true }, bruno.id, 5)).toEqual([as(carla), as(dora)])
    expect(await allowances.receivers({ dept: "support" }, 0, 5)).toEqual([as(dora)])
    expect(await allowances.receivers({ dept: "sales" }, ana.id, 1)).toEqual([as(bruno, 7)])
    const named = { userIds: [dora.id, bruno.id, 99] }
    expect(await allowances.receivers(named, 0, 5)).toEqual([as(bruno, 7), as(dora)])
    expect(await allowances.receivers(named, bruno.id, 5)).toEqual([as(dora)])
    await users.setActive(bruno.id, 5000)
    expect(await allowances.receivers({ everyone: true }, 0, 2)).toEqual([as(ana, -7), as(carla)])
    expect(await allowances.receivers({ dept: "sales" }, ana.id, 5)).toEqual([as(carla)])
    expect(await allowances.receivers(named, 0, 5)).toEqual([as(dora)])
  })
}
