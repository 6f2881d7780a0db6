import { isoDate } from "../domain/calendar.ts"
import type { StreamEntry } from "../domain/ledger/model.ts"
import type { LedgerStore } from "../domain/ledger/ports.ts"
import type { FollowedTransaction, Recognition } from "../domain/recognition/model.ts"
import { positionOf } from "../domain/recognition/notifications.ts"
import { asSeenBy, isFeedEntry, participantsIn, reasonReaders } from "../domain/recognition/recognitions.ts"
import { recognitionView } from "../formats/views/recognition.ts"

/** The ledger, read as one kind of entry. */
export interface EntrySource<Entry> extends Pick<LedgerStore, "lastId" | "onAppend"> {
  /** Ascending, at most `limit`. */
  after(id: number, limit: number): Promise<Entry[]>
}

/** One transaction in one format, serialised once for all clients. */
export interface Frame {
  readonly id: number
  /** The text for everybody; null: nothing is sent. */
  readonly text: string | null
  /** A different text for some users; null: all get the same text. */
  readonly forUsers: { readonly userIds: readonly number[]; readonly text: string } | null
  /** Size of the longer text. */
  readonly bytes: number
}

/** How a stream serialises its entries, by name of the format. */
export type Formats<Entry> = ReadonlyMap<string, (entry: Entry) => Frame>

const frameOf = (id: number, text: string | null, forUsers: Frame["forUsers"] = null): Frame => ({
  id,
  text,
  forUsers,
  bytes: forUsers === null ? bytesOf(text) : Math.max(bytesOf(text), bytesOf(forUsers.text)),
})

const bytesOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/** The text for this user, or for a stranger where `userId` is null; null: nothing is sent. */
export const textFor = ({ text, forUsers }: Frame, userId: number | null): string | null =>
  userId !== null && forUsers?.userIds.includes(userId) ? forUsers.text : text

/**
 * `plain` is the frame of docs/interface.md, "Streams"; `resumable` adds what a client needs for `?after=`;
 * `recognition` is the same for entries of the feed: one for all transfers of a group.
 */
type Content = "plain" | "resumable" | "recognition"
/** `of own`: for users who are sent only the transactions that they take part in. */
type TransactionFormat = Content | `${Content} of own`

/**
 * The text of one transaction.
 * plain: `to` and `from` (names of receiver and sender), `value` (points). resumable: also `id` and `date`. recognition:
 * also `receivers` (the names of all, of whom `to` is the first).
 */
export const transactionTexts = {
  plain: ({ receiverName, senderName, value }: StreamEntry) =>
    JSON.stringify({ to: receiverName, from: senderName, value }),
  resumable: ({ receiverName, senderName, value, id, date }: StreamEntry) =>
    JSON.stringify({ to: receiverName, from: senderName, value, id, date: isoDate(date) }),
  recognition: ({ receiverName, senderName, value, id, date, receivers }: StreamEntry) =>
    JSON.stringify({
      to: receiverName,
      from: senderName,
      value,
      id,
      date: isoDate(date),
      receivers: receivers?.map(({ name }) => name) ?? [receiverName],
    }),
}

/** The formats of /transaction/ws. */
export const transactionFormats: Formats<StreamEntry> = new Map([
  ...transactionFormat("plain", transactionTexts.plain),
  ...transactionFormat("resumable", transactionTexts.resumable),
  ...transactionFormat("recognition", transactionTexts.recognition, {
    only: onlyFeedEntries,
    receiversOf: ({ receiverId, receivers }) => receivers?.map(({ userId }) => userId) ?? [receiverId],
  }),
])

type ToFrame<Entry> = (entry: Entry) => Frame

/** The format for those who see everything, and for those who see their own transactions. */
function transactionFormat(
  content: Content,
  textOf: (entry: StreamEntry) => string,
  {
    only = (toFrame: ToFrame<StreamEntry>) => toFrame,
    receiversOf = ({ receiverId }: StreamEntry): readonly number[] => [receiverId],
  } = {},
): [TransactionFormat, ToFrame<StreamEntry>][] {
  return [
    [content, only((entry) => frameOf(entry.id, textOf(entry)))],
    [
      `${content} of own`,
      only((entry) =>
        frameOf(entry.id, null, { userIds: [entry.senderId, ...receiversOf(entry)], text: textOf(entry) }),
      ),
    ],
  ]
}

/**
 * The formats of the feed's stream. `all` carries every recognition, `own` only those of sender and receivers.
 * Transactions that are no recognition are not sent, and a group is sent once. Of points that were added, the stream carries
 * the entry that they change. The ids of the frames are places in the feed (`positionOf`).
 */
export const recognitionFormats: Formats<FollowedTransaction> = new Map([
  ["all", withChanges(frameForAll)],
  ["own", withChanges(frameForParticipants)],
])

/** How a recognition is written for this user; null: for everybody. */
type TextOf = (recognition: Recognition, userId: number | null) => string

function withChanges(
  toFrame: (id: number, recognition: Recognition, textOf: TextOf) => Frame,
): ToFrame<FollowedTransaction> {
  return (entry) => {
    const { id, adjusts } = entry
    const position = positionOf(id)
    if (adjusts !== null)
      return toFrame(position, adjusts, (one, userId) =>
        JSON.stringify({ through: id, changed: recognitionView(one, userId) }),
      )
    return isFeedEntry(entry)
      ? toFrame(position, entry, (one, userId) => JSON.stringify(recognitionView(one, userId)))
      : frameOf(position, null)
  }
}

function onlyFeedEntries(toFrame: ToFrame<StreamEntry>): ToFrame<StreamEntry> {
  return (entry) => (isFeedEntry(entry) ? toFrame(entry) : frameOf(entry.id, null))
}

function frameForAll(id: number, recognition: Recognition, textOf: TextOf): Frame {
  const readers = reasonReaders(recognition)
  const forReaders = readers && { userIds: readers, text: textOf(recognition, null) }
  return frameOf(id, textOf(asSeenBy(null, recognition), null), forReaders ?? forAdders(recognition, textOf))
}

/** Nobody adds to a private recognition, so a frame has one other text at most. */
function forAdders(recognition: Recognition, textOf: TextOf): Frame["forUsers"] {
  const [first] = recognition.added.by
  return first === undefined ? null : { userIds: recognition.added.by, text: textOf(recognition, first) }
}

/** Sender and receivers get the same text, so it holds only what all of them may read. */
function frameForParticipants(id: number, recognition: Recognition, textOf: TextOf): Frame {
  const userIds = participantsIn(recognition)
  const asAllSee = userIds.reduce((seen, userId) => asSeenBy(userId, seen), recognition)
  return frameOf(id, null, { userIds, text: textOf(asAllSee, null) })
}
