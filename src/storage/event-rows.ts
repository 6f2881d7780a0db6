import type { RecordedEvent } from "../domain/model.ts"

/** A row of `events`. */
export interface EventRow {
  readonly id: number
  readonly type: Exclude<RecordedEvent["type"], "transaction"> | "transactions"
  readonly subject: number
  readonly count: number
  readonly at: number
}

export const eventColumns = "id, type, subject, count, at"

/** The events with a higher id that these rows hold, at most `limit`. */
export function eventsIn(rows: readonly EventRow[], after: number, limit: number): RecordedEvent[] {
  const events: RecordedEvent[] = []
  for (const { id: last, type, subject, count, at } of rows) {
    const first = Math.max(last - count, after) + 1
    for (let id = first; id <= last && events.length < limit; id++)
      events.push(
        type === "transactions"
          ? { id, type: "transaction", subject: subject - (last - id), at }
          : { id, type, subject, at },
      )
  }
  return events
}
