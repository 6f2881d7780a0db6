import { DomainError, invalid } from "../errors.ts"
import type { Department, PeopleCursor, PeoplePage, User } from "../model.ts"
import type { Store } from "../store.ts"
import { isLongerThan } from "../text.ts"
import { maxLengths, usernameKey } from "./fields.ts"
import { folded } from "./folding.ts"

/** The query parameters of GET /api/v1/people, parsed. */
export interface PeopleQuery {
  readonly q?: string | undefined
  readonly department?: string | undefined
  readonly after?: PeopleCursor | undefined
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
