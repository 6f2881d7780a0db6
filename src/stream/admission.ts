import type { Log } from "../log.ts"
import { type Dashboard, nextTurn } from "./dashboard.ts"

/** Credentials looked at in one turn of the event loop: some 10 µs each. */
const sliceSize = 50

const policyViolation = 1008

interface AdmissionOptions {
  readonly dashboards: Iterable<Dashboard>
  readonly log: Log
}

/** Closes the streams whose credential has ended since they were opened: a session that ended, a token that expired, a
 *  password that was changed. */
export function createAdmission({ dashboards, log }: AdmissionOptions) {
  let checking = false

  return {
    /** Looks at each that was opened by a credential once; does nothing while the last look still runs. */
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
    let asked = 0
    for (const dashboard of dashboards) {
      const { isAdmitted } = dashboard.data
      if (isAdmitted === null) continue
      if (!(await isAdmitted())) dashboard.close(policyViolation, "The credential has ended")
      asked += 1
      if (asked % sliceSize === 0) await nextTurn()
    }
  }
}
