import type { Dashboard } from "./dashboard.ts"
import { type Frame, textFor } from "./frame.ts"

/** Live dashboards of one format that stand at the same place and share a native publication. */
export interface Group {
  readonly format: string
  readonly topic: string
  readonly dashboards: Set<Dashboard>
  /** Those of each user who is known. */
  readonly byUser: Map<number, Set<Dashboard>>
  /** Id through which all of them were sent everything. */
  head: number
  /** Published since their buffers were last looked at. */
  unseenBytes: number
}

export const newGroup = (format: string, topic: string, head: number): Group => ({
  format,
  topic,
  dashboards: new Set(),
  byUser: new Map(),
  head,
  unseenBytes: 0,
})

export function enter(group: Group, dashboard: Dashboard) {
  const { userId } = dashboard.data
  group.dashboards.add(dashboard)
  dashboard.subscribe(group.topic)
  if (userId === null) return
  const theirs = group.byUser.get(userId) ?? new Set()
  group.byUser.set(userId, theirs.add(dashboard))
}

export function exit(group: Group, dashboard: Dashboard) {
  const { userId } = dashboard.data
  group.dashboards.delete(dashboard)
  dashboard.unsubscribe(group.topic)
  const theirs = userId === null ? undefined : group.byUser.get(userId)
  theirs?.delete(dashboard)
  if (userId !== null && theirs?.size === 0) group.byUser.delete(userId)
}

/** Sends a frame to everybody whom it is for: at once where all are sent the same. */
export function play(group: Group, frame: Frame, publishTo: (topic: string, text: string) => void) {
  const { text, toParties } = frame
  if (toParties === null) {
    if (text !== null) publishTo(group.topic, text)
    return
  }
  const concerned = text === null ? dashboardsOf(group, toParties.userIds) : group.dashboards
  for (const dashboard of concerned) dashboard.send(textFor(frame, dashboard.data.userId) ?? "")
}

const dashboardsOf = ({ byUser }: Group, userIds: readonly number[]): Dashboard[] =>
  [...new Set(userIds)].flatMap((userId) => [...(byUser.get(userId) ?? [])])
