import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { checkLog, checkSync } from "../../../src/cli/doctor/speed.ts"
import { temporaryFolder } from "../../support/executable.ts"

/** A disk whose syncs take these times in turn, the last one again and again. */
function diskWith(...times: readonly number[]) {
  let now = 0
  let syncs = 0
  const removed: string[] = []
  return {
    removed,
    elapsed: () => now,
    create: async (folder: string) => ({
      async write() {
        now += times[Math.min(syncs++, times.length - 1)] ?? 0
      },
      async remove() {
        removed.push(folder)
      },
    }),
  }
}

test("a fast disk is fine, also with a few slow syncs among twenty", async () => {
  expect(await checkSync("/srv/rewards.db", diskWith(...Array(9).fill(100), 0.31))).toEqual([
    { check: "sync", verdict: "ok", message: "a sync of the disk at /srv takes 0.3 ms (median of 20)", cure: null },
  ])
  const [atTheLimit] = await checkSync("/srv/rewards.db", diskWith(20))
  expect(atTheLimit?.verdict).toBe("ok")
})

test("a disk that takes more than 20 ms is a warning that says who waits for it", async () => {
  const disk = diskWith(35.4)
  expect(await checkSync("/srv/rewards.db", disk)).toEqual([
    {
      check: "sync",
      verdict: "warn",
      message:
        "a sync of the disk at /srv takes 35 ms (median of 20): every transfer, log-in and other change waits that long for its answer",
      cure: "move the database to a local SSD (db.path); network storage and SD cards are this slow",
    },
  ])
  expect(disk.removed).toEqual(["/srv"])
})

test("on a disk that takes seconds, one sync is enough", async () => {
  const [found] = await checkSync("/srv/rewards.db", diskWith(3000))
  expect(found?.message).toStartWith("a sync of the disk at /srv takes 3000 ms (median of 1): ")
})

test("the measurement leaves no file, and none is made where nothing can be written", async () => {
  await using folder = await temporaryFolder()
  const [found] = await checkSync(`${folder.path}/rewards.db`)
  expect(found).toMatchObject({ check: "sync", message: expect.stringContaining("(median of ") })
  expect(readdirSync(folder.path)).toEqual([])
  expect(await checkSync(`${folder.path}/none/rewards.db`)).toEqual([])
})

test("a disk that fails is no finding of this check, and the file is removed", async () => {
  const disk = diskWith(1)
  const failing = async (folder: string) => ({
    ...(await disk.create(folder)),
    write: () => Promise.reject(new Error("EIO")),
  })
  expect(await checkSync("/srv/rewards.db", { ...disk, create: failing })).toEqual([])
  expect(disk.removed).toEqual(["/srv"])
})

test("a log that takes more than 20 ms for a line is a warning", () => {
  expect(checkLog([0.04, 0.02, 400])).toEqual({
    check: "log",
    verdict: "ok",
    message: "the server takes less than 0.1 ms to write a line of its log (median of 3)",
    cure: null,
  })
  expect(checkLog([48, 60, 0.1])).toEqual({
    check: "log",
    verdict: "warn",
    message:
      "the server takes 48 ms to write a line of its log (median of 3): under load its lines come late, and those that find no room are lost",
    cure: "look at what reads its standard error: a journal on a slow disk, or a program that reads too slowly",
  })
})
