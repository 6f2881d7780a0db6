import type { Span } from "../calendar.ts"
import type { Clock } from "../clock.ts"
import type { TransactionEntry } from "../ledger/model.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import type { Feed } from "./feed.ts"
import type { LeaderboardSide } from "./leaderboards.ts"
import { isRecognition } from "./recognitions.ts"
import { nicestWords, type Words } from "./words.ts"

const dayMs = 86_400_000

/** How far back a portrait looks. */
const portraitMs = 365 * dayMs

/** At most this many of the newest recognitions are read: a person's whole year in all but strange companies. */
const maxRead = 1000

const maxTags = 5
const maxWords = 3

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
  readonly store: Pick<Store, "ledger" | "responses">
  readonly clock: Clock
  readonly feed: Pick<Feed, "seesAll">
}

export function createPortraits({ store: { ledger, responses }, clock, feed }: Dependencies) {
  return {
    /** Null when `viewer` may not see what others receive. */
    async of(viewer: User, person: User, signal?: AbortSignal): Promise<Portrait | null> {
      if (viewer.id !== person.id && !feed.seesAll(viewer)) return null
      const received = await recognitionsOf(person, "received", clock() - portraitMs, signal)
      return {
        people: countOf(received.map(({ senderId }) => senderId)),
        tags: tagsIn(received).slice(0, maxTags),
        words: (await nicestWords(responses, received)).slice(0, maxWords),
      }
    },

    /** How many different people thanked this user, or were thanked, in a period. */
    async peopleIn(user: User, by: LeaderboardSide, { start }: Span): Promise<number> {
      const found = await recognitionsOf(user, by, Number.isFinite(start) ? start : undefined)
      return countOf(found.map(({ senderId, receiverId }) => (by === "received" ? senderId : receiverId)))
    },
  }

  /** Newest first, without those that were taken back. */
  async function recognitionsOf({ username }: User, by: LeaderboardSide, since?: number, signal?: AbortSignal) {
    const whose = by === "received" ? { receiver: username } : { sender: username }
    const found = await ledger.entries({ ...whose, kind: "transfer", since, limit: maxRead, signal })
    return found.filter((entry) => isRecognition(entry) && entry.reversed < entry.value)
  }
}

const countOf = (ids: readonly number[]): number => new Set(ids).size

function tagsIn(received: readonly TransactionEntry[]): Portrait["tags"] {
  const counts = new Map<string, number>()
  for (const { note } of received) for (const tag of note?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((one, other) => other.count - one.count || (one.tag < other.tag ? -1 : 1))
}
