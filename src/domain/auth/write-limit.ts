import { DomainError } from "../errors.ts"
import type { User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import type { RateLimiter } from "./rate-limiter.ts"

const windowMs = 60_000

interface Dependencies {
  readonly rateLimiter: Pick<RateLimiter, "count">
  /** The setting `limits.writes_per_minute`; 0: nobody has a limit. */
  readonly perMinute: number
}

export type WriteLimit = ReturnType<typeof createWriteLimit>

/**
 * Counts a request of somebody who is about to change something, for all processes together, so that nobody fills the disk.
 * Superusers have no limit, as for transfers: they and their tokens set up thousands of people. A refused request writes nothing.
 * @throws DomainError `too_many_writes`
 */
export const createWriteLimit =
  ({ rateLimiter, perMinute }: Dependencies) =>
  async (user: User): Promise<void> => {
    if (perMinute === 0 || isSuperuser(user)) return
    const counted = await rateLimiter.count([{ kind: "write", key: `${user.id}`, max: perMinute, windowMs }])
    if (typeof counted === "number") throw new DomainError("too_many_writes", { retryAfterSeconds: counted })
  }
