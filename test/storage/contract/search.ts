import { expect, test } from "bun:test"
import fc from "fast-check"
import type { PeopleCursor, PeopleSearch, User } from "../../../src/domain/people/model.ts"
import { folded } from "../../../src/domain/people/people-search.ts"
import type { Store } from "../../../src/domain/store.ts"
import { person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const everybody: PeopleSearch = { words: [], dept: null, active: true, after: null, size: 100 }

const usernamesOf = async ({ people }: Pick<Store, "people">, query: Partial<PeopleSearch> = {}) =>
  (await people.search({ ...everybody, ...query })).items.map(({ username }) => username)

export function searchPromises(open: OpenSubject) {
  test("the pages of any search together equal a filter over all users", async () => {
    await using subject = await open()
    const names = fc.array(fc.stringMatching(/^[aábÁB]{1,3}( [aábc-]{1,3}){0,2}$/), { minLength: 1, maxLength: 12 })
    const words = fc.array(fc.stringMatching(/^[ab-]{1,2}$/), { maxLength: 2 })
    const users: User[] = []
    const search = async (given: readonly string[], asked: readonly string[], size: number) => {
      for (const name of given)
        users.push(
          await subject.store.users.create(
            person(name, { username: `${name}${users.length}`, email: `${users.length}@x` }),
          ),
        )
      expect(await pagesOf(subject.store, asked, size)).toEqual(expected(users, asked))
    }

    await fc.assert(fc.asyncProperty(names, words, fc.integer({ min: 1, max: 7 }), search), { numRuns: 40 })
  })

  test("the next search finds people whom another process added or changed", async () => {
    await using subject = await open()
    const here = subject.store
    const there = await subject.reopen()
    const ana = await here.users.create(person("Ana"))
    expect(await usernamesOf(there)).toEqual(["ana"])

    await here.users.create(person("Bruno"))
    await here.users.correct(ana.id, { dept: "support" })
    expect(await usernamesOf(there)).toEqual(["ana", "bruno"])
    expect(await usernamesOf(there, { dept: "support" })).toEqual(["ana"])
    expect(await there.people.departments()).toEqual([
      { name: "sales", people: 1 },
      { name: "support", people: 1 },
    ])
  })

  test("summaries come in the order of the requested ids", async () => {
    await using subject = await open()
    const { ana, bruno, carla } = await threePeople(subject.store)

    expect(await subject.store.people.summaries([carla.id, ana.id])).toEqual(
      [carla, ana].map(({ id, username, name, dept, avatar }) => ({ id, username, name, dept, avatar })),
    )
    await subject.store.people.refresh()
    expect(await usernamesOf(subject.store, { words: ["br"] })).toEqual([bruno.username])
  })
}

async function pagesOf({ people }: Pick<Store, "people">, words: readonly string[], size: number): Promise<string[]> {
  const found: string[] = []
  for (let after: PeopleCursor | null = null; ; ) {
    const { items, next } = await people.search({ words, dept: null, active: true, after, size })
    found.push(...items.map(({ username }) => username))
    if (next === null) return found
    expect(items).toHaveLength(size)
    after = next
  }
}

/**
 * Usernames in the expected order: first people in whom every word begins a name or the username, then the others, each
 * group by name.
 */
function expected(users: readonly User[], words: readonly string[]): string[] {
  const beginnings = (user: User) => [...folded(user.name).split(" "), folded(user.username)]
  const key = (user: User) => beginnings(user).join("\x01")
  const begins = (user: User) =>
    words.length > 0 && words.every((word) => beginnings(user).some((text) => text.startsWith(word)))
  return users
    .filter((user) => words.every((word) => beginnings(user).some((text) => text.includes(word))))
    .toSorted(
      (a, b) => Number(begins(b)) - Number(begins(a)) || (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id),
    )
    .map(({ username }) => username)
}
