import { createRateLimiter } from "../auth/rate-limiter.ts"
import { isSuperuser } from "../auth/roles.ts"
import type { Clock, User } from "../model.ts"

interface Dependencies {
  readonly clock: Clock
  /** The setting `limits.transfers_per_minute`; 0: no limit. */
  readonly perMinute: number
}

export type TransferLimit = ReturnType<typeof createTransferLimit>

/**
 * Limits how many requests a regular user sends points with, over all endpoints of this process. The returned function
 * counts a request and returns 0 when it may go on, otherwise how many seconds to wait. A request that is refused for the
 * balance counts too, because it takes the write lock like any other.
 */
export function createTransferLimit({ clock, perMinute }: Dependencies) {
  const requests = createRateLimiter({ clock, windowMs: 60_000, max: perMinute })

  return (sender: User): number => {
    if (perMinute === 0 || isSuperuser(sender)) return 0
    const key = String(sender.id)
    const seconds = requests.waitSeconds(key)
    if (seconds === 0) requests.add(key)
    return seconds
  }
}
