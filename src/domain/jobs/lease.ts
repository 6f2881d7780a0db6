import type { Clock } from "../clock.ts"
import type { ScheduledWork, ScheduleStore } from "./ports.ts"

/** Lets one process do this work at a time, of all that share the store. */
export function createLease(schedule: ScheduleStore, work: ScheduledWork, clock: Clock) {
  const owner = crypto.randomUUID()
  let isHeld = false
  /** Also true when the store accepts no writes: what is done twice does no harm. */
  const take = () => schedule.claim(work, owner, clock()).catch(() => true)

  return {
    /** Call it at intervals while the task runs, so that the lease does not end before. */
    extend() {
      if (isHeld) void take()
    },
    /** Does the task unless another process does, or it is not due. `pauseMs` says when it is due again, from its start. */
    async hold(task: () => Promise<void>, pauseMs = (_hasFailed: boolean) => 0): Promise<void> {
      const now = clock()
      isHeld = await take()
      if (!isHeld) return
      let hasFailed = true
      try {
        await task()
        hasFailed = false
      } finally {
        isHeld = false
        await schedule.release(work.name, owner, now + pauseMs(hasFailed)).catch(() => {}) // the lease expires by itself
      }
    },
  }
}
