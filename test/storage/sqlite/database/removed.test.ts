import { describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs"
import { lockExclusive, lockPathOf, lockShared } from "../../../../src/storage/sqlite/database/lock.ts"
import { backUp } from "../../../../src/storage/sqlite/maintenance/backup.ts"
import { resetDatabase } from "../../../../src/storage/sqlite/maintenance/maintenance.ts"
import { restore } from "../../../../src/storage/sqlite/maintenance/restore.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { until } from "../../../support/until.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { connect, plainly, silent, storesOn, type TestFolder, testFolder } from "../../files.ts"

const openElsewhere = "another process has it open; stop `rewards serve` and every other rewards command"

/** Ana and Bruno in an open database with one transaction, and what is told when it must end. */
async function opened(folder: TestFolder, path = folder.file("rewards.db")) {
  const failures: unknown[] = []
  const connection = await connect(path, { failures })
  const { users, ledger } = storesOn(connection)
  const { ana, bruno } = await threePeople({ users })
  const post = () => ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 5, date: 1 }, allow)
  await Bun.sleep(100) // from here on, a commit looks at the files only when their folder has changed
  await post()
  return { failures, post, [Symbol.asyncDispose]: connection.close }
}

const lost = (file: string) =>
  expect.objectContaining({
    name: "DatabaseUnusable",
    message: expect.stringContaining(`${file} was removed or replaced while it was open`),
  })

describe("an open database whose file", () => {
  for (const suffix of ["", "-wal", "-shm"])
    test(`rewards.db${suffix} is removed acknowledges nothing more`, async () => {
      await using folder = await testFolder()
      await using open = await opened(folder)
      const file = folder.file(`rewards.db${suffix}`)
      rmSync(file)

      const refusals = await Promise.all([refusalOf(open.post()), refusalOf(open.post())])

      expect(refusals).toEqual([lost(file), lost(file)])
      await until(() => open.failures.length > 0)
      expect(open.failures).toEqual([lost(file)])
      expect(await refusalOf(open.post())).toEqual(lost(file))
      expect(open.failures).toHaveLength(1)
    })

  test("rewards.db-wal is removed writes everything acknowledged into rewards.db before the process ends", async () => {
    await using folder = await testFolder()
    await using open = await opened(folder)
    rmSync(folder.file("rewards.db-wal"))

    await refusalOf(open.post())
    await until(() => open.failures.length > 0)

    copyFileSync(folder.file("rewards.db"), folder.file("copy.db"))
    using copy = plainly(folder.file("copy.db"))
    expect(copy.query("SELECT id FROM transactions WHERE id = 1").values()).toEqual([[1]])
  })

  test("is replaced by another acknowledges nothing more and leaves the other unchanged", async () => {
    await using folder = await testFolder()
    await using open = await opened(folder)
    const file = folder.file("rewards.db")
    copyFileSync(file, folder.file("other.db"))
    const other = readFileSync(folder.file("other.db"))
    renameSync(folder.file("other.db"), file)

    expect(await refusalOf(open.post())).toEqual(lost(file))

    expect(readFileSync(file)).toEqual(other)
  })

  test("is replaced acknowledges nothing more, even if the folder's times have only whole seconds", async () => {
    await using folder = await testFolder()
    await using open = await opened(folder)
    const file = folder.file("rewards.db")
    copyFileSync(file, folder.file("other.db"))
    utimesSync(folder.path, 1_700_000_000, 1_700_000_000)
    await open.post()
    await Bun.sleep(100)
    await open.post()
    renameSync(folder.file("other.db"), file)
    utimesSync(folder.path, 1_700_000_000, 1_700_000_000)

    expect(await refusalOf(open.post())).toEqual(lost(file))
  })

  test("is replaced acknowledges nothing more, even if the folder's time is the same as before", async () => {
    await using folder = await testFolder()
    await using open = await opened(folder)
    const file = folder.file("rewards.db")
    copyFileSync(file, folder.file("other.db"))
    utimesSync(folder.path, 1_700_000_000.5, 1_700_000_000.5)
    await open.post()
    renameSync(folder.file("other.db"), file)
    utimesSync(folder.path, 1_700_000_000.5, 1_700_000_000.5)
    await Bun.sleep(100)

    expect(await refusalOf(open.post())).toEqual(lost(file))
  })

  test("is opened by a link acknowledges nothing more once the link or its target is replaced", async () => {
    for (const replace of [
      (link: string) => renameSync(`${link}.other`, link),
      (_: string, file: string) => rmSync(file),
    ]) {
      await using folder = await testFolder()
      const [link, file] = [folder.file("links/linked.db"), folder.file("rewards.db")]
      mkdirSync(folder.file("links"))
      symlinkSync(file, link)
      symlinkSync(folder.file("another.db"), `${link}.other`)
      await using open = await opened(folder, link)
      replace(link, file)

      expect(await refusalOf(open.post())).toEqual(lost(link))
    }
  })

  test("is removed notices that by itself, even without writes", async () => {
    await using folder = await testFolder()
    await using open = await opened(folder)
    rmSync(folder.file("rewards.db"))

    await until(() => open.failures.length > 0)

    expect(open.failures).toEqual([lost(folder.file("rewards.db"))])
  })

  test("is removed with its watermark is not created again by the next opening", async () => {
    await using folder = await testFolder()
    {
      await using open = await opened(folder)
      for (const suffix of ["", "-wal", "-shm", ".mark"]) rmSync(folder.file(`rewards.db${suffix}`), { force: true })
      await refusalOf(open.post())
    }

    expect(await refusalOf(openStore({ path: folder.file("rewards.db"), log: silent }))).toMatchObject({
      name: "DatabaseUnusable",
      message: expect.stringContaining("it is missing, but its watermark file is there"),
    })
    expect(existsSync(folder.file("rewards.db"))).toBe(false)
  })
})

describe("if the files of an open database are removed,", () => {
  async function removed(folder: TestFolder) {
    const open = await opened(folder)
    await backUp({ path: folder.file("rewards.db"), file: folder.file("backup.db"), now: 1 })
    for (const suffix of ["", "-wal", "-shm", ".mark"]) rmSync(folder.file(`rewards.db${suffix}`), { force: true })
    return open
  }

  test("restore refuses until the process that has it open ends", async () => {
    await using folder = await testFolder()
    const request = { path: folder.file("rewards.db"), file: folder.file("backup.db"), endsSessions: false, now: 1 }
    {
      await using _ = await removed(folder)
      expect(await refusalOf(restore(request))).toMatchObject({ name: "DatabaseUnusable", message: openElsewhere })
      expect(existsSync(request.path)).toBe(false)
    }
    expect(await restore(request)).toEqual({ transactions: 1, replaced: null })
  })

  test("reset-db refuses", async () => {
    await using folder = await testFolder()
    await using _ = await removed(folder)

    expect(() => resetDatabase(folder.file("rewards.db"))).toThrow(openElsewhere)
  })
})

describe("the lock beside a database", () => {
  test("can be shared by many, or held exclusively by one", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    const [one, other] = [lockShared(path), lockShared(path)]
    expect(() => lockExclusive(path)).toThrow(openElsewhere)
    one.release()
    expect(() => lockExclusive(path)).toThrow(openElsewhere)
    other.release()

    const alone = lockExclusive(path)
    expect(() => lockExclusive(path)).toThrow(openElsewhere)
    alone.release()
    lockShared(path).release()
  })

  test("is the same for every path, and is not removed by `rm rewards.db*`", async () => {
    await using folder = await testFolder()
    symlinkSync(folder.file("rewards.db"), folder.file("linked.db"))
    symlinkSync(folder.path, folder.file("linked"))
    const lock = folder.file(".rewards.db.lock")

    expect(lockPathOf(folder.file("rewards.db"))).toBe(lock)
    expect(lockPathOf(folder.file("linked.db"))).toBe(lock)
    expect(lockPathOf(folder.file("linked/rewards.db"))).toBe(lock)
  })
})
