import type { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { getTableConfig } from "drizzle-orm/sqlite-core"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import * as tables from "../../../../src/storage/tables.ts"
import { codeThrownBy, plainly, silent, testFolder } from "../../files.ts"
import { beginningsIn, refusalsIn, writeRows } from "../../schema-refusals.ts"

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

const dialect = {
  bytes: (count: number) => `zeroblob(${count})`,
  lineFeed: "char(10)",
} as const

/** With what `writeRows` writes; opened as any program would. */
async function withDatabase(act: (client: Database) => void) {
  await using folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  await writeRows(store)
  await store.close()
  using client = plainly(folder.file("rewards.db"))
  client.run("PRAGMA foreign_keys = ON")
  act(client)
}

describe("the database itself", () => {
  const { transaction, note, audit, job } = beginningsIn(dialect)

  for (const [what, sql, code] of [
    ...refusalsIn(dialect),
    ["a transaction replaced by REPLACE", `${transaction.replace("INSERT", "REPLACE")} 1, 2, 1, 99, 1`, "TRIGGER"],
    [
      "a transaction replaced by INSERT OR REPLACE",
      `${transaction.replace("INSERT", "INSERT OR REPLACE")} 1, 3, 1, 99, 1`,
      "TRIGGER",
    ],
    [
      "a transaction replaced by an upsert",
      `${transaction} 1, 2, 1, 9, 1 WHERE true ON CONFLICT (id) DO UPDATE SET value = 99`,
      "TRIGGER",
    ],
    ["a value with a fraction", `${transaction} 2, 2, 1, 1.5, 1`, "DATATYPE"],
    [
      "an audit entry replaced by REPLACE",
      `${audit.replace("INSERT", "REPLACE")} (1, 1, 'login', 'http', 1)`,
      "TRIGGER",
    ],
    [
      "an audit entry replaced by an upsert",
      `${audit} (1, 1, 'login', 'http', 1) ON CONFLICT (id) DO NOTHING`,
      "TRIGGER",
    ],
    ["a note to an earlier transaction", `${note} (1, zeroblob(16), 'Thanks', '', 0)`, "TRIGGER"],
    ["a note replaced by REPLACE", `${note.replace("INSERT", "REPLACE")} (1, zeroblob(16), 'No', '', 0)`, "TRIGGER"],
    ["the erasure of a note that never existed", "INSERT INTO erasures VALUES (2, 1)", "TRIGGER"],
    ["a payload that is not JSON", `${job}) VALUES ('mail', '{', 'available', 1, 1, 1, 1)`, "CHECK"],
  ] as const)
    test(`refuses ${what}`, () =>
      withDatabase((client) => {
        const before = client.query("SELECT * FROM transactions").all()

        expect(codeThrownBy(() => client.run(sql))).toBe(`SQLITE_CONSTRAINT_${code}`)
        expect(client.query("SELECT * FROM transactions").all()).toEqual(before)
      }))

  test("deletes a note with its erasure, and lets neither come back", () =>
    withDatabase((client) => {
      client.run("INSERT INTO erasures VALUES (1, 5)")

      expect(client.query("SELECT * FROM notes").all()).toEqual([])
      for (const sql of [
        "INSERT INTO notes VALUES (1, zeroblob(16), 'Thanks', '', 0)",
        "REPLACE INTO erasures VALUES (1, 6)",
        "UPDATE erasures SET erased_at = 6",
        "DELETE FROM erasures",
      ])
        expect(codeThrownBy(() => client.run(sql))).toBe("SQLITE_CONSTRAINT_TRIGGER")
    }))

  test("enforces the column types in every table", () =>
    withDatabase((client) => {
      const lax =
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'"
      expect(client.query(lax).all()).toEqual([])
    }))
})

test("the tables in tables.ts have columns that the migrations create, of the same type", () =>
  withDatabase((client) => {
    for (const table of Object.values(tables)) {
      const { name, columns } = getTableConfig(table)
      const made = client
        .query<Column, [string]>('SELECT name, lower(type) AS type, "notnull", pk FROM pragma_table_info(?)')
        .all(name)
        .map(({ name, type, notnull, pk }) => ({ name, type, isNotNull: notnull === 1 || pk > 0 }))
      const described = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        isNotNull: column.notNull || column.primary,
      }))
      expect({ name, columns: made }).toEqual({ name, columns: expect.arrayContaining(described) })
    }
  }))

test("the view balance has the time of each balance's last change", async () => {
  await withDatabase((client) => {
    expect(client.query("SELECT user_id, value, updated_at FROM balance ORDER BY user_id").all()).toEqual([
      { user_id: 1, value: -5, updated_at: 1 },
      { user_id: 2, value: 5, updated_at: 1 },
    ])
  })
})
