import type { Allowances } from "../domain/allowances/allowances.ts"
import type { Log } from "../log.ts"
import { codeOf } from "./attempt.ts"

interface Dependencies {
  readonly allowances: Pick<Allowances, "payDue">
  readonly log: Log
  readonly pollMs?: number
}

export interface AllowanceSchedule {
  start(): void
  /** Resolves when nothing is being paid any more. */
  stop(): Promise<void>
}

/** Looks once a second which allowances are due, and pays them. */
export function createAllowanceSchedule({ allowances, log, pollMs = 1000 }: Dependencies): AllowanceSchedule {
  let timer: Timer | undefined
  let paying: Promise<void> | null = null

  const report = (error: unknown) => log.error("an allowance cannot be paid; retrying", { error: codeOf(error) })
  const look = () => {
    paying ??= allowances
      .payDue(report)
      .catch(report)
      .finally(() => {
        paying = null
      })
  }

  return {
    start() {
      timer = setInterval(look, pollMs)
    },
    async stop() {
      clearInterval(timer)
      await paying
    },
  }
}
