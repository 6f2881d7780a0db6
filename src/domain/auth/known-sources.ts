import { DomainError } from "../errors.ts"
import type { Clock, LoginSource, User } from "../model.ts"
import type { Store } from "../store.ts"

/** How long a source counts as an account's own. */
const keptMs = 90 * 24 * 3_600_000
/** A login from the same source is written down again after this time. */
const freshMs = 24 * 3_600_000
/** Logins that wait to be written down; the oldest are forgotten first. */
const maxWaiting = 10_000

interface Dependencies {
  readonly store: Pick<Store, "users">
  readonly clock: Clock
}

export type KnownSources = ReturnType<typeof createKnownSources>

/** From where each account was logged in to. Written once a minute, not with each login. */
export function createKnownSources({ store, clock }: Dependencies) {
  let waiting = new Map<string, LoginSource>()

  return {
    async has({ id: userId }: User, source: string): Promise<boolean> {
      return waiting.has(keyOf(userId, source)) || (await lastUse(userId, source)) > clock() - keptMs
    },
    async add({ id: userId }: User, source: string): Promise<void> {
      if ((await lastUse(userId, source)) > clock() - freshMs) return
      const oldest = waiting.keys().next()
      if (waiting.size >= maxWaiting && !oldest.done) waiting.delete(oldest.value)
      waiting.set(keyOf(userId, source), { userId, source, usedAt: clock() })
    },
    /** About once a minute. */
    async sweep(now: number): Promise<void> {
      await flush()
      await store.users.pruneLoginSources(now - keptMs)
    },
    /** Before the store is closed. */
    close: flush,
  }

  async function lastUse(userId: number, source: string): Promise<number> {
    return (await store.users.lastLoginFrom(userId, source)) ?? Number.NEGATIVE_INFINITY
  }

  async function flush() {
    const uses = waiting
    if (uses.size === 0) return
    waiting = new Map()
    try {
      await store.users.saveLoginSources([...uses.values()])
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "unwritable")) throw error
      waiting = new Map([...uses, ...waiting]) // until there is space again
    }
  }
}

const keyOf = (userId: number, source: string): string => `${userId} ${source}`
