import { isoDate } from "../../domain/calendar.ts"

/** A date under /api/v1, in UTC with `Z`. The contract's dates have no zone. */
export const utc = (ms: number): string => `${isoDate(ms)}Z`

export const utcOrNull = (ms: number | null) => (ms === null ? null : utc(ms))
