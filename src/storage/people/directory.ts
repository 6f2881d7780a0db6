import { DatabaseDamaged } from "../../domain/damage.ts"
import {
  type Department,
  isActive,
  type PeopleCursor,
  type PeopleSearch,
  type PersonSummary,
} from "../../domain/people/model.ts"
import { folded } from "../../domain/people/people-search.ts"
import type { PeopleStore } from "../../domain/people/ports.ts"
import type { Log } from "../../support/log.ts"

/** Users that one statement reads: 2 to 3 ms to index. */
const usersAtOnce = 1000

/** A user as the index needs it. */
interface IndexedUser {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly dept: string
  readonly deactivatedAt: number | null
}

/** What the directory reads from the database. */
interface DirectorySource {
  /** The revision of the newest change of a user; 0 for none. */
  newestRevision(): Promise<number>
  /** Users with a higher id, ascending, at most `limit`. */
  usersAfter(id: number, limit: number): Promise<readonly IndexedUser[]>
  /**
   * Users changed at a higher revision, ascending by revision, at most `limit`. Once a revision was returned, no lower
   * one appears later.
   */
  changedAfter(revision: number, limit: number): Promise<readonly ChangedUser[]>
  /** In the order of `ids`. */
  summaries(ids: readonly number[]): Promise<PersonSummary[]>
}

interface ChangedUser extends IndexedUser {
  readonly revision: number
}

/** `PeopleStore`, answered from an index in memory. Before each search it reads what has changed, so changes by other
 *  processes are seen too. */
export function createDirectory(source: DirectorySource, log: Pick<Log, "error">): PeopleStore {
  let index = createIndex()
  /** The index has all changes up to this one; null until all users were read. */
  let revision: number | null = null
  let reading: Promise<void> | undefined

  return {
    search: async (query) => {
      await refresh()
      query.signal?.throwIfAborted()
      const found = matches(query)
      const items = await source.summaries(found.slice(0, query.size).map(({ person }) => person.id))
      const last = found.length > query.size ? found[query.size - 1] : undefined
      return { items, next: last ? placeOf(last) : null }
    },
    departments: async (active = true) => {
      await refresh()
      const counts = new Map<string, number>()
      for (const { dept, isActive } of index.everybody())
        if (active === null || isActive === active) counts.set(dept, (counts.get(dept) ?? 0) + 1)
      const all = [...counts].map(([name, people]): Department => ({ name, people }))
      return all.sort((a, b) => compare(folded(a.name), folded(b.name)) || compare(a.name, b.name))
    },
    inactive: async () => {
      await refresh()
      return index.inactive()
    },
    summaries: source.summaries,
    refresh,
  }

  /** Concurrent callers share one run. One that began before this call may lack the newest change, so another follows. */
  async function refresh(): Promise<void> {
    const newest = await source.newestRevision()
    if (newest === revision) return
    await reading
    if (newest === revision) return
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
  }

  async function read() {
    const newest = await source.newestRevision()
    // After a failover, PostgreSQL may lack the last changes, and gives their revisions again.
    if (revision !== null && newest < revision) revision = null
    if (revision === null) {
      index = createIndex()
      await indexRows(
        0,
        (after) => source.usersAfter(after, usersAtOnce),
        ({ id }) => id,
      )
      revision = newest
      return
    }
    const reached = await indexRows(
      revision,
      (after) => source.changedAfter(after, usersAtOnce),
      (row) => row.revision,
    )
    if (reached < newest)
      log.error(new DatabaseDamaged(`change ${newest} of people_changes names a user that does not exist`).message)
    revision = Math.max(newest, reached)
  }

  /** Indexes rows, some at a time; returns the position of the last one. */
  async function indexRows<R extends IndexedUser>(
    start: number,
    next: (after: number) => Promise<readonly R[]>,
    positionOf: (row: R) => number,
  ) {
    for (let after = start; ; ) {
      const rows = await next(after)
      index.apply(rows.map(listed))
      const last = rows.at(-1)
      if (last) after = positionOf(last)
      if (rows.length < usersAtOnce) return after
    }
  }

  /** A page, and one more person if there is a next page. */
  function matches({ words, dept, active, after, size }: PeopleSearch): Match[] {
    const found: Match[] = []
    for (const isInnerMatch of [false, true]) {
      if (found.length > size || (after?.isInnerMatch && !isInnerMatch)) continue
      const from = after !== null && after.isInnerMatch === isInnerMatch ? index.after(after) : 0
      for (const number of candidates(words, isInnerMatch, from)) {
        const person = index.at(number)
        if (!person || (dept !== null && person.dept !== dept)) continue
        if (active !== null && person.isActive !== active) continue
        if (!words.every((word) => person.key.includes(word)) || isInnerMatch !== matchesInside(words, person)) continue
        found.push({ person, isInnerMatch })
        if (found.length > size) break
      }
    }
    return found
  }

  /** Searches for the longest word, because it is usually the rarest. */
  function* candidates(words: readonly string[], isInnerMatch: boolean, from: number): Generator<number> {
    const [longest] = words.toSorted((a, b) => b.length - a.length)
    if (longest !== undefined) yield* index.containing(isInnerMatch ? longest : wordStart + longest, from)
    else if (isInnerMatch) for (let number = from; number < index.size(); number += 1) yield number
  }
}

/**
 * Whether some word occurs only inside a word of the name, not at its beginning. Without words, this is true of everybody.
 */
const matchesInside = (words: readonly string[], { key }: Listed): boolean =>
  words.length === 0 || !words.every((word) => key.includes(wordStart + word))

interface Match {
  readonly person: Listed
  readonly isInnerMatch: boolean
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const placeOf = ({ person: { key, id }, isInnerMatch }: Match): PeopleCursor => ({ isInnerMatch, key, id })

function listed({ id, username, name, dept, deactivatedAt }: IndexedUser): Listed {
  const words = [...folded(name).split(" "), folded(username)]
  return { id, dept, isActive: isActive({ deactivatedAt }), key: words.map((word) => wordStart + word).join("") }
}

/** A person in the index. */
interface Listed {
  readonly id: number
  /** The folded words of the name, then the folded username, each preceded by `wordStart`. The index is sorted by it. */
  readonly key: string
  readonly dept: string
  readonly isActive: boolean
}

/** Stands before each word: a match at the beginning of a word ranks higher. Sorts before every letter; no query
 *  contains it. */
const wordStart = "\x01"
const lineBreak = 0x0a

/**
 * All names in one byte buffer, which native code searches: a tenth of the time of comparing string by string. FTS5 can look up
 * three letters or more only. The memory is about 150 bytes a person.
 */
function createIndex() {
  let people: Listed[] = []
  let layout: ReturnType<typeof layOut> | undefined
  let inactive: ReadonlySet<number> = new Set()

  return {
    size: () => people.length,
    at: (index: number) => people[index],
    everybody: (): readonly Listed[] => people,
    /** Ids of the inactive accounts; a new set after each change. */
    inactive: () => inactive,

    /** Adds these people, or replaces those with the same id. */
    apply(changed: readonly Listed[]) {
      if (changed.length === 0) return
      const ids = new Set(changed.map(({ id }) => id))
      people = merged(
        people.filter(({ id }) => !ids.has(id)),
        changed.toSorted(byKey),
      )
      layout = undefined
      inactive = new Set(people.filter(({ isActive }) => !isActive).map(({ id }) => id))
    },

    /** Number of the first person after this position. */
    after(place: Pick<Listed, "key" | "id">): number {
      let [low, high] = [0, people.length]
      while (low < high) {
        const middle = (low + high) >> 1
        const person = people[middle]
        if (person && byKey(person, place) <= 0) low = middle + 1
        else high = middle
      }
      return low
    },

    /** Numbers of the people, from number `from` on, whose key contains this text. */
    *containing(text: string, from: number): Generator<number> {
      layout ??= layOut(people)
      const { bytes, starts } = layout
      const needle = Buffer.from(text)
      for (let index = from; index < people.length; ) {
        const at = bytes.indexOf(needle, starts[index])
        if (at < 0) return
        index = indexAt(starts, at)
        yield index
        index += 1
      }
    },
  }
}

const byKey = (a: Pick<Listed, "key" | "id">, b: Pick<Listed, "key" | "id">): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : a.id - b.id

function merged(one: readonly Listed[], other: readonly Listed[]): Listed[] {
  const all: Listed[] = []
  let next = 0
  for (const person of one) {
    for (let before = other[next]; before && byKey(before, person) < 0; before = other[++next]) all.push(before)
    all.push(person)
  }
  return all.concat(other.slice(next))
}

function layOut(people: readonly Listed[]) {
  const bytes = Buffer.from(people.map(({ key }) => `${key}\n`).join(""))
  const starts = new Uint32Array(people.length)
  let index = 0
  for (let at = 0; at < bytes.length; at = bytes.indexOf(lineBreak, at) + 1) starts[index++] = at
  return { bytes, starts }
}

/** Number of the last person whose key starts at or before byte `at`. */
function indexAt(starts: Uint32Array, at: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}
