import { isSuperuser } from "./roles.ts"
import type { Clock, User } from "./store.ts"
import { createTally } from "./tally.ts"

interface Dependencies {
  readonly clock: Clock
  /** The setting `limits.transfers_per_minute`; 0 is no limit. */
  readonly perMinute: number
}

export type TransferLimit = ReturnType<typeof createTransferLimit>

/**
 * Counts the requests of regular users that send points, in this process and over all endpoints: refused ones too, since
 * they cost a write lock. Whoever gets 0 may go on; anybody else must wait so many seconds.
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
