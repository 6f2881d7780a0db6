import type { Log } from "../support/log.ts"
import { createRunner } from "../support/runner.ts"
import { codeOf } from "./attempt.ts"

interface Options {
  /** `report` logs the failure of one part, so that the other parts still run. */
  readonly work: (report: (error: unknown) => void) => Promise<void>
  /** The log message for a failure. The next call tries again; one that fails in the same way is not logged again. */
  readonly failure: string
  readonly log: Log
  readonly everyMs?: number | undefined
}

/** Calls `work` once a second, to do what is due. */
export function createRepeatedWork({ work, failure, log, everyMs = 1000 }: Options) {
  /** Failures of the last call. */
  let known: ReadonlySet<string> = new Set()

  return createRunner({
    everyMs,
    async work() {
      const failures = new Set<string>()
      const report = (error: unknown) => {
        const code = codeOf(error)
        if (!known.has(code) && !failures.has(code)) log.error(failure, { error: code })
        failures.add(code)
      }
      await work(report).catch(report)
      known = failures
    },
  })
}
