import { createTally } from "../auth/rate-limiter.ts"
import { isSuperuser } from "../auth/roles.ts"
import type { Clock, User } from "../model.ts"

interface Dependencies {
  readonly clock: Clock
  /** The setting `limits.transfers_per_minute`; 0 is no limit. */
  readonly perMinute: number
}

export type TransferLimit = ReturnType<typeof createTransferLimit>

/**
 * Counts the requests of regular users that send points, over all endpoints of this process. Requests that are refused
 * for the balance count too: they take the write lock like any other. Returns 0 when a request is admitted, else how many
 * seconds to wait.
 */
export function createTransferLimit({ clock, perMinute }: Dependencies) {
  const requests = createTally({ clock, windowMs: 60_000, max: perMinute })

  return (sender: User): number => {
    if (perMinute === 0 || isSuperuser(sender)) return 0
    const key = String(sender.id)
    const seconds = requests.fullFor(key)
    if (seconds === 0) requests.add(key)
    return seconds
  }
}
