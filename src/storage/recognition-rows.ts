import type { Note, Notification, Party, Reaction, Recognition, Reply, Responses } from "../domain/model.ts"
import { notificationIdOf } from "../domain/recognition/notifications.ts"

/** `isRecognition` of src/domain/recognition/recognitions.ts as SQL, for transactions `t`. */
export const recognitionCondition = "t.kind = 'transfer' AND t.user_id <> t.from_id"

/** A note as a row of `notes` stores it. */
export interface NoteRow {
  readonly reason: string
  /** One space between them. */
  readonly tags: string
  /** 0 or 1 */
  readonly isPrivate: number
}

export const noteColumns = ({ reason, tags, isPrivate }: Note): NoteRow => ({
  reason,
  tags: tags.join(" "),
  isPrivate: Number(isPrivate),
})

export const noteOf = ({ reason, tags, isPrivate }: NoteRow): Note => ({
  reason,
  tags: tags === "" ? [] : tags.split(" "),
  isPrivate: isPrivate === 1,
})

/** In bytes. Long enough that nobody can guess the words of a note from its commitment. */
const saltLength = 16

export const newSalt = (): Uint8Array => crypto.getRandomValues(new Uint8Array(saltLength))

/** How many people reacted to a recognition with an emoji. A row without an emoji counts the replies instead. */
export interface ResponseRow {
  readonly recognitionId: number
  readonly emoji: string | null
  readonly count: number
  /** 0 or 1 */
  readonly isOwn: number
}

export function responsesIn(rows: readonly ResponseRow[]): ReadonlyMap<number, Responses> {
  const byId = new Map<number, { reactions: Reaction[]; replies: number }>()
  for (const { recognitionId, emoji, count, isOwn } of rows) {
    const responses = byId.get(recognitionId) ?? { reactions: [], replies: 0 }
    if (emoji === null) responses.replies = count
    else responses.reactions.push({ emoji, count, isOwn: isOwn === 1 })
    byId.set(recognitionId, responses)
  }
  return byId
}

/** A reply, joined with its author. */
export interface ReplyRow extends Omit<Reply, "author" | "isHidden">, Party {
  /** 0 or 1 */
  readonly isHidden: number
}

export const replyOf = ({ username, name, avatar, isHidden, ...reply }: ReplyRow): Reply => ({
  ...reply,
  author: { username, name, avatar },
  isHidden: isHidden === 1,
})

/** The newest `limit` notifications of recognitions and replies. `about` holds the recognitions that were replied to. */
export function newestOf(
  recognitions: readonly Recognition[],
  replies: readonly Reply[],
  about: readonly Recognition[],
  limit: number,
): Notification[] {
  const byId = new Map(about.map((recognition) => [recognition.id, recognition]))
  const all = [
    ...recognitions.map((recognition) => ({ id: notificationIdOf(recognition.id), recognition, reply: null })),
    ...replies.flatMap((reply) => {
      const recognition = byId.get(reply.recognitionId)
      return recognition ? [{ id: reply.id, recognition, reply }] : []
    }),
  ]
  return all.sort((one, other) => other.id - one.id).slice(0, limit)
}
