import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { getTableName } from "drizzle-orm"
import { comparedTables, ownTables } from "../../../src/storage/copy/tables.ts"
import { deletedTables, personalLists, personalTables } from "../../../src/storage/people/personal-data.ts"
import { migrate } from "../../../src/storage/sqlite/database/migrations.ts"

const client = new Database(":memory:")
migrate(client, 1)
const definitions = new Map(
  client
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql <> ''")
    .all()
    .map(({ name, sql }) => [name, sql]),
)
client.close()
const columnsOf = (table: string): string => definitions.get(table) ?? ""

test("every table declares what a person's data export shows of it and what an erasure does to it", () => {
  // Another test compares these with both schemas.
  const all = ["transactions", ...comparedTables.map(({ name }) => name), ...ownTables]

  expect(Object.keys(personalTables).sort()).toEqual([...new Set(all)].sort())
})

test("a table that names people is not declared as free of personal data", () => {
  const naming = [...definitions.keys()].filter((table) =>
    /REFERENCES users |\b(username|email|who|whom|address|payload|user_id|from_id|owner_id)\b/.test(
      columnsOf(table).replaceAll(/^\s*--.*$/gm, ""),
    ),
  )

  expect(naming.length).toBeGreaterThan(15)
  expect(naming.filter((table) => personalTables[table] === null)).toEqual([])
})

test("every declared list is in the export, and every list of the export belongs to a table", () => {
  const shown = Object.values(personalTables).flatMap((held) => held?.lists ?? [])

  expect([...new Set(shown)].sort()).toEqual([...personalLists, "transactions"].sort())
})

test("an erasure can delete by user_id wherever the declaration says so", () => {
  const names = deletedTables.map(getTableName)
  const declared = Object.entries(personalTables).flatMap(([table, held]) => (held?.erased === "rows" ? [table] : []))

  expect(names.toSorted()).toEqual(declared.toSorted())
  expect(names.filter((table) => !/^ {2}user_id\b/m.test(columnsOf(table)))).toEqual([])
})
