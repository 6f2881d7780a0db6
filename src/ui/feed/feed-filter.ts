import { addresses, withQuery } from "../addresses.ts"

/** Which recognitions the feed shows, from the query of its address. An absent field selects all. */
export interface FeedFilter {
  readonly about?: string
  readonly department?: string
  readonly tag?: string
  readonly username?: string
  readonly q?: string
}

export const filterNames = ["about", "department", "tag", "username", "q"] as const

/** The filter of an address. */
export const filterOf = (query: Readonly<Record<string, string>>): FeedFilter =>
  Object.fromEntries(
    filterNames
      .filter((name) => query[name] && (name !== "about" || query[name] === "me"))
      .map((name) => [name, query[name]]),
  )

export const isFiltered = (filter: FeedFilter): boolean => filterNames.some((name) => filter[name] !== undefined)

export const addressOf = (filter: FeedFilter): string => withQuery(addresses.home, { ...filter })
