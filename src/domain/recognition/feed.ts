import { invalid } from "../errors.ts"
import type { ProgrammeOf } from "../ledger/ledger.ts"
import { reasonReaders } from "../ledger/reason-readers.ts"
import { noteFilter } from "../ledger/transaction-list.ts"
import { type Abortable, type PageBefore, type PageQuery, type PageRange, pageAmong, pageRange } from "../paging.ts"
import { usernameKey } from "../people/fields.ts"
import type { User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import type { AmountsShown } from "../programme/amounts.ts"
import type { Store } from "../store.ts"
import type { Reaction, Recognition, Responses } from "./model.ts"
import { entryAt } from "./positions.ts"
import { isFeedEntry, participantsIn, usualEmojis } from "./recognitions.ts"
import { type ShownRecognition, shownTo } from "./shown.ts"

/** The query parameters of GET /api/v1/feed, parsed. */
interface FeedQuery extends PageQuery, Abortable {
  /** Only what this user sent or received. The feed of an unknown user is empty. */
  readonly username?: string | undefined
  /** `me`: only what the viewer sent or received. */
  readonly about?: string | undefined
  /** Only what people of this department sent or received. */
  readonly department?: string | undefined
  readonly tag?: string | undefined
  /** Text in the reason, without regard to case and accents. */
  readonly q?: string | undefined
}

/** A recognition with the responses to it that the viewer may see. */
export type FeedItem = ShownRecognition & Responses

/** Newest first; reasons that the viewer may not read are empty. */
export interface FeedPage extends PageBefore<FeedItem> {
  /** The id of the last entry or transaction when the page was read: nothing after it is on the page, and the stream continues there. */
  readonly through: number
}

/**
 * Which entries a client of a stream is sent. `all`: everybody's, with every amount. `members`: everybody's, with the amounts that
 * the programme shows. `own`: those that the viewer takes part in.
 */
export type FeedStream = "all" | "members" | "own"

interface Dependencies {
  readonly store: Pick<Store, "recognitions" | "responses" | "users">
  /** The setting `recognition.feed`. */
  readonly shows: "all" | "own"
  /** The setting `stream.access`. */
  readonly streamAccess: "public" | "auth"
  readonly programme: ProgrammeOf
}

export type Feed = ReturnType<typeof createFeed>

/** The feed of recognitions (docs/interface/recognition.md). */
export function createFeed({ store, shows, streamAccess, programme }: Dependencies) {
  return {
    seesAll,
    seesTotals,
    streamOf,
    withResponses,

    /** One page of what `viewer` may see.
     *  @throws DomainError `invalid` (`about`, `before`, `q`, `size`) */
    async page(viewer: User, query: FeedQuery): Promise<FeedPage> {
      const { username, about, department, signal } = query
      if (about !== undefined && about !== "me") throw invalid("about", "me")
      const range = rangeOf(query)
      const noteMatches = noteFilter(viewer.id, query)
      const person = username === undefined ? undefined : await store.users.byUsername(usernameKey(username))
      const through = await store.recognitions.lastPosition()
      if (person === null) return { items: [], next: null, through: entryAt(through) }
      const isOwn = about === "me" || !seesAll(viewer)
      const participantIds = [...(person ? [person.id] : []), ...(isOwn ? [viewer.id] : [])]
      const filter = { participantIds, dept: department, noteMatches }
      const found = await store.recognitions.newest({ ...filter, ...range, through, signal })
      const { items, next } = pageAmong(found, range)
      return { items: await withResponses(viewer, items), next, through: entryAt(through) }
    },

    /** The recognition with this id, or with this transfer; null when there is none, or when the viewer may not see all of it. */
    async find(viewer: User, id: number): Promise<Recognition | null> {
      const found = await store.recognitions.find(id)
      return found && isFeedEntry(found) && maySee(viewer, found) ? found : null
    },

    /** A recognition that the viewer may see, with these responses. */
    withThese: async (viewer: User, recognition: Recognition, responses: Responses): Promise<FeedItem> =>
      itemOf(viewer, recognition, responses, await programme()),
  }

  function itemOf(
    viewer: User,
    recognition: Recognition,
    { reactions, replies }: Responses = noResponses,
    rules: AmountsShown,
  ): FeedItem {
    return { ...shownTo(viewer, recognition, rules), reactions: inOrder(reactions), replies }
  }

  /** These recognitions with their responses, as the viewer may see them. A hidden reason hides the responses too. */
  async function withResponses(viewer: User, recognitions: readonly Recognition[]): Promise<FeedItem[]> {
    const open = recognitions.filter((recognition) => maySee(viewer, recognition)).map(({ id }) => id)
    const responses = open.length === 0 ? null : await store.responses.to(open, viewer.id)
    const rules = await programme()
    return recognitions.map((recognition) => itemOf(viewer, recognition, responses?.get(recognition.id), rules))
  }

  function maySee(viewer: User, recognition: Recognition): boolean {
    const isOwn = participantsIn(recognition).includes(viewer.id)
    return isOwn || (seesAll(viewer) && reasonReaders(recognition) === null)
  }

  /** Whether `viewer` sees the recognitions of everybody, or only those that they sent or received. */
  function seesAll(viewer: User): boolean {
    return shows === "all" || isSuperuser(viewer)
  }

  /** Which stream `viewer` gets; null for somebody who is not logged in. An open stream ends when its viewer gets another. */
  function streamOf(viewer: User | null): FeedStream {
    if (viewer === null) return "members"
    if (isSuperuser(viewer)) return "all"
    return seesAll(viewer) ? "members" : "own"
  }

  /** Whether `viewer` may see the totals of others. If the stream is public, everybody may, because it shows every
   *  transaction anyway. */
  function seesTotals(viewer: User): boolean {
    return seesAll(viewer) || streamAccess === "public"
  }
}

/** The range of a page. Unlike other ids, those of entries may be negative. @throws DomainError `invalid` (`before`, `size`) */
function rangeOf({ before, size }: PageQuery): PageRange {
  if (before !== undefined && !(Number.isSafeInteger(before) && before !== 0))
    throw invalid("before", "the id of an entry")
  return { ...pageRange({ size }, "an entry"), before }
}

const noResponses: Responses = { reactions: [], replies: 0 }

/** The usual emoji first, then by their code: an order that no new reaction changes. */
function inOrder(reactions: readonly Reaction[]): Reaction[] {
  const rank = ({ emoji }: Reaction) => {
    const index = usualEmojis.indexOf(emoji)
    return index === -1 ? usualEmojis.length : index
  }
  return reactions.toSorted((one, other) => rank(one) - rank(other) || (one.emoji < other.emoji ? -1 : 1))
}
