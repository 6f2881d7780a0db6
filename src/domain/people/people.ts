import { DomainError, invalid } from "../errors.ts"
import { maxLengths, usernameKey } from "./fields.ts"
import { folded } from "./folding.ts"
import type { Store, User } from "../store.ts"
import { isLongerThan } from "../text.ts"

/** The part of the port that finds people; store.ts has the rest. */
export interface PeopleStore {
  /**
   * People in each of whose `name` or `username` every one of `words` occurs, without regard to case and accents: first
   * those where each begins the user name or a word of the name, then the others, each by name.
   */
  search(query: PeopleSearch): Promise<PeoplePage>
  /** By name, without the empty ones. */
  departments(): Promise<Department[]>
  /** Those with these ids, in their order. */
  faces(ids: readonly number[]): Promise<readonly Face[]>
  /** Takes in what changed since the last look, so that the next search need not. */
  refresh(): Promise<void>
}

export interface PeopleSearch {
  /** Folded (folding.ts); none: everybody. */
  readonly words: readonly string[]
  /** Only of this department. */
  readonly dept: string | null
  /** `next` of the page before. */
  readonly after: PeoplePlace | null
  readonly size: number
}

/** Where a page ended; it holds whatever changes meanwhile. */
export interface PeoplePlace {
  readonly isOther: boolean
  readonly key: string
  readonly id: number
}

export interface PeoplePage {
  readonly items: readonly Face[]
  /** Null at the end. */
  readonly next: PeoplePlace | null
}

/** What everybody may see of somebody in a list. */
export type Face = Pick<User, "id" | "username" | "name" | "dept" | "avatar">

export interface Department {
  readonly name: string
  readonly people: number
}

/** The query parameters of GET /api/v1/people, parsed. */
export interface PeopleQuery {
  readonly q?: string | undefined
  readonly department?: string | undefined
  readonly after?: PeoplePlace | undefined
  readonly size?: number | undefined
}

export const defaultPeople = 20
export const maxPeople = 100
const maxWords = 8

export type People = ReturnType<typeof createPeople>

export function createPeople({ store }: { readonly store: Pick<Store, "people" | "users"> }) {
  return {
    /** @throws DomainError `invalid` (`q`, `size`) */
    async search({ q = "", department, after, size = defaultPeople }: PeopleQuery): Promise<PeoplePage> {
      if (!Number.isSafeInteger(size) || size < 1 || size > maxPeople)
        throw invalid("size", `an integer from 1 to ${maxPeople}`)
      const words = folded(q).split(" ").filter(Boolean)
      if (isLongerThan(q, maxLengths.name) || words.length > maxWords)
        throw invalid("q", `at most ${maxLengths.name} characters in ${maxWords} words`)
      return store.people.search({ words, dept: department ?? null, after: after ?? null, size })
    },

    departments: (): Promise<Department[]> => store.people.departments(),

    /** @throws DomainError `user_not_found` */
    async named(username: string): Promise<User> {
      const user = await store.users.byUsername(usernameKey(username))
      if (!user) throw new DomainError("user_not_found")
      return user
    },
  }
}
