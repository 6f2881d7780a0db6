import { expect, test } from "bun:test"
import fc from "fast-check"
import { auditEntry } from "../../../src/domain/audit/audit-log.ts"
import { isActive, type PeopleCursor, type PeopleSearch, type User } from "../../../src/domain/people/model.ts"
import { folded } from "../../../src/domain/people/people-search.ts"
import type { Store } from "../../../src/domain/store.ts"
import { hashOf, person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const everybody: PeopleSearch = { words: [], dept: null, active: true, after: null, size: 100 }

interface Given {
  readonly words: readonly string[]
  readonly dept: string
  readonly hasLeft: boolean
}

const usernamesOf = async ({ people }: Pick<Store, "people">, query: Partial<PeopleSearch> = {}) =>
  (await people.search({ ...everybody, ...query })).items.map(({ username }) => username)

export function searchPromises(open: OpenSubject) {
  test("the pages of any search together equal a filter over all users", async () => {
    await using subject = await open()
    const word = fc.string({ unit: fc.constantFrom(..."aábÁBßøﬁ%_\\😀-"), minLength: 1, maxLength: 3 })
    const people = fc.array(
      fc.record({
        words: fc.array(word, { minLength: 1, maxLength: 3 }),
        dept: fc.constantFrom("sales", "support"),
        hasLeft: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    )
    const asked = fc.record({
      words: fc.array(word.map((text) => folded(text)).filter(Boolean), { maxLength: 2 }),
      dept: fc.constantFrom("sales", null),
      active: fc.constantFrom(true, false, null),
      size: fc.integer({ min: 1, max: 7 }),
    })
    const users: User[] = []
    const search = async (given: readonly Given[], query: Omit<PeopleSearch, "after">) => {
      for (const { words, dept, hasLeft } of given) {
        const number = users.length
        const named = { username: `${words.join("")}${number}`, email: `${number}@x`, password: hashOf("x"), dept }
        const { id } = await subject.store.users.create(person(words.join(" "), named))
        users.push(await subject.store.users.setActive(id, hasLeft ? 1 : null))
      }
      expect(await pagesOf(subject.store, query)).toEqual(expected(users, query))
    }

    await fc.assert(fc.asyncProperty(people, asked, search), { numRuns: 40 })
  })

  test("a person is found by the present name and username only, whatever changed them", async () => {
    await using subject = await open()
    const { users } = subject.store
    const { ana } = await threePeople(subject.store)
    const found = (word: string) => usernamesOf(subject.store, { words: [word], active: null })
    const replacement = { username: "erased-1", name: "Nobody", email: "e@erased.invalid", password: ana.password }
    const erased = auditEntry({ who: null, way: "server", address: null }, 9, "user_erased")
    const changes: (() => Promise<unknown>)[] = [
      () => users.updateProfile(ana.id, { name: "Änne Lüders" }),
      () => users.correct(ana.id, { name: "Olívia" }),
      async () => {
        const [before] = await users.byIds([ana.id])
        if (before === undefined) throw new Error("nobody")
        const update = [{ before, after: { ...before, name: "Zoë" } }]
        await users.merge({ create: [person("Émile")], update, entries: [], jobs: [] })
      },
      () => users.setActive(ana.id, 5),
      () => users.erase(ana.id, { at: 9, replacement, reasons: "none" }, erased),
    ]
    const words = ["lud", "oliv", "zoe", "emile", "nobody", "ana"]
    const seen: string[][] = []
    for (const change of changes) {
      await change()
      const hits = await Promise.all(words.map(async (word) => ((await found(word)).length > 0 ? [word] : [])))
      seen.push(hits.flat())
    }

    expect(seen).toEqual([
      ["lud", "ana"],
      ["oliv", "ana"],
      ["zoe", "emile", "ana"],
      ["zoe", "emile", "ana"],
      ["emile", "nobody"],
    ])
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
    expect(await usernamesOf(subject.store, { words: ["br"] })).toEqual([bruno.username])
  })
}

async function pagesOf({ people }: Pick<Store, "people">, query: Omit<PeopleSearch, "after">): Promise<string[]> {
  const found: string[] = []
  for (let after: PeopleCursor | null = null; ; ) {
    const { items, next } = await people.search({ ...query, after })
    found.push(...items.map(({ username }) => username))
    if (next === null) return found
    expect(items).toHaveLength(query.size)
    after = next
  }
}

/**
 * Usernames in the expected order: first people in whom every word begins a name or the username, then the others, each
 * group by name, in the order of its bytes.
 */
function expected(users: readonly User[], { words, dept, active }: Omit<PeopleSearch, "after">): string[] {
  const beginnings = (user: User) => [...folded(user.name).split(" "), folded(user.username)]
  const key = (user: User) => Buffer.from(beginnings(user).join("\x01"))
  const begins = (user: User) =>
    words.length > 0 && words.every((word) => beginnings(user).some((text) => text.startsWith(word)))
  return users
    .filter((user) => (dept ?? user.dept) === user.dept && (active ?? isActive(user)) === isActive(user))
    .filter((user) => words.every((word) => beginnings(user).some((text) => text.includes(word))))
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)) || Buffer.compare(key(a), key(b)) || a.id - b.id)
    .map(({ username }) => username)
}
