import { dayMs } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import type { Store } from "../store.ts"
import type { AuditAction, AuditChange, AuditEntry, AuditValues, Origin } from "./ports.ts"

/**
 * Repeated failures of one account from one address within this time have at most two entries: one for the first failure, one
 * for all others.
 */
const windowMs = 5 * 60_000
/** How many pairs of account and address have entries of their own within a window. All other pairs share one entry, so
 *  that a flood of log-ins cannot fill the disk. */
const maxSeparate = 50
/** How many entries wait in memory while the database cannot be written. */
const maxWaiting = 1000

interface Dependencies {
  readonly store: Pick<Store, "audit"> & { readonly users: Pick<Store["users"], "byUsername"> }
  readonly clock: Clock
  /** How long entries are kept; 0 is forever. */
  readonly keepDays: number
  /** Called when entries cannot be written, with the number that wait. */
  readonly onFailure: (error: unknown, waiting: number) => void
}

/** Whose log-in it is. */
interface Account {
  readonly username: string
}

interface About extends Partial<AuditChange> {
  readonly whom?: string | null
  readonly detail?: string | null
}

/**
 * Makes an entry. An action that changes the store passes the entry to the store, so that both are in one commit. `before` and
 * `after` may be whole things: the entry has the values that differ.
 */
export const auditEntry = (
  { who, way, address }: Origin,
  at: number,
  action: AuditAction,
  { whom = null, detail = null, before = null, after = null }: About = {},
): AuditEntry => ({ at, action, who, whom, way, address, count: 1, detail, ...whatDiffers(before, after) })

function whatDiffers(before: AuditValues | null, after: AuditValues | null): AuditChange {
  const of = (values: AuditValues | null, other: AuditValues | null) => {
    const changed = Object.entries(values ?? {}).filter(
      ([name, value]) => other === null || (name in other && !Bun.deepEquals(value, other[name])),
    )
    return changed.length === 0 ? null : Object.fromEntries(changed)
  }
  return { before: of(before, after), after: of(after, before) }
}

export type AuditLog = ReturnType<typeof createAuditLog>

/**
 * The audit log for actions without a commit of their own, such as a login. Recording never fails: entries that cannot
 * be written wait in memory.
 */
export function createAuditLog({ store, clock, keepDays, onFailure }: Dependencies) {
  let waiting: AuditEntry[] = []
  /** The failures of this window. The first of each kind is written at once; `count` is how many followed it. */
  let failures = new Map<string, AuditEntry>()
  let windowEndsAt = Number.NEGATIVE_INFINITY

  return {
    record,

    /** `detail` names the method of logging in; null for a password. */
    loggedIn: (account: Account, address: string, detail: string | null = null): Promise<void> =>
      record(auditEntry({ who: account.username, way: "http", address }, clock(), "login", { detail })),

    /** `account` is null for an unknown name. The name as typed is never recorded: it may be a password. */
    async loginFailed(account: Account | null, address: string, detail: string | null = null): Promise<void> {
      const now = clock()
      if (isOver(now)) await endWindow(now)
      const whom = account?.username ?? null
      const pair = [address, whom ?? "", detail ?? ""].join(" ")
      const isSeparate = failures.has(pair) || failures.size < maxSeparate
      const entry = isSeparate
        ? auditEntry({ who: null, way: "http", address }, now, "login_failed", { whom, detail })
        : auditEntry({ who: null, way: "http", address: null }, now, "login_failed", { detail: "from many addresses" })
      const key = isSeparate ? pair : "others"
      const earlier = failures.get(key)
      failures.set(key, { ...entry, count: earlier ? earlier.count + 1 : 0 })
      if (!earlier) await record(entry)
    },

    /** Records which settings weaken the service, when that has changed since the last start. */
    async settingsInForce(weak: readonly string[], origin: Origin): Promise<void> {
      const detail = weak.length === 0 ? "none weak" : `weak: ${weak.join(", ")}`
      const [last] = await store.audit.list({ action: "settings", limit: 1 })
      const before = last?.after ?? null
      if (last?.detail !== detail)
        await record(auditEntry(origin, clock(), "settings", { detail, before, after: { weak } }))
    },

    /** Called about once a minute: ends a window that is over, and writes waiting entries. */
    async sweep(now: number): Promise<void> {
      if (isOver(now)) await endWindow(now)
      await flush()
    },

    /** Applies `keepDays`. */
    async prune(now: number): Promise<void> {
      if (keepDays > 0) await store.audit.prune(now - keepDays * dayMs)
    },

    /** Writes pending entries. Call it before the store is closed. */
    async close(): Promise<void> {
      await endWindow(clock())
      await flush()
    },
  }

  /** Also when the clock was set back. */
  function isOver(now: number): boolean {
    return now >= windowEndsAt || now < windowEndsAt - windowMs
  }

  function record(...entries: readonly AuditEntry[]): Promise<void> {
    waiting.push(...entries)
    return flush()
  }

  async function endWindow(now: number) {
    const repeated = [...failures.values()].filter(({ count }) => count > 0)
    failures = new Map()
    windowEndsAt = now + windowMs
    if (repeated.length > 0) await record(...(await Promise.all(repeated.map(withoutErased))))
  }

  /** The account may have been erased during the window, and its username with it. */
  async function withoutErased(entry: AuditEntry): Promise<AuditEntry> {
    if (entry.whom === null || (await store.users.byUsername(entry.whom))) return entry
    return { ...entry, whom: null, address: null }
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
