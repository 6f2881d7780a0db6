import { invalid } from "./errors.ts"

export interface Page<T> {
  readonly items: readonly T[]
  /** How many items all pages have together: exact at the time of the read. */
  readonly total: number
}

export const defaultPageSize = 50
export const maxPageSize = 100

/** A read that may take long. */
export interface Abortable {
  /** Aborts the read when the client disconnects. The read then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Query parameters of a list that is newest first, parsed. */
export interface PageQuery {
  /** Only lower ids: `next` of the previous page. */
  readonly before?: number | undefined
  /** 1 to `maxPageSize`. */
  readonly size?: number | undefined
}

/** What a store reads for a page: one row more than the page holds. That row shows whether another page follows. */
export interface PageRange {
  readonly before: number | undefined
  readonly limit: number
}

/** `row` names what an id stands for, such as "a transaction".
 *  @throws DomainError `invalid` (`before`, `size`) */
export function pageRange({ before, size = defaultPageSize }: PageQuery, row: string): PageRange {
  if (before !== undefined && !(before >= 1 && before <= Number.MAX_SAFE_INTEGER))
    throw invalid("before", `the id of ${row}`)
  if (!(Number.isInteger(size) && size >= 1 && size <= maxPageSize))
    throw invalid("size", `an integer from 1 to ${maxPageSize}`)
  return { before, limit: size + 1 }
}

export interface PageBefore<T> {
  readonly items: readonly T[]
  /** `before` of the next page; null on the last one. */
  readonly next: number | null
}

/** The page among the rows that were found in this range. */
export function pageAmong<T extends { readonly id: number }>(found: readonly T[], { limit }: PageRange): PageBefore<T> {
  const items = found.slice(0, limit - 1)
  return { items, next: found.length >= limit ? (items.at(-1)?.id ?? null) : null }
}
