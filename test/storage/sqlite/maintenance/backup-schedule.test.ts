import { afterEach, expect, jest, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { createBackupFolder, createBackupSchedule } from "../../../../src/storage/sqlite/maintenance/backup-schedule.ts"
import { createLog } from "../../../../src/support/log.ts"
import { createTestClock } from "../../../support/clock.ts"
import { type TestFolder, testFolder } from "../../files.ts"

const minute = 60_000
const hour = 60 * minute

afterEach(() => {
  jest.useRealTimers()
})

interface Options {
  readonly everyMs?: number
  readonly keep?: number
  readonly clock?: ReturnType<typeof createTestClock>
  /** Shared by the processes of one test. */
  readonly lease?: Lease
  /** In the place of writing a file. */
  readonly backUp?: (file: string, signal: AbortSignal) => Promise<void>
}

type Lease = Parameters<typeof createBackupSchedule>[0]["schedule"]

/** As the store leases the backup, without waiting for a disk: the time of these tests stands still meanwhile. */
function createLease(): Lease {
  let [dueAt, lockedUntil, holder] = [0, 0, ""]
  return {
    async claim({ everyMs, leaseMs }, owner, now) {
      const isLeased = lockedUntil > now && lockedUntil <= now + 2 * leaseMs
      if (isLeased ? holder !== owner : dueAt > now && dueAt <= now + 2 * everyMs) return false
      ;[holder, lockedUntil] = [owner, now + leaseMs]
      return true
    },
    async release(_, owner, at) {
      if (holder !== owner) return false
      ;[dueAt, lockedUntil, holder] = [at, 0, ""]
      return true
    },
  }
}

/** A schedule whose time only the test moves; its backups hold nothing. It starts on Monday, 5 January 2026, at nine. */
function scheduleIn(folder: TestFolder, options: Options = {}) {
  const { everyMs = 24 * hour, keep = 14, clock = createTestClock() } = options
  const { lease = createLease() } = options
  const { backUp = async (file: string) => writeFileSync(file, "") } = options
  let logged = ""
  const log = createLog((text) => {
    logged += text
  })
  jest.useFakeTimers()
  const schedule = createBackupSchedule({
    everyMs,
    keep,
    schedule: lease,
    folder: createBackupFolder({ path: folder.file("rewards.db"), dir: "backups" }),
    backUp,
    clock: clock.now,
    log,
  })

  return {
    ...schedule,
    async start() {
      schedule.start()
      await settled()
    },
    /** Time passes, minute by minute. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= minute) {
        clock.advance(minute)
        jest.advanceTimersByTime(minute)
        await settled()
      }
    },
    now: clock.now,
    /** Level, message and reason of each line. */
    logged(): unknown[] {
      log.flush()
      const lines = logged.split("\n").slice(0, -1)
      return lines.map((line) => JSON.parse(line)).map(({ level, message, reason }) => [level, message, reason])
    },
  }
}

/** What was promised has come to rest. */
async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

const written = ["info", "backup written", undefined]
const failed = (reason: string) => ["error", "the scheduled backup failed; it is tried again in ten minutes", reason]
const names = (folder: TestFolder) =>
  existsSync(folder.file("backups")) ? readdirSync(folder.file("backups")).sort() : []

test("a backup is made at the start if there is none, and then at the given interval", async () => {
  await using folder = await testFolder()
  const schedule = scheduleIn(folder)

  await schedule.start()
  expect(names(folder)).toEqual(["rewards-20260105T090000Z.db"])
  await schedule.pass(24 * hour - minute)
  expect(names(folder)).toHaveLength(1)
  await schedule.pass(minute)
  await schedule.stop()

  expect(names(folder)).toEqual(["rewards-20260105T090000Z.db", "rewards-20260106T090000Z.db"])
  expect(schedule.logged()).toEqual([written, written])
})

test("a restarted server makes no backup before the next one is due", async () => {
  await using folder = await testFolder()
  const clock = createTestClock()
  const first = scheduleIn(folder, { clock })
  await first.start()
  await first.stop()

  clock.advance(23 * hour)
  const second = scheduleIn(folder, { clock })
  await second.start()
  expect(names(folder)).toHaveLength(1)
  expect(second.state()).toMatchObject({ lastSuccessAt: Date.UTC(2026, 0, 5, 9) })
  await second.pass(hour)
  await second.stop()

  expect(names(folder)).toHaveLength(2)
})

test("the given number of newest backups is kept; files with other names are not deleted", async () => {
  await using folder = await testFolder()
  mkdirSync(folder.file("backups"))
  const others = ["rewards-before-the-move.db", "other-20250101T000000Z.db", "rewards-20250101T000000Z.db.gz"]
  for (const name of others) writeFileSync(folder.file(`backups/${name}`), "")
  const schedule = scheduleIn(folder, { everyMs: hour, keep: 3 })

  await schedule.start()
  await schedule.pass(5 * hour)
  await schedule.stop()

  const kept = [12, 13, 14].map((time) => `rewards-20260105T${time}0000Z.db`)
  expect(names(folder)).toEqual([...others, ...kept].sort())
})

test("an old backup that cannot be deleted is logged, and neither blocks other deletions nor fails the new backup", async () => {
  await using folder = await testFolder()
  const stuck = "rewards-20260101T000000Z.db"
  mkdirSync(folder.file(`backups/${stuck}`), { recursive: true }) // a folder, which nobody can remove like a file
  for (const day of ["02", "03"]) writeFileSync(folder.file(`backups/rewards-202601${day}T000000Z.db`), "")
  const schedule = scheduleIn(folder, { keep: 1 })

  await schedule.start()
  await schedule.pass(hour)
  await schedule.stop()

  expect(names(folder)).toEqual([stuck, "rewards-20260105T090000Z.db"])
  expect(schedule.state()).toMatchObject({ lastSuccessAt: Date.UTC(2026, 0, 5, 9), lastFailure: null })
  const told = ["error", "an old backup cannot be removed", expect.stringContaining(stuck)]
  expect(schedule.logged()).toEqual([written, told])
})

test("partial files of killed backups are deleted after a day", async () => {
  await using folder = await testFolder()
  mkdirSync(folder.file("backups"))
  const left = folder.file("backups/rewards-20260104T090000Z.db.partial-12345678")
  writeFileSync(left, "")
  const yesterday = Date.UTC(2026, 0, 4, 8) / 1000
  utimesSync(left, yesterday, yesterday)
  const schedule = scheduleIn(folder)

  await schedule.start()
  await schedule.stop()

  expect(names(folder)).toEqual(["rewards-20260105T090000Z.db"])
})

test("a partial file of a failed backup is deleted at once", async () => {
  await using folder = await testFolder()
  const schedule = scheduleIn(folder, {
    backUp: async (file) => {
      writeFileSync(`${file}.partial-12345678`, "")
      throw new Error("it took too long and was stopped")
    },
  })

  await schedule.start()
  await schedule.stop()

  expect(names(folder)).toEqual([])
})

test("a failed backup is logged and retried after ten minutes, and older backups are kept", async () => {
  await using folder = await testFolder()
  mkdirSync(folder.file("backups"))
  writeFileSync(folder.file("backups/rewards-20260101T090000Z.db"), "")
  let broken = true
  const schedule = scheduleIn(folder, {
    keep: 1,
    backUp: async (file) => {
      if (broken) throw new Error("the disk is full; free space on it")
      writeFileSync(file, "")
    },
  })
  const startedAt = schedule.now()
  const lastSuccessAt = Date.UTC(2026, 0, 1, 9)

  await schedule.start()
  expect(schedule.state()).toEqual({
    everyMs: 24 * hour,
    startedAt,
    lastSuccessAt,
    lastFailure: { at: startedAt, reason: "the disk is full; free space on it" },
  })
  await schedule.pass(9 * minute)
  expect(schedule.logged()).toHaveLength(1)
  await schedule.pass(minute)
  expect(schedule.logged()).toEqual([
    failed("the disk is full; free space on it"),
    failed("the disk is full; free space on it"),
  ])
  expect(names(folder)).toEqual(["rewards-20260101T090000Z.db"])

  broken = false
  await schedule.pass(10 * minute)
  expect(schedule.state()).toMatchObject({ lastSuccessAt: startedAt + 20 * minute, lastFailure: null })
  expect(names(folder)).toEqual(["rewards-20260105T092000Z.db"])
  await schedule.stop()
})

test("a folder that cannot be used counts as a failed backup and does not end the server", async () => {
  await using folder = await testFolder()
  writeFileSync(folder.file("backups"), "a file")
  const schedule = scheduleIn(folder)

  await schedule.start()
  await schedule.stop()

  expect(schedule.logged()).toEqual([failed(expect.stringContaining("ENOTDIR"))])
})

test("only one backup runs at a time, however long it takes", async () => {
  await using folder = await testFolder()
  const begun: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const schedule = scheduleIn(folder, {
    everyMs: hour,
    backUp: (file) => {
      begun.push(file)
      return promise
    },
  })

  await schedule.start()
  await schedule.pass(3 * hour)
  expect(begun).toHaveLength(1)
  resolve()
  await schedule.stop()
})

test("stopping the server aborts a running backup, without logging a failure; the next process begins at once", async () => {
  await using folder = await testFolder()
  const lease = createLease()
  const schedule = scheduleIn(folder, {
    lease,
    backUp: (_, signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  })

  await schedule.start()
  await schedule.stop()

  expect(schedule.logged()).toEqual([])
  expect(schedule.state()).toMatchObject({ lastFailure: null })

  const next = scheduleIn(folder, { lease })
  await next.start()
  expect(next.state()).toMatchObject({ lastSuccessAt: next.now() })
  await next.stop()
})

test("after it was stopped, the schedule makes no more backups", async () => {
  await using folder = await testFolder()
  const schedule = scheduleIn(folder)
  await schedule.start()
  await schedule.stop()

  await schedule.pass(25 * hour)

  expect(names(folder)).toEqual(["rewards-20260105T090000Z.db"])
})

test("a backup with a future date from a wrong clock does not delay the next one", async () => {
  await using folder = await testFolder()
  mkdirSync(folder.file("backups"))
  writeFileSync(folder.file("backups/rewards-20990101T000000Z.db"), "")
  const schedule = scheduleIn(folder)

  await schedule.start()
  await schedule.stop()

  expect(names(folder)).toEqual(["rewards-20260105T090000Z.db", "rewards-20990101T000000Z.db"])
})

test("backups with a future date displace no others, and are not deleted", async () => {
  await using folder = await testFolder()
  mkdirSync(folder.file("backups"))
  const future = ["2031", "2032", "2099"].map((year) => `rewards-${year}0101T000000Z.db`)
  for (const name of future) writeFileSync(folder.file(`backups/${name}`), "")
  const schedule = scheduleIn(folder, { everyMs: hour, keep: 2 })

  await schedule.start()
  await schedule.pass(4 * hour)
  await schedule.stop()

  const kept = [12, 13].map((time) => `rewards-20260105T${time}0000Z.db`)
  expect(names(folder)).toEqual([...kept, ...future])
})

test("when the clock is set back, the next backup follows at once, also after a failure", async () => {
  await using folder = await testFolder()
  const clock = createTestClock()
  let broken = false
  const schedule = scheduleIn(folder, {
    clock,
    backUp: async (file) => {
      if (broken) throw new Error("the disk is full; free space on it")
      writeFileSync(file, "")
    },
  })
  clock.advance(1000 * 24 * hour)
  await schedule.start()
  broken = true
  await schedule.pass(24 * hour)

  clock.advance(-1001 * 24 * hour)
  broken = false
  await schedule.pass(minute)
  await schedule.stop()

  expect(names(folder)).toEqual(["rewards-20260105T090100Z.db", "rewards-20281001T090000Z.db"])
})

test("an interval of zero makes no backups", async () => {
  await using folder = await testFolder()
  const schedule = scheduleIn(folder, { everyMs: 0 })

  await schedule.start()
  await schedule.pass(2 * hour)
  await schedule.stop()

  expect(names(folder)).toEqual([])
  expect(schedule.state()).toEqual({ everyMs: 0, startedAt: null, lastSuccessAt: null, lastFailure: null })
})

test("one of two processes on a database makes each backup, even if it takes longer than the lease", async () => {
  await using folder = await testFolder()
  const [lease, clock] = [createLease(), createTestClock()]
  const made: string[] = []
  const finish: (() => void)[] = []
  const backUpAs = (process: string) => async (file: string) => {
    made.push(process)
    await new Promise<void>((resolve) => finish.push(resolve))
    writeFileSync(file, "")
  }
  const one = scheduleIn(folder, { lease, clock, backUp: backUpAs("one") })
  const other = scheduleIn(folder, { lease, clock, backUp: backUpAs("other") })

  await one.start()
  await other.start()
  await one.pass(20 * minute)
  expect(made).toEqual(["one"])
  for (const end of finish.splice(0)) end()
  await one.pass(hour)
  expect([made, names(folder)]).toEqual([["one"], ["rewards-20260105T090000Z.db"]])
  expect([one, other].map(({ state }) => state().lastSuccessAt)).toEqual([startedAt, startedAt])
  await one.pass(23 * hour)
  expect(made).toHaveLength(2)
  for (const end of finish.splice(0)) end()
  await Promise.all([one.stop(), other.stop()])
})

test("one process alone retries a failed backup after ten minutes", async () => {
  await using folder = await testFolder()
  const [lease, clock] = [createLease(), createTestClock()]
  const tried: number[] = []
  const backUp = async () => {
    tried.push((clock.now() - startedAt) / minute)
    throw new Error("no room")
  }
  const [one, other] = [scheduleIn(folder, { lease, clock, backUp }), scheduleIn(folder, { lease, clock, backUp })]

  await one.start()
  await other.start()
  await one.pass(21 * minute)

  expect(tried).toEqual([0, 10, 20])
  await Promise.all([one.stop(), other.stop()])
})

const startedAt = createTestClock().now()
