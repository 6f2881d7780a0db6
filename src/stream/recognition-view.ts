import type { Recognition } from "../domain/model.ts"
import { isoDate } from "./frames.ts"

/** An entry of the feed, and a frame of its stream. A private reason that was taken out leaves `private` behind. */
export const recognitionView = ({ id, date, value, sender, receiver, note }: Recognition) => ({
  id,
  date: `${isoDate(date)}Z`,
  value,
  from_username: sender.username,
  from_name: sender.name,
  from_avatar: sender.avatar,
  to_username: receiver.username,
  to_name: receiver.name,
  to_avatar: receiver.avatar,
  reason: note?.reason || null,
  tags: note?.tags ?? [],
  private: note?.isPrivate ?? false,
})
