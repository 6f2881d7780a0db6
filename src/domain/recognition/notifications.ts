import { type PageBefore, type PageQuery, pageAmong, pageRange } from "../paging.ts"
import type { User } from "../people/model.ts"
import type { Store } from "../store.ts"
import type { Notification } from "./model.ts"

/** How many ids there are from the notification of one transaction to that of the next, for replies. */
const idsPerTransaction = 2 ** 20

/**
 * Notifications of recognitions and of replies share one order, so that one number says how far a user has seen them.
 * The transfer with id n has the notification n * 2^20; a reply written, or an occasion celebrated, after it has the next
 * free id above that.
 */
export const notificationIdOf = (transactionId: number): number => transactionId * idsPerTransaction

/** The last transaction whose notification is not after `notificationId`. */
export const transactionIdUpTo = (notificationId: number): number => Math.floor(notificationId / idsPerTransaction)

/** Whether an id in the feed is that of an occasion. These are negative, because an occasion may have no transaction. */
export const isOccasionId = (entryId: number): boolean => entryId < 0

/** The place of an entry in the feed, of which the order is that of notifications. */
export const positionOf = (entryId: number): number => (isOccasionId(entryId) ? -entryId : notificationIdOf(entryId))

/** The id of the entry at a position. */
export const entryAt = (position: number): number =>
  position % idsPerTransaction === 0 ? transactionIdUpTo(position) : -position

/** Unread notifications are counted up to this number. */
export const maxUnread = 100

/** Newest first. */
export interface NotificationPage extends PageBefore<Notification & { readonly isSeen: boolean }> {
  /** How many are not seen, on all pages; at most `maxUnread`. */
  readonly unread: number
}

export type Notifications = ReturnType<typeof createNotifications>

/** Notifications about recognitions and replies (docs/interface.md, "Recognition"). */
export function createNotifications({ store }: { readonly store: Pick<Store, "ledger" | "notifications"> }) {
  const { ledger, notifications } = store

  return {
    unread,

    /** @throws DomainError `invalid` (`before`, `size`) */
    async page(user: User, query: PageQuery): Promise<NotificationPage> {
      const range = pageRange(query, "a notification")
      const through = await notifications.seenThrough(user.id)
      const { items, next } = pageAmong(await notifications.newest(user.id, range), range)
      const seen = items.map((one) => ({ ...one, isSeen: one.id <= through }))
      return { items: seen, next, unread: await unread(user) }
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
