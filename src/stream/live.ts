import { burstBytes, type Dashboard, isFull, nextTurn } from "./dashboard.ts"
import type { Formats } from "./frame.ts"
import { enter, exit, type Group, newGroup, play } from "./group.ts"
import type { Follows } from "./hub.ts"
import { createRecent } from "./recent.ts"

/** Dashboards that one turn of the event loop publishes to. At some 8 µs each, everybody else waits 2 ms for them. */
const groupSize = 250

interface LiveOptions<Entry> {
  readonly ledger: Pick<Follows<Entry>, "after" | "lastId">
  readonly formats: Formats<Entry>
  readonly publishTo: (topic: string, frame: string) => void
  /** What says that the line is alive, with the id through which everything was sent; null: nothing does. */
  readonly heartbeat: ((through: number) => string) | null
}

/**
 * The dashboards that follow the ledger as it grows, in groups. The groups take turns, and each is sent in its turn all
 * that the ledger holds by then: so a crowd delays no request, and no group waits for more than one round.
 */
export function createLive<Entry extends { readonly id: number }>(options: LiveOptions<Entry>) {
  const { ledger, formats, publishTo, heartbeat } = options
  const groupOf = new Map<Dashboard, Group>()
  const recent = createRecent(ledger, formats)
  let groups: Group[] = []
  let opened = 0

  return {
    head,
    size: () => groupOf.size,
    has: (dashboard: Dashboard) => groupOf.has(dashboard),
    join,
    leave,
    playRound,
    beat,
    /** Whether the ledger, as far as it was looked at, holds what a group was not sent. */
    isBehind: () => !recent.isAtEnd() || groups.some((group) => group.head < recent.lastId()),
  }

  /** Id through which a dashboard must have been sent everything to join. */
  function head(format: string): number {
    return openGroup(format)?.head ?? recent.lastId()
  }

  /** The group that takes newcomers. */
  function openGroup(format: string): Group | undefined {
    return groups.find((group) => group.format === format && group.dashboards.size < groupSize)
  }

  /** Takes over a dashboard that stands where its group does; returns whether it did. Comparing and joining are one
   *  synchronous step: no frame falls between them, none is sent from both sides. */
  function join(dashboard: Dashboard): boolean {
    const { format, cursor } = dashboard.data
    if (cursor !== head(format)) return false
    const group = openGroup(format) ?? startGroup(format)
    enter(group, dashboard)
    groupOf.set(dashboard, group)
    if (heartbeat) dashboard.send(heartbeat(group.head))
    return true
  }

  function startGroup(format: string): Group {
    opened += 1
    const group = newGroup(format, `${format} ${opened}`, recent.lastId())
    groups.push(group)
    return group
  }

  function leave(dashboard: Dashboard) {
    const group = groupOf.get(dashboard)
    if (!group) return
    groupOf.delete(dashboard)
    exit(group, dashboard)
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

  function isWatched(format: string): boolean {
    return groups.some((group) => group.format === format)
  }

  async function publish(group: Group) {
    for (const frame of recent.after(group.format, group.head)) {
      if (group.unseenBytes >= burstBytes) await holdBackTheFull(group)
      play(group, frame, publishTo)
      group.head = frame.id
      group.unseenBytes += frame.bytes
    }
  }

  /** Tells everybody who is live that the line is, group by group. */
  async function beat() {
    if (heartbeat === null) return
    for (const group of [...groups]) {
      publishTo(group.topic, heartbeat(group.head))
      if (groups.length > 1) await nextTurn()
    }
  }

  /** What is in their buffers counts as sent; they go on from the ledger when they drain. */
  async function holdBackTheFull(group: Group) {
    await nextTurn() // Fills the buffers.
    group.unseenBytes = 0
    for (const dashboard of group.dashboards) if (isFull(dashboard)) leave(dashboard)
  }
}
