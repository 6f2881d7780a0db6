import { isoDate } from "../domain/calendar.ts"
import type { StreamEntry } from "../domain/ledger/model.ts"
import type { LedgerStore } from "../domain/ledger/ports.ts"
import { reasonReaders } from "../domain/ledger/reason-readers.ts"
import { type AmountsShown, seesAmounts } from "../domain/programme/amounts.ts"
import type { FeedStream } from "../domain/recognition/feed.ts"
import type { FollowedTransaction, Recognition } from "../domain/recognition/model.ts"
import { positionOf } from "../domain/recognition/positions.ts"
import { isFeedEntry, participantsIn } from "../domain/recognition/recognitions.ts"
import { shownTo } from "../domain/recognition/shown.ts"
import { recognitionView } from "../formats/views/recognition.ts"

/** The ledger, read as one kind of entry. */
export interface EntrySource<Entry> extends Pick<LedgerStore, "lastId" | "onAppend"> {
  /** `UserStore.revision`: names and words in entries hold while it stays the same. */
  revision(): Promise<string>
  /** Ascending, at most `limit`. */
  after(id: number, limit: number): Promise<Entry[]>
}

/** One transaction in one format, serialised once for all clients. */
export interface Frame {
  readonly id: number
  /** The text for everybody; null: nothing is sent. */
  readonly text: string | null
  /** Other texts for some users, none of whom is named twice. */
  readonly forUsers: readonly TextForUsers[]
  /** Size of the longest text. */
  readonly bytes: number
}

interface TextForUsers {
  readonly userIds: readonly number[]
  readonly text: string
}

/** How a stream serialises its entries while these rules are in force, by name of the format. */
export type Formats<Entry> = ReadonlyMap<string, ToFrame<Entry>>

type ToFrame<Entry> = (entry: Entry, rules: AmountsShown) => Frame

const frameOf = (id: number, text: string | null, forUsers: Frame["forUsers"] = []): Frame => ({
  id,
  text,
  forUsers,
  bytes: Math.max(bytesOf(text), ...forUsers.map((one) => bytesOf(one.text))),
})

const bytesOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text))

/** The text for this user, or for a stranger where `userId` is null; null: nothing is sent. */
export function textFor({ text, forUsers }: Frame, userId: number | null): string | null {
  if (userId === null || forUsers.length === 0) return text
  return forUsers.find(({ userIds }) => userIds.includes(userId))?.text ?? text
}

/**
 * `plain` is the frame of docs/interface/streams.md; `resumable` adds what a client needs for `?after=`;
 * `recognition` is the same for entries of the feed: one for all transfers of a group.
 */
type Content = "plain" | "resumable" | "recognition"

type TransactionFormat = `${Content} of ${FeedStream}`

export const transactionFormatOf = (content: Content, stream: FeedStream): TransactionFormat =>
  `${content} of ${stream}`

/**
 * The text of one transaction.
 * plain: `to` and `from` (names of receiver and sender), `value` (points; null for somebody who may not see them). resumable:
 * also `id` and `date`. recognition: also `receivers` (the names of all, of whom `to` is the first).
 */
export const transactionTexts = {
  plain: ({ receiverName, senderName }: StreamEntry, value: number | null) =>
    JSON.stringify({ to: receiverName, from: senderName, value }),
  resumable: ({ receiverName, senderName, id, date }: StreamEntry, value: number | null) =>
    JSON.stringify({ to: receiverName, from: senderName, value, id, date: isoDate(date) }),
  recognition: ({ receiverName, senderName, id, date, receivers }: StreamEntry, value: number | null) =>
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
  ...transactionFormat("plain"),
  ...transactionFormat("resumable"),
  ...transactionFormat("recognition", {
    only: onlyFeedEntries,
    receiversOf: ({ receiverId, receivers }) => receivers?.map(({ userId }) => userId) ?? [receiverId],
  }),
])

function transactionFormat(
  content: Content,
  {
    only = (toFrame: ToFrame<StreamEntry>) => toFrame,
    receiversOf = ({ receiverId }: StreamEntry): readonly number[] => [receiverId],
  } = {},
): [TransactionFormat, ToFrame<StreamEntry>][] {
  const textOf = transactionTexts[content]
  const whole = (entry: StreamEntry): string => textOf(entry, entry.value)
  const forParticipants = (entry: StreamEntry) => [
    { userIds: [entry.senderId, ...receiversOf(entry)], text: whole(entry) },
  ]
  const forAll = (entry: StreamEntry) => frameOf(entry.id, whole(entry))
  const forMembers = (entry: StreamEntry, rules: AmountsShown) =>
    seesAmounts(null, [], rules) ? forAll(entry) : frameOf(entry.id, textOf(entry, null), forParticipants(entry))
  const ofOwn = (entry: StreamEntry) => frameOf(entry.id, null, forParticipants(entry))
  return [
    [`${content} of all`, only(forAll)],
    [`${content} of members`, only(forMembers)],
    [`${content} of own`, only(ofOwn)],
  ]
}

function onlyFeedEntries(toFrame: ToFrame<StreamEntry>): ToFrame<StreamEntry> {
  return (entry, rules) => (isFeedEntry(entry) ? toFrame(entry, rules) : frameOf(entry.id, null))
}

/**
 * The formats of the feed's stream. `own` carries only the recognitions of sender and receivers. Transactions that are no
 * recognition are not sent, and a group is sent once. Of points that were added, the stream carries the entry that they change.
 * The ids of the frames are places in the feed (`positionOf`).
 */
export const recognitionFormats: Formats<FollowedTransaction> = new Map<FeedStream, ToFrame<FollowedTransaction>>([
  ["all", (entry) => recognitionFrame(entry, { amounts_shown: "everyone" })],
  ["members", (entry, rules) => recognitionFrame(entry, rules)],
  ["own", (entry, rules) => recognitionFrame(entry, rules, { onlyOwn: true })],
])

function recognitionFrame(entry: FollowedTransaction, rules: AmountsShown, { onlyOwn = false } = {}): Frame {
  const { id, adjusts } = entry
  const position = positionOf(id)
  if (adjusts === null && !isFeedEntry(entry)) return frameOf(position, null)
  const recognition = adjusts ?? entry
  const textOf = (viewerId: number | null): string => {
    // Those who see more than a member have the stream of all.
    const viewer = viewerId === null ? null : { id: viewerId, dept: "" }
    const view = recognitionView(shownTo(viewer, recognition, rules), viewerId)
    return JSON.stringify(adjusts === null ? view : { through: id, changed: view })
  }
  const participants = participantsIn(recognition)
  if (onlyOwn) return frameOf(position, null, textsFor(participants, recognition, textOf))
  const isAllForStrangers = reasonReaders(recognition) === null && seesAmounts(null, [], rules)
  const others = isAllForStrangers ? recognition.added.by : [...participants, ...recognition.added.by]
  return frameOf(position, textOf(null), textsFor([...new Set(others)], recognition, textOf))
}

/** What users see of a recognition depends on their part in it, so that each part has one text. */
function textsFor(
  userIds: readonly number[],
  { senderId, receivers, added }: Recognition,
  textOf: (userId: number) => string,
): TextForUsers[] {
  const receiverIds = new Set(receivers.map(({ userId }) => userId))
  const adders = new Set(added.by)
  const parts = Map.groupBy(userIds, (id) => `${id === senderId} ${receiverIds.has(id)} ${adders.has(id)}`)
  return [...parts.values()].map((ids) => ({ userIds: ids, text: textOf(ids[0] ?? 0) }))
}
