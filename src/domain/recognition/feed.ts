import { isSuperuser } from "../auth/roles.ts"
import { invalid } from "../errors.ts"
import { defaultPageSize, maxPageSize, maxValue } from "../ledger/ledger.ts"
import type { Recognition, User } from "../model.ts"
import { usernameKey } from "../people/fields.ts"
import type { Store } from "../store.ts"
import { asSeenBy } from "./recognitions.ts"

/** The query parameters of GET /api/v1/feed, parsed. */
export interface FeedQuery {
  /** Keep what this person takes part in. */
  readonly username?: string | undefined
  /** Id of an entry: go on with those older than it. */
  readonly before?: number | undefined
  readonly size?: number | undefined
}

export interface FeedPage {
  /** The newest first, with what the viewer may read. */
  readonly items: readonly Recognition[]
  /** The `before` of the next page; null at the end. */
  readonly next: number | null
  /** Id through which the page knows everything: the stream goes on behind it. */
  readonly through: number
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "recognitions" | "users">
  /** The setting `recognition.feed`. */
  readonly shows: "all" | "own"
  /** The setting `stream.access`. */
  readonly streamAccess: "public" | "auth"
}

export type Feed = ReturnType<typeof createFeed>

/** What people see of each other's recognition. */
export function createFeed({ store, shows, streamAccess }: Dependencies) {
  return {
    seesAll,
    seesTotals,

    /** An unknown `username` takes part in nothing.
     *  @throws DomainError `invalid` (`before`, `size`) */
    async page(viewer: User, { username, before, size = defaultPageSize }: FeedQuery): Promise<FeedPage> {
      if (before !== undefined && !(before >= 1 && before <= maxValue)) throw invalid("before", "the id of an entry")
      if (!(size >= 1 && size <= maxPageSize)) throw invalid("size", `an integer from 1 to ${maxPageSize}`)
      const person = username === undefined ? undefined : await store.users.byUsername(usernameKey(username))
      // Before the entries are read: what is added meanwhile may come twice, but not never.
      const through = await store.ledger.lastId()
      if (person === null) return { items: [], next: null, through }
      const participantIds = [...(person ? [person.id] : []), ...(seesAll(viewer) ? [] : [viewer.id])]
      const found = await store.recognitions.newest({ participantIds, before, limit: size + 1 })
      const items = found.slice(0, size).map((one) => asSeenBy(viewer.id, one))
      return { items, next: found.length > size ? (items.at(-1)?.id ?? null) : null, through }
    },
  }

  /** Whether everybody's entries are shown to `viewer`, or only those that the viewer takes part in. */
  function seesAll(viewer: User): boolean {
    return shows === "all" || isSuperuser(viewer)
  }

  /** Whether `viewer` may know what others received and sent in all. Where everybody may watch every transaction, hiding
   *  the totals would hide nothing. */
  function seesTotals(viewer: User): boolean {
    return seesAll(viewer) || streamAccess === "public"
  }
}
