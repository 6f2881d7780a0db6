import { describe, expect, test } from "bun:test"
import { createAllowances } from "../../src/domain/allowances/allowances.ts"
import { auditEntry } from "../../src/domain/audit/audit-log.ts"
import { createCalendar } from "../../src/domain/calendar.ts"
import { createLeaderboardSnapshots } from "../../src/domain/recognition/leaderboards.ts"
import { nextTick } from "../../src/domain/ticks.ts"
import type { OpenStore } from "../../src/storage/open-store.ts"
import * as postgres from "../../src/storage/postgres/store.ts"
import * as sqlite from "../../src/storage/sqlite/store.ts"
import { clientOf, migratedDatabase } from "../support/postgres.ts"
import { person, unkeyed } from "./contract/people.ts"
import { plainly, silent, tamper, testFolder } from "./files.ts"
import { writeLedger } from "./ledger-damage.ts"
import { tamper as tamperWith, urlOf } from "./postgres/maintenance/support.ts"

/** A store whose data somebody changes by hand while it is open. */
interface Damaged extends AsyncDisposable {
  readonly store: OpenStore
  tamper(sql: string): Promise<void>
  /** Changes it as the database lets anybody do. */
  change(...statements: readonly string[]): Promise<void>
}

const searchFor = (word: string) => ({ words: [word], dept: null, active: true, after: null, size: 9 })

/** The rules of allowances at 10:00, and somebody to be paid. */
async function withAllowances(store: OpenStore) {
  await store.users.create(person("Admin", { username: "admin", dept: "management" }))
  const ana = await store.users.create(person("Ana"))
  const clock = () => Date.UTC(2026, 0, 1, 10)
  const allowances = createAllowances({ store, clock, calendar: createCalendar("UTC"), makeOnce: unkeyed })
  const by = { user: null, who: "olga", way: "command line", address: null } as const
  return { ana, allowances, by }
}

for (const [name, open, dropCheck] of [
  ["SQLite", openFile, ""],
  [
    "PostgreSQL",
    openDatabase,
    "ALTER TABLE allowances DROP CONSTRAINT allowances_due_time_check, DROP CONSTRAINT allowances_audience_check;",
  ],
] as const)
  describe(`in a damaged database of ${name}`, () => {
    test("people are found whom somebody added or renamed by hand, and no longer by their former names", async () => {
      await using damaged = await open()
      const { store } = damaged
      await writeLedger(store)
      const dora = await store.users.create(person("Dora"))
      const named = async (word: string) => (await store.people.search(searchFor(word))).items.map(({ name }) => name)

      await damaged.change(
        `UPDATE users SET name = 'Zoë' WHERE id = ${dora.id}`,
        "UPDATE users SET username = 'ute' WHERE username = 'ana'",
        `INSERT INTO users (email, email_key, username, username_key, password, name, dept, currency)
          SELECT 'e', 'e', 'émil', 'émil', password, 'Émil', dept, currency FROM users WHERE id = ${dora.id}`,
      )

      expect(await named("zoe")).toEqual(["Zoë"])
      expect(await named("dora")).toEqual(["Zoë"]) // by the username
      expect(await named("ut")).toEqual(["Ana"])
      expect(await named("emil")).toEqual(["Émil"])
      await store.people.fillSearchKeys()
      expect(await named("emil")).toEqual(["Émil"])
    })

    test("an allowance that falls due at no time keeps nobody from the account, and the others are paid", async () => {
      await using damaged = await open()
      const { store } = damaged
      const { ana, allowances, by } = await withAllowances(store)
      const daily = { value: 5, mode: "add", period: "day", audience: { everyone: true } }
      for (const name of ["One", "Two"]) await allowances.add(by, { ...daily, name, at: "11:00" })

      await damaged.tamper(`${dropCheck} UPDATE allowances SET due_time = '09.00', due_from = 0 WHERE name = 'One'`)
      await damaged.tamper("UPDATE allowances SET due_time = '09:30', due_from = 0 WHERE name = 'Two'")

      const failures: unknown[] = []
      await allowances.payDue((error) => failures.push(error))
      expect(failures).toEqual([
        expect.objectContaining({ message: expect.stringContaining("allowance 1 has a due time that is none") }),
      ])
      expect(await store.users.balanceOf(ana.id)).toBe(5)
      expect(await allowances.nextFor(ana)).toMatchObject({ at: Date.UTC(2026, 0, 2, 9, 30) })
      const planned = await Array.fromAsync(allowances.list())
      expect(planned.map(({ nextRunAt }) => nextRunAt)).toEqual([null, Date.UTC(2026, 0, 2, 9, 30)])
    })

    test("a run for people who are none is not paid until it is mended, and the other allowances are", async () => {
      await using damaged = await open()
      const { store } = damaged
      const { ana, allowances, by } = await withAllowances(store)
      const daily = { value: 5, mode: "add", period: "day", at: "09:00" }
      const { allowance } = await allowances.add(by, { ...daily, name: "One", audience: { usernames: ["ana"] } })
      await allowances.add(by, { ...daily, name: "Two", audience: { everyone: true } })
      const today = { period: "day", firstDay: "2026-01-01", begunAt: 0, dueAt: null } as const
      await store.allowances.begin({ ...today, allowanceId: allowance.id })
      const paid = async () => {
        const failures: unknown[] = []
        await allowances.payDue((error) => failures.push(error))
        return { failures, balance: await store.users.balanceOf(ana.id) }
      }

      await damaged.tamper(`UPDATE allowance_runs SET audience = '{"userIds":[${ana.id},"x"]}'`)
      await damaged.tamper("UPDATE allowances SET due_from = 0")
      const message = expect.stringContaining("run 1 of allowance 1 has an audience that is none")
      expect(await paid()).toEqual({ failures: [expect.objectContaining({ message })], balance: 5 })

      await damaged.tamper(`UPDATE allowance_runs SET audience = '{"userIds":[${ana.id}]}' WHERE id = 1`)
      expect(await paid()).toEqual({ failures: [], balance: 10 })
    })

    test("an allowance for people who are none is shown, and not paid until it is removed, and the others are", async () => {
      await using damaged = await open()
      const { store } = damaged
      const { ana, allowances, by } = await withAllowances(store)
      const daily = { value: 5, mode: "add", period: "day", at: "09:00" }
      for (const name of ["None", "Odd", "All"])
        await allowances.add(by, { ...daily, name, audience: { everyone: true } })
      await allowances.add(by, { ...daily, name: "Sales", audience: { dept: ana.dept } })
      await damaged.tamper(`${dropCheck} UPDATE allowances SET audience = '{"every' WHERE name = 'None'`)
      await damaged.tamper(`UPDATE allowances SET audience = '{"dept":5}' WHERE name = 'Odd'`)
      await damaged.tamper("UPDATE allowances SET due_from = 0")

      const failures: unknown[] = []
      await allowances.payDue((error) => failures.push(error))
      const faults = [1, 2].map((id) => expect.stringContaining(`allowance ${id} has an audience that is none`))
      expect(failures).toEqual(faults.map((message) => expect.objectContaining({ message })))
      expect(await store.users.balanceOf(ana.id)).toBe(10)
      expect(await allowances.nextFor(ana)).toMatchObject({ at: Date.UTC(2026, 0, 2, 9) })
      const planned = await Array.fromAsync(allowances.list())
      expect(planned.map(({ allowance, nextRunAt }) => [allowance.audience, nextRunAt !== null])).toEqual([
        [{ damaged: true }, false],
        [{ damaged: true }, false],
        [{ everyone: true }, true],
        [{ dept: ana.dept }, true],
      ])

      const found = [await store.allowances.find(1), await store.allowances.find(2)].filter((one) => one !== null)
      expect(found.map(({ audience }) => audience)).toEqual([{ damaged: true }, { damaged: true }])
      for (const one of found) {
        expect((await allowances.preview(one)).shares).toEqual([])
        await expect(allowances.run(by, one)).rejects.toThrow("has an audience that is none")
        const { allowance } = await allowances.change(by, one, { value: 7 })
        expect(allowance).toMatchObject({ value: 7, audience: { damaged: true } })
      }
      expect(await store.users.renameDept(ana.dept, "growth", auditEntry(by, 0, "dept_renamed"))).toMatchObject({
        people: 1,
        allowances: 1,
      })
      const [first, second] = found
      if (first) await allowances.remove(by, first)
      if (second) await allowances.change(by, second, { audience: { everyone: true } })
      expect((await store.allowances.list()).map(({ audience }) => audience)).toEqual([
        { everyone: true },
        { everyone: true },
        { dept: "growth" },
      ])
    })

    test("leaderboards say what is wrong if the last transaction is stored as a later one", async () => {
      await using damaged = await open()
      const { store } = damaged
      await writeLedger(store)
      const snapshots = createLeaderboardSnapshots({ store, clock: () => 2_000, calendar: createCalendar("UTC") })
      await damaged.tamper("UPDATE ledger_state SET last_id = 7, transaction_count = 7")
      const fault = "transaction 7 is stored as the last one, but there is none after 6; `rewards verify` lists"

      await expect(snapshots.ofPeriod("all")).rejects.toThrow(fault)
      await expect(snapshots.byDay()).rejects.toThrow(fault)
    })
  })

test("the history says what is wrong if a transaction that its index names was deleted", async () => {
  await using damaged = await openFile()
  const { store } = damaged
  await writeLedger(store)
  await damaged.tamper("PRAGMA foreign_keys = OFF; DELETE FROM notes; DELETE FROM transactions WHERE id = 6")

  await expect(store.ledger.page({ page: 1, size: 10 })).rejects.toThrow(
    /the database is damaged: a transaction .* is missing; `rewards verify` lists/,
  )
})

async function openFile(): Promise<Damaged> {
  const folder = await testFolder()
  const path = folder.file("rewards.db")
  const store = await sqlite.openStore({ path, log: silent })
  return {
    store,
    async tamper(sql) {
      tamper(path, sql)
      await nextTick() // a process notices once a tick what others have written
    },
    async change(...statements) {
      using client = plainly(path)
      for (const statement of statements) client.run(statement)
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function openDatabase(): Promise<Damaged> {
  const database = await migratedDatabase()
  const store = await postgres.openStore({ url: urlOf(database.url), poolSize: 3, log: silent })
  return {
    store,
    tamper: (sql) => tamperWith(database.url, sql),
    async change(...statements) {
      const client = clientOf({ url: database.url })
      for (const statement of statements) await client.query(statement)
      await client.close()
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}
