import { dayMs } from "../calendar.ts"
import type { Clock, LoginSource, User } from "../model.ts"
import type { Store } from "../store.ts"
import { createPendingRows } from "./pending-rows.ts"

/** How long a source counts as familiar after a log-in. */
const familiarMs = 90 * dayMs
/** Log-ins of one user from one source within this time are stored once. */
const refreshMs = dayMs

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
  const pending = createPendingRows<string, LoginSource>((rows) => store.users.saveLoginSources(rows))

  return {
    /** Whether the user has logged in from this source within 90 days. */
    async has({ id: userId }: User, source: string): Promise<boolean> {
      return pending.has(keyOf(userId, source)) || (await lastLogin(userId, source)) > clock() - familiarMs
    },

    async add({ id: userId }: User, source: string): Promise<void> {
      if ((await lastLogin(userId, source)) > clock() - refreshMs) return
      pending.add(keyOf(userId, source), { userId, source, usedAt: clock() })
    },

    /** Called about once a minute. */
    async sweep(now: number): Promise<void> {
      await pending.flush()
      await store.users.pruneLoginSources(now - familiarMs)
    },

    /** Call it before the store is closed. */
    close: pending.flush,
  }

  async function lastLogin(userId: number, source: string): Promise<number> {
    return (await store.users.lastLoginFrom(userId, source)) ?? Number.NEGATIVE_INFINITY
  }
}

const keyOf = (userId: number, source: string): string => `${userId} ${source}`
