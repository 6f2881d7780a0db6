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
