import { afterEach, describe, expect, jest, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import type { OpenStore } from "../../../../src/storage/open-store.ts"
import { verifyFile } from "../../../../src/storage/sqlite/maintenance/verify.ts"
import { createWatermarkWriter, writeWatermark } from "../../../../src/storage/sqlite/maintenance/watermark.ts"
import { openStore } from "../../../../src/storage/sqlite/store.ts"
import { createLog } from "../../../../src/support/log.ts"
import { until } from "../../../support/until.ts"
import { allow, refusalOf, threePeople } from "../../contract/people.ts"
import { connect, plainly, silent, type TestFolder, testFolder } from "../../files.ts"

afterEach(() => {
  jest.useRealTimers()
})

const open = (folder: TestFolder) => openStore({ path: folder.file("rewards.db"), log: silent })

const post = ({ ledger }: OpenStore, value = 1) =>
  ledger.post({ kind: "transfer", senderId: 1, receiverId: 2, value, date: 1_000 }, allow)

/** A closed database with `count` transactions of Ana to Bruno. */
async function writeLedger(folder: TestFolder, count: number, value = 1) {
  const store = await open(folder)
  await threePeople(store)
  for (let posted = 0; posted < count; posted += 1) await post(store, value)
  await store.close()
}

const markIn = (folder: TestFolder): unknown => JSON.parse(readFileSync(folder.file("rewards.db.mark"), "utf8"))

/** The newest transaction as the file has it. */
function endOf(folder: TestFolder): unknown {
  using client = plainly(folder.file("rewards.db"))
  const last = client
    .query<{ id: number; hash: Uint8Array }, []>("SELECT id, hash FROM transactions ORDER BY id DESC")
    .get()
  return { last_id: last?.id, hash: last?.hash.toHex() }
}

const remedies =
  "; restore a backup with `rewards restore FILE`, or look with `rewards verify` and go on without them " +
  "with `rewards verify --accept`"

describe("the watermark beside a database", () => {
  test("contains the id and hash of the newest transaction, for its owner only", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 3)

    expect(markIn(folder)).toEqual(endOf(folder))
    expect(markIn(folder)).toMatchObject({ last_id: 3 })
    expect(statSync(folder.file("rewards.db.mark")).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder.path).sort()).toEqual([".rewards.db.lock", "rewards.db", "rewards.db.mark"])
  })

  test("is updated after a commit, before the database is closed", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 1)
    const store = await open(folder)
    await post(store)

    await until(() => Bun.deepEquals(markIn(folder), endOf(folder)))

    expect(markIn(folder)).toMatchObject({ last_id: 2 })
    await store.close()
  })

  test("is written as soon as a database without one, or with an older one, is opened", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 2)
    copyFileSync(folder.file("rewards.db.mark"), folder.file("older"))
    await writeMore(folder)

    for (const set of [
      () => rmSync(folder.file("rewards.db.mark")),
      () => copyFileSync(folder.file("older"), folder.file("rewards.db.mark")),
    ]) {
      set()
      await (await open(folder)).close()
      expect(markIn(folder)).toEqual(endOf(folder))
    }
  })

  test("is beside the file itself, whatever name it was opened by", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 1)
    symlinkSync(folder.file("rewards.db"), folder.file("linked.db"))
    const store = await openStore({ path: folder.file("linked.db"), log: silent })
    await post(store)
    await store.close()

    expect(existsSync(folder.file("linked.db.mark"))).toBe(false)
    expect(markIn(folder)).toMatchObject({ last_id: 2 })
  })

  test("never goes backwards, even if another process writes it in between", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 1)
    await using connection = await connect(folder.file("rewards.db"))
    const newer = { lastId: 9, hash: "9".repeat(64) }
    rmSync(folder.file("rewards.db.mark"))
    const { database } = connection
    const watermark = await createWatermarkWriter({
      database: {
        ...database,
        write(body) {
          writeWatermark(folder.file("rewards.db"), newer)
          return database.write(body)
        },
      },
      path: folder.file("rewards.db"),
      now: 1,
      log: silent,
    })

    await watermark.close()

    expect(markIn(folder)).toEqual({ last_id: 9, hash: newer.hash })
  })

  test("is up to date when closing ends, even after a commit during its writing", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 1)
    await using connection = await connect(folder.file("rewards.db"))
    let writings = 0
    const { promise: written, resolve } = Promise.withResolvers<void>()
    const { database } = connection
    const watermark = await createWatermarkWriter({
      database: {
        ...database,
        write(body) {
          writings += 1
          if (writings === 1) {
            watermark.schedule()
            Bun.sleepSync(600) // Its time is over before the disk is asked again.
            resolve()
          }
          return database.write(body)
        },
      },
      path: folder.file("rewards.db"),
      now: 1,
      log: silent,
    })
    watermark.schedule()
    await written

    await watermark.close()

    expect(writings).toBe(2)
  })

  test("is logged once if it cannot be written, is written later, and does not stop transfers", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 1)
    let written = ""
    const log = createLog((text) => {
      written += text
    })
    const store = await openStore({ path: folder.file("rewards.db"), log })
    rmSync(folder.file("rewards.db.mark"))
    mkdirSync(folder.file("rewards.db.mark"))
    await post(store)
    await Bun.sleep(1)

    await store.close()
    await store.close()

    log.flush()
    expect([...written.matchAll(/"level":"(\w+)","message":"([^"]+)"/g)].map(([, ...line]) => line)).toEqual([
      ["error", "the watermark file of the database cannot be written; it is tried again"],
    ])
  })

  test("deletes partial files of killed writers after a day", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 1)
    const [old, recent] = [
      folder.file("rewards.db.mark.partial-00000000"),
      folder.file("rewards.db.mark.partial-11111111"),
    ]
    for (const path of [old, recent]) writeFileSync(path, "")
    const yesterday = Date.now() / 1000 - 90_000
    utimesSync(old, yesterday, yesterday)

    await (await open(folder)).close()

    expect([old, recent].map((path) => existsSync(path))).toEqual([false, true])
  })
})

async function writeMore(folder: TestFolder) {
  const store = await open(folder)
  await post(store)
  await store.close()
}

describe("a database that does not match its watermark is not opened:", () => {
  const refusal = async (folder: TestFolder) => {
    const error = await refusalOf(open(folder))
    return error instanceof Error ? [error.name, error.message] : error
  }
  const refused = (reason: string) => ["DatabaseUnusable", reason + remedies]

  test("an earlier copy, put in place by hand", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 3)
    copyFileSync(folder.file("rewards.db"), folder.file("earlier.db"))
    await writeMore(folder)
    copyFileSync(folder.file("earlier.db"), folder.file("rewards.db"))
    expect(await refusal(folder)).toEqual(refused("transaction 4, which was recorded, is missing"))

    rmSync(folder.file("rewards.db"))
    copyFileSync(folder.file("earlier.db"), folder.file("rewards.db"))
    expect(await refusal(folder)).toEqual(refused("transaction 4, which was recorded, is missing"))
  })

  test("one that lost its WAL", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 1)
    const store = await open(folder)
    copyFileSync(folder.file("rewards.db"), folder.file("without-wal.db"))
    for (let count = 0; count < 9; count += 1) await post(store)
    await store.close()
    copyFileSync(folder.file("without-wal.db"), folder.file("rewards.db"))

    expect(await refusal(folder)).toEqual(refused("transactions 2 to 10, which were recorded, are missing"))
  })

  test("one with another ledger of the same length", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 2, 5)
    copyFileSync(folder.file("rewards.db.mark"), folder.file("kept"))
    for (const name of ["rewards.db", "rewards.db.mark"]) rmSync(folder.file(name))
    await writeLedger(folder, 2, 6)
    copyFileSync(folder.file("kept"), folder.file("rewards.db.mark"))

    expect(await refusal(folder)).toEqual(refused("transaction 2 is not the one that was recorded"))
  })

  test("one that is missing; no new one is created in its place", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 2)
    rmSync(folder.file("rewards.db"))

    expect(await refusal(folder)).toEqual(refused("it is missing, but its watermark file is there"))
    expect(existsSync(folder.file("rewards.db"))).toBe(false)
  })

  test("one that is empty", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 2)
    writeFileSync(folder.file("rewards.db"), "")

    expect(await refusal(folder)).toEqual(refused("transactions 1 to 2, which were recorded, are missing"))
  })

  test("one whose watermark cannot be read", async () => {
    await using folder = await testFolder()
    await writeLedger(folder, 2)
    writeFileSync(folder.file("rewards.db.mark"), '{"last_id":2,"ha')

    expect(await refusal(folder)).toEqual(
      refused("its watermark file cannot be read, so nobody can tell whether transactions are missing"),
    )
  })

  test("until the operator accepts the database as it is", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await writeLedger(folder, 3)
    copyFileSync(path, folder.file("earlier.db"))
    await writeMore(folder)
    copyFileSync(folder.file("earlier.db"), path)

    const findings = [{ check: "watermark", fault: "transaction 4, which was recorded, is missing" }]
    expect(await verifyFile({ path, accepts: false })).toEqual({ transactions: 3, findings })
    expect(await refusal(folder)).toEqual(refused("transaction 4, which was recorded, is missing"))
    expect(await verifyFile({ path, accepts: true })).toEqual({ transactions: 3, findings })

    await (await open(folder)).close()
    expect(markIn(folder)).toEqual(endOf(folder))
    expect(await verifyFile({ path, accepts: false })).toEqual({ transactions: 3, findings: [] })
  })

  test("even a missing or empty one can be accepted; the next opening creates a new database", async () => {
    await using folder = await testFolder()
    const path = folder.file("rewards.db")
    await writeLedger(folder, 2)
    for (const lose of [() => rmSync(path), () => writeFileSync(path, "")]) {
      lose()
      const { transactions, findings } = await verifyFile({ path, accepts: true })
      expect({ transactions, checks: findings.map(({ check }) => check) }).toEqual({
        transactions: 0,
        checks: ["watermark"],
      })
      await writeLedger(folder, 2)
    }
  })
})
