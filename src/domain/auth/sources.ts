import { dayMs } from "../calendar.ts"
import { type Clock, isFromFuture } from "../clock.ts"
import type { LoginSource } from "../people/credentials.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { createPendingRows } from "./pending-rows.ts"

/**
 * The source of a request, for limits: an IPv4 address, or the /64 of an IPv6 address, since a provider gives each
 * customer a whole /64. An IPv4 address written as IPv6 counts as IPv4. Text that is no address is returned unchanged.
 */
export function sourceOf(address: string): string {
  if (!address.includes(":")) return address
  const groups = groupsOf(address)
  if (groups === null) return address
  const [, , , , , prefix, high = 0, low = 0] = groups
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && prefix === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".")
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`
}

/** The eight groups of an IPv6 address; null when the text is not an IPv6 address. */
function groupsOf(address: string): number[] | null {
  const [withoutZone = ""] = address.split("%", 1)
  // The URL parser accepts every notation and returns the shortest.
  const shortest = URL.parse(`http://[${withoutZone}]/`)?.hostname.slice(1, -1)
  if (shortest === undefined) return null
  const [left = [], right] = shortest.split("::").map(numbersOf)
  return right ? [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right] : left
}

const numbersOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16))

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
      const [now, last] = [clock(), await lastLogin(userId, source)]
      if (last > now - refreshMs && !isFromFuture(last, now)) return
      pending.add(keyOf(userId, source), { userId, source, usedAt: now })
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
