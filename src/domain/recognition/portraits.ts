import type { Clock } from "../clock.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import { bestIn, noWords, type Words } from "./best-words.ts"
import type { Feed } from "./feed.ts"
import type { LeaderboardSide, PeopleIn } from "./leaderboards.ts"

const dayMs = 86_400_000

/** How far back a portrait looks. */
const portraitMs = 365 * dayMs

const maxTags = 5

/** What colleagues thanked a person for in the last twelve months. */
export interface Portrait {
  /** How many different people thanked. */
  readonly people: number
  /** The most frequent first. */
  readonly tags: readonly { readonly tag: string; readonly count: number }[]
  /** Reasons that everybody may read: those with the most responses first, then the longest. */
  readonly words: readonly Words[]
}

interface Dependencies {
  readonly store: Pick<Store, "insights" | "ledger">
  readonly clock: Clock
  readonly feed: Pick<Feed, "seesAll">
}

export function createPortraits({ store, clock, feed }: Dependencies) {
  return {
    /** Null when `viewer` may not see what others receive. */
    async of(viewer: User, person: User, signal?: AbortSignal): Promise<Portrait | null> {
      if (viewer.id !== person.id && !feed.seesAll(viewer)) return null
      const { people, tags, firstId, lastId } = await store.insights.received(person.id, clock() - portraitMs, signal)
      const { words } =
        firstId === null || lastId === null
          ? noWords
          : await bestIn(store, { first: firstId, last: lastId, receiverId: person.id }, signal)
      return { people, tags: tags.toSorted(byCount).slice(0, maxTags), words }
    },

    /** `PeopleIn`. */
    peopleIn: ({ id }: User, by: LeaderboardSide, { span, throughId }: Parameters<PeopleIn>[2]): Promise<number> =>
      store.insights.peopleWith(id, by, { since: Math.max(0, span.start), throughId }),
  }
}

type TagCount = Portrait["tags"][number]

const byCount = (one: TagCount, other: TagCount): number => other.count - one.count || (one.tag < other.tag ? -1 : 1)
