import { describe, expect, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import type { OpenStore } from "../../../../src/storage/open-store.ts"
import { migrate } from "../../../../src/storage/sqlite/database/migrations.ts"
import { backUp } from "../../../../src/storage/sqlite/maintenance/backup.ts"
import { restore } from "../../../../src/storage/sqlite/maintenance/restore.ts"
import { verifyFile } from "../../../../src/storage/sqlite/maintenance/verify.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { copyAsAfterCrash, plainly, silent, type TestFolder, testFolder } from "../../files.ts"
import { becomeLaterVersion } from "../../later-version.ts"

const nine = Date.UTC(2026, 0, 5, 9)
const replaced = "rewards.db.replaced-20260105T090000Z"

const open = (folder: TestFolder) => openStore({ path: folder.file("rewards.db"), log: silent })
const post = ({ ledger }: OpenStore, value: number) =>
  ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value, date: nine }, allow)

/** A backup with one transaction, and the database that went on to three. Nobody has it open. */
async function writeBoth(folder: TestFolder) {
  const store = await open(folder)
  await threePeople(store)
  await post(store, 1)
  await backUp({ path: folder.file("rewards.db"), file: folder.file("backup.db"), now: nine })
  for (const value of [2, 3]) await post(store, value)
  await store.close()
}

const restoreTo = (folder: TestFolder, more: Partial<Parameters<typeof restore>[0]> = {}) =>
  restore({
    path: folder.file("rewards.db"),
    file: folder.file("backup.db"),
    endsSessions: false,
    now: nine,
    ...more,
  })

/** What stands in a ledger that nobody has open. */
/** Beside both, `crashed/rewards.db` with a fourth transaction in its WAL alone. */
async function crash(folder: TestFolder) {
  await writeBoth(folder)
  const store = await open(folder)
  await post(store, 4)
  mkdirSync(folder.file("crashed"))
  copyAsAfterCrash(folder.file("rewards.db"), folder.file("crashed/rewards.db"))
  await store.close()
}

function valuesIn(path: string): unknown[] {
  using client = plainly(path)
  return client.query("SELECT value FROM transactions ORDER BY id").values().flat()
}

async function refusal(promise: Promise<unknown>) {
  const error = await refusalOf(promise)
  return error instanceof Error ? [error.name, error.message] : error
}

describe("a restored backup", () => {
  test("becomes the database; the replaced database is kept complete beside it", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    const backup = readFileSync(folder.file("backup.db"))

    expect(await restoreTo(folder)).toEqual({ transactions: 1, replaced: folder.file(replaced) })

    expect(valuesIn(folder.file("rewards.db"))).toEqual([1])
    expect(await verifyFile({ path: folder.file(replaced), accepts: false })).toEqual({ transactions: 3, findings: [] })
    expect(valuesIn(folder.file(replaced))).toEqual([1, 2, 3])
    expect(statSync(folder.file("rewards.db")).mode & 0o777).toBe(0o600)
    expect(readFileSync(folder.file("backup.db"))).toEqual(backup)
    expect(readdirSync(folder.path).sort()).toEqual([
      ".rewards.db.lock",
      "backup.db",
      "rewards.db",
      "rewards.db.mark",
      replaced,
    ])

    const store = await open(folder)
    await post(store, 4)
    await store.close()
    expect(await verifyFile({ path: folder.file("rewards.db"), accepts: false })).toEqual({
      transactions: 2,
      findings: [],
    })
  })

  test("gets its own watermark at once", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    const before = readFileSync(folder.file("rewards.db.mark"), "utf8")

    await restoreTo(folder)

    expect(JSON.parse(before)).toMatchObject({ last_id: 3 })
    expect(JSON.parse(readFileSync(folder.file("rewards.db.mark"), "utf8"))).toMatchObject({ last_id: 1 })
  })

  test("can be restored if the database is missing, but not into a missing folder", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    rmSync(folder.file("rewards.db"))

    expect(await restoreTo(folder)).toEqual({ transactions: 1, replaced: null })
    await expect(restoreTo(folder, { path: folder.file("new/rewards.db") })).rejects.toThrow(
      `there is no folder ${folder.file("new")}; create it first`,
    )

    expect(valuesIn(folder.file("rewards.db"))).toEqual([1])
    expect(existsSync(folder.file("new"))).toBe(false)
  })

  test("first writes the WAL left by a crash into the database that it replaces", async () => {
    await using folder = await testFolder()
    await crash(folder)

    await restoreTo(folder, { path: folder.file("crashed/rewards.db") })

    expect(valuesIn(folder.file("crashed/rewards.db"))).toEqual([1])
    expect(valuesIn(folder.file(`crashed/${replaced}`))).toEqual([1, 2, 3, 4])
  })

  test("is not combined with the WAL of a missing database", async () => {
    await using folder = await testFolder()
    await crash(folder)
    rmSync(folder.file("crashed/rewards.db"))

    await restoreTo(folder, { path: folder.file("crashed/rewards.db") })

    expect(readdirSync(folder.file("crashed")).sort()).toEqual([
      ".rewards.db.lock",
      "rewards.db",
      "rewards.db.mark",
      `${replaced}-wal`,
    ])
    expect(valuesIn(folder.file("crashed/rewards.db"))).toEqual([1])
  })

  test("replaces the file that a link leads to", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    symlinkSync(folder.file("rewards.db"), folder.file("linked.db"))

    await restoreTo(folder, { path: folder.file("linked.db") })

    expect(valuesIn(folder.file("rewards.db"))).toEqual([1])
  })

  test("keeps each replaced file, even twice in one second", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)

    await restoreTo(folder)

    expect(await restoreTo(folder, { file: folder.file(replaced) })).toEqual({
      transactions: 3,
      replaced: folder.file(`${replaced}-2`),
    })
    expect(valuesIn(folder.file(`${replaced}-2`))).toEqual([1])
  })

  test("of an earlier version is migrated by the next opening", async () => {
    await using folder = await testFolder()
    {
      using client = plainly(folder.file("backup.db"))
      migrate(client, 1)
    }
    using _ = becomeLaterVersion()

    expect(await restoreTo(folder)).toEqual({ transactions: 0, replaced: null })

    const store = await open(folder)
    expect(store.migrated).toEqual(["9999_medals"])
    await store.close()
  })

  test("ends sessions and tokens only on request, and then all of them, whatever their versions", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    const store = await open(folder)
    await store.sessions.open(
      { idHash: "a", username: "ana", expiresAt: nine + 1_000, openedAt: null, address: null },
      null,
    )
    await backUp({ path: folder.file("rewards.db"), file: folder.file("backup.db"), now: nine })
    const [before] = await store.users.list()
    // After the backup: a token of then must not come alive again.
    await store.users.changePassword({
      userId: 1,
      password: "y".repeat(60),
      endsEverything: true,
      keepSession: null,
      spends: null,
    })
    const [after] = await store.users.list()
    await store.close()
    const restored = async (endsSessions: boolean) => {
      await restoreTo(folder, { endsSessions })
      const opened = await open(folder)
      const [ana] = await opened.users.list()
      const session = await opened.sessions.find("a", nine)
      await opened.close()
      return { versions: [ana?.accessVersion ?? 0, ana?.refreshVersion ?? 0], session: session?.username ?? null }
    }

    expect(await restored(false)).toEqual({
      versions: [before?.accessVersion ?? -1, before?.refreshVersion ?? -1],
      session: "ana",
    })
    const { versions, session } = await restored(true)

    expect(session).toBeNull()
    expect(Math.min(...versions)).toBeGreaterThan(Math.max(after?.accessVersion ?? 0, after?.refreshVersion ?? 0))
  })
})

describe("a restore is refused and changes nothing", () => {
  /** Refused with this error, and no file changed, came or went. */
  async function expectRefused(
    folder: TestFolder,
    error: readonly string[],
    more: Partial<Parameters<typeof restore>[0]> = {},
  ) {
    const look = () =>
      readdirSync(folder.path)
        .filter((name) => !/-(wal|shm)$|\.lock$/.test(name))
        .sort()
    const before = look()
    expect(await refusal(restoreTo(folder, more))).toEqual([...error])
    expect(look()).toEqual(before)
  }
  const other = (folder: TestFolder, reason: string) => [
    "BackupRefused",
    `cannot restore ${folder.file("backup.db")}: ${reason}`,
  ]

  test("while another process has the database open, which continues", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    const store = await open(folder)

    await expectRefused(folder, [
      "DatabaseUnusable",
      "another process has it open; stop `rewards serve` and every other rewards command",
    ])

    await post(store, 4)
    await store.close()
    expect(valuesIn(folder.file("rewards.db"))).toEqual([1, 2, 3, 4])
  })

  test("from a file that is not a backup", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    const path = folder.file("backup.db")
    const text = "Dear Ana, these are no points.\n".repeat(1_000)

    writeFileSync(path, text)
    await expectRefused(folder, other(folder, "it is damaged, or no database; name another backup"))
    writeFileSync(path, "")
    await expectRefused(folder, other(folder, "it is empty; name another backup"))
    rmSync(path)
    await expectRefused(folder, other(folder, "there is no such file"))
    mkdirSync(path)
    await expectRefused(folder, other(folder, "it is a folder; name a backup in it"))
    rmdirSync(path)
    {
      using client = plainly(path)
      client.run("CREATE TABLE letters (text)")
    }
    await expectRefused(folder, other(folder, "it belongs to another program; name another file in db.path"))
    expect(valuesIn(folder.file("rewards.db"))).toEqual([1, 2, 3])
  })

  test("from a backup of a newer version", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    {
      using client = plainly(folder.file("backup.db"))
      client.run("INSERT INTO migrations VALUES ('9999_of_tomorrow', 'hash', 1)")
    }

    await expectRefused(
      folder,
      other(
        folder,
        "it was written by a newer version of rewards (migration 9999_of_tomorrow); run that version or a later one",
      ),
    )
  })

  test("from a backup with inconsistent data", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    {
      using client = plainly(folder.file("backup.db"))
      client.run("UPDATE balances SET value = 1000 WHERE user_id = 2")
    }

    await expectRefused(folder, other(folder, "the balance of bruno is 1000 instead of 1; name another backup"))
  })

  test("from the database itself, under any name", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)

    await expectRefused(
      folder,
      ["BackupRefused", `cannot restore ${folder.file("rewards.db")}: it is the database itself; name a backup`],
      { file: folder.file("rewards.db") },
    )
  })

  test("over another program's database", async () => {
    await using folder = await testFolder()
    await writeBoth(folder)
    {
      using client = plainly(folder.file("letters.db"))
      client.run("CREATE TABLE letters (text)")
    }

    await expectRefused(folder, ["DatabaseUnusable", "it belongs to another program; name another file in db.path"], {
      path: folder.file("letters.db"),
    })
  })
})

test("a restore also replaces a database that SQLite cannot read", async () => {
  await using folder = await testFolder()
  await writeBoth(folder)
  writeFileSync(folder.file("rewards.db"), "x".repeat(10_000))

  expect(await restoreTo(folder)).toMatchObject({ transactions: 1 })

  expect(valuesIn(folder.file("rewards.db"))).toEqual([1])
  expect(readFileSync(folder.file(replaced), "utf8")).toBe("x".repeat(10_000))
})

test("a process that opens the database while it is replaced must start again, and writes nothing to the old file", async () => {
  await using folder = await testFolder()
  await writeBoth(folder)
  copyFileSync(folder.file("backup.db"), folder.file("other.db"))
  const opening = open(folder) // waits for no lock, but other turns of the event loop come in between
  rmSync(folder.file("rewards.db"))
  copyFileSync(folder.file("other.db"), folder.file("rewards.db"))

  expect(await refusal(opening)).toEqual([
    "DatabaseUnusable",
    "another file was put in its place while it was opened; start again",
  ])
  expect(existsSync(folder.file("rewards.db"))).toBe(true)
})
