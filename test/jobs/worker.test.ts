import { afterEach, beforeEach, expect, test } from "bun:test"
import {
  invitationKind,
  mattermostGiveKind,
  pushKind,
  resetMailKind,
  slackGiveKind,
  thanksMailKind,
} from "../../src/domain/jobs/jobs.ts"
import type { ScheduleStore } from "../../src/domain/jobs/ports.ts"
import { type Handler, PermanentFailure, TemporaryFailure } from "../../src/jobs/attempt.ts"
import { createWorker, type JobWorker, type WorkerOptions } from "../../src/jobs/worker.ts"
import { createTestClock } from "../support/clock.ts"
import { until } from "../support/until.ts"
import { openTestJobs, type TestJobs } from "./support.ts"

const leaseMs = 60_000
const resultTtlMs = 500_000

let clock: ReturnType<typeof createTestClock>
let house: TestJobs
let workers: JobWorker[]

beforeEach(async () => {
  clock = createTestClock()
  house = await openTestJobs(clock.now)
  workers = []
})
afterEach(async () => {
  for (const worker of workers) await worker.stop(0)
  await house.close()
})

/** Polls so rarely that within a test it looks for jobs only when it is woken. */
function start(handlers: Record<string, Handler>, options: Partial<WorkerOptions> = {}): JobWorker {
  const worker = createWorker({
    jobs: house.jobs,
    log: house.log,
    clock: clock.now,
    elapsed: clock.now,
    handlers,
    leaseMs,
    resultTtlMs,
    random: () => 0.5,
    pollMs: 3_600_000,
    places: { mail: 4 },
    ...options,
  })
  worker.start()
  workers.push(worker)
  return worker
}

const sends: Handler = async () => "sent"
const fails: Handler = async () => {
  throw new Error("the mail server is down")
}
/** Never ends and ignores its signal. */
const hangs: Handler = () => new Promise(() => {})

test("between short jobs, other work runs", async () => {
  const count = 500
  let done = 0
  for (let index = 0; index < count; index += 1) await house.enqueue({ kind: "mail" })
  const doneByTick: number[] = []
  const observed = Promise.withResolvers<void>()
  const observe = () => {
    doneByTick.push(done)
    if (done === count) observed.resolve()
    else setImmediate(observe)
  }

  start({
    async mail() {
      done += 1
      return "sent"
    },
  })
  observe()
  await observed.promise

  const inOneTick = doneByTick.map((now, at) => now - (doneByTick[at - 1] ?? 0))
  expect(inOneTick.filter((jobs) => jobs > count / 5)).toEqual([])
})

test("a due job runs and keeps its result", async () => {
  const calls: unknown[] = []
  const id = await house.enqueue({ kind: "mail", payload: { email: "ana@example.com" } })
  const createdAt = clock.now()
  clock.advance(1_000)

  start({
    async mail(payload, { attempt }) {
      calls.push([payload, attempt])
      return "sent"
    },
  })
  await house.settled(1)

  expect(calls).toEqual([[{ email: "ana@example.com" }, 1]])
  expect(house.row(id)).toEqual({
    id,
    kind: "mail",
    payload: '{"email":"ana@example.com"}',
    state: "completed",
    attempts: 1,
    max_attempts: 10,
    retry_until: createdAt + 600_000,
    run_at: createdAt,
    locked_by: null,
    locked_until: null,
    cause: null,
    cure: null,
    last_error: null,
    result: "sent",
    created_at: createdAt,
    finished_at: clock.now(),
    lane: "mail",
    turn_of: null,
  })
  expect(house.logged()).toEqual([{ level: "info", message: "job completed", kind: "mail", id, attempt: 1 }])
})

test("a job of this process runs when the worker is woken", async () => {
  const worker = start({ mail: sends })
  await house.idle(1)

  const id = await house.enqueue({ kind: "mail" })
  worker.wake()
  await house.settled(1)

  expect(house.row(id)).toMatchObject({ state: "completed" })
})

test("many simultaneous wake-ups make the worker look only once more", async () => {
  let looks = 0
  const jobs: TestJobs["jobs"] = {
    ...house.jobs,
    claim(...args) {
      looks++
      return house.jobs.claim(...args)
    },
  }
  const worker = start({ mail: sends }, { jobs })
  await house.idle(1)

  for (let caller = 0; caller < 100; caller++) worker.wake()
  await house.idle(2)

  expect(looks).toBe(2)
})

test("a job of another process runs at the next poll", async () => {
  start({ mail: sends }, { pollMs: 5 })
  await house.idle(1)

  const id = await house.enqueue({ kind: "mail" })
  await house.settled(1)

  expect(house.row(id)).toMatchObject({ state: "completed" })
})

test("a job does not run before its time", async () => {
  const id = await house.enqueue({ kind: "mail", runAt: clock.now() + 3_000 })
  const worker = start({ mail: sends })
  await house.idle(1)

  clock.advance(2_999)
  worker.wake()
  await house.idle(2)
  expect(house.row(id)).toMatchObject({ state: "available", attempts: 0 })

  clock.advance(1)
  worker.wake()
  await house.settled(1)
  expect(house.row(id)).toMatchObject({ state: "completed", attempts: 1 })
})

test("a failed job is retried after 5 s, then after twice the time each time up to 15 min, and finally discarded", async () => {
  const id = await house.enqueue({ kind: "mail", maxAttempts: 11 })
  const worker = start({ mail: fails })
  const waits: number[] = []

  for (let attempt = 1; attempt <= 10; attempt++) {
    await house.settled(attempt)
    const row = house.row(id)
    expect(row).toMatchObject({ state: "available", attempts: attempt, last_error: "the mail server is down" })
    const wait = Number(row?.run_at) - clock.now()
    waits.push(wait / 1000)
    clock.advance(wait - 1)
    worker.wake()
    await house.idle(2 * attempt)
    expect(house.row(id)).toEqual(row)
    clock.advance(1)
    worker.wake()
  }
  await house.settled(11)

  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
  expect(house.row(id)).toMatchObject({
    state: "discarded",
    attempts: 11,
    last_error: "the mail server is down",
    locked_by: null,
    finished_at: clock.now(),
  })
  expect(house.logged().at(-1)).toEqual({
    level: "error",
    message: "job discarded",
    kind: "mail",
    id,
    attempt: 11,
    error: "Error",
  })
})

test("a temporary failure is retried until retryUntil, the last time exactly then", async () => {
  const retryUntil = clock.now() + 3_600_000
  const id = await house.enqueue({ kind: "mail", maxAttempts: 1, retryUntil })
  const worker = start({
    async mail() {
      throw new TemporaryFailure("450 try again later")
    },
  })

  let attempts = 1
  for (; ; attempts += 1) {
    await house.settled(attempts)
    const row = house.row(id)
    if (row?.state === "discarded") break
    clock.advance(Number(row?.run_at) - clock.now())
    worker.wake()
  }

  expect(clock.now()).toBe(retryUntil)
  expect(attempts).toBe(12) // 5 s to 640 s between the first nine, then a quarter of an hour, then what is left
  expect(house.row(id)).toMatchObject({ last_error: "450 try again later", finished_at: retryUntil })
})

test.each([
  [0, 4_000],
  [1, 6_000],
])("the wait varies by up to a fifth (random number %d)", async (random, wait) => {
  const id = await house.enqueue({ kind: "mail" })
  start({ mail: fails }, { random: () => random })
  await house.settled(1)

  expect(house.row(id)).toMatchObject({ state: "available", run_at: clock.now() + wait })
})

test("a permanent failure discards the job at once", async () => {
  const id = await house.enqueue({ kind: "mail" })
  start({
    async mail() {
      throw new PermanentFailure("550 no such mailbox")
    },
  })
  await house.settled(1)

  expect(house.row(id)).toMatchObject({
    state: "discarded",
    attempts: 1,
    last_error: "550 no such mailbox",
    finished_at: clock.now(),
  })
})

test.each(["letter", "toString", "__proto__"])("a job of an unknown kind is discarded (%s)", async (kind) => {
  const id = await house.enqueue({ kind })
  start({ mail: sends })
  await house.settled(1)

  expect(house.row(id)).toMatchObject({
    state: "discarded",
    attempts: 1,
    last_error: `nothing handles jobs of kind ${kind}`,
  })
})

test("a log line has kind, id, attempt and error code; the shortened error message is only in the table", async () => {
  const id = await house.enqueue({ kind: "mail", payload: { email: "ana@example.com" } })
  const said = `ana@example.com is unknown here ${"!".repeat(1_000)}`
  start({
    async mail() {
      throw Object.assign(new Error(said), { code: "EENVELOPE" })
    },
  })
  await house.settled(1)

  expect(house.row(id)).toMatchObject({ last_error: said.slice(0, 500) })
  expect(house.logged()).toEqual([
    { level: "warn", message: "job failed", kind: "mail", id, attempt: 1, error: "EENVELOPE" },
  ])
})

test("when a worker dies, its job runs again after the lease expires; the crash uses up an attempt", async () => {
  const id = await house.enqueue({ kind: "mail" })
  await house.store.jobs.claim("a worker that died", clock.now(), leaseMs, "mail")
  const worker = start({ mail: sends })
  await house.idle(1)

  clock.advance(leaseMs - 1)
  worker.wake()
  await house.idle(2)
  expect(house.row(id)).toMatchObject({ state: "running", locked_by: "a worker that died" })

  clock.advance(1)
  worker.wake()
  await house.settled(1)
  expect(house.row(id)).toMatchObject({ state: "completed", attempts: 2 })
})

test("a job whose worker died at every attempt is discarded without another attempt", async () => {
  const id = await house.enqueue({ kind: "mail", maxAttempts: 1 })
  await house.store.jobs.claim("a worker that died", clock.now(), leaseMs, "mail")
  clock.advance(leaseMs)
  start({ mail: sends })
  await house.idle(1)

  expect(house.row(id)).toMatchObject({ state: "discarded", attempts: 1, result: null })
})

test("an attempt is aborted at two thirds of its lease, and another follows", async () => {
  const reasons: unknown[] = []
  const id = await house.enqueue({ kind: "mail" })
  const worker = start({
    mail: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason.name)
          reject(new PermanentFailure("what an aborted attempt says does not count"))
        })
      }),
  })
  await house.idle(1)

  clock.advance(39_999)
  worker.wake()
  await house.idle(2)
  expect(reasons).toEqual([])

  clock.advance(1)
  worker.wake()
  await house.settled(1)
  expect(reasons).toEqual(["TimeoutError"])
  expect(house.row(id)).toMatchObject({
    state: "available",
    attempts: 1,
    last_error: "the attempt took too long for its lease",
    cause: "unreachable",
    cure: "raise jobs.lease_seconds",
    run_at: clock.now() + 5_000,
  })
})

test("an attempt that ignores its abort signal is given up too", async () => {
  const stuck = await house.enqueue({ kind: "stuck" })
  const next = await house.enqueue({ kind: "mail" })
  const worker = start({ stuck: hangs, mail: sends }, { places: { mail: 1 } })
  await house.claimed(1)

  clock.advance(40_000)
  worker.wake()
  await house.settled(2)

  expect(house.row(stuck)).toMatchObject({ state: "available", attempts: 1 })
  expect(house.row(next)).toMatchObject({ state: "completed" })
})

test("an attempt that ends after its lease has expired changes nothing", async () => {
  const slowClock = createTestClock(clock.now())
  const { promise: lateResult, resolve } = Promise.withResolvers<string>()
  const id = await house.enqueue({ kind: "mail" })
  start({ mail: () => lateResult }, { clock: slowClock.now })
  await house.idle(1)

  clock.advance(leaseMs)
  start({ mail: async () => "sent by another" })
  await house.settled(1)
  resolve("sent too late")
  await house.settled(2)

  expect(house.row(id)).toMatchObject({ state: "completed", attempts: 2, result: "sent by another" })
  expect(house.logged()).toContainEqual({
    level: "warn",
    message: "job settled after its lease was lost",
    kind: "mail",
    id,
    attempt: 1,
  })
})

test("a worker that was suspended beyond its lease does not end the attempt that it starts afterwards", async () => {
  const results = [new Promise<string>(() => {}), Promise.resolve("sent at the second attempt")]
  const id = await house.enqueue({ kind: "mail" })
  const worker = start(
    { mail: (_, { attempt }) => results[attempt - 1] ?? Promise.reject(new Error("a third")) },
    { jobs: { ...house.jobs, endAttempt: (...args) => house.claimed(2).then(() => house.jobs.endAttempt(...args)) } },
  )
  await house.claimed(1)

  clock.advance(leaseMs)
  worker.wake()
  await house.settled(2)

  expect(house.row(id)).toMatchObject({ state: "completed", attempts: 2, result: "sent at the second attempt" })
})

test("no more jobs than its places run at the same time, and each runs once", async () => {
  let running = 0
  let most = 0
  const ran: unknown[] = []
  const work: Handler = async (payload) => {
    most = Math.max(most, ++running)
    await until(() => most >= 3) // a claim takes longer than such a short job
    ran.push(payload)
    running--
    return "done"
  }
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  for (const payload of numbers) await house.enqueue({ kind: "mail", payload })

  start({ mail: work }, { places: { mail: 3 } })
  await house.settled(20)

  expect(most).toBe(3)
  expect(ran.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers)
})

test("jobs of a lane that hang keep none of another lane waiting", async () => {
  for (let count = 0; count < 50; count++) await house.enqueue({ kind: pushKind })
  for (let count = 0; count < 50; count++) await house.enqueue({ kind: thanksMailKind })
  for (let count = 0; count < 50; count++) await house.enqueue({ kind: invitationKind })
  const others = [await house.enqueue({ kind: resetMailKind }), await house.enqueue({ kind: slackGiveKind })]
  start(
    {
      [pushKind]: hangs,
      [thanksMailKind]: hangs,
      [invitationKind]: hangs,
      [resetMailKind]: sends,
      [slackGiveKind]: sends,
    },
    { places: { accounts: 1, invitations: 2, mail: 4, push: 4, chats: 1 } },
  )
  await house.settled(2)
  const later = await house.enqueue({ kind: mattermostGiveKind })
  start({ [mattermostGiveKind]: sends }, { places: { chats: 1 } })
  await house.settled(3)

  for (const id of [...others, later]) expect(house.row(id)?.finished_at).toBe(clock.now())
})

test("two workers share the jobs, and each job runs once", async () => {
  const ran: unknown[] = []
  const work: Handler = async (payload) => {
    ran.push(payload)
    return "done"
  }
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  for (const payload of numbers) await house.enqueue({ kind: "mail", payload })

  start({ mail: work }, { places: { mail: 1 } })
  start({ mail: work }, { places: { mail: 1 } })
  await house.settled(20)

  expect(ran.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers)
})

test("stop waits for running attempts and claims no more jobs", async () => {
  const { promise: result, resolve } = Promise.withResolvers<string>()
  const running = await house.enqueue({ kind: "mail" })
  const worker = start({ mail: () => result })
  await house.idle(1)

  const stopped = worker.stop(60_000)
  const late = await house.enqueue({ kind: "mail" })
  worker.wake()
  resolve("sent")
  await stopped

  expect(house.row(running)).toMatchObject({ state: "completed", result: "sent" })
  expect(house.row(late)).toMatchObject({ state: "available", attempts: 0 })
})

test("an attempt that outlasts the grace period is aborted, and another worker can run its job at once", async () => {
  const aborted: string[] = []
  const listens: Handler = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push(signal.reason.name)
        reject(signal.reason)
      })
    })
  const ids = [await house.enqueue({ kind: "listens" }), await house.enqueue({ kind: "hangs" })]
  const worker = start({ listens, hangs })
  await house.idle(1)

  await worker.stop(1)

  expect(aborted).toEqual(["AbortError"])
  for (const id of ids)
    expect(house.row(id)).toMatchObject({
      state: "available",
      attempts: 1,
      run_at: clock.now(),
      locked_by: null,
      last_error: "the worker stopped",
    })

  start({ listens: sends, hangs: sends })
  await house.settled(4)
  for (const id of ids) expect(house.row(id)).toMatchObject({ state: "completed", attempts: 2 })
})

test("lookedAt is the time of the last successful look for jobs; null before start and after stop", async () => {
  let failing = false
  const jobs: TestJobs["jobs"] = {
    ...house.jobs,
    claim: (...args) => (failing ? Promise.reject(new Error("database is locked")) : house.jobs.claim(...args)),
  }
  const idle = createWorker({ jobs, log: house.log, clock: clock.now, handlers: {}, leaseMs, resultTtlMs })
  expect(idle.lookedAt()).toBeNull()

  const started = clock.now()
  const worker = start({ hangs }, { jobs, places: { mail: 1 } })
  await house.idle(1)
  expect(worker.lookedAt()).toBe(started)
  clock.advance(1000)
  failing = true
  worker.wake()
  await until(() => house.logged().some(({ message }) => message === "jobs cannot be claimed"))
  expect(worker.lookedAt()).toBe(started)

  failing = false
  await house.enqueue({ kind: "hangs" })
  worker.wake()
  await house.claimed(1)
  expect(worker.lookedAt()).toBe(started + 1000)
  clock.advance(1000)
  worker.wake()
  await until(() => worker.lookedAt() === started + 2000)

  await worker.stop(0)
  expect(worker.lookedAt()).toBeNull()
})

test("a failed claim is retried at the next poll, not earlier", async () => {
  const id = await house.enqueue({ kind: "mail" })
  let failures = 0
  const jobs: TestJobs["jobs"] = {
    ...house.jobs,
    async claim(...args) {
      if (failures++ < 1) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" })
      return house.jobs.claim(...args)
    },
  }
  const worker = start({ mail: sends }, { jobs })
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(failures).toBe(1)
  expect(house.logged()).toEqual([{ level: "error", message: "jobs cannot be claimed", error: "SQLITE_BUSY" }])

  worker.wake()
  await house.settled(1)
  expect(house.row(id)).toMatchObject({ state: "completed", attempts: 1 })
})

test("an outcome that the store cannot save is stored later, and the handler does not run again", async () => {
  const id = await house.enqueue({ kind: "mail" })
  const failed = Promise.withResolvers<void>()
  let asked = 0
  let ran = 0
  const jobs: TestJobs["jobs"] = {
    ...house.jobs,
    async endAttempt(...args) {
      if (asked++ > 0) return house.jobs.endAttempt(...args)
      setImmediate(failed.resolve)
      throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" })
    },
  }
  const worker = start({ mail: async () => `sent ${++ran}` }, { jobs })
  await failed.promise
  expect(house.row(id)).toMatchObject({ state: "running", attempts: 1 })

  worker.wake()
  await house.settled(1)
  expect(house.row(id)).toMatchObject({ state: "completed", attempts: 1, result: "sent 1" })
})

test("a store that saves no outcome does not prevent the worker from stopping", async () => {
  const id = await house.enqueue({ kind: "mail" })
  const jobs: TestJobs["jobs"] = {
    ...house.jobs,
    async endAttempt() {
      throw new Error("disk I/O error")
    },
  }
  const worker = start({ mail: sends }, { jobs })
  await house.idle(1)

  await worker.stop(1)

  expect(house.row(id)).toMatchObject({ state: "running", attempts: 1 })
})

test("completed jobs are deleted after 500 seconds and discarded ones after 30 days, within a minute", async () => {
  const completed = await house.enqueue({ kind: "mail" })
  const discarded = await house.enqueue({ kind: "letter" })
  const waiting = await house.enqueue({ kind: "mail", runAt: clock.now() + 3_600_000 })
  const worker = start({ mail: sends })
  await house.settled(2)

  clock.advance(resultTtlMs - 1)
  worker.wake()
  await house.idle(2)
  expect(house.row(completed)).toMatchObject({ state: "completed", result: "sent" })
  expect(house.row(discarded)).toMatchObject({ state: "discarded" })

  clock.advance(60_000)
  worker.wake()
  await until(() => house.row(completed) === null)
  expect(house.row(discarded)).toMatchObject({ state: "discarded" })
  expect(house.row(waiting)).toMatchObject({ state: "available" })

  clock.advance(30 * 24 * 3_600_000)
  worker.wake()
  await house.settled(3)
  await until(() => house.row(discarded) === null)
})

test("other housekeeping runs a second after the start and then about once a minute, even if another part of it fails", async () => {
  const kept: number[] = []
  const worker = start(
    {},
    {
      housekeeping: [
        async () => {
          throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" })
        },
        async (now) => void kept.push(now),
      ],
    },
  )
  const begin = clock.now()
  await house.idle(1)

  for (let second = 1; second <= 120; second++) {
    clock.advance(1_000)
    worker.wake()
    await house.idle(1 + second)
  }

  expect(kept).toEqual([begin + 1000, begin + 61_000])
  expect(house.logged()[0]).toEqual({ level: "error", message: "housekeeping failed", error: "SQLITE_BUSY" })
})

test("of several workers that share a schedule, one prunes for all; another one goes on when it has ended", async () => {
  const pruned: string[] = []
  const pauses = new Set<number>()
  let unsettled = 0
  const schedule: ScheduleStore = {
    async claim(...args) {
      unsettled += 1
      const isMine = await house.store.schedule.claim(...args)
      if (!isMine) unsettled -= 1
      return isMine
    },
    async release(...args) {
      pauses.add(args[2] - clock.now())
      const isMine = await house.store.schedule.release(...args)
      unsettled -= 1
      return isMine
    },
  }
  const worker = (name: string) => start({}, { schedule, pruning: [async () => void pruned.push(name)] })
  const minutes = async (count: number, running: readonly JobWorker[]) => {
    for (let second = 0; second < 60 * count; second += 5) {
      clock.advance(5_000)
      for (const one of running) one.wake()
      await until(() => unsettled === 0)
    }
  }
  const workers = [worker("first"), worker("second"), worker("third")]
  const [first, ...others] = workers

  await minutes(10, workers)
  expect(pruned.length).toBeWithin(8, 13)
  await first?.stop(0)
  pruned.length = 0
  await minutes(10, others)
  expect(pruned.length).toBeWithin(8, 13)
  expect(pruned).not.toContain("first")
  expect([...pauses]).toEqual([30_000])
})

test("a clock that is set back delays no housekeeping, and an overdue attempt is aborted in time", async () => {
  const time = createTestClock()
  const kept: number[] = []
  await house.enqueue({ kind: "hangs" })
  const worker = start({ hangs }, { elapsed: time.now, housekeeping: [async (now) => void kept.push(now)] })
  await house.claimed(1)

  clock.advance(-86_400_000)
  time.advance(61_000)
  worker.wake()

  await until(() => house.logged().some(({ message }) => message === "job failed"))
  await until(() => kept.length === 1)
  expect(kept).toEqual([clock.now()])
  await until(() => (worker.lookedAt() ?? 0) >= time.now())
})
