import type { Party, Reaction, Reply, Responses } from "../domain/model.ts"

/** How often a recognition was reacted to with an emoji; without an emoji, how many replies it has. */
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
