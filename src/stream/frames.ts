import type { StreamEntry } from "../domain/model.ts"
import { type Formats, type Frame, frameOf } from "./frame.ts"

/** `plain` is the contract's frame; `resumable` is what `?after=` asks for, with what a dashboard needs to go on. */
type Content = "plain" | "resumable"
/** The same for those who are sent nothing but what they take part in. */
export type Format = Content | `${Content} of own`

/**
 * One transaction as the text of one message (contract, section "WebSocket /transaction/ws").
 * plain: `to` and `from` (names of receiver and sender), `value` (points). resumable: also `id` and `date`.
 */
export const frames: Record<Content, (entry: StreamEntry) => string> = {
  plain: ({ receiverName, senderName, value }) => JSON.stringify({ to: receiverName, from: senderName, value }),
  resumable: ({ receiverName, senderName, value, id, date }) =>
    JSON.stringify({ to: receiverName, from: senderName, value, id, date: isoDate(date) }),
}

export const contractFormats: Formats<StreamEntry> = new Map(
  Object.entries(frames).flatMap(([content, textOf]): [string, (entry: StreamEntry) => Frame][] => [
    [content, (entry) => frameOf(entry.id, textOf(entry))],
    [
      `${content} of own`,
      (entry) => frameOf(entry.id, null, { userIds: [entry.senderId, entry.receiverId], text: textOf(entry) }),
    ],
  ]),
)

const dayMs = 86_400_000
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"))
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"))

let lastDay = Number.NaN
let lastPrefix = ""

/** UTC, ISO 8601, milliseconds, no zone: `2026-11-21T12:00:00.123`. Dates beside each other mostly share their day:
 *  remembering it costs half of Date's own way, which takes longer than the rest of a frame. */
export function isoDate(ms: number): string {
  const day = Math.floor(ms / dayMs)
  if (day !== lastDay) {
    lastPrefix = new Date(day * dayMs).toISOString().split("T")[0] ?? ""
    lastDay = day
  }
  const seconds = Math.floor((ms - day * dayMs) / 1000)
  const minutes = Math.floor(seconds / 60)
  const time = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
  return `${lastPrefix}T${time}.${threeDigits[ms - day * dayMs - seconds * 1000]}`
}
