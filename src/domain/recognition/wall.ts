import { isSuperuser } from "../auth/roles.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import type { Recognition } from "./model.ts"
import { asSeenBy, isTakenBack } from "./recognitions.ts"
import type { Statistics } from "./statistics.ts"

/** How many recognitions the wall shows: as many as fit on the largest screen. */
const shownEntries = 12
/** How many of the newest recognitions are read. The tags of the week come from these. */
const maxRecognitionsRead = 100
const shownTags = 6

export interface WallContent {
  /** Newest first, without recognitions that were reversed completely. Private reasons are empty. */
  readonly items: readonly Recognition[]
  /** Null where the viewer may not see totals. */
  readonly week: {
    /** How many points all users together gave, and in how many recognitions. */
    readonly points: number
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
}

/** The content of a wall: a screen that everybody can see (docs/operations/wall.md). */
export function createWall({ store, statistics, shows }: Dependencies) {
  return {
    /**
     * `viewer` is null for a wall without a log-in. With `recognition.feed = "own"`, members see only their own
     * recognitions, and a wall without a log-in shows no reasons and tags.
     */
    async show(viewer: User | null): Promise<WallContent> {
      const seesAll = shows === "all" || (viewer !== null && isSuperuser(viewer))
      const participantIds = viewer === null || seesAll ? [] : [viewer.id]
      const found = await store.recognitions.newest({ participantIds, limit: maxRecognitionsRead })
      const visible = found
        .filter((one) => !isTakenBack(one))
        .map((one) => (seesAll || viewer !== null ? asSeenBy(null, one) : { ...one, note: undefined }))
      return {
        items: visible.slice(0, shownEntries),
        week: viewer === null || seesAll ? await weekWith(visible) : null,
      }
    },
  }

  async function weekWith(recognitions: readonly Recognition[]) {
    const { since, ...sum } = await statistics.thisWeek()
    return { ...sum, tags: mostUsed(recognitions, since) }
  }
}

function mostUsed(recognitions: readonly Recognition[], since: number) {
  const counts = new Map<string, number>()
  for (const { date, note } of recognitions)
    if (date >= since) for (const tag of note?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, shownTags)
}
