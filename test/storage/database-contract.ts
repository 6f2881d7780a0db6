import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { currentTick } from "../../src/domain/ticks.ts"
import { type Database, DuplicateKey, one } from "../../src/storage/database.ts"
import { fields, list, records, returning, row, rows, select, set, sql } from "../../src/storage/sql.ts"

/** An open database with the empty table `things`. The end of the scope closes and removes it. */
export interface DatabaseSubject extends AsyncDisposable {
  readonly database: Database
  /** The same data, opened as another process would. */
  reopen(): Promise<Database>
}

/** Its columns; `is_on` holds 0 and 1, `tags` JSON as text. `name` is unique. */
const things = sqliteTable("things", {
  id: integer().primaryKey(),
  name: text().notNull(),
  amount: integer(),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  tags: text({ mode: "json" }).$type<readonly string[]>(),
})

export const createThings = `CREATE TABLE things (
  id bigint PRIMARY KEY, name text NOT NULL UNIQUE, amount bigint, is_on smallint NOT NULL, tags text
)`

const thing = fields({
  id: things.id,
  name: things.name,
  amount: things.amount,
  isOn: things.isOn,
  tags: things.tags,
})
const names = fields({ name: things.name })

const insert = (id: number, name: string, amount: number | null = null) =>
  sql`INSERT INTO ${things} ${row(things, { id, name, amount, isOn: true, tags: null })}`

const amountOf = (id: number) => sql<{ amount: number }>`SELECT amount FROM ${things} WHERE ${things.id} = ${id}`

/** What `Database` promises on every database. */
export function databaseContract(name: string, open: () => Promise<DatabaseSubject>) {
  describe(`the database on ${name}`, () => {
    let subject: DatabaseSubject
    let database: Database
    beforeAll(async () => {
      subject = await open()
      database = subject.database
    })
    afterAll(async () => {
      await subject?.[Symbol.asyncDispose]()
    })
    const empty = () => database.write((tx) => tx.run(sql`DELETE FROM ${things}`))
    const all = async () =>
      (await database.all(select(names)`FROM ${things} ORDER BY ${things.id}`)).map((it) => it.name)

    test("rows have the types of their columns", async () => {
      await empty()
      await database.write(async (tx) => {
        await tx.run(
          sql`INSERT INTO ${things} ${row(things, { id: 1, name: "a", amount: 2, isOn: false, tags: ["x", "'"] })}`,
        )
        await tx.run(sql`INSERT INTO ${things} ${row(things, { id: 2, name: "b", isOn: true })}`)
      })

      expect(await database.all(select(thing)`FROM ${things} ORDER BY ${things.id}`)).toEqual([
        { id: 1, name: "a", amount: 2, isOn: false, tags: ["x", "'"] },
        { id: 2, name: "b", amount: null, isOn: true, tags: null },
      ])
      expect(await database.first(select(thing)`FROM ${things} WHERE ${things.id} = ${3}`)).toBeNull()
    })

    test("a change sets the fields that are given, and returns the rows that it changed", async () => {
      await empty()
      await database.write((tx) => tx.run(insert(1, "a", 5)))

      const changed = await database.write((tx) =>
        tx.all(
          returning(thing)`UPDATE ${things} SET ${set(things, { name: "b", amount: undefined, isOn: false })}
            WHERE ${things.id} = ${1}`,
        ),
      )
      expect(changed).toEqual([{ id: 1, name: "b", amount: 5, isOn: false, tags: null }])
    })

    test("a statement returns how many rows it changed", async () => {
      await empty()
      const counts = await database.write(async (tx) => {
        await tx.run(insert(1, "a"))
        await tx.run(insert(2, "b"))
        const none = await tx.run(sql`DELETE FROM ${things} WHERE ${things.id} = ${3}`)
        return [none, await tx.run(sql`DELETE FROM ${things}`)]
      })
      expect(counts).toEqual([0, 2])
    })

    test("a list is a table in its own order, also an empty one", async () => {
      await empty()
      await database.write(async (tx) => {
        for (const [id, name] of [
          [1, "a"],
          [2, "b"],
          [3, "c"],
        ] as const)
          await tx.run(insert(id, name))
      })
      const named = (ids: readonly number[]) =>
        database.all(
          select(names)`FROM ${list("asked", ids, "bigint")} JOIN ${things} ON ${things.id} = asked.value
            ORDER BY asked.key`,
        )
      expect(await named([3, 1, 9])).toEqual([{ name: "c" }, { name: "a" }])
      expect(await named([])).toEqual([])
      const byName = await database.all(
        select(names)`FROM ${things} WHERE ${things.name} IN (SELECT value FROM ${list("asked", ["b", "'"], "text")})`,
      )
      expect(byName).toEqual([{ name: "b" }])
    })

    test("records are a table with their fields as columns", async () => {
      const given = [
        { name: "b", amount: 2 },
        { name: "a", amount: null },
      ]
      const found = await database.all(
        sql`SELECT name, amount FROM ${records("given", given, { name: "text", amount: "bigint" })} ORDER BY name DESC`,
      )
      expect(found).toEqual(given)
    })

    test("rows are stored in their order, with null where they have null", async () => {
      await empty()
      const added = [
        { id: 3, name: "c", amount: null, isOn: true, tags: ["x"] },
        { id: 1, name: "'a'", amount: 7, isOn: false, tags: null },
        { id: 2, name: "b", amount: 8, isOn: true, tags: [] },
      ]
      const stored = await database.write((tx) =>
        tx.all(returning(thing)`INSERT INTO ${things} ${rows(things, added)}`),
      )
      expect(stored).toEqual(added)
      await database.write(async (tx) =>
        tx.send(sql`INSERT INTO ${things} ${rows(things, added)} ON CONFLICT DO NOTHING`),
      )
    })

    test("readers see a write when it has resolved, whole, and not before", async () => {
      await empty()
      const seen: string[][] = []
      await database.write(async (tx) => {
        await tx.run(insert(1, "a"))
        seen.push(await all())
        await new Promise((resolve) => setTimeout(resolve, 5))
        tx.send(insert(2, "b"))
        seen.push(await all())
        expect(await one(tx, sql<{ count: number }>`SELECT count(*) AS count FROM ${things}`)).toEqual({ count: 2 })
      })
      expect(seen).toEqual([[], []])
      expect(await all()).toEqual(["a", "b"])
    })

    test("a snapshot has the rows of several queries as they were at one moment", async () => {
      await empty()
      await database.write((tx) => tx.run(insert(1, "a", 0)))
      const other = await subject.reopen()
      const raise = (by: Database, times: number) =>
        times === 0
          ? Promise.resolve()
          : by
              .write((tx) => tx.run(sql`UPDATE ${things} SET amount = amount + 1`))
              .then((): Promise<void> => raise(by, times - 1))
      const raising = Promise.all([raise(database, 30), raise(other, 30)])
      const count = sql<{ count: number }>`SELECT count(*) AS count FROM ${things}`
      for (let amount = 0; amount < 60; ) {
        const [before, counted, after] = await database.snapshot([amountOf(1), count, amountOf(1)])
        expect(after).toEqual(before)
        expect(counted).toEqual([{ count: 1 }])
        amount = before[0]?.amount ?? 60
      }
      await raising
      expect(await database.snapshot([])).toEqual([])
      expect(await database.snapshot([sql`SELECT * FROM no_such_table`, count]).catch(String)).toMatch(/no_such_table/)
    })

    test("another process sees a write that has resolved", async () => {
      await empty()
      const other = await subject.reopen()
      await database.write((tx) => tx.run(insert(1, "a")))
      expect(await other.all(select(names)`FROM ${things}`)).toEqual([{ name: "a" }])
      await other.write((tx) => tx.run(insert(2, "b")))
      expect(await all()).toEqual(["a", "b"])
    })

    test("when a body throws, nothing is changed, and the next write succeeds", async () => {
      await empty()
      const failed = database.write(async (tx) => {
        await tx.run(insert(1, "a"))
        tx.send(insert(2, "b"))
        throw new Error("refused")
      })
      expect(await failed.catch(String)).toBe("Error: refused")
      expect(await all()).toEqual([])
      await database.write((tx) => tx.run(insert(3, "c")))
      expect(await all()).toEqual(["c"])
    })

    test("a key that exists is DuplicateKey, whether its statement is awaited or only sent", async () => {
      await empty()
      await database.write((tx) => tx.run(insert(1, "a")))
      const writes = [
        database.write((tx) => tx.run(insert(2, "a"))),
        database.write((tx) => tx.run(insert(1, "b"))),
        database.write(async (tx) => tx.send(insert(3, "a"))),
      ]
      const failures = (await Promise.allSettled(writes)).map((write) => write.status === "rejected" && write.reason)
      for (const failure of failures) expect(failure).toBeInstanceOf(DuplicateKey)
      expect(await all()).toEqual(["a"])
    })

    test("any other fault of a statement is passed on as it is", async () => {
      const failure = await database.write((tx) => tx.run(sql`INSERT INTO ${things} (id) VALUES (${1})`)).catch(String)
      expect(failure).toMatch(/null/i)
      expect(await database.all(sql`SELECT * FROM no_such_table`).catch(String)).toMatch(/no_such_table/)
    })

    test("a decision under a lock holds for the commit, however many decide at once", async () => {
      await empty()
      await database.write((tx) => tx.run(insert(1, "a", 3)))
      const take = () =>
        database.write(async (tx) => {
          const left = await one(tx, sql<{ amount: number }>`${amountOf(1)} FOR UPDATE`)
          await new Promise((resolve) => setImmediate(resolve))
          if (left.amount === 0) return false
          tx.send(sql`UPDATE ${things} SET ${set(things, { amount: left.amount - 1 })} WHERE ${things.id} = ${1}`)
          return true
        })
      const taken = await Promise.all(Array.from({ length: 8 }, take))
      expect(taken.filter(Boolean).length).toBe(3)
      expect(await database.first(amountOf(1))).toEqual({ amount: 0 })
    })

    test("a lock of a name is held until the commit", async () => {
      await empty()
      const add = (id: number) =>
        database.write(async (tx) => {
          tx.lock("b", "a")
          const { count } = await one(tx, sql<{ count: number }>`SELECT count(*) AS count FROM ${things}`)
          await new Promise((resolve) => setImmediate(resolve))
          if (count === 0) tx.send(insert(id, `${id}`))
        })
      await Promise.all([1, 2, 3, 4].map(add))
      expect((await all()).length).toBe(1)
    })

    test("a caller who has left does not read", async () => {
      const leaving = new AbortController()
      const reads = database.until(leaving.signal)
      expect(await reads.first(sql`SELECT 1 AS it`)).toEqual({ it: 1 })
      leaving.abort(new Error("gone"))
      expect(await reads.all(sql`SELECT 1 AS it`).catch(String)).toBe("Error: gone")
      expect(await reads.first(sql`SELECT 1 AS it`).catch(String)).toBe("Error: gone")
      expect(await reads.snapshot([sql`SELECT 1 AS it`]).catch(String)).toBe("Error: gone")
      expect(await database.first(sql`SELECT 1 AS it`)).toEqual({ it: 1 })
    })

    test("a loop that sends and awaits it now and then lets the event loop run", async () => {
      await empty()
      const ticks = new Set<number>()
      await database.write(
        async (tx) => {
          for (let id = 1; id <= 20_000; id++) {
            tx.send(insert(id, `${id}`))
            if (id % 100 === 0) await tx.flush()
            ticks.add(currentTick())
          }
        },
        { patienceMs: 60_000 },
      )
      expect(ticks.size).toBeGreaterThan(2)
      expect(await one(database, sql`SELECT count(*) AS count FROM ${things}`)).toEqual({ count: 20_000 })
    })

    test("a loop over writes lets the event loop run", async () => {
      await empty()
      const ticks = new Set<number>()
      for (let id = 1; id <= 500; id++) {
        await database.write((tx) => tx.run(insert(id, `${id}`)))
        ticks.add(currentTick())
      }
      expect(ticks.size).toBeGreaterThan(2)
    })

    test("a loop over reads lets the event loop run", async () => {
      const counting = sql<{ count: number }>`
        WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${300_000})
        SELECT count(*) AS count FROM counted`
      const before = currentTick()
      for (let read = 0; read < 3; read++) expect(await database.first(counting)).toEqual({ count: 300_000 })
      expect(currentTick()).toBeGreaterThan(before)
    })
  })
}
