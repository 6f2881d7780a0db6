/** A day, YYYY-MM-DD. */
export type Day = string

export type Calendar = ReturnType<typeof createCalendar>

/** Days and moments in a time zone. */
export function createCalendar(timeZone: string) {
  return {
    /** The day that it is at a moment. */
    dateAt: (moment: number): Temporal.PlainDate =>
      Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate(),

    /**
     * The moment at which clocks show this time. A time that does not exist, because clocks are put forward, is later by as
     * much as they are; of a time that exists twice, the first counts.
     */
    momentOf: (date: Temporal.PlainDate, time: string): number =>
      date.toPlainDateTime(time).toZonedDateTime(timeZone).epochMilliseconds,
  }
}

/** Null unless the text is a day of the calendar. */
export function dateOf(text: Day): Temporal.PlainDate | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return null
  }
}
