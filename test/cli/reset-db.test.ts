import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { resetSteps } from "../../src/storage/sqlite/maintenance/reset.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { plainly, silent } from "../storage/files.ts"
import { done, type Operator, operator, refused } from "./operator.ts"

/** A database with Ana, who has ten points. */
async function operatorWithPoints() {
  const operates = await operator()
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return operates
}

const schemaOf = ({ database }: Operator): unknown[] => {
  using client = plainly(database)
  return client.query("SELECT type, name FROM sqlite_schema").all()
}

/** Of Ana and her points, and of anybody else: what a new database does not have. */
async function expectNew(operates: Operator) {
  const { stdout } = await operates.types(["user-list", "--json"])
  expect(JSON.parse(stdout).map(({ username }: { username: string }) => username)).toEqual(["admin"])
  const store = await openStore({ path: operates.database, log: silent })
  const id = (await store.users.byUsername("admin"))?.id
  const page = await store.ledger.page({ page: 1, size: 10 })
  await store.close()
  expect({ id, page }).toEqual({ id: 1, page: { items: [], total: 0 } })
}

test("--force drops all tables, and the next command finds a new database", async () => {
  await using operates = await operatorWithPoints()
  const dropped = done(`Dropped all tables of ${operates.database}`)

  expect(await operates.types(["reset-db", "--force"])).toEqual(dropped)
  expect(schemaOf(operates)).toEqual([])
  expect(await operates.types(["reset-db", "-f"])).toEqual(dropped)

  await expectNew(operates)
})

for (const answer of ["y", "Y", "yes", " Yes "])
  test(`at a terminal it asks, and drops on ${JSON.stringify(answer)}`, async () => {
    await using operates = await operatorWithPoints()

    expect(await operates.types(["reset-db"], { stdinIsTerminal: true, stdin: `${answer}\n` })).toEqual({
      ...done(`Dropped all tables of ${operates.database}`),
      stderr: `Drop all tables of ${operates.database}? [y/N]\n`,
    })
    expect(schemaOf(operates)).toEqual([])
  })

for (const answer of ["n\n", "\n", "yesterday\n", "no y\n"])
  test(`at a terminal it asks, and drops nothing on ${JSON.stringify(answer)}`, async () => {
    await using operates = await operatorWithPoints()
    const before = schemaOf(operates)

    expect(await operates.types(["reset-db"], { stdinIsTerminal: true, stdin: answer })).toEqual(
      refused(`Drop all tables of ${operates.database}? [y/N]`, "nothing was dropped"),
    )
    expect(schemaOf(operates)).toEqual(before)
  })

test("without a terminal and without --force it drops nothing", async () => {
  await using operates = await operatorWithPoints()
  const before = schemaOf(operates)

  expect(await operates.types(["reset-db"], { stdin: "y\n" })).toEqual(
    refused(`this would drop all tables of ${operates.database}: confirm with --force`),
  )
  expect(schemaOf(operates)).toEqual(before)
})

test("refuses while somebody else has the database open, and drops nothing", async () => {
  await using operates = await operatorWithPoints()
  const store = await openStore({ path: operates.database, log: silent })

  expect(await operates.types(["reset-db", "--force"])).toEqual(
    refused(
      `cannot use the database ${operates.database}: another process has it open; ` +
        "stop `rewards serve` and every other rewards command",
    ),
  )

  expect((await store.users.list()).map(({ username, balance }) => [username, balance])).toEqual([
    ["admin", -10],
    ["ana", 10],
  ])
  await store.close()
})

test("locks the database while it drops the tables", async () => {
  await using operates = await operatorWithPoints()
  const [, dropAll] = resetSteps
  using client = new Database(operates.database)
  client.run("PRAGMA locking_mode = EXCLUSIVE")
  client.run("PRAGMA journal_mode = DELETE")
  dropAll?.(client)

  using other = new Database(operates.database, { readonly: true })
  expect(() => other.query("SELECT * FROM sqlite_schema").all()).toThrow("database is locked")
})

for (const count of [...resetSteps.keys(), resetSteps.length])
  test(`a crash after step ${count} of ${resetSteps.length} leaves a file that opens`, async () => {
    await using operates = await operatorWithPoints()
    {
      using client = plainly(operates.database)
      for (const step of resetSteps.slice(0, count)) step(client)
    }

    if (count > 1) await expectNew(operates)
    else expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
  })

test("a missing file or a foreign database is refused and stays unchanged", async () => {
  await using operates = await operator()
  const reset = (file: string) => operates.types(["reset-db", "--force", "--db", file])
  const [missing, letter, foreign] = ["missing", "letter", "foreign"].map((name) => `${operates.folder}/${name}.db`)
  if (!missing || !letter || !foreign) throw new Error("three names")
  writeFileSync(letter, "Dear Ana,\nthese are no points.\n".repeat(100))
  {
    using client = plainly(foreign)
    client.run("CREATE TABLE photos (id INTEGER)")
  }
  const before = [letter, foreign].map((file) => readFileSync(file))

  expect(await reset(missing)).toEqual(refused(`cannot use the database ${missing}: there is no such file`))
  expect(await reset(letter)).toEqual(
    refused(`cannot use the database ${letter}: it is not a database of rewards; name another file in db.path`),
  )
  expect(await reset(foreign)).toEqual(
    refused(`cannot use the database ${foreign}: it belongs to another program; name another file in db.path`),
  )
  expect([letter, foreign].map((file) => readFileSync(file))).toEqual(before)
  expect(existsSync(missing)).toBe(false)
})

test("a database of a newer version can be dropped, too", async () => {
  await using operates = await operatorWithPoints()
  {
    using client = plainly(operates.database)
    client.run("INSERT INTO migrations VALUES ('9999_of_tomorrow', 'hash', 1)")
    client.run(`CREATE TABLE "of ""tomorrow" (id INTEGER PRIMARY KEY AUTOINCREMENT)`)
    client.run("CREATE VIEW rich AS SELECT * FROM balances WHERE value > 0")
  }

  expect(await operates.types(["reset-db", "--force"])).toEqual(done(`Dropped all tables of ${operates.database}`))

  await expectNew(operates)
})
