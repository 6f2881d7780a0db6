import { nextTick } from "../domain/ticks.ts"
import { burstBytes, type Dashboard, isFull } from "./dashboard.ts"
import { type EntrySource, type Formats, type Frame, textFor } from "./frames.ts"

/** How many dashboards one tick of the event loop publishes to: at about 8 µs each, this blocks the loop for 2 ms. */
const groupSize = 250

/** How many entries are read at once. Nothing more is read while this many wait to be published. */
const readSize = 500

interface GroupsOptions<Entry> {
  readonly ledger: Pick<EntrySource<Entry>, "after" | "lastId">
  readonly formats: Formats<Entry>
  readonly publishTo: (topic: string, frame: string) => void
  /** The text of a heartbeat, given the id up to which everything was sent, and the formats that get it; null: none. */
  readonly heartbeat: {
    readonly text: (through: number) => string
    readonly isFor: (format: string) => boolean
  } | null
}

/**
 * The dashboards that have caught up with the ledger, in groups. Each tick of the event loop publishes everything that
 * the ledger holds by then to one group. This way requests are served between two groups, and no group waits longer
 * than one round.
 */
export function createGroups<Entry extends { readonly id: number }>(options: GroupsOptions<Entry>) {
  const { ledger, formats, publishTo, heartbeat } = options
  const groupOf = new Map<Dashboard, Group>()
  const tail = createTail(ledger, formats)
  let groups: Group[] = []
  let groupsStarted = 0

  return {
    head,
    size: () => groupOf.size,
    has: (dashboard: Dashboard) => groupOf.has(dashboard),
    join,
    leave,
    publishRound,
    sendHeartbeats,
    /** Whether there are transactions that some group was not sent yet. */
    isBehind: () => !tail.isAtEnd() || groups.some((group) => group.head < tail.lastId()),
  }

  /** A dashboard must have been sent everything up to this id before it can join. */
  function head(format: string): number {
    return openGroup(format)?.head ?? tail.lastId()
  }

  /** The group that new dashboards of this format join. */
  function openGroup(format: string): Group | undefined {
    return groups.find((group) => group.format === format && group.dashboards.size < groupSize)
  }

  /**
   * Adds the dashboard to a group if both were sent everything up to the same id; returns whether it did. Comparing and
   * joining are one synchronous step, so that no frame is lost or sent twice in between.
   */
  function join(dashboard: Dashboard): boolean {
    const { format, cursor } = dashboard.data
    if (cursor !== head(format)) return false
    const group = openGroup(format) ?? startGroup(format)
    addTo(group, dashboard)
    groupOf.set(dashboard, group)
    if (heartbeat?.isFor(format)) dashboard.send(heartbeat.text(group.head))
    return true
  }

  function startGroup(format: string): Group {
    groupsStarted += 1
    const group = newGroup(format, `${format} ${groupsStarted}`, tail.lastId())
    groups.push(group)
    return group
  }

  function leave(dashboard: Dashboard) {
    const group = groupOf.get(dashboard)
    if (!group) return
    groupOf.delete(dashboard)
    removeFrom(group, dashboard)
    dashboard.data.cursor = group.head
  }

  /** Publishes to each group once, including groups started meanwhile. Returns whether anything was published. */
  async function publishRound(): Promise<boolean> {
    groups = groups.filter(({ dashboards }) => dashboards.size > 0)
    if (groups.length === 0) await skipToEnd()
    let hasPublished = false
    for (const group of groups) {
      await tail.read(isWatched)
      if (group.head === tail.lastId()) continue
      hasPublished = true
      await publishTail(group)
      if (groups.length > 1) await nextTick()
    }
    tail.drop(Math.min(...groups.map(({ head }) => head)))
    return hasPublished
  }

  /** Skips to the end of the ledger: while no dashboard is live, nothing has to be read. */
  async function skipToEnd() {
    const lastId = await ledger.lastId()
    if (groups.length === 0) tail.skipTo(lastId)
  }

  function isWatched(format: string): boolean {
    return groups.some((group) => group.format === format)
  }

  async function publishTail(group: Group) {
    for (const frame of tail.after(group.format, group.head)) {
      if (group.unseenBytes >= burstBytes) await removeFull(group)
      publishFrame(group, frame, publishTo)
      group.head = frame.id
      group.unseenBytes += frame.bytes
    }
  }

  /**
   * Removes dashboards with a full buffer from the group. What is in the buffer counts as sent; when it drains, the replay
   * continues from there.
   */
  async function removeFull(group: Group) {
    await nextTick() // Bun publishes in batches; lets it write them to the buffers
    group.unseenBytes = 0
    for (const dashboard of group.dashboards) if (isFull(dashboard)) leave(dashboard)
  }

  async function sendHeartbeats() {
    if (heartbeat === null) return
    for (const group of groups.filter(({ format }) => heartbeat.isFor(format))) {
      publishTo(group.topic, heartbeat.text(group.head))
      if (groups.length > 1) await nextTick()
    }
  }
}

/** Live dashboards of one format that were sent the same entries and subscribe to the same topic of Bun's server. */
interface Group {
  readonly format: string
  readonly topic: string
  readonly dashboards: Set<Dashboard>
  /** The dashboards of each logged-in user. */
  readonly byUser: Map<number, Set<Dashboard>>
  /** All dashboards of the group were sent everything up to this id. */
  head: number
  /** Bytes published since the dashboards' buffers were last checked. */
  unseenBytes: number
}

const newGroup = (format: string, topic: string, head: number): Group => ({
  format,
  topic,
  dashboards: new Set(),
  byUser: new Map(),
  head,
  unseenBytes: 0,
})

function addTo(group: Group, dashboard: Dashboard) {
  const { userId } = dashboard.data
  group.dashboards.add(dashboard)
  dashboard.subscribe(group.topic)
  if (userId === null) return
  const ofUser = group.byUser.get(userId) ?? new Set()
  group.byUser.set(userId, ofUser.add(dashboard))
}

function removeFrom(group: Group, dashboard: Dashboard) {
  const { userId } = dashboard.data
  group.dashboards.delete(dashboard)
  dashboard.unsubscribe(group.topic)
  const ofUser = userId === null ? undefined : group.byUser.get(userId)
  ofUser?.delete(dashboard)
  if (userId !== null && ofUser?.size === 0) group.byUser.delete(userId)
}

/** Sends a frame to all dashboards that may see it: through the topic if all get the same text. */
function publishFrame(group: Group, frame: Frame, publishTo: (topic: string, text: string) => void) {
  const { text, forUsers } = frame
  if (forUsers === null) {
    if (text !== null) publishTo(group.topic, text)
    return
  }
  const recipients = text === null ? dashboardsOf(group, forUsers.userIds) : group.dashboards
  for (const dashboard of recipients) dashboard.send(textFor(frame, dashboard.data.userId) ?? "")
}

const dashboardsOf = ({ byUser }: Group, userIds: readonly number[]): Dashboard[] =>
  [...new Set(userIds)].flatMap((userId) => [...(byUser.get(userId) ?? [])])

/** The newest part of the ledger as frames, from the slowest group to the end. */
function createTail<Entry extends { readonly id: number }>(
  ledger: Pick<EntrySource<Entry>, "after">,
  formats: Formats<Entry>,
) {
  const framesByFormat = new Map<string, readonly Frame[]>()
  let lastId = 0
  let isAtEnd = true

  return {
    /** The id up to which the ledger was read. */
    lastId: () => lastId,
    isAtEnd: () => isAtEnd,

    /** Reads the next entries. Calls `isWatched` after the read, because a dashboard may join while it runs. */
    async read(isWatched: (format: string) => boolean) {
      if (framesByFormat.values().some((frames) => frames.length >= readSize)) return
      const entries = await ledger.after(lastId, readSize)
      for (const [format, serialise] of formats)
        if (isWatched(format)) framesByFormat.set(format, [...framesOf(format), ...entries.map(serialise)])
      lastId = entries.at(-1)?.id ?? lastId
      isAtEnd = entries.length < readSize
    },
    after: (format: string, id: number): readonly Frame[] => framesOf(format).filter((frame) => frame.id > id),
    /** Drops the frames up to this id, which all groups were sent. */
    drop(throughId: number) {
      for (const [format, frames] of framesByFormat)
        framesByFormat.set(
          format,
          frames.filter(({ id }) => id > throughId),
        )
    },
    /** Continues after this id without reading what comes before it. */
    skipTo(id: number) {
      framesByFormat.clear()
      lastId = id
      isAtEnd = true
    },
  }

  function framesOf(format: string): readonly Frame[] {
    return framesByFormat.get(format) ?? []
  }
}
