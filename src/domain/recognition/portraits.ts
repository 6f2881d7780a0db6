import type { Clock } from "../clock.ts"
import type { TransactionEntry } from "../ledger/model.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import type { Feed } from "./feed.ts"
import type { LeaderboardSide, PeopleIn } from "./leaderboards.ts"
import { bestAmong, recognitionsIn, type Words } from "./words.ts"

const dayMs = 86_400_000

/** How far back a portrait looks. */
const portraitMs = 365 * dayMs

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
      const whose = { receiver: person.username, since: clock() - portraitMs, signal }
      const [people, tags] = [new Set<number>(), new Map<string, number>()]
      const { words } = await bestAmong(responses, seen(recognitionsIn(ledger, whose), people, tags), maxWords)
      return { people: people.size, tags: mostUsed(tags).slice(0, maxTags), words }
    },

    /** `PeopleIn`. */
    async peopleIn(
      { username }: User,
      by: LeaderboardSide,
      { span: { start }, throughId }: Parameters<PeopleIn>[2],
    ): Promise<number> {
      const whose = { ...(by === "received" ? { receiver: username } : { sender: username }), before: throughId + 1 }
      const since = Number.isFinite(start) ? start : undefined
      const people = new Set<number>()
      for await (const some of recognitionsIn(ledger, { ...whose, since }))
        for (const { senderId, receiverId } of some) people.add(by === "received" ? senderId : receiverId)
      return people.size
    },
  }
}

/** Passes recognitions on, and notes from whom they are and which tags they have. */
async function* seen(
  received: AsyncIterable<readonly TransactionEntry[]>,
  people: Set<number>,
  tags: Map<string, number>,
) {
  for await (const some of received) {
    for (const { senderId, note } of some) {
      people.add(senderId)
      for (const tag of note?.tags ?? []) tags.set(tag, (tags.get(tag) ?? 0) + 1)
    }
    yield some
  }
}

const mostUsed = (counts: ReadonlyMap<string, number>): Portrait["tags"] =>
  [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((one, other) => other.count - one.count || (one.tag < other.tag ? -1 : 1))
