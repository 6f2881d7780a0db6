import { isLongerThan } from "../text.ts"
import { keyOf } from "./import-vocabulary.ts"

/** Whether `1/2/2026` begins with the day or with the month. */
export const dateOrders = ["dmy", "mdy"] as const
export type DateOrder = (typeof dateOrders)[number]

interface Day {
  /** Null if the text names none. */
  readonly year: number | null
  readonly month: number
  readonly day: number
}

/** A day, or two numbers that are its day and its month. */
type Found = Day | { readonly year: number | null; readonly numbers: readonly [number, number] }

const maxLength = 100
const time =
  /[T\s,]+\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*([ap]\.?m\.?)?\s*(Z|[A-Z]{3,4})?\s*([+-]\d{2}:?(\d{2})?)?\s*(\([^()]*\)|[A-Z]+\/[A-Z_]+)?$/i

/** What a cell says, apart from the time of the day. Null if it is no day. */
function dayIn(cell: string): Found | null {
  if (isLongerThan(cell, maxLength)) return null
  const text = cell.trim().replace(time, "").trim()
  const numbers = (text.match(/\d+/g) ?? []).map(Number)
  const [first = 0, second = 0, third = null] = numbers
  if (/^\d{4}\s?[-./]\s?\d{1,2}\s?[-./]\s?\d{1,2}\.?$/.test(text))
    return { year: first, month: second, day: third ?? 0 }
  if (/^\d{8}$/.test(text)) return dayIn(text.replace(/^(....)(..)(..)$/, "$1-$2-$3"))
  if (/^\d{5}([.,]\d+)?$/.test(text)) return ofSpreadsheet(first)
  if (/^\d{1,2}\.\s?\d{1,2}\.?(\s?(\d{4}|\d{2}))?$/.test(text)) return { year: whole(third), month: second, day: first }
  if (/^\d{1,2}\s?\/\s?\d{1,2}(\s?\/\s?(\d{4}|\d{2}))?$|^\d{1,2}-\d{1,2}-\d{4}$/.test(text))
    return { year: whole(third), numbers: [first, second] }
  if (/^(--)?\d{2}-\d{2}$/.test(text)) return { year: null, month: first, day: second }
  return inWords(text)
}

/** A year of two digits is one of the last seventy, or of the next thirty. */
function whole(year: number | null): number | null {
  if (year === null || year >= 100) return year
  return year < 70 ? 2000 + year : 1900 + year
}

/** A day as the number that spreadsheets count: 1 is the first of January 1900, and they think that that year was a leap year. */
function ofSpreadsheet(number: number): Day | null {
  if (number < 10_000 || number > 80_000) return null
  const date = new Date(Date.UTC(1899, 11, 30) + number * 86_400_000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The months in English, German, Spanish, Portuguese and French, by the beginnings that tell them apart. */
const months = [
  "jan ene",
  "feb fev",
  "mar mrz maer",
  "apr abr avr",
  "may mai",
  "jun juin",
  "jul juil",
  "aug ago aou",
  "sep set",
  "oct okt out",
  "nov",
  "dec dez dic",
].map((list) => list.split(" "))

/** What may stand in a date beside its parts. */
const fillers = new Set(["de", "of", "del", "den", "the", "le", "st", "nd", "rd", "th", "er", "o", "do"])
const weekdays =
  /^(mon|tue|wed|thu|fri|sat|sun|die|mit|don|fre|sam|son|lun|mar|mie|jue|vie|sab|dom|mer|jeu|ven|dim|seg|ter|qua|qui|sex)/

/** `1 March 2026`, `01-Mar-26`, `March 1, 2026`, `Sonntag, 1. März 2026` */
function inWords(text: string): Day | null {
  const [written = [], numbers = []] = [text.match(/\p{L}+/gu) ?? [], (text.match(/\d+/g) ?? []).map(Number)]
  if (numbers.length === 0 || numbers.length > 2 || /[^\p{L}\p{N}\s.,'’/-]/u.test(text)) return null
  const keys = written.map(keyOf).filter((key) => !fillers.has(key))
  const monthIn = (key: string) =>
    months.findIndex((starts) => key.length < 11 && starts.some((one) => key.startsWith(one)))
  const last = keys.at(-1) ?? ""
  // A day of the week stands before the rest; `mar` is a Tuesday there, and March elsewhere.
  if (keys.length > 2 || (keys.length === 2 && !weekdays.test(keys[0] ?? ""))) return null
  const month = monthIn(last) + 1
  if (month === 0) return null
  const big = numbers.findIndex((number) => number > 31)
  const yearAt = big === -1 && numbers.length === 2 ? 1 : big
  const day = numbers.find((_, index) => index !== yearAt) ?? 0
  const year = whole(numbers[yearAt] ?? null)
  return { year, month, day }
}

/** Slashed dates of one file, and whether they begin with the day or the month. */
export interface Slashed {
  /** The order that was given, or that those dates show which have only one; null if they do not tell. */
  readonly order: DateOrder | null
  /** Whether there are any. */
  readonly isUsed: boolean
}

/** Finds the order of all dates in a file; call `see` for each of its cells with a date. */
export function createDateOrder(given: DateOrder | undefined) {
  const shown = new Set<DateOrder>()
  let isUsed = false

  return {
    see(cell: string) {
      const found = dayIn(cell)
      if (found === null || !("numbers" in found)) return
      isUsed = true
      const [first, second] = found.numbers
      if (first > 12 && second <= 12) shown.add("dmy")
      if (second > 12 && first <= 12) shown.add("mdy")
    },
    found(): Slashed {
      const [only = null] = shown.size === 1 ? shown : []
      return { order: given ?? only, isUsed }
    },
  }
}

/** A cell as the field wants it, or unchanged if it is no such day; null if nobody can say which day it is. */
export function dayOf(column: "birthday" | "joined", cell: string, { order }: Slashed): string | null {
  const found = dayIn(cell)
  if (found === null) return cell
  const day = "numbers" in found ? ordered(found, order) : found
  if (day === null) return null
  const [month, inMonth] = [day.month, day.day].map((part) => String(part).padStart(2, "0"))
  if (column === "birthday") return `${month}-${inMonth}`
  return day.year === null ? cell : `${day.year}-${month}-${inMonth}`
}

function ordered(
  { year, numbers: [first, second] }: Extract<Found, { numbers: unknown }>,
  order: DateOrder | null,
): Day | null {
  const [dmy, mdy] = [
    { year, month: second, day: first },
    { year, month: first, day: second },
  ]
  if (order !== null) return order === "dmy" ? dmy : mdy
  if (first === second || first > 12) return dmy
  return second > 12 ? mdy : null
}
