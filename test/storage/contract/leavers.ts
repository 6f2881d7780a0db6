import { expect, test } from "bun:test"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import type { TransactionKind } from "../../../src/domain/ledger/model.ts"
import type { Store } from "../../../src/domain/store.ts"
import { allow, person, refusalOf, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const everybody = { words: [], dept: null, active: true, after: null, size: 100 }

const sessionOf = (username: string) => ({
  idHash: `session of ${username}`,
  username,
  expiresAt: 10_000,
  openedAt: 1,
  address: null,
})

const sessionsIn = async ({ sessions }: Store) => (await sessions.list(null, 2)).map(({ username }) => username)

export function leaverPromises(open: OpenSubject) {
  test("in every store, a deactivated account has no session and no valid token left, even after reactivation", async () => {
    await using subject = await open()
    const { users, sessions } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const other = await subject.reopen()
    expect(await other.users.byUsername("ana")).toEqual(ana)
    await sessions.open(sessionOf("ana"), null)
    await sessions.open(sessionOf("bruno"), null)
    const before = await other.sessions.accessChanges()

    const left = await users.setActive(ana.id, 500)

    expect(left).toEqual({ ...ana, deactivatedAt: 500, accessVersion: 1, refreshVersion: 1 })
    await new Promise(setImmediate)
    expect(await other.users.byUsername("ana")).toEqual(left)
    expect(await sessionsIn(other)).toEqual(["bruno"])
    expect(await other.sessions.accessChanges()).toBeGreaterThan(before)

    await sessions.open(sessionOf("ana"), null) // a log-in that began before
    expect(await users.setActive(ana.id, null)).toEqual({ ...ana, accessVersion: 2, refreshVersion: 2 })
    expect(await sessionsIn(other)).toEqual([bruno.username])
  })

  test("the last transaction of a leaver deactivates the account in the same commit, or neither happens", async () => {
    await using subject = await open()
    const { users, ledger, sessions } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    await ledger.post({ kind: "transfer", senderId: bruno.id, receiverId: ana.id, value: 30, date: 100 }, allow)
    await sessions.open(sessionOf("ana"), null)
    const refund = { kind: "refund", senderId: ana.id, receiverId: bruno.id, value: 30, date: 200 } as const
    const refuse = () => {
      throw new Error("another balance")
    }

    expect(await refusalOf(ledger.postLast(refund, refuse))).toEqual(new Error("another balance"))
    expect(await users.byUsername("ana")).toEqual(ana)
    expect(await sessionsIn(subject.store)).toEqual(["ana"])
    expect(await ledger.lastId()).toBe(1)

    const seen: unknown[] = []
    expect(await ledger.postLast(refund, (balances) => seen.push(balances))).toMatchObject({ id: 2, ...refund })

    expect(seen).toEqual([{ sender: 30, receiver: -30, budget: 0 }])
    const other = await subject.reopen()
    for (const store of [subject.store, other]) {
      const left = { ...ana, deactivatedAt: 200, accessVersion: 1, refreshVersion: 1 }
      expect(await store.users.byUsername("ana")).toEqual(left)
      expect(await store.users.balanceOf(ana.id)).toBe(0)
      expect(await sessionsIn(store)).toEqual([])
    }
  })

  test("points that come in after somebody left are returned without another deactivation, from an erased account too", async () => {
    await using subject = await open()
    const { users, ledger } = subject.store
    const { ana, bruno } = await threePeople(subject.store)
    const refundTo = (receiverId: number, senderId: number, date: number) =>
      ({ kind: "refund", senderId, receiverId, value: 5, date }) as const
    await users.setActive(ana.id, 100)

    await ledger.post(refundTo(ana.id, bruno.id, 200), allow)
    await ledger.postLast(refundTo(bruno.id, ana.id, 300), allow)

    expect(await users.byUsername("ana")).toMatchObject({ deactivatedAt: 100 })

    const byAdmin = { who: "admin", way: "http", address: null } as const
    const erased = auditEntry(byAdmin, 400, "user_erased", { whom: "erased-1" })
    const replacement = {
      username: "erased-1",
      name: "Former colleague",
      email: "erased-1@erased.invalid",
      password: ana.password,
    }
    await users.erase(ana.id, { at: 400, replacement, reasons: "none" }, erased)
    await ledger.post(refundTo(ana.id, bruno.id, 500), allow)
    await ledger.postLast(refundTo(bruno.id, ana.id, 600), allow)

    expect(await users.byUsername("erased-1")).toMatchObject({ deactivatedAt: 100, erasedAt: 400 })
    expect(await users.balanceOf(ana.id)).toBe(0)
  })

  test("somebody who left after the checks neither sends nor receives, whichever store posts, whatever it has cached", async () => {
    await using subject = await open()
    const { users } = subject.store
    const stores = [subject.store, await subject.reopen()]
    const { ana, bruno, carla } = await threePeople(subject.store)
    const send = ({ ledger }: Store, kind: TransactionKind, senderId: number, receiverId: number) =>
      ledger.post({ kind, senderId, receiverId, value: 1, date: 1 }, allow)
    for (const store of stores) await send(store, "transfer", ana.id, bruno.id)

    await users.setActive(bruno.id, 5)
    for (const store of stores) {
      for (const kind of ["transfer", "grant", "allowance"] as const) {
        expect(await refusalOf(send(store, kind, ana.id, bruno.id))).toMatchObject({ code: "user_not_found" })
        expect(await refusalOf(send(store, kind, bruno.id, ana.id))).toMatchObject({ code: "bad_credentials" })
      }
      expect(await refusalOf(send(store, "redemption", bruno.id, ana.id))).toMatchObject({ code: "bad_credentials" })
      const all = [carla, bruno].map(({ id }) => ({
        kind: "grant" as const,
        senderId: ana.id,
        receiverId: id,
        value: 1,
        date: 1,
      }))
      expect(await refusalOf(store.ledger.postAll(all, allow))).toMatchObject({ code: "user_not_found" })
    }
    const before = await subject.store.ledger.lastId()
    // Corrections of earlier transactions may involve people who have left.
    await send(subject.store, "refund", ana.id, bruno.id)
    await subject.store.ledger.post(
      { kind: "reversal", senderId: bruno.id, receiverId: ana.id, value: 1, date: 1, reverses: 1 },
      allow,
    )
    expect([before, await subject.store.ledger.lastId()]).toEqual([2, 4])

    await users.setActive(bruno.id, null)
    for (const store of stores) await send(store, "transfer", ana.id, bruno.id)
    const left = (await users.byUsername("bruno")) ?? bruno
    await users.merge({
      create: [],
      update: [{ before: left, after: { ...left, deactivatedAt: 9 } }],
      entries: [],
      jobs: [],
    })
    for (const store of stores)
      expect(await refusalOf(send(store, "transfer", ana.id, bruno.id))).toMatchObject({ code: "user_not_found" })
  })

  test("a deactivation comes after transfers that passed their checks, never in between", async () => {
    await using subject = await open()
    const { ledger } = subject.store
    const other = await subject.reopen()
    const { ana, bruno } = await threePeople(subject.store)
    const transfer = { kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date: 1 } as const
    const leaving: Promise<unknown>[] = []
    const check = () => void leaving.push(other.users.setActive(bruno.id, 5))

    expect(await ledger.post(transfer, check)).toMatchObject({ id: 1 })
    await Promise.all(leaving)
    expect(await refusalOf(ledger.post(transfer, allow))).toMatchObject({ code: "user_not_found" })

    const refund = { kind: "refund", senderId: ana.id, receiverId: bruno.id, value: 1, date: 2 } as const
    const together = await Promise.allSettled([
      ledger.postLast(refund, allow),
      ledger.post({ ...transfer, senderId: 3, receiverId: ana.id }, allow),
    ])
    expect(together).toMatchObject([
      { status: "fulfilled", value: { id: 2 } },
      { status: "rejected", reason: { code: "user_not_found" } },
    ])
  })

  test("searches, departments and their members leave out inactive people unless they are asked for", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const there = await subject.reopen()
    await users.correct(bruno.id, { dept: "support" })
    await users.setActive(ana.id, 5)
    await users.setActive(bruno.id, 6)

    for (const { people, users } of [subject.store, there]) {
      const found = async (active: boolean | null) =>
        (await people.search({ ...everybody, active })).items.map(({ username }) => username)
      expect([await found(true), await found(false), await found(null)]).toEqual([
        ["carla"],
        ["ana", "bruno"],
        ["ana", "bruno", "carla"],
      ])
      const sales = { name: "sales", people: 1 }
      expect(await people.departments()).toEqual([sales])
      expect(await people.departments(false)).toEqual([sales, { name: "support", people: 1 }])
      expect(await people.departments(null)).toEqual([
        { ...sales, people: 2 },
        { name: "support", people: 1 },
      ])
      expect(await people.inactive()).toEqual(new Set([ana.id, bruno.id]))
      expect((await users.inDept("sales", 10)).map(({ id }) => id)).toEqual([carla.id])
      expect(await users.idsInDept("sales", 10)).toEqual([carla.id])
    }
    await users.setActive(ana.id, null)
    expect((await there.people.search(everybody)).items.map(({ username }) => username)).toEqual(["ana", "carla"])
    expect(await there.people.inactive()).toEqual(new Set([bruno.id]))
  })

  test("a correction changes only the given fields; a new address ends refresh tokens, and a taken one is refused", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana, carla } = await threePeople(subject.store)

    expect(await users.correct(ana.id, { name: "Carla" })).toEqual({ ...ana, name: "Carla" })
    const corrected = { ...ana, name: "Carla", email: "ana@new.example", dept: "care", refreshVersion: 1 }
    expect(await users.correct(ana.id, { email: "ana@new.example", dept: "care" })).toEqual(corrected)
    expect(await users.correct(ana.id, { email: "ana@new.example" })).toEqual(corrected)
    expect(await refusalOf(users.correct(ana.id, { email: "CARLA@example.com", dept: "x" }))).toMatchObject({
      code: "email_taken",
    })

    const other = await subject.reopen()
    expect(await other.users.byEmail("ANA@new.example")).toEqual(corrected)
    expect(await other.users.byEmail("ana@example.com")).toBeNull()
    expect(await other.users.byUsername("carla")).toEqual(carla)
    // The old name is free again, and the new one is taken.
    expect(await refusalOf(users.updateProfile(ana.id, { name: "Сarla" }, undefined, "refuse"))).toMatchObject({
      code: "name_lookalike",
    })
    await users.updateProfile(carla.id, { name: "Ana" }, undefined, "refuse")
  })

  test("an import deactivates and reactivates people, unless the account was deactivated meanwhile", async () => {
    await using subject = await open()
    const { users, sessions } = subject.store
    const { ana, bruno, carla } = await threePeople(subject.store)
    const left = await users.setActive(carla.id, 5)
    await sessions.open(sessionOf("ana"), null)
    const update = [
      { before: ana, after: { ...ana, deactivatedAt: 9 } },
      { before: left, after: { ...left, deactivatedAt: null, name: "Carla Dias" } },
    ]

    expect(await users.merge({ create: [person("Dora")], update, entries: [], jobs: [] })).toBe(true)

    expect(await users.byUsername("ana")).toEqual({ ...ana, deactivatedAt: 9, accessVersion: 1, refreshVersion: 1 })
    expect(await users.byUsername("carla")).toMatchObject({ name: "Carla Dias", deactivatedAt: null, accessVersion: 2 })
    expect(await sessionsIn(subject.store)).toEqual([])
    expect(await users.byUsername("bruno")).toEqual(bruno)
    expect(await users.merge({ create: [], update, entries: [], jobs: [] })).toBe(false)
  })
}
