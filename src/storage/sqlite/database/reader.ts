import type { Database } from "bun:sqlite"
import { currentTick } from "../../../domain/ticks.ts"
import { createBudget } from "../../budget.ts"

/** How often a reader lets go of the WAL when nothing is written: one that stays keeps it from being used anew. */
export const moveEveryMs = 250

interface Dependencies {
  /** A connection of its own. */
  readonly client: Database
  /** A number that changes when another process has committed. */
  readonly commitsOfOthers: () => number
  /** Syncs what is committed, off the event loop. After a failure it must never succeed again. */
  readonly sync: () => Promise<void>
}

/** The reads of a database: of the latest durable commit, and of nothing that a power cut could take back. */
export type Reader = ReturnType<typeof createReader>

/**
 * The connection that answers reads. It keeps a read transaction open at the last commit that is known to be on the disk, and
 * moves on when the next one is. So a sync, however slow, holds up nobody who reads.
 *
 * A commit of another process is noticed once a tick, and synced before it is shown: that process may show it before its own
 * sync. Reads wait meanwhile, because the client of that process may have its answer already.
 */
export function createReader({ client, commitsOfOthers, sync }: Dependencies) {
  const begin = client.prepare("BEGIN")
  const end = client.prepare("COMMIT")
  const look = client.prepare("SELECT 1 FROM sqlite_schema LIMIT 1") // a transaction begins with its first read
  const budget = createBudget()
  /** How many commits this process has made, and how many of them are on the disk. */
  let commits = 0
  let synced = 0
  /** Which commits of other processes are shown. The first read comes after the first sync. */
  let shown = -1
  let version = 0
  /** How often this process has changed what is cached, and how many of these changes are shown. */
  let changes = 0
  let changesShown = 0
  /** The round that is under way, and the one that follows it; see `show`. */
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  /** What reads of this tick wait for first. */
  let behind: Promise<void> | undefined
  let checkedIn = -1
  /** While a commit is shown that is not synced yet: the sync. Nobody reads until then. */
  let unsynced: Promise<void> | undefined

  client.run("PRAGMA query_only = ON")
  const timer = setInterval(() => void letGo().catch(ignored), moveEveryMs)
  timer.unref()

  return {
    client,
    budget,
    /**
     * Runs a read of a few milliseconds at most, when all is shown that other processes have committed before this tick, and
     * the budget of a tick allows it; see `createBudget`.
     */
    read<T>(work: () => T, signal?: AbortSignal): Promise<T> {
      const wait = caughtUp()
      return wait === undefined ? run(work, signal) : wait.then(() => run(work, signal))
    },
    /** Whether a read now would neither wait nor show more than the last one did. Then caches of this version are valid. */
    isCurrent: () => caughtUp() === undefined && unsynced === undefined,
    /** Caches of what was read are valid for one version. */
    version: () => version,
    /** Call at once after a commit of this process, with how often it has changed what is cached. */
    committed(changesOfCached: number) {
      commits += 1
      changes = changesOfCached
    },
    show,
    letGo,
    /** Ends the read transaction for good. From then on, reads see whatever is committed. */
    release,
    async close() {
      await running?.catch(ignored)
      release()
      client.close()
    },
  }

  function run<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    // Looks again when it is its turn, which may be in a later tick.
    return budget.spend<T>(() => unsynced?.then(() => run(work, signal)) ?? work(), signal)
  }

  function caughtUp(): Promise<void> | undefined {
    if (checkedIn === currentTick()) return behind
    checkedIn = currentTick()
    behind = shown !== commitsOfOthers() ? show() : undefined
    behind?.catch(ignored) // who reads gets the error
    return behind
  }

  /**
   * Syncs all commits made so far, own ones and those of other processes, then shows them. Does nothing without a new commit.
   * Rounds run one at a time, because the system reports a failed sync to only one of its callers.
   * @throws what `sync` throws
   */
  async function show(): Promise<void> {
    if (running === undefined) {
      if (synced === commits && shown === commitsOfOthers()) return
      running = round().finally(() => {
        running = undefined
      })
      return running
    }
    // The sync of the running round may have begun before the commit.
    following ??= running.catch(ignored).then(() => {
      following = undefined
      return show()
    })
    return following
  }

  async function round(): Promise<void> {
    let own: number
    let others: number
    do {
      own = commits
      others = commitsOfOthers()
      await sync()
    } while (own !== commits) // moving on would show the commit that came meanwhile
    synced = own
    await moveFrom(others)
  }

  /** Lets go of those pages in the WAL that are in the database too. Shows nothing that is not synced. */
  async function letGo(): Promise<void> {
    const others = commitsOfOthers()
    if (running !== undefined || synced !== commits || shown !== others) await show()
    else await moveFrom(others)
  }

  /** Moves on when everything up to these commits of others is synced. */
  async function moveFrom(others: number): Promise<void> {
    move()
    if (others === shown) return
    // Another process has just committed, and its commit is shown.
    unsynced = sync()
    try {
      await unsynced
    } finally {
      unsynced = undefined
    }
  }

  function move() {
    const before = shown
    do {
      shown = commitsOfOthers()
      if (client.inTransaction) end.run()
      begin.run()
      look.get()
    } while (shown !== commitsOfOthers()) // a commit between the two may be shown or not
    if (changes !== changesShown || shown !== before) version += 1
    changesShown = changes
  }

  function release() {
    clearInterval(timer)
    if (client.inTransaction) end.run()
  }
}

const ignored = () => {}
