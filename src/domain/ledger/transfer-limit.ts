import { isSuperuser } from "../auth/roles.ts"
import type { RequestLimit, User } from "../model.ts"

const windowMs = 60_000

export type TransferLimit = ReturnType<typeof createTransferLimit>

/**
 * How many requests that send points a user may make, over all endpoints and processes; undefined for superusers, who have
 * no limit. `perMinute` is the setting `limits.transfers_per_minute`; 0: nobody has a limit. The ledger counts inside its
 * lock. Requests that it refuses count too, because they take the lock like any other.
 */
export const createTransferLimit =
  (perMinute: number) =>
  (sender: User): RequestLimit | undefined =>
    perMinute === 0 || isSuperuser(sender) ? undefined : { max: perMinute, windowMs }
