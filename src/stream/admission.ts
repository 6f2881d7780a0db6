import type { SessionStore } from "../domain/auth/ports.ts"
import type { Clock } from "../domain/clock.ts"
import { inTimeSlices } from "../domain/ticks.ts"
import type { Log } from "../support/log.ts"
import type { StreamSocket } from "./socket.ts"

/** How many credentials are checked in one tick of the event loop. */
const sliceSize = 50

const policyViolation = 1008

interface AdmissionOptions {
  readonly sockets: Iterable<StreamSocket>
  readonly accessChanges: SessionStore["accessChanges"]
  readonly clock: Clock
  readonly log: Log
}

/**
 * Closes streams whose credential has ended since they were opened (a session ended, a token expired, a password changed),
 * or whose user may see more or less than then (`admissionCheck` in src/http/upgrade.ts).
 * A credential is checked again only when it may have expired or something changed that may end credentials, because
 * checking 10,000 of them takes 100 ms, too much for every poll.
 */
export function createAdmission({ sockets, accessChanges, clock, log }: AdmissionOptions) {
  let isChecking = false
  /** The value of `accessChanges` at the last complete check. */
  let seenChanges = Number.NaN

  return {
    /** Does nothing while another check runs. */
    async check() {
      if (isChecking) return
      isChecking = true
      try {
        await closeEnded()
      } catch (error) {
        log.error("stream: credentials cannot be checked; the next poll tries again", { error: String(error) })
      }
      isChecking = false
    },
  }

  async function closeEnded() {
    const changes = await accessChanges() // read before the checks, so that changes made meanwhile lead to another check
    const hasChanged = changes !== seenChanges
    const due = [...sockets].filter(({ data }) => hasChanged || clock() >= data.admittedUntil)
    for await (const socket of inTimeSlices(due, sliceSize)) {
      const { checkAdmission } = socket.data
      if (checkAdmission === null) continue
      const until = await checkAdmission()
      if (until === null) socket.close(policyViolation, "The credential has ended, or its access has changed")
      else socket.data.admittedUntil = until
    }
    seenChanges = changes
  }
}
