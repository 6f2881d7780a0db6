import { expect, test } from "bun:test"
import type { JobOutcome, JobStore } from "../../src/domain/jobs/ports.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { plainly, silent, testFolder } from "./files.ts"

/** The rows of the jobs that `act` leaves behind, in the columns that tell how each one ended. */
async function rowsAfter(act: (jobs: JobStore) => Promise<void>): Promise<unknown[]> {
  await using folder = await testFolder()
  const store = await openStore({ path: folder.file("rewards.db"), log: silent })
  await act(store.jobs)
  using client = plainly(folder.file("rewards.db"))
  const rows = client.query("SELECT kind, state, attempts, last_error, result, finished_at, locked_by FROM jobs").all()
  await store.close()
  return rows
}

/** Queues a job, claims it and ends its attempt at `now`. */
async function run(jobs: JobStore, kind: string, outcome: JobOutcome, { now = 2_000 } = {}) {
  const { id } = await jobs.enqueue({
    kind,
    payload: {},
    maxAttempts: 3,
    retryUntil: 9_000,
    runAt: 1_000,
    createdAt: 500,
  })
  await jobs.claim("w1", 1_000, 60_000, "mail")
  await jobs.endAttempt(id, "w1", outcome, now)
}

const ended = { attempts: 1, last_error: null, result: null, finished_at: 2_000, locked_by: null }

test("each outcome is stored as operators see it in the table", async () => {
  const failed = { state: "available", error: "no answer", runAt: 9_000, isTemporary: false } as const
  const rows = await rowsAfter(async (jobs) => {
    await run(jobs, "sent", { state: "completed", result: "sent" })
    await run(jobs, "refused", { state: "discarded", error: "no such mailbox" })
    await run(jobs, "tried again", failed)
  })

  expect(rows).toEqual([
    { ...ended, kind: "sent", state: "completed", result: "sent" },
    { ...ended, kind: "refused", state: "discarded", last_error: "no such mailbox" },
    { ...ended, kind: "tried again", state: "available", last_error: "no answer", finished_at: null },
  ])
})

test("a job whose process ended during the last attempt is discarded, with that reason", async () => {
  const rows = await rowsAfter(async (jobs) => {
    await jobs.enqueue({ kind: "poison", payload: {}, maxAttempts: 1, retryUntil: 9_000, runAt: 1_000, createdAt: 500 })
    await jobs.claim("crashed", 1_000, 60_000, "mail")
    expect(await jobs.claim("w1", 61_000, 60_000, "mail")).toBeNull()
  })

  const last_error = "the process ended during the last attempt"
  expect(rows).toEqual([{ ...ended, kind: "poison", state: "discarded", last_error, finished_at: 61_000 }])
})

test("jobs are pruned by the time they finished, completed ones earlier than discarded ones", async () => {
  const rows = await rowsAfter(async (jobs) => {
    await run(jobs, "old", { state: "completed", result: "sent" }, { now: 2_000 })
    await run(jobs, "given up long ago", { state: "discarded", error: "no such mailbox" }, { now: 1_000 })
    await run(jobs, "given up", { state: "discarded", error: "no such mailbox" }, { now: 2_000 })
    await run(jobs, "at that time", { state: "completed", result: "sent" }, { now: 2_001 })
    await run(jobs, "recent", { state: "completed", result: "sent" }, { now: 2_002 })
    await jobs.prune({ completed: 2_001, discarded: 2_000 })
  })

  const kept = { ...ended, state: "completed", result: "sent" }
  expect(rows).toEqual([
    { ...ended, kind: "given up", state: "discarded", last_error: "no such mailbox" },
    { ...kept, kind: "at that time", finished_at: 2_001 },
    { ...kept, kind: "recent", finished_at: 2_002 },
  ])
})
