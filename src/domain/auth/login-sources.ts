import { dayMs } from "../calendar.ts"
import { isOutage } from "../errors.ts"
import type { Clock, LoginSource, User } from "../model.ts"
import type { Store } from "../store.ts"

/** How long a source counts as familiar after a log-in. */
const familiarMs = 90 * dayMs
/** Log-ins of one user from one source within this time are stored once. */
const refreshMs = dayMs
/** How many log-ins wait to be stored; the oldest are dropped first. */
const maxPending = 10_000

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly clock: Clock
}

export type LoginSources = ReturnType<typeof createLoginSources>

/**
 * Remembers from which sources each user has logged in, so that guesses from elsewhere cannot lock them out. Stored once a
 * minute rather than with each log-in, which would cost a commit.
 */
export function createLoginSources({ store, clock }: Dependencies) {
  let pending = new Map<string, LoginSource>()

  return {
    /** Whether the user has logged in from this source within 90 days. */
    async has({ id: userId }: User, source: string): Promise<boolean> {
      return pending.has(keyOf(userId, source)) || (await lastLogin(userId, source)) > clock() - familiarMs
    },

    async add({ id: userId }: User, source: string): Promise<void> {
      if ((await lastLogin(userId, source)) > clock() - refreshMs) return
      const oldest = pending.keys().next()
      if (pending.size >= maxPending && !oldest.done) pending.delete(oldest.value)
      pending.set(keyOf(userId, source), { userId, source, usedAt: clock() })
    },

    /** Called about once a minute. */
    async sweep(now: number): Promise<void> {
      await flush()
      await store.users.pruneLoginSources(now - familiarMs)
    },

    /** Call it before the store is closed. */
    close: flush,
  }

  async function lastLogin(userId: number, source: string): Promise<number> {
    return (await store.users.lastLoginFrom(userId, source)) ?? Number.NEGATIVE_INFINITY
  }

  async function flush() {
    const logins = pending
    if (logins.size === 0) return
    pending = new Map()
    try {
      await store.users.saveLoginSources([...logins.values()])
    } catch (error) {
      if (!isOutage(error)) throw error
      pending = new Map([...logins, ...pending]) // tried again with the next sweep
    }
  }
}

const keyOf = (userId: number, source: string): string => `${userId} ${source}`
