import { invalid } from "../errors.ts"
import type { Abortable } from "../paging.ts"
import type { Store } from "../store.ts"
import { isLongerThan, normalized } from "../text.ts"
import { maxLengths } from "./fields.ts"
import type { PeopleCursor, PeoplePage, User } from "./model.ts"

/** The query parameters of GET /api/v1/people, parsed. */
interface PeopleQuery extends Abortable {
  /** Words to search for, each in the name or the username; empty: everybody. */
  readonly q?: string | undefined
  readonly department?: string | undefined
  /** Only active accounts, only inactive ones, or (null) both. */
  readonly active?: boolean | null | undefined
  /** `next` of the previous page. */
  readonly after?: PeopleCursor | undefined
  /** 1 to `maxPeople`. */
  readonly size?: number | undefined
}

export const defaultPeople = 20
export const maxPeople = 100
const maxWords = 8

/** Finds people, for everybody who is logged in (docs/interface/recognition.md). */
export function createPeopleSearch({ store }: { readonly store: Pick<Store, "people"> }) {
  return {
    /** @throws DomainError `invalid` (`q`, `size`) */
    async search({
      q = "",
      department,
      active = true,
      after,
      size = defaultPeople,
      signal,
    }: PeopleQuery): Promise<PeoplePage> {
      if (!Number.isSafeInteger(size) || size < 1 || size > maxPeople)
        throw invalid("size", `an integer from 1 to ${maxPeople}`)
      const words = folded(q).split(" ").filter(Boolean)
      if (isLongerThan(q, maxLengths.name) || words.length > maxWords)
        throw invalid("q", `at most ${maxLengths.name} characters in ${maxWords} words`)
      return store.people.search({ words, dept: department ?? null, active, after: after ?? null, size, signal })
    },
  }
}

/**
 * The words of the name, then the username, folded, each behind `wordStart`: what a search compares, and its order. It is stored.
 * Whoever changes what it is made of sets all stored ones to NULL by a migration.
 */
export const searchKey = ({ name, username }: Pick<User, "name" | "username">): string =>
  [...folded(name).split(" "), folded(username)].map((word) => wordStart + word).join("")

/** Sorts before every letter; no query contains it. */
export const wordStart = "\x01"

/** Letters that Unicode does not decompose, and how people write them whose keyboards lack them. */
const plain: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
}
const special = new RegExp(`[${Object.keys(plain).join("")}]`, "g")

/**
 * A text of at most `max` characters in the form that searches compare: without case, accents and invisible characters,
 * and with one space between words.
 */
export const folded = (text: string, max: number = maxLengths.name): string =>
  normalized(text, "NFKD", max)
    .replace(/\s+/gu, " ")
    .replace(/[\p{Mn}\p{Cc}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(special, (letter) => plain[letter] ?? letter)
    .trim()
