import { auditEntry } from "../audit/audit-log.ts"
import type { Origin } from "../audit/ports.ts"
import type { RateLimiter } from "../auth/rate-limiter.ts"
import type { Clock } from "../clock.ts"
import { DomainError, type ErrorCode, invalid } from "../errors.ts"
import type { KeyedRequest, MakeOnce } from "../idempotency/idempotency.ts"
import type { User } from "../people/model.ts"
import { isSuperuser } from "../people/roles.ts"
import type { Store } from "../store.ts"
import { checkMarks, emojiOf, isLongerThan, isText, trimmedLines } from "../text.ts"
import type { Feed, FeedItem } from "./feed.ts"
import type { Recognition, Reply } from "./model.ts"
import { participantsIn } from "./recognitions.ts"

/** In characters. */
export const maxReplyLength = 280

/** How many different emoji the reactions to a recognition may have. */
export const maxKinds = 20

/** How many replies a recognition shows at most: the newest ones. */
const maxShown = 500

const windowMs = 60_000
/** Limits for one person in a minute. */
export const maxPerMinute = { reply: 20, reaction: 120 } as const

/** A recognition with its replies. */
interface Conversation extends FeedItem {
  /** The newest replies, ascending. Only superusers and their author see hidden ones. */
  readonly replyList: readonly Reply[]
}

interface Dependencies {
  readonly store: Pick<Store, "responses">
  readonly feed: Pick<Feed, "find" | "withResponses" | "withThese">
  readonly rateLimiter: Pick<RateLimiter, "count">
  readonly clock: Clock
  readonly makeOnce: MakeOnce
}

export type ResponseRules = ReturnType<typeof createResponses>

/** Reactions and replies to recognitions (docs/interface/recognition.md). Everybody who may read a recognition's reason
 *  may respond to it; for everybody else it does not exist. */
export function createResponses({ store: { responses }, feed, rateLimiter, clock, makeOnce }: Dependencies) {
  return {
    /** The recognition with this id, if the viewer may see it. */
    findRecognition: (viewer: User, id: number): Promise<Recognition | null> => feed.find(viewer, id),

    /** The reply with this id, if the viewer may see it. */
    async findReply(viewer: User, id: number): Promise<Reply | null> {
      const reply = await responses.findReply(id)
      const isVisible = reply && isShownTo(viewer, reply) && (await feed.find(viewer, reply.recognitionId))
      return isVisible ? reply : null
    },

    async conversation(viewer: User, recognition: Recognition): Promise<Conversation> {
      const found = await responses.conversation(recognition.id, viewer.id, maxShown)
      const item = await feed.withThese(viewer, recognition, found.responses)
      return { ...item, replyList: found.replies.filter((reply) => isShownTo(viewer, reply)) }
    },

    /** Adds a reaction (`isOn`) or takes it back. Doing so again changes nothing.
     *  @throws DomainError `invalid`, `too_many_reactions`, `too_many_kinds` */
    async react(user: User, recognition: Recognition, emoji: string, isOn: boolean): Promise<FeedItem> {
      const known = emojiOf(emoji)
      if (known === null) throw invalid("emoji", "one emoji")
      await count(user, "reaction", "too_many_reactions")
      if (!isOn) await responses.takeBackReaction(recognition.id, user.id, known)
      else if (!(await responses.react(recognition.id, user.id, known, maxKinds)))
        throw new DomainError("too_many_kinds")
      return itemOf(user, recognition)
    },

    /** Replies, and notifies sender and receivers of the recognition.
     *  @throws DomainError `invalid`, `too_many_replies`, and those of `MakeOnce` */
    async reply(author: User, recognition: Recognition, text: string, keyed?: KeyedRequest | null): Promise<Reply> {
      const lines = checkedReply(text)
      const notifiedIds = participantsIn(recognition).filter((userId) => userId !== author.id)
      return makeOnce(keyed, async (once) => {
        await count(author, "reply", "too_many_replies")
        const reply = { recognitionId: recognition.id, authorId: author.id, text: lines, date: clock(), notifiedIds }
        return responses.reply(reply, once)
      })
    },

    /** @throws DomainError `not_own_reply` */
    async deleteReply(user: User, reply: Reply): Promise<void> {
      if (reply.authorId !== user.id) throw new DomainError("not_own_reply")
      await responses.deleteReply(reply.id)
    },

    /** Hides a reply from everybody but superusers and its author, or shows it again. For superusers. */
    async hideReply(reply: Reply, isHidden: boolean, by: Origin): Promise<Reply> {
      const about = {
        whom: reply.author.username,
        detail: `reply ${reply.id} to recognition ${reply.recognitionId}`,
        before: { hidden: reply.isHidden },
        after: { hidden: isHidden },
      }
      await responses.hideReply(
        reply.id,
        isHidden,
        auditEntry(by, clock(), isHidden ? "reply_hidden" : "reply_shown", about),
      )
      return { ...reply, isHidden }
    },
  }

  async function itemOf(viewer: User, recognition: Recognition): Promise<FeedItem> {
    const [item] = await feed.withResponses(viewer, [recognition])
    if (!item) throw new Error(`recognition ${recognition.id} is missing`)
    return item
  }

  async function count(user: User, kind: keyof typeof maxPerMinute, refusal: ErrorCode) {
    const counted = await rateLimiter.count([{ kind, key: `${user.id}`, max: maxPerMinute[kind], windowMs }])
    if (typeof counted === "number") throw new DomainError(refusal, { retryAfterSeconds: counted })
  }
}

const isShownTo = (viewer: User, { isHidden, authorId }: Reply): boolean =>
  !isHidden || isSuperuser(viewer) || authorId === viewer.id

/** The text as it is stored: of an empty space between two lines one line is kept, of other white space one space. */
function checkedReply(text: string): string {
  const lines = trimmedLines(text)
    .replace(/[^\S\n]+/gu, " ")
    .replace(/ ?\n ?/gu, "\n")
    .replace(/\n{3,}/gu, "\n\n")
  if (lines === "" || isLongerThan(lines, maxReplyLength) || !isText(lines))
    throw invalid("text", `1 to ${maxReplyLength} visible characters`)
  checkMarks("text", lines)
  return lines
}
