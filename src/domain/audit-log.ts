import { auditEntry } from "./audit-entries.ts"
import type { AuditEntry, Clock, Origin, User } from "./model.ts"
import type { Store } from "./store.ts"

/** Within this time the failures of one account from one address share two entries: the first, and all that follow. */
const windowMs = 5 * 60_000
/** Accounts and addresses that have entries of their own within one window. All others share theirs, so that nobody
 *  fills the disk, whatever is tried from wherever. */
const maxApart = 50
/** Entries that wait for a disk that takes writes again. */
const maxWaiting = 1000

interface Dependencies {
  readonly store: Pick<Store, "audit">
  readonly clock: Clock
  /** How long entries are kept; 0 is forever. */
  readonly keepDays: number
  /** Told when the trail cannot be written, and how many entries wait. */
  readonly onFailure: (error: unknown, waiting: number) => void
}

export type Trail = ReturnType<typeof createTrail>

/**
 * The audit trail of what has no commit of its own to be in, such as a login. It stands in nobody's way: what cannot be
 * written waits in memory.
 */
export function createTrail({ store, clock, keepDays, onFailure }: Dependencies) {
  let waiting: AuditEntry[] = []
  /** The first failure of each is written at once; `count` is how many came after it. */
  let failures = new Map<string, AuditEntry>()
  let windowEnds = Number.NEGATIVE_INFINITY

  return {
    record,

    loggedIn: (user: User, address: string): Promise<void> =>
      record(auditEntry({ who: user.username, way: "http", address }, clock(), "login")),

    /** `account` is null when nobody has the name that was typed, which may be anything, a password too. */
    async loginFailed(account: User | null, address: string): Promise<void> {
      const now = clock()
      if (now >= windowEnds) await endWindow(now)
      const whom = account?.username ?? null
      const own = `${address} ${whom ?? ""}`
      const isApart = failures.has(own) || failures.size < maxApart
      const entry = isApart
        ? auditEntry({ who: null, way: "http", address }, now, "login_failed", { whom })
        : auditEntry({ who: null, way: "http", address: null }, now, "login_failed", { detail: "from many addresses" })
      const key = isApart ? own : "others"
      const known = failures.get(key)
      failures.set(key, { ...entry, count: known ? known.count + 1 : 0 })
      if (!known) await record(entry)
    },

    /** The settings that weaken the service, when they are others than at the last start. */
    async settingsInForce(weak: readonly string[], origin: Origin): Promise<void> {
      const detail = weak.length === 0 ? "none weak" : `weak: ${weak.join(", ")}`
      const [last] = await store.audit.list({ action: "settings", limit: 1 })
      if (last?.detail !== detail) await record(auditEntry(origin, clock(), "settings", { detail }))
    },

    /** About once a minute. */
    async sweep(now: number): Promise<void> {
      if (now >= windowEnds) await endWindow(now)
      await flush()
      if (keepDays > 0) await store.audit.prune(now - keepDays * 24 * 3_600_000)
    },

    /** Writes what is known so far. Before the store is closed. */
    close: (): Promise<void> => endWindow(clock()),
  }

  function record(...entries: readonly AuditEntry[]): Promise<void> {
    waiting.push(...entries)
    return flush()
  }

  async function endWindow(now: number) {
    const repeated = [...failures.values()].filter(({ count }) => count > 0)
    failures = new Map()
    windowEnds = now + windowMs
    if (repeated.length > 0) await record(...repeated)
  }

  async function flush() {
    const entries = waiting
    if (entries.length === 0) return
    waiting = []
    try {
      await store.audit.append(entries)
    } catch (error) {
      waiting = [...entries, ...waiting].slice(0, maxWaiting)
      onFailure(error, waiting.length)
    }
  }
}
