import { expect, test } from "bun:test"
import type { BackupState } from "../../src/domain/health.ts"
import {
  backupIsInTime,
  createReadiness,
  databaseIsWritable,
  diskHasRoom,
  isReady,
  workerIsAlive,
} from "../../src/metrics/health.ts"
import { freeBytesAt } from "../../src/storage/sqlite/database/files.ts"
import { createTestClock } from "../support/clock.ts"
import { temporaryFolder } from "../support/executable.ts"

const coded = (code: string) => Object.assign(new Error("at /var/lib/secret"), { code })
const failing = (code: string) => Promise.reject(coded(code))

test("a database that accepts no writes is reported with the reason", async () => {
  expect(await databaseIsWritable({ checkWritable: async () => null })()).toEqual({
    ok: true,
    reason: "accepts writes",
  })
  const checkWritable = async () => "SQLITE_FULL"
  expect(await databaseIsWritable({ checkWritable })()).toEqual({ ok: false, reason: "accepts no writes: SQLITE_FULL" })
})

test("a worker counts as alive for 30 s after its last look for jobs", async () => {
  const { now, advance } = createTestClock()
  const started = now()
  const check = workerIsAlive(() => started, now)
  advance(30_000)
  expect(await check()).toEqual({ ok: true, reason: "looked for jobs 30 s ago" })
  advance(1000)
  expect(await check()).toEqual({ ok: false, reason: "looked for jobs 31 s ago" })
  expect(await workerIsAlive(() => null, now)()).toEqual({ ok: false, reason: "does not run" })
})

test("health.disk_floor_mb must be free on the disk of the database", async () => {
  await using folder = await temporaryFolder()
  const path = `${folder.path}/rewards.db`
  const floorMb = Number.MAX_SAFE_INTEGER
  expect(await diskHasRoom(() => freeBytesAt(path), 0)()).toEqual({
    ok: true,
    reason: expect.stringMatching(/^\d+ MB free, at least the 0 of health.disk_floor_mb$/),
  })
  expect(await diskHasRoom(() => freeBytesAt(path), floorMb)()).toEqual({
    ok: false,
    reason: expect.stringMatching(/^\d+ MB free, less than the 9007199254740991 of health.disk_floor_mb$/),
  })
})

test("a backup is on time until an hour after the next one was due; without any, the time counts from the start", async () => {
  const hour = 3_600_000
  const { now, advance } = createTestClock()
  const state = { everyMs: 24 * hour, startedAt: now(), lastSuccessAt: null as number | null, lastFailure: null }
  const check = backupIsInTime(() => state, now)
  expect(await check()).toEqual({ ok: true, reason: "none yet" })
  advance(25 * hour)
  expect(await check()).toEqual({ ok: true, reason: "none yet" })
  advance(1)
  expect(await check()).toEqual({ ok: false, reason: "none yet" })

  state.lastSuccessAt = now()
  advance(25 * hour)
  expect(await check()).toEqual({ ok: true, reason: "the last one 25 h ago" })
  advance(1)
  expect(await check()).toEqual({ ok: false, reason: "the last one 25 h ago" })
})

test("a server that starts with an overdue backup has an hour to make one, unless it fails", async () => {
  const hour = 3_600_000
  const { now, advance } = createTestClock()
  const state: BackupState = {
    everyMs: 24 * hour,
    startedAt: now(),
    lastSuccessAt: now() - 240 * hour,
    lastFailure: null,
  }
  const check = backupIsInTime(() => state, now)
  const failed = backupIsInTime(() => ({ ...state, lastFailure: { at: now(), reason: "not writable" } }), now)
  expect(await check()).toEqual({ ok: true, reason: "the last one 240 h ago" })
  expect(await failed()).toEqual({ ok: false, reason: "the last one 240 h ago; the next one failed" })
  advance(hour)
  expect(await check()).toEqual({ ok: true, reason: "the last one 241 h ago" })
  advance(1)
  expect(await check()).toEqual({ ok: false, reason: "the last one 241 h ago" })
})

test("a failed backup is reported before it is overdue; without a schedule no backup is expected", async () => {
  const { now } = createTestClock()
  const lastFailure = { at: now(), reason: "/var/lib/secret is full" }
  const state = { everyMs: 3_600_000, startedAt: now(), lastSuccessAt: now(), lastFailure }
  expect(await backupIsInTime(() => state, now)()).toEqual({
    ok: true,
    reason: "the last one 0 h ago; the next one failed",
  })
  const none = { everyMs: 0, startedAt: null, lastSuccessAt: null, lastFailure: null }
  expect(await backupIsInTime(() => none, now)()).toEqual({ ok: true, reason: "no schedule" })
})

test("a check that throws counts as not ok; the other checks still count", async () => {
  const readiness = createReadiness(
    { disk: () => failing("EACCES"), worker: async () => ({ ok: true, reason: "works" }) },
    () => 0,
  )
  const results = await readiness()
  expect(results).toEqual({
    disk: { ok: false, reason: "cannot be checked: EACCES" },
    worker: { ok: true, reason: "works" },
  })
  expect(isReady(results)).toBe(false)
})

test("results are reused for a second, so that not every request costs a write", async () => {
  const { now, advance } = createTestClock()
  let looks = 0
  const look = async () => {
    looks += 1
    return { ok: true, reason: `look ${looks}` }
  }
  const readiness = createReadiness({ database: look }, now)
  const reasons = async () => (await Promise.all([readiness(), readiness()])).map(({ database }) => database?.reason)

  expect(await reasons()).toEqual(["look 1", "look 1"])
  advance(999)
  expect(await reasons()).toEqual(["look 1", "look 1"])
  advance(1)
  expect(await reasons()).toEqual(["look 2", "look 2"])
})
