import type { ProgrammeOf } from "../ledger/ledger.ts"
import type { User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import { seesAmounts } from "../programme/amounts.ts"
import type { Store } from "../store.ts"
import type { Recognition } from "./model.ts"
import { notificationIdOf } from "./positions.ts"
import { isTakenBack } from "./recognitions.ts"
import { type ShownRecognition, shownTo } from "./shown.ts"
import type { Statistics } from "./statistics.ts"

/** How many recognitions the wall shows: as many as fit on the largest screen. */
const shownEntries = 12
/** How many of the newest recognitions are read. The tags of the week come from these. */
const maxRecognitionsRead = 100
const shownTags = 6

type Week = Awaited<ReturnType<Statistics["thisWeek"]>>

export interface WallContent {
  /** Newest first, without recognitions that were reversed completely. Private reasons are empty. */
  readonly items: readonly ShownRecognition[]
  /** Null where the viewer may not see totals. */
  readonly week: {
    /** How many points all users together gave, and in how many recognitions. Null points: the programme hides them. */
    readonly points: number | null
    readonly count: number
    /** Most used first. */
    readonly tags: readonly { readonly tag: string; readonly count: number }[]
  } | null
}

interface Dependencies {
  readonly store: Pick<Store, "recognitions">
  readonly statistics: Pick<Statistics, "thisWeek">
  /** The setting `recognition.feed`. */
  readonly shows: "all" | "own"
  readonly programme: ProgrammeOf
}

/** The content of a wall: a screen that everybody can see (docs/operations/wall.md). */
export function createWall({ store, statistics, shows, programme }: Dependencies) {
  return {
    /**
     * `viewer` is null for a wall without a log-in. With `recognition.feed = "own"`, members see only their own
     * recognitions, and a wall without a log-in shows no reasons and tags. A wall never shows
     * more private reasons or amounts than a stranger may see, because passers-by look at it too.
     */
    async show(viewer: User | null): Promise<WallContent> {
      const seesAll = shows === "all" || (viewer !== null && isSuperuser(viewer))
      const participantIds = viewer === null || seesAll ? [] : [viewer.id]
      const week = viewer === null || seesAll ? await statistics.thisWeek() : null
      const through = week === null ? undefined : notificationIdOf(week.throughId + 1) - 1
      const found = await store.recognitions.newest({ participantIds, through, limit: maxRecognitionsRead })
      const rules = await programme()
      const visible = found
        .filter((one) => !isTakenBack(one))
        .map((one) => shownTo(null, seesAll || viewer !== null ? one : { ...one, note: undefined }, rules))
      return {
        items: visible.slice(0, shownEntries),
        week: week && weekWith(week, visible, seesAmounts(null, [], rules)),
      }
    },
  }
}

const weekWith = ({ since, points, count }: Week, recognitions: readonly Recognition[], showsPoints: boolean) => ({
  points: showsPoints ? points : null,
  count,
  tags: mostUsed(recognitions, since),
})

function mostUsed(recognitions: readonly Recognition[], since: number) {
  const counts = new Map<string, number>()
  for (const { date, note } of recognitions)
    if (date >= since) for (const tag of note?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, shownTags)
}
