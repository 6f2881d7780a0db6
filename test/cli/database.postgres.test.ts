import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { databaseUrlForm } from "../../src/config/database-url.ts"
import { migrations } from "../../src/storage/sqlite/database/migrations.ts"
import { resetSteps } from "../../src/storage/sqlite/maintenance/maintenance.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { plainly, silent } from "../storage/files.ts"
import { storeAt } from "../storage/postgres/maintenance/support.ts"
import { owner, testDatabase } from "../support/postgres.ts"
import { done, doneAnchored, misused, type Operator, operator, refused } from "./operator.ts"
import { operatorOnPostgres } from "./operator-on-postgres.ts"
import { expectWrongBalance, withPoints, wrongBalance } from "./operator-with-points.ts"

const tags = migrations.map(({ tag }) => tag)

test("migrate prints what it applied; the second time there is nothing to do", async () => {
  await using operates = await operator()

  expect(await operates.types(["migrate"])).toEqual(done(...tags.map((tag) => `Applied ${tag}`)))
  expect(await operates.types(["migrate"])).toEqual(done("Nothing to do"))
})

test("migrate --json prints the tags as an array", async () => {
  await using operates = await operator()

  const first = await operates.types(["migrate", "--json"])
  const second = await operates.types(["migrate", "--json"])

  expect([first, second].map(({ stdout }) => JSON.parse(stdout))).toEqual([tags, []])
})

test("--db overrides the setting db.path", async () => {
  await using operates = await operator()
  const other = `${operates.folder}/other.db`

  expect(await operates.types(["migrate", "--db", other])).toMatchObject({ status: 0 })

  expect(statSync(other).isFile()).toBe(true)
  expect(await operates.types(["migrate"])).not.toEqual(done("Nothing to do"))
})

test("a database that cannot be used is reported with its file and the cure", async () => {
  await using operates = await operator()
  const file = `${operates.folder}/letter.db`
  await Bun.write(file, "Dear Ana,\nthese are no points.\n".repeat(100))

  expect(await operates.types(["migrate", "--db", file])).toEqual(
    refused(`cannot use the database ${file}: it is not a database of rewards; name another file in db.path`),
  )
})

test("no command creates a missing folder for the database, because its name may be mistyped", async () => {
  await using operates = await operator()
  await operates.types(["create-user", "Ana", "ana@x.com", "secret", "sales"])
  await operates.types(["backup", "backup.db"])
  const folder = `${operates.folder}/mistyped`
  const file = `${folder}/rewards.db`

  const create = ["create-user", "B", "b@x.com", "secret", "sales"]
  for (const command of [["migrate"], create, ["reset-db", "--force"], ["restore", "backup.db"]])
    expect(await operates.types([...command, "--db", file])).toEqual(
      refused(`cannot use the database ${file}: there is no folder ${folder}; create it first`),
    )

  expect(existsSync(folder)).toBe(false)
})

test("verify refuses a file that holds no database, such as an empty backup", async () => {
  await using operates = await operator()
  await Bun.write(`${operates.folder}/empty.db`, "")
  const refusal = (file: string, reason: string) => refused(`cannot use the database ${file}: ${reason}`)

  for (const [name, reason] of [
    ["empty.db", "there is nothing in it yet"],
    [".", "it is a folder; name a file"],
  ] as const) {
    const file = `${operates.folder}/${name}`
    expect(await operates.types(["verify", "--db", file])).toEqual(refusal(file, reason))
  }
  expect(await operates.types(["verify", "--db", "/dev/null"])).toEqual(
    refusal("/dev/null", "it is not a regular file; name another file in db.path"),
  )
})

function spoil({ database }: Operator) {
  using client = plainly(database)
  client.run(wrongBalance)
}

/** The database as it was before the last transaction, with a mark that knows of it. */
async function loseLast(operates: Operator) {
  copyFileSync(operates.database, `${operates.database}.earlier`)
  await operates.types(["transaction", "ana", "5"])
  copyFileSync(`${operates.database}.earlier`, operates.database)
}

const behind = "transaction 2, which was recorded, is missing"

test("verify reports a healthy database", async () => {
  await using operates = await withPoints(await operator())

  expect(await operates.types(["verify"])).toEqual(doneAnchored("1 transaction, nothing wrong"))
  expect(JSON.parse((await operates.types(["verify", "--json"])).stdout)).toEqual({
    transactions: 1,
    findings: [],
    newest: expect.stringMatching(/^1:[0-9a-f]{64}$/),
  })
})

test("verify prints a line for each finding and exits with status 1", async () => {
  await using operates = await withPoints(await operator())
  spoil(operates)

  await expectWrongBalance(operates, operates.database)
})

test("every command refuses a database behind its watermark until verify --accept", async () => {
  await using operates = await withPoints(await operator())
  await loseLast(operates)

  const { status, stderr } = await operates.types(["user-list"])
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining(`${behind}; restore a backup`),
  })
  expect(await operates.types(["verify"])).toEqual({
    ...refused(`${operates.database} is damaged: 1 finding`),
    stdout: `watermark: ${behind}\n`,
  })

  expect(await operates.types(["verify", "--accept"])).toEqual({
    ...done(`watermark: ${behind}`),
    stderr: `The watermark now accepts ${operates.database} as it is\n`,
  })

  expect(await operates.types(["verify"])).toEqual(doneAnchored("1 transaction, nothing wrong"))
  expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
})

test("the commands that a message quotes use the same settings file and database", async () => {
  await using operates = await withPoints(await operator())
  await loseLast(operates)
  writeFileSync(`${operates.folder}/other.toml`, `[security]\nsecret_key = "${"k".repeat(32)}"`)
  const options = ["--config", "other.toml", `--db=${operates.database}`]
  const shown = `--config other.toml --db ${operates.database}`

  expect((await operates.types(["user-list", ...options])).stderr).toContain(
    `restore a backup with \`rewards restore FILE ${shown}\`, or look with \`rewards verify ${shown}\` and go on ` +
      `without them with \`rewards verify --accept ${shown}\``,
  )
  const doctor = await operates.types(["doctor", "--json", ...options])
  expect(JSON.parse(doctor.stdout)).toContainEqual(
    expect.objectContaining({
      check: "watermark",
      cure: `\`rewards restore FILE ${shown}\`, or \`rewards verify --accept ${shown}\` to continue without them`,
    }),
  )
})

test("verify --accept accepts no other finding", async () => {
  await using operates = await withPoints(await operator())
  await loseLast(operates)
  spoil(operates)

  const { status, stderr } = await operates.types(["verify", "--accept"])

  expect({ status, last: stderr.split("\n").at(-2) }).toEqual({
    status: 1,
    last: `${operates.database} is damaged: 2 findings`,
  })
})

test("verify --db checks another file; a missing database is refused and not created", async () => {
  await using operates = await withPoints(await operator())
  copyFileSync(operates.database, `${operates.folder}/copy.db`)
  rmSync(operates.database)
  rmSync(`${operates.database}.mark`)

  expect(await operates.types(["verify", "--db", `${operates.folder}/copy.db`])).toEqual(
    doneAnchored("1 transaction, nothing wrong"),
  )
  expect(await operates.types(["verify"])).toEqual(
    refused(`cannot use the database ${operates.database}: there is no such file`),
  )
  expect(await Bun.file(operates.database).exists()).toBe(false)
})

for (const [name, open] of [
  ["a file", operator],
  ["PostgreSQL", operatorOnPostgres],
] as const)
  test(`an anchor noted earlier (${name}) proves that the history up to it is unchanged, even after new transactions and erasures`, async () => {
    await using operates = await open()
    await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
    await operates.types(["transaction", "ana", "10"])
    await operates.types(["points", "grant", "3", "--to", "ana", "--reason", "for the fair"])
    const anchor = newestIn((await operates.types(["verify"])).stdout)
    expect(anchor).toStartWith("2:")
    await operates.types(["transaction", "ana", "1"])
    await operates.types(["user", "deactivate", "ana"])
    await operates.types(["user", "erase", "ana", "--reasons", "all"])

    expect(await operates.types(["verify", "--against", anchor])).toEqual(doneAnchored("3 transactions, nothing wrong"))
    const another = anchor.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
    expect(await operates.types(["verify", "--against", another])).toMatchObject({
      status: 1,
      stdout: "anchor: transaction 2: another hash than the anchor's: the history was changed\n",
    })
    expect(await operates.types(["verify", "--against", anchor.replace("2:", "9:")])).toMatchObject({
      status: 1,
      stdout: "anchor: transaction 9 is missing, which the anchor names\n",
    })
    for (const nonsense of ["2", "2:ab", `0:${"0".repeat(64)}`, "x"])
      expect(await operates.types(["verify", "--against", nonsense])).toMatchObject({ status: 2 })
  })

test("backup prints the newest transaction as verify does, on standard error if the backup goes to standard output", async () => {
  await using operates = await withPoints(await operator())
  const anchor = newestIn((await operates.types(["verify"])).stdout)

  expect(newestIn((await operates.types(["backup", "copy.db"])).stdout)).toBe(anchor)
  expect((await operates.types(["backup", "-"])).stderr).toContain(anchor)
})

/** The anchor that a command printed. */
const newestIn = (stdout: string): string => /^newest: (\S+)$/m.exec(stdout)?.[1] ?? ""

/** An operator with Ana, who has ten points, in a file; and an empty PostgreSQL database. */
async function operatorWhoMoves() {
  const [database, operates] = await Promise.all([testDatabase(), operator()])
  await operates.types(["create-user", "Ana", "ana@example.com", "x", "sales"])
  await operates.types(["transaction", "ana", "10"])
  return {
    ...operates,
    url: database.url,
    /** The target in messages. */
    shown: database.url.replace(/:[^@/]*@/, "@"),
    /** The same on PostgreSQL. */
    typesThere: (args: readonly string[]) => operates.types(args, { env: { REWARDS_DB__URL: database.url } }),
    async [Symbol.asyncDispose]() {
      await operates[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test("copy moves everything to PostgreSQL and back, verified, and records it in both audit logs", async () => {
  await using operates = await operatorWhoMoves()

  const there = await operates.types(["copy", "--to", "-"], { stdin: `${operates.url}\n` })
  expect(there).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^Copied 1 transaction to postgres:.*; both sides verified and the same \(\d+ rows in /,
    ),
    stderr: "verifying the source\nbuilding what the target makes for itself\nverifying the target\n",
  })
  expect(await operates.typesThere(["transaction", "ana", "5"])).toEqual(done("admin: -10 -> -15", "ana: 10 -> 15"))

  const back = await operates.typesThere(["copy", "--to", "back.db", "--json"])
  expect(JSON.parse(back.stdout)).toMatchObject({ to: `${operates.folder}/back.db`, transactions: 2 })
  expect(await operates.types(["verify", "--db", `${operates.folder}/back.db`])).toEqual(
    doneAnchored("2 transactions, nothing wrong"),
  )
  const { stdout } = await operates.types(["audit", "--json", "--action", "copy", "--db", `${operates.folder}/back.db`])
  expect(JSON.parse(stdout).map(({ detail }: { detail: string }) => detail)).toEqual([
    `from ${operates.database}`,
    `from ${operates.shown}`,
  ])
  const source = await operates.types(["audit", "--json", "--action", "copy"])
  expect(JSON.parse(source.stdout)).toMatchObject([{ who: "olga", detail: `to ${operates.shown}` }])
})

test("copy never shows the password of the target, and warns about a password on the command line", async () => {
  await using operates = await operatorWhoMoves()
  const { status, stdout, stderr } = await operates.types(["copy", "--to", operates.url])

  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("`--to -` reads the URL") })
  for (const secret of [owner.password, encodeURIComponent(owner.password)]) {
    expect(stdout + stderr).not.toContain(secret)
    expect((await operates.types(["audit"])).stdout).not.toContain(secret)
  }
})

test("copy refuses a missing target, and one that is neither a file nor a PostgreSQL URL", async () => {
  await using operates = await operator()
  const help = "See: rewards copy --help"

  expect(await operates.types(["copy"])).toEqual(misused("missing --to TARGET", help))
  expect(await operates.types(["copy", "--to", "mysql://db.example.com/rewards"])).toEqual(
    misused(`option --to: expected ${databaseUrlForm}`, help),
  )
})

test("copy refuses a target that has data or is being served, a source that is being served or damaged, and a copy from file to file", async () => {
  await using operates = await operatorWhoMoves()
  const to = (target: string) => operates.types(["copy", "--to", "-"], { stdin: target })
  expect(await to(`${operates.folder}/other.db`)).toEqual(
    refused("a database file is copied to another file by `rewards backup FILE`"),
  )
  expect(await to("postgres://nobody")).toEqual(
    misused(`option --to: expected ${databaseUrlForm}`, "See: rewards copy --help"),
  )

  const served = await storeAt(operates.url)
  expect((await to(operates.url)).stderr).toContain(`cannot use the database ${operates.shown}: another process has it`)
  await served.close()
  expect((await to(operates.url)).status).toBe(0)
  expect((await to(operates.url)).stderr).toContain(`cannot use the database ${operates.shown}: it is not empty`)

  await operates.typesThere(["reset-db", "--force"])
  using client = plainly(operates.database)
  client.run("UPDATE balances SET value = value + 1")
  expect((await to(operates.url)).stderr).toContain("\nthe source is damaged (balances: the balance of admin is -9")
})

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

test("reset-db --force drops all tables, and the next command creates a new database", async () => {
  await using operates = await withPoints(await operator())
  const dropped = done(`Dropped all tables of ${operates.database}`)

  expect(await operates.types(["reset-db", "--force"])).toEqual(dropped)
  expect(schemaOf(operates)).toEqual([])
  expect(await operates.types(["reset-db", "-f"])).toEqual(dropped)

  await expectNew(operates)
})

for (const answer of ["y", "Y", "yes", " Yes "])
  test(`at a terminal reset-db asks, and drops the tables if the answer is ${JSON.stringify(answer)}`, async () => {
    await using operates = await withPoints(await operator())

    expect(await operates.types(["reset-db"], { stdinIsTerminal: true, stdin: `${answer}\n` })).toEqual({
      ...done(`Dropped all tables of ${operates.database}`),
      stderr: `Drop all tables of ${operates.database}? [y/N]\n`,
    })
    expect(schemaOf(operates)).toEqual([])
  })

for (const answer of ["n\n", "\n", "yesterday\n", "no y\n"])
  test(`at a terminal reset-db asks, and drops nothing if the answer is ${JSON.stringify(answer)}`, async () => {
    await using operates = await withPoints(await operator())
    const before = schemaOf(operates)

    expect(await operates.types(["reset-db"], { stdinIsTerminal: true, stdin: answer })).toEqual(
      refused(`Drop all tables of ${operates.database}? [y/N]`, "nothing was dropped"),
    )
    expect(schemaOf(operates)).toEqual(before)
  })

test("without a terminal and without --force, reset-db drops nothing", async () => {
  await using operates = await withPoints(await operator())
  const before = schemaOf(operates)

  expect(await operates.types(["reset-db"], { stdin: "y\n" })).toEqual(
    refused(`this would drop all tables of ${operates.database}: confirm with --force`),
  )
  expect(schemaOf(operates)).toEqual(before)
})

test("reset-db refuses and drops nothing while another process has the database open", async () => {
  await using operates = await withPoints(await operator())
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

test("reset-db locks the database while it drops the tables", async () => {
  await using operates = await withPoints(await operator())
  const [, dropAll] = resetSteps
  using client = new Database(operates.database)
  client.run("PRAGMA locking_mode = EXCLUSIVE")
  client.run("PRAGMA journal_mode = DELETE")
  dropAll?.(client)

  using other = new Database(operates.database, { readonly: true })
  expect(() => other.query("SELECT * FROM sqlite_schema").all()).toThrow("database is locked")
})

for (const count of [...resetSteps.keys(), resetSteps.length])
  test(`a crash of reset-db after step ${count} of ${resetSteps.length} leaves a file that opens`, async () => {
    await using operates = await withPoints(await operator())
    {
      using client = plainly(operates.database)
      for (const step of resetSteps.slice(0, count)) step(client)
    }

    if (count > 1) await expectNew(operates)
    else expect(await operates.types(["transaction", "ana", "1"])).toEqual(done("admin: -10 -> -11", "ana: 10 -> 11"))
  })

test("reset-db creates a missing file, empty and private", async () => {
  await using operates = await operator()

  expect(await operates.types(["reset-db", "--force", "--db", operates.database])).toEqual(
    done(`Dropped all tables of ${operates.database}`),
  )

  expect(statSync(operates.database).mode & 0o077).toBe(0)
  expect(schemaOf(operates)).toEqual([])
  await expectNew(operates)
})

test("reset-db does not hide that a database with transactions is missing", async () => {
  await using operates = await withPoints(await operator())
  rmSync(operates.database)

  expect(await operates.types(["reset-db", "--force"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("it is missing, but its watermark file is there"),
  })

  expect(existsSync(operates.database)).toBe(false)
})

test("reset-db refuses another program's database and changes nothing", async () => {
  await using operates = await operator()
  const reset = (file: string) => operates.types(["reset-db", "--force", "--db", file])
  const [letter, foreign] = ["letter", "foreign"].map((name) => `${operates.folder}/${name}.db`)
  if (!letter || !foreign) throw new Error("two names")
  writeFileSync(letter, "Dear Ana,\nthese are no points.\n".repeat(100))
  {
    using client = plainly(foreign)
    client.run("CREATE TABLE photos (id INTEGER)")
  }
  const before = [letter, foreign].map((file) => readFileSync(file))

  expect(await reset(letter)).toEqual(
    refused(`cannot use the database ${letter}: it is not a database of rewards; name another file in db.path`),
  )
  expect(await reset(foreign)).toEqual(
    refused(`cannot use the database ${foreign}: it belongs to another program; name another file in db.path`),
  )
  expect([letter, foreign].map((file) => readFileSync(file))).toEqual(before)
})

test("reset-db can drop a database of a newer version", async () => {
  await using operates = await withPoints(await operator())
  {
    using client = plainly(operates.database)
    client.run("INSERT INTO migrations VALUES ('9999_of_tomorrow', 'hash', 1)")
    client.run(`CREATE TABLE "of ""tomorrow" (id INTEGER PRIMARY KEY AUTOINCREMENT)`)
    client.run("CREATE VIEW rich AS SELECT * FROM balances WHERE value > 0")
  }

  expect(await operates.types(["reset-db", "--force"])).toEqual(done(`Dropped all tables of ${operates.database}`))

  await expectNew(operates)
})
