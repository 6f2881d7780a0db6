import type { ProgrammeOf } from "../ledger/ledger.ts"
import { type PageBefore, type PageQuery, pageAmong, pageRange } from "../paging.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import type { Notification } from "./model.ts"
import { notificationIdOf } from "./positions.ts"
import { type ShownRecognition, shownTo } from "./shown.ts"

/** Unread notifications are counted up to this number. */
export const maxUnread = 100

interface ShownNotification extends Notification {
  readonly recognition: ShownRecognition
  readonly isSeen: boolean
}

/** Newest first. */
export interface NotificationPage extends PageBefore<ShownNotification> {
  /** How many are not seen, on all pages; at most `maxUnread`. */
  readonly unread: number
}

interface Dependencies {
  readonly store: Pick<Store, "ledger" | "notifications">
  readonly programme: ProgrammeOf
}

export type Notifications = ReturnType<typeof createNotifications>

/** Notifications about recognitions and replies (docs/interface/recognition.md). */
export function createNotifications({ store, programme }: Dependencies) {
  const { ledger, notifications } = store

  return {
    unread,

    /** @throws DomainError `invalid` (`before`, `size`) */
    async page(user: User, query: PageQuery): Promise<NotificationPage> {
      const range = pageRange(query, "a notification")
      const { items: found, seenThrough, unread } = await notifications.page(user.id, { ...range, maxUnread })
      const { items, next } = pageAmong(found, range)
      const rules = await programme()
      const seen = items.map((one) => ({
        ...one,
        recognition: shownTo(user, one.recognition, rules),
        isSeen: one.id <= seenThrough,
      }))
      return { items: seen, next, unread }
    },

    /** Marks the notification `through` and all older ones as seen. Returns how many are unread then. */
    async markSeen(user: User, through: number): Promise<number> {
      // Future notifications cannot have been seen.
      const newest = notificationIdOf((await ledger.lastId()) + 1) - 1
      await notifications.saveSeen(user.id, Math.min(through, newest))
      return unread(user)
    },
  }

  /** How many the user has not seen, at most `maxUnread`. */
  function unread(user: User): Promise<number> {
    return notifications.unread(user.id, maxUnread)
  }
}
