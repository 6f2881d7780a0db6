import type { Log } from "../support/log.ts"
import { codeOf } from "./attempt.ts"

interface Options {
  /** Called at each poll, one call at a time. `report` logs the failure of one part, so that the other parts still run. */
  readonly work: (report: (error: unknown) => void) => Promise<void>
  /** The log message for a failure. The next call tries again; one that fails in the same way is not logged again. */
  readonly failure: string
  readonly log: Log
  readonly pollMs?: number
}

/** Calls `work` once a second, to do what is due. */
export function createRepeatedWork({ work, failure, log, pollMs = 1000 }: Options) {
  let timer: Timer | undefined
  let running: Promise<void> | null = null
  /** Failures of the last call. */
  let known: ReadonlySet<string> = new Set()

  const look = () => {
    const failures = new Set<string>()
    const report = (error: unknown) => {
      const code = codeOf(error)
      if (!known.has(code) && !failures.has(code)) log.error(failure, { error: code })
      failures.add(code)
    }
    running ??= work(report)
      .catch(report)
      .finally(() => {
        known = failures
        running = null
      })
  }

  return {
    start() {
      timer = setInterval(look, pollMs)
    },
    /** Resolves when nothing is running any more. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
