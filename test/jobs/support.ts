import { Database } from "bun:sqlite"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Clock } from "../../src/domain/clock.ts"
import type { JobStore, NewJob } from "../../src/domain/jobs/ports.ts"
import type { Store } from "../../src/domain/store.ts"
import { openStore } from "../../src/storage/sqlite/store.ts"
import { createLog, type Log } from "../../src/support/log.ts"
import { folderForFiles } from "../support/files.ts"

/** A row of the table `jobs`, with the column names of the database. */
export type JobRow = Record<string, unknown>

/** The jobs of a real store in a file of its own, and functions to observe them. */
export interface TestJobs {
  readonly store: Store
  /** The store's jobs; each call is counted for `settled`, `claimed` and `idle`. */
  readonly jobs: JobStore
  readonly log: Log
  /** The log so far, each line as an object without its time. */
  logged(): Record<string, unknown>[]
  enqueue(job: Partial<NewJob> & Pick<NewJob, "kind">): Promise<number>
  row(id: number): JobRow | null
  /** Resolves after `endAttempt` has returned to its callers `count` times in all. */
  settled(count: number): Promise<void>
  /** The same for calls of `claim` that returned a job. */
  claimed(count: number): Promise<void>
  /** The same for calls of `claim` that found no due job. */
  idle(count: number): Promise<void>
  close(): Promise<void>
}

export async function openTestJobs(clock: Clock): Promise<TestJobs> {
  const folder = await mkdtemp(join(folderForFiles(), "rewards-jobs-"))
  const path = join(folder, "rewards.db")
  let lines = ""
  const log = createLog((text) => {
    lines += text
  })
  const store = await openStore({ path, clock, log })
  const rows = new Database(path, { readonly: true })
  const settles = createCounter()
  const claims = createCounter()
  const idles = createCounter()

  return {
    store,
    log,
    jobs: {
      ...store.jobs,
      async claim(...args) {
        const job = await store.jobs.claim(...args)
        if (job === null) idles.count()
        else claims.count()
        return job
      },
      async endAttempt(...args) {
        const held = await store.jobs.endAttempt(...args)
        settles.count()
        return held
      },
    },
    logged() {
      log.flush()
      return lines.split("\n").flatMap((line) => {
        if (line === "") return []
        const { time: _, ...rest } = JSON.parse(line)
        return [rest]
      })
    },
    async enqueue(job) {
      const now = clock()
      return (
        await store.jobs.enqueue({
          payload: {},
          maxAttempts: 10,
          retryUntil: now + 600_000,
          runAt: now,
          createdAt: now,
          ...job,
        })
      ).id
    },
    row: (id) => rows.query<JobRow, [number]>("SELECT * FROM jobs WHERE id = ?").get(id),
    settled: settles.reached,
    claimed: claims.reached,
    idle: idles.reached,
    async close() {
      rows.close()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

function createCounter() {
  let total = 0
  let waiting: { at: number; resolve: () => void }[] = []
  return {
    count() {
      total += 1
      const reached = waiting.filter(({ at }) => total >= at)
      waiting = waiting.filter(({ at }) => total < at)
      // `setImmediate`, so that this runs after the code that awaits the counted call.
      if (reached.length > 0)
        setImmediate(() => {
          for (const { resolve } of reached) resolve()
        })
    },
    reached: (at: number) =>
      total >= at ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ at, resolve })),
  }
}
