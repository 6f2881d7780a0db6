import type { Log } from "../log.ts"
import { codeOf } from "./attempt.ts"

interface Options {
  /** Called at each poll, one call at a time. `report` logs the failure of one part, so that the other parts still run. */
  readonly work: (report: (error: unknown) => void) => Promise<void>
  /** The log message for a failure. The next call tries again. */
  readonly failure: string
  readonly log: Log
}

interface RepeatedWork {
  start(): void
  /** Resolves when nothing is running any more. */
  stop(): Promise<void>
}

const pollMs = 1000

/** Calls `work` once a second, to do what is due. */
export function createRepeatedWork({ work, failure, log }: Options): RepeatedWork {
  let timer: Timer | undefined
  let running: Promise<void> | null = null

  const report = (error: unknown) => log.error(failure, { error: codeOf(error) })
  const look = () => {
    running ??= work(report)
      .catch(report)
      .finally(() => {
        running = null
      })
  }

  return {
    start() {
      timer = setInterval(look, pollMs)
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
