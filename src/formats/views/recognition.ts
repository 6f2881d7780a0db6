import type { FeedItem } from "../../domain/recognition/feed.ts"
import type { Reply } from "../../domain/recognition/model.ts"
import { isTakenBack, totalOf } from "../../domain/recognition/recognitions.ts"
import type { ShownRecognition } from "../../domain/recognition/shown.ts"
import { utc } from "./dates.ts"

/**
 * A recognition in the feed and its stream, on the wall and in notifications. `private` stays true where the reason was
 * removed. Points that the viewer does not see are null. `viewerId` is null for nobody in particular.
 */
export const recognitionView = (recognition: ShownRecognition, viewerId: number | null) => {
  const { id, date, value, sender, receiver, receivers, note, reversed, added, occasion } = recognition
  const shown = (points: number) => (recognition.showsAmounts ? points : null)
  return {
    id,
    date: utc(date),
    value: shown(value),
    occasion: occasion && { kind: occasion.kind, years: occasion.years },
    total: shown(totalOf(recognition)),
    from_username: sender.username,
    from_name: sender.name,
    from_avatar: sender.avatar,
    to_username: receiver.username,
    to_name: receiver.name,
    to_avatar: receiver.avatar,
    receivers: receivers.map(({ username, name, avatar, reversed }) => ({
      username,
      name,
      avatar,
      reversed: shown(reversed),
      taken_back: reversed > 0 && reversed === value,
    })),
    reason: note?.reason || null,
    tags: note?.tags ?? [],
    private: note?.isPrivate ?? false,
    reversed: shown(reversed),
    taken_back: isTakenBack(recognition),
    added: {
      value: recognition.showsAdded ? added.value : null,
      count: added.by.length,
      own: viewerId !== null && added.by.includes(viewerId),
    },
  }
}

/** A recognition with its responses, as its viewer sees them. */
export const feedItemView = (item: FeedItem, viewerId: number) => ({
  ...recognitionView(item, viewerId),
  reactions: item.reactions.map(({ emoji, count, isOwn }) => ({ emoji, count, own: isOwn })),
  replies: item.replies,
})

export const replyView = ({ id, author, text, date, isHidden }: Reply) => ({
  id,
  username: author.username,
  name: author.name,
  avatar: author.avatar,
  text,
  date: utc(date),
  hidden: isHidden,
})
