import { describe, expect, test } from "bun:test"
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import type { OpenStore } from "../../../../src/storage/open-store.ts"
import { migrations } from "../../../../src/storage/sqlite/database/migrations.ts"
import { backUp, copyDatabase } from "../../../../src/storage/sqlite/maintenance/backup.ts"
import { verifyFile } from "../../../../src/storage/sqlite/maintenance/verify.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { bytesOf, plainly, silent, type TestFolder, testFolder } from "../../files.ts"
import { becomeLaterVersion } from "../../later-version.ts"

/** Open, with three people and two transactions of Ana to Bruno, which are in the WAL still. */
async function openLedger(folder: TestFolder): Promise<OpenStore & AsyncDisposable> {
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  const { ana, bruno } = await threePeople(store)
  for (const value of [5, 6])
    await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value, date: 1 }, allow)
  return { ...store, [Symbol.asyncDispose]: store.close }
}

const backUpTo = (folder: TestFolder, name: string) =>
  backUp({ path: folder.file("rewards.db"), file: folder.file(name), now: Date.now() })

const refusal = async (promise: Promise<unknown>) => {
  const error = await refusalOf(promise)
  return error instanceof Error ? [error.name, error.message] : error
}

describe("a backup", () => {
  test("contains everything committed before it began, in one intact file for its owner only", async () => {
    await using folder = await testFolder()
    await using store = await openLedger(folder)
    expect(bytesOf(folder.file("rewards.db-wal"))).toBeGreaterThan(0)

    const made = await backUpTo(folder, "backup.db")
    await store.ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value: 7, date: 1 }, allow)

    const file = folder.file("backup.db")
    expect(made).toEqual({
      file,
      transactions: 2,
      bytes: bytesOf(file),
      newest: expect.stringMatching(/^2:[0-9a-f]{64}$/),
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder.path).filter((name) => name.startsWith("backup"))).toEqual(["backup.db"])
    using alone = plainly(file, { readonly: true })
    expect(alone.query("SELECT id, user_id, from_id, value FROM transactions").values()).toEqual([
      [1, 2, 1, 5],
      [2, 2, 1, 6],
    ])
    expect(await verifyFile({ path: file, accepts: false })).toEqual({ transactions: 2, findings: [] })
  })

  test("replaces an earlier one", async () => {
    await using folder = await testFolder()
    await using store = await openLedger(folder)
    await backUpTo(folder, "backup.db")
    await store.ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value: 7, date: 1 }, allow)

    await backUpTo(folder, "backup.db")

    expect(await verifyFile({ path: folder.file("backup.db"), accepts: false })).toEqual({
      transactions: 3,
      findings: [],
    })
  })

  test("of a damaged database is deleted, and an earlier one is kept", async () => {
    await using folder = await testFolder()
    await using _ = await openLedger(folder)
    await backUpTo(folder, "backup.db")
    const earlier = readFileSync(folder.file("backup.db"))
    {
      using client = plainly(folder.file("rewards.db"))
      client.run("UPDATE balances SET value = 1000 WHERE user_id = 2")
    }

    expect(await refusal(backUpTo(folder, "backup.db"))).toEqual([
      "BackupRefused",
      "the copy is damaged and was not kept: the balance of bruno is 1000 instead of 11 (and 1 more); look with `rewards verify`",
    ])

    expect(readFileSync(folder.file("backup.db"))).toEqual(earlier)
    expect(readdirSync(folder.path).filter((name) => name.startsWith("backup"))).toEqual(["backup.db"])
  })

  test("is refused if transactions that the watermark records are missing", async () => {
    await using folder = await testFolder()
    await (await openLedger(folder)).close()
    writeFileSync(folder.file("rewards.db.mark"), `{"last_id":9,"hash":"${"0".repeat(64)}"}\n`)

    expect(await refusal(backUpTo(folder, "backup.db"))).toEqual([
      "BackupRefused",
      "the copy is damaged and was not kept: transactions 3 to 9, which were recorded, are missing; look with `rewards verify`",
    ])
  })

  test("is refused to the database's own files, under any name, and to anything but a file", async () => {
    await using folder = await testFolder()
    await using store = await openLedger(folder)
    linkSync(folder.file("rewards.db"), folder.file("linked.db"))
    mkdirSync(folder.file("folder.db"))
    const before = readFileSync(folder.file("rewards.db"))

    for (const name of ["rewards.db", "rewards.db-wal", "rewards.db-shm", "linked.db"])
      expect(await refusal(backUpTo(folder, name))).toEqual([
        "BackupRefused",
        `cannot write the backup ${folder.file(name)}: it is the database itself; name another file`,
      ])
    for (const file of [folder.file("folder.db"), "/dev/null"])
      expect(await refusal(backUp({ path: folder.file("rewards.db"), file, now: 1 }))).toEqual([
        "BackupRefused",
        `cannot write the backup ${file}: it is not a file; name another one`,
      ])

    expect(readFileSync(folder.file("rewards.db"))).toEqual(before)
    await store.ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value: 7, date: 1 }, allow)
  })

  test("follows a symbolic link, even to a file that does not exist yet", async () => {
    await using folder = await testFolder()
    await using _ = await openLedger(folder)
    mkdirSync(folder.file("elsewhere"))
    symlinkSync("elsewhere/backup.db", folder.file("linked.db"))

    for (let round = 0; round < 2; round += 1)
      expect(await backUpTo(folder, "linked.db")).toMatchObject({ file: folder.file("linked.db") })

    expect(lstatSync(folder.file("linked.db")).isSymbolicLink()).toBe(true)
    expect(readdirSync(folder.file("elsewhere"))).toEqual(["backup.db"])
  })

  test("replaces no file that is not a database of this program, except an empty one", async () => {
    await using folder = await testFolder()
    await using _ = await openLedger(folder)
    writeFileSync(folder.file("letter.txt"), "Dear Ana,\nthese are no points.\n".repeat(100))
    using foreign = plainly(folder.file("foreign.db"))
    foreign.run("CREATE TABLE letters (id)")
    writeFileSync(folder.file("new.db"), "")

    for (const name of ["letter.txt", "foreign.db"])
      expect(await refusal(backUpTo(folder, name))).toEqual([
        "BackupRefused",
        `cannot write the backup ${folder.file(name)}: it is another program's file and was not changed; name another file`,
      ])

    expect(readFileSync(folder.file("letter.txt"), "utf8")).toStartWith("Dear Ana")
    await backUpTo(folder, "new.db")
  })

  test("requires an existing folder and a database with content", async () => {
    await using folder = await testFolder()
    expect(await refusal(backUpTo(folder, "backup.db"))).toEqual(["DatabaseUnusable", "there is no such file"])
    writeFileSync(folder.file("rewards.db"), "")
    expect(await refusal(backUpTo(folder, "backup.db"))).toEqual(["DatabaseUnusable", "there is nothing in it yet"])
    await using _ = await openLedger(folder)

    expect(await refusal(backUpTo(folder, "none/backup.db"))).toEqual([
      "BackupRefused",
      `cannot write the backup ${folder.file("none/backup.db")}: there is no folder ${folder.file("none")}; create it first`,
    ])
    expect(readdirSync(folder.path).filter((name) => name.startsWith("backup"))).toEqual([])
  })

  test("of another program's database is refused", async () => {
    await using folder = await testFolder()
    {
      using client = plainly(folder.file("rewards.db"))
      client.run("CREATE TABLE letters (text)")
    }
    expect(await refusal(backUpTo(folder, "backup.db"))).toEqual([
      "DatabaseUnusable",
      "it belongs to another program; name another file in db.path",
    ])
  })

  test("is aborted if the WAL grows too large because the target disk is slow", async () => {
    await using folder = await testFolder()
    using client = plainly(folder.file("rewards.db"))
    client.run("CREATE TABLE filler AS SELECT zeroblob(20000000)") // more than is copied between two looks
    writeFileSync(folder.file("copy.db"), "")

    expect(await refusal(copyDatabase(folder.file("rewards.db"), folder.file("copy.db"), -1e12))).toEqual([
      "BackupRefused",
      "the copy was given up: the disk takes it slower than transactions are recorded, and the WAL would fill the disk " +
        "of the database; name a folder on a faster disk",
    ])
  })

  test("deletes partial files of killed backups after a day", async () => {
    await using folder = await testFolder()
    await using _ = await openLedger(folder)
    const [old, recent] = [folder.file("backup.db.partial-00000000"), folder.file("backup.db.partial-11111111")]
    for (const path of [old, recent]) writeFileSync(path, "")
    const yesterday = Date.now() / 1000 - 90_000
    utimesSync(old, yesterday, yesterday)

    await backUpTo(folder, "backup.db")

    expect([old, recent].map((path) => existsSync(path))).toEqual([false, true])
  })
})

describe("before migrations change a database", () => {
  const tags = migrations.map(({ tag }) => [tag])

  /** As this version writes it, with one transaction. */
  async function writeOld(path: string) {
    const store = await openStore({ path, log: silent })
    const { ana, bruno } = await threePeople(store)
    await store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 10 }, allow)
    await store.close()
  }
  const nameOf = (folder: TestFolder) => folder.file("rewards.db.before-9999_medals")

  test("a backup of the old state is kept beside it", async () => {
    await using folder = await testFolder()
    await writeOld(folder.file("rewards.db"))
    using _ = becomeLaterVersion()

    const store = await openStore({ path: folder.file("rewards.db"), log: silent })
    await store.close()

    expect(store.migrated).toEqual(["9999_medals"])
    using kept = plainly(nameOf(folder))
    expect(kept.query("SELECT tag FROM migrations").values()).toEqual(tags)
    expect(kept.query("SELECT id, user_id, from_id, value, date FROM transactions").values()).toEqual([
      [1, 2, 1, 5, 10],
    ])
    expect(statSync(nameOf(folder)).mode & 0o777).toBe(0o600)
  })

  test("no backup is made if it is new or up to date", async () => {
    await using folder = await testFolder()
    for (let opened = 0; opened < 2; opened += 1)
      await (await openStore({ path: folder.file("rewards.db"), log: silent })).close()

    expect(readdirSync(folder.path).sort()).toEqual([".rewards.db.lock", "rewards.db", "rewards.db.mark"])
  })

  test("it stays unchanged if the backup cannot be written", async () => {
    await using folder = await testFolder()
    await writeOld(folder.file("rewards.db"))
    using _ = becomeLaterVersion()
    mkdirSync(nameOf(folder))

    expect(await refusal(openStore({ path: folder.file("rewards.db"), log: silent }))).toEqual([
      "DatabaseUnusable",
      `it is not brought up to date, because the backup before that failed: cannot write the backup ${nameOf(folder)}: it is not a file; name another one`,
    ])

    using client = plainly(folder.file("rewards.db"))
    expect(client.query("SELECT tag FROM migrations").values()).toEqual(tags)
  })
})
