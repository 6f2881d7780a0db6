import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { DatabaseUnusable } from "../../../../src/storage/open-store.ts"
import { asUnusable } from "../../../../src/storage/sqlite/database/errors.ts"
import { applicationId, migrations } from "../../../../src/storage/sqlite/database/migrations.ts"
import { resetDatabase } from "../../../../src/storage/sqlite/maintenance/maintenance.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { plainly, silent, testFolder } from "../../files.ts"

/** A database with three people and fifty transactions, all of it in the one file, which nobody has open. */
async function writeDatabase(path: string) {
  const source = `${path}.source`
  const store = await openStore({ path: source, log: silent })
  const { ana, bruno } = await threePeople(store)
  const entry = { kind: "transfer" as const, senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }
  await Promise.all(Array.from({ length: 50 }, () => store.ledger.post(entry, allow)))
  await store.close()
  copyFileSync(source, path)
}

const change = (sql: string) => (path: string) => {
  using client = plainly(path)
  client.run(sql)
  client.run("PRAGMA wal_checkpoint(TRUNCATE)")
}

const overwrite = (at: number, length: number) => (path: string) => {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, at, at + length)
  writeFileSync(path, bytes)
}

for (const [what, spoil, cure] of [
  [
    "of a newer version",
    change("INSERT INTO migrations VALUES ('9999_of_tomorrow', 'hash', 1)"),
    "it was written by a newer version of rewards (migration 9999_of_tomorrow); run that version or a later one",
  ],
  [
    "whose migration was edited",
    change("UPDATE migrations SET sha256 = 'another'"),
    "migration 0000_init was applied by another version; run that version",
  ],
  [
    "with another program's mark",
    change("PRAGMA application_id = 1196444487"),
    "it belongs to another program; name another file in db.path",
  ],
  [
    "with tables and no mark",
    change("PRAGMA application_id = 0"),
    "it belongs to another program; name another file in db.path",
  ],
  [
    "of another program that keeps no WAL",
    change("PRAGMA application_id = 1196444487; PRAGMA journal_mode = DELETE"),
    "it belongs to another program; name another file in db.path",
  ],
  [
    "that is a text",
    (path: string) => writeFileSync(path, "Dear Ana,\nthese are no points.\n".repeat(100)),
    "it is not a database of rewards; name another file in db.path",
  ],
  ["whose header is overwritten", overwrite(0, 100), "it is not a database of rewards; name another file in db.path"],
  ["cut in its middle", (path: string) => truncateSync(path, 40_000), "it is damaged; restore a backup"],
  [
    "cut by one page",
    (path: string) => truncateSync(path, statSync(path).size - 4096),
    "it is damaged; restore a backup",
  ],
  ["whose schema is overwritten", overwrite(100, 3_900), "it is damaged; restore a backup"],
] as const)
  test(`a file ${what} is refused with the cure and left unchanged`, async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await writeDatabase(path)
    spoil(path)
    const before = readFileSync(path)

    const refusal = await refusalOf(openStore({ path, log: silent }))

    expect(refusal).toBeInstanceOf(DatabaseUnusable)
    expect(refusal).toMatchObject({ message: cure })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

test("a path to anything but our database is refused without creating a lock file", async () => {
  await using folder = await testFolder()
  mkdirSync(folder.file("folder.db"))
  writeFileSync(folder.file("short.db"), "Dear Ana")
  writeFileSync(folder.file("letter.db"), "Dear Ana,\nthese are no points.\n".repeat(100))
  symlinkSync("/dev/null", folder.file("device.db"))
  for (const mode of ["WAL", "DELETE"]) {
    using foreign = plainly(folder.file(`${mode}.db`))
    foreign.run(`PRAGMA journal_mode = ${mode}; CREATE TABLE recipes (id INTEGER)`)
  }

  for (const name of ["folder", "short", "letter", "device", "WAL", "DELETE"])
    expect(await refusalOf(openStore({ path: folder.file(`${name}.db`), log: silent }))).toBeInstanceOf(
      DatabaseUnusable,
    )
  expect(() => resetDatabase(folder.file("WAL.db"))).toThrow("it belongs to another program")
  expect(readdirSync(folder.path).filter((name) => name.endsWith(".lock"))).toEqual([])
})

test("an error of a full disk that prevents reading is reported as a full disk", () => {
  const error = Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_SHMSIZE" })
  expect(asUnusable(error, "rewards.db")).toMatchObject({ message: "the disk is full; free space and start again" })
})

test("a read-only file system is named as the reason, whatever SQLite could not do there", () => {
  const readOnly = () => {
    throw Object.assign(new Error("EROFS"), { code: "EROFS", syscall: "access" })
  }
  for (const code of ["SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY"])
    expect(asUnusable(Object.assign(new Error("failed"), { code }), "rewards.db", readOnly)).toMatchObject({
      message: "the file system is read-only; choose a path on another one",
    })
})

test("a file or folder that this user may not write is named as the reason, whatever SQLite could not do there", () => {
  const refusing = (one: string) => (path: unknown) => {
    if (path === one) throw Object.assign(new Error("EACCES"), { code: "EACCES", syscall: "access" })
  }
  for (const code of ["SQLITE_CANTOPEN", "SQLITE_READONLY"]) {
    const error = Object.assign(new Error("failed"), { code })
    for (const refused of ["/", "/rewards.db"])
      expect([refused, String(asUnusable(error, "/rewards.db", refusing(refused)))]).toEqual([
        refused,
        expect.stringContaining("this user may not write to"),
      ])
  }
})

test("a folder instead of the file is refused, and so is a file instead of the folder", async () => {
  await using folder = await testFolder()
  mkdirSync(folder.file("folder.db"))
  writeFileSync(folder.file("file"), "")

  for (const [name, message] of [
    ["folder.db", "it is a folder; name a file"],
    ["file/rewards.db", "a folder in its path is a file; choose another path"],
  ] as const)
    expect(await refusalOf(openStore({ path: folder.file(name), log: silent }))).toMatchObject({
      name: "DatabaseUnusable",
      message,
    })
})

test("a file that another process keeps locked is refused after a wait", async () => {
  await using folder = await testFolder()
  const path = folder.file("rewards.db")
  using other = new Database(path)
  other.run("PRAGMA locking_mode = EXCLUSIVE")
  other.run(`PRAGMA application_id = ${applicationId}; CREATE TABLE locked (id INTEGER)`)

  expect(await refusalOf(openStore({ path, log: silent }))).toMatchObject({
    message: "another process keeps it locked; end that process and start again",
  })
}, 120_000)

test("an empty file becomes a database", async () => {
  await using folder = await testFolder()
  writeFileSync(folder.file("rewards.db"), "")

  const store = await openStore({ path: folder.file("rewards.db"), log: silent })

  expect(store.migrated).toEqual(migrations.map(({ tag }) => tag))
  expect(existsSync(folder.file("rewards.db-wal"))).toBe(true)
  await store.close()
})
