import type { Clock } from "../domain/model.ts"
import type { SessionStore } from "../domain/store.ts"
import type { Log } from "../log.ts"
import { type Dashboard, nextTurn } from "./dashboard.ts"

/** Credentials checked in one turn of the event loop: some 10 µs each. */
const sliceSize = 50

const policyViolation = 1008

interface AdmissionOptions {
  readonly dashboards: Iterable<Dashboard>
  readonly accessChanges: SessionStore["accessChanges"]
  readonly clock: Clock
  readonly log: Log
}

/**
 * Closes the streams whose credential has ended since they were opened: a session that ended, a token that expired, a
 * password that was changed. Credentials are checked again only after something has changed that may end one, and when
 * their own time is over: ten thousand of them cost 100 ms, which is too much for every poll.
 */
export function createAdmission({ dashboards, accessChanges, clock, log }: AdmissionOptions) {
  let checking = false
  /** As of the last round that went through. */
  let seenChanges = Number.NaN

  return {
    /** Does nothing while the last check still runs. */
    async check() {
      if (checking) return
      checking = true
      try {
        await closeTheEnded()
      } catch (error) {
        log.error("stream: credentials cannot be checked; the next poll tries again", { error: String(error) })
      }
      checking = false
    },
  }

  async function closeTheEnded() {
    const changes = await accessChanges() // before the checks: what changes meanwhile counts for the next round
    const hasChanged = changes !== seenChanges
    let checked = 0
    for (const dashboard of dashboards) {
      const { checkAdmission, admittedUntil } = dashboard.data
      if (checkAdmission === null || (!hasChanged && clock() < admittedUntil)) continue
      const until = await checkAdmission()
      if (until === null) dashboard.close(policyViolation, "The credential has ended")
      else dashboard.data.admittedUntil = until
      checked += 1
      if (checked % sliceSize === 0) await nextTurn()
    }
    seenChanges = changes
  }
}
