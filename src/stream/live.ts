import type { LedgerStore } from "../domain/store.ts"
import { burstBytes, type Dashboard, isFull, nextTurn } from "./dashboard.ts"
import type { Format } from "./frames.ts"
import { createRecent } from "./recent.ts"

/** Dashboards that one turn of the event loop publishes to. At some 8 µs each, everybody else waits 2 ms for them. */
const groupSize = 250

/** Dashboards of one format that share a native publication. */
interface Group {
  readonly format: Format
  readonly topic: string
  readonly dashboards: Set<Dashboard>
  /** Id through which all of them were sent everything. */
  head: number
  /** Published since their buffers were last looked at. */
  unseenBytes: number
}

interface LiveOptions {
  readonly ledger: Pick<LedgerStore, "after" | "lastId">
  readonly publishTo: (topic: string, frame: string) => void
}

/**
 * The dashboards that follow the ledger as it grows, in groups. The groups take turns, and each is sent in its turn all
 * that the ledger holds by then: so a crowd delays no request, and no group waits for more than one round.
 */
export function createLive({ ledger, publishTo }: LiveOptions) {
  const groupOf = new Map<Dashboard, Group>()
  const recent = createRecent(ledger)
  let groups: Group[] = []
  let opened = 0

  return {
    head,
    size: () => groupOf.size,
    has: (dashboard: Dashboard) => groupOf.has(dashboard),
    join,
    leave,
    playRound,
    /** Whether the ledger, as far as it was looked at, holds what a group was not sent. */
    isBehind: () => !recent.isAtEnd() || groups.some((group) => group.head < recent.lastId()),
  }

  /** Id through which a dashboard must have been sent everything to join. */
  function head(format: Format): number {
    return openGroup(format)?.head ?? recent.lastId()
  }

  /** The group that takes newcomers. */
  function openGroup(format: Format): Group | undefined {
    return groups.find((group) => group.format === format && group.dashboards.size < groupSize)
  }

  /** Takes over a dashboard that stands where its group does; returns whether it did. Comparing and joining are one
   *  synchronous step: no frame falls between them, none is sent from both sides. */
  function join(dashboard: Dashboard): boolean {
    const { format, cursor } = dashboard.data
    if (cursor !== head(format)) return false
    const group = openGroup(format) ?? newGroup(format)
    group.dashboards.add(dashboard)
    groupOf.set(dashboard, group)
    dashboard.subscribe(group.topic)
    return true
  }

  function newGroup(format: Format): Group {
    opened += 1
    const topic = `${format} ${opened}`
    const group = { format, topic, dashboards: new Set<Dashboard>(), head: recent.lastId(), unseenBytes: 0 }
    groups.push(group)
    return group
  }

  function leave(dashboard: Dashboard) {
    const group = groupOf.get(dashboard)
    if (!group) return
    groupOf.delete(dashboard)
    group.dashboards.delete(dashboard)
    dashboard.unsubscribe(group.topic)
    dashboard.data.cursor = group.head
  }

  /** One turn for each group; a group that is opened meanwhile has one too. Returns whether anything was published. */
  async function playRound(): Promise<boolean> {
    groups = groups.filter(({ dashboards }) => dashboards.size > 0)
    if (groups.length === 0) await skipToEnd()
    let hasPublished = false
    for (const group of groups) {
      await recent.read(isWatched)
      if (group.head === recent.lastId()) continue
      hasPublished = true
      await publish(group)
      if (groups.length > 1) await nextTurn()
    }
    recent.forget(Math.min(...groups.map(({ head }) => head)))
    return hasPublished
  }

  /** While nobody is live. */
  async function skipToEnd() {
    const lastId = await ledger.lastId()
    if (groups.length === 0) recent.skipTo(lastId)
  }

  function isWatched(format: Format): boolean {
    return groups.some((group) => group.format === format)
  }

  async function publish(group: Group) {
    for (const { id, text, bytes } of recent.after(group.format, group.head)) {
      if (group.unseenBytes >= burstBytes) await holdBackTheFull(group)
      publishTo(group.topic, text)
      group.head = id
      group.unseenBytes += bytes
    }
  }

  /** What is in their buffers counts as sent; they go on from the ledger when they drain. */
  async function holdBackTheFull(group: Group) {
    await nextTurn() // Fills the buffers.
    group.unseenBytes = 0
    for (const dashboard of group.dashboards) if (isFull(dashboard)) leave(dashboard)
  }
}
