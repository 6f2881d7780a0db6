import type { Notification, Recognition, Reply } from "../domain/model.ts"
import { notificationIdOf } from "../domain/recognition/notifications.ts"

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
