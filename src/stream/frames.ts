import type { StreamEntry } from "../domain/store.ts"

/** `plain` is the contract's frame; `resumable` is what `?after=` asks for, with what a dashboard needs to go on. */
export type Format = "plain" | "resumable"

export const formats: readonly Format[] = ["plain", "resumable"]

/**
 * One transaction as the text of one message (contract, section "WebSocket /transaction/ws").
 * plain: `to` and `from` (names of receiver and sender), `value` (points). resumable: also `id` and `date`.
 */
export const frames: Record<Format, (entry: StreamEntry) => string> = {
  plain: ({ receiverName, senderName, value }) => JSON.stringify({ to: receiverName, from: senderName, value }),
  resumable: ({ receiverName, senderName, value, id, date }) =>
    JSON.stringify({ to: receiverName, from: senderName, value, id, date: isoDate(date) }),
}

/** UTC, ISO 8601, milliseconds, no zone: `2026-11-21T12:00:00.123`. */
export const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, -1)
