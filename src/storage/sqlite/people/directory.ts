import type { Department, PeopleCursor, PeopleSearch, PersonSummary } from "../../../domain/model.ts"
import { folded } from "../../../domain/people/people-search.ts"
import type { PeopleStore } from "../../../domain/store.ts"
import type { Connection } from "../database/connection.ts"
import { createIndex, type Listed, mark } from "./directory-index.ts"

/** Users taken in between two turns of the event loop: 2 to 3 ms. */
const usersAtOnce = 1000

interface Row {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly dept: string
}

/** `PeopleStore` from an index in memory, which follows the table of changes: whoever changed a user, and in which
 *  process, the next search knows. */
export function createDirectory({ client }: Pick<Connection, "client">): PeopleStore {
  const index = createIndex()
  const columns = "users.id, username, name, dept"
  const byId = client.prepare<Row, [number, number]>(`SELECT ${columns} FROM users WHERE id > ? ORDER BY id LIMIT ?`)
  const changed = client.prepare<Row & { readonly revision: number }, [number, number]>(
    `SELECT revision, ${columns} FROM people_changes JOIN users ON users.id = user_id
     WHERE revision > ? ORDER BY revision LIMIT ?`,
  )
  const newest = client.prepare<{ revision: number | null }, []>("SELECT max(revision) AS revision FROM people_changes")
  const faces = client.prepare<PersonSummary, [string]>(
    `SELECT users.id, username, name, dept, avatar FROM json_each(?) AS asked CROSS JOIN users ON users.id = asked.value`,
  )
  /** Null until everybody was read. */
  let revision: number | null = null
  let reading: Promise<void> | undefined

  return {
    search: async (query) => {
      await refresh()
      const found = matches(query)
      const items = faces.all(JSON.stringify(found.slice(0, query.size).map(({ person }) => person.id)))
      const last = found.length > query.size ? found[query.size - 1] : undefined
      return { items, next: last ? placeOf(last) : null }
    },
    departments: async () => {
      await refresh()
      const counts = new Map<string, number>()
      for (const { dept } of index.everybody()) counts.set(dept, (counts.get(dept) ?? 0) + 1)
      const all = [...counts].map(([name, people]): Department => ({ name, people }))
      return all.sort((a, b) => compare(folded(a.name), folded(b.name)) || compare(a.name, b.name))
    },
    summaries: async (ids) => faces.all(JSON.stringify(ids)),
    refresh,
  }

  /** Shared by all who ask while it runs. */
  function refresh(): Promise<void> {
    if (revision !== null && (newest.get()?.revision ?? 0) === revision) return Promise.resolve()
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function read() {
    if (revision === null) {
      const before = newest.get()?.revision ?? 0
      await inPieces(
        0,
        (after) => byId.all(after, usersAtOnce),
        ({ id }) => id,
      )
      revision = before
    }
    revision = await inPieces(
      revision,
      (after) => changed.all(after, usersAtOnce),
      (row) => row.revision,
    )
  }

  /** Returns where it ended. */
  async function inPieces<R extends Row>(start: number, next: (after: number) => R[], placeOf: (row: R) => number) {
    for (let after = start; ; ) {
      const rows = next(after)
      index.apply(rows.map(listed))
      const last = rows.at(-1)
      if (last) after = placeOf(last)
      if (rows.length < usersAtOnce) return after
      await new Promise(setImmediate)
    }
  }

  /** One more than a page, where there is one more. */
  function matches({ words, dept, after, size }: PeopleSearch): Match[] {
    const found: Match[] = []
    for (const isOther of [false, true]) {
      if (found.length > size || (after?.isOther && !isOther)) continue
      const from = after !== null && after.isOther === isOther ? index.behind(after) : 0
      for (const number of candidates(words, isOther, from)) {
        const person = index.at(number)
        if (!person || (dept !== null && person.dept !== dept)) continue
        if (!words.every((word) => person.key.includes(word)) || isOther !== isOtherTo(words, person)) continue
        found.push({ person, isOther })
        if (found.length > size) break
      }
    }
    return found
  }

  /** The longest word is the rarest. */
  function* candidates(words: readonly string[], isOther: boolean, from: number): Generator<number> {
    const [longest] = words.toSorted((a, b) => b.length - a.length)
    if (longest !== undefined) yield* index.holding(isOther ? longest : mark + longest, from)
    else if (isOther) for (let number = from; number < index.size(); number += 1) yield number
  }
}

/** Without words, everybody is one. */
const isOtherTo = (words: readonly string[], { key }: Listed): boolean =>
  words.length === 0 || !words.every((word) => key.includes(mark + word))

interface Match {
  readonly person: Listed
  readonly isOther: boolean
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const placeOf = ({ person: { key, id }, isOther }: Match): PeopleCursor => ({ isOther, key, id })

function listed({ id, username, name, dept }: Row): Listed {
  const words = [...folded(name).split(" "), folded(username)]
  return { id, dept, key: words.map((word) => mark + word).join("") }
}
