import { isSuperuser } from "../auth/roles.ts"
import { invalid } from "../errors.ts"
import { defaultPageSize, maxPageSize, maxValue } from "../ledger/ledger.ts"
import type { Recognition, User } from "../model.ts"
import { usernameKey } from "../people/fields.ts"
import type { Store } from "../store.ts"
import { asSeenBy } from "./recognitions.ts"

/** The query parameters of GET /api/v1/feed, parsed. */
export interface FeedQuery {
  /** Only what this user sent or received; an unknown one has an empty feed. */
  readonly username?: string | undefined
  /** Only lower ids: `next` of the previous page. */
  readonly before?: number | undefined
  /** 1 to `maxPageSize`. */
  readonly size?: number | undefined
}

export interface FeedPage {
  /** Newest first; reasons that the viewer may not read are empty. */
  readonly items: readonly Recognition[]
  /** `before` of the next page; null on the last one. */
  readonly next: number | null
  /** The last id in the ledger when the page was read: the stream continues after it. */
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

/** Recognitions as people see them of each other (docs/interface.md, "Recognition"). */
export function createFeed({ store, shows, streamAccess }: Dependencies) {
  return {
    seesAll,
    seesTotals,

    /** One page of what `viewer` may see.
     *  @throws DomainError `invalid` (`before`, `size`) */
    async page(viewer: User, { username, before, size = defaultPageSize }: FeedQuery): Promise<FeedPage> {
      if (before !== undefined && !(before >= 1 && before <= maxValue)) throw invalid("before", "the id of an entry")
      if (!(size >= 1 && size <= maxPageSize)) throw invalid("size", `an integer from 1 to ${maxPageSize}`)
      const person = username === undefined ? undefined : await store.users.byUsername(usernameKey(username))
      // Read first: what is added in the meantime may reach the client twice, but is never missed.
      const through = await store.ledger.lastId()
      if (person === null) return { items: [], next: null, through }
      const participantIds = [...(person ? [person.id] : []), ...(seesAll(viewer) ? [] : [viewer.id])]
      const found = await store.recognitions.newest({ participantIds, before, limit: size + 1 })
      const items = found.slice(0, size).map((recognition) => asSeenBy(viewer.id, recognition))
      return { items, next: found.length > size ? (items.at(-1)?.id ?? null) : null, through }
    },
  }

  /** Whether `viewer` sees the recognitions of everybody, or only those that they sent or received. */
  function seesAll(viewer: User): boolean {
    return shows === "all" || isSuperuser(viewer)
  }

  /** Whether `viewer` may see the totals of others. A public stream shows every transaction, so hiding totals beside it would
   *  hide nothing. */
  function seesTotals(viewer: User): boolean {
    return seesAll(viewer) || streamAccess === "public"
  }
}
