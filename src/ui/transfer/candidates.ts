import { computed, signal } from "@preact/signals"
import { api } from "../server/api.ts"
import { ask } from "../server/request.ts"
import { askedAgain } from "../server/retry.ts"
import { me } from "../session.ts"
import { keyOf, type Receiver } from "./transfer.ts"

/** So many are offered at once. */
const most = 8
/** So many are known from the beginning: of a small team, everybody. */
const knownAtOnce = 100

/** Who can be given to, for what is typed of a name. */
export function createCandidates() {
  const people = signal<readonly Receiver[]>([])
  const departments = signal<readonly Receiver[]>([])
  /** What the server found, by what was asked. */
  const found = signal<ReadonlyMap<string, readonly Receiver[]>>(new Map())
  let isEverybody = false

  /** Fetches some to begin with. */
  async function begin(isWanted: () => boolean) {
    if (people.value.length > 0) return
    const [some, all] = await Promise.all([
      askedAgain(() => ask(api.api.v1.people.get({ query: { size: String(knownAtOnce) } })), isWanted),
      askedAgain(() => ask(api.api.v1.departments.get()), isWanted),
    ])
    if (some?.kind === "done") {
      people.value = some.data.items.map(person)
      isEverybody = some.data.next === null
    }
    if (all?.kind === "done")
      departments.value = all.data.items.map((one): Receiver => ({ kind: "department", ...one }))
  }

  async function lookFor(text: string, isWanted: () => boolean) {
    const asked = folded(text)
    if (asked === "" || isEverybody || found.value.has(asked)) return
    const query = { q: asked, size: String(most + 1) }
    const answer = await askedAgain(() => ask(api.api.v1.people.get({ query })), isWanted)
    if (answer?.kind === "done") found.value = new Map([...found.value, [asked, answer.data.items.map(person)]])
  }

  /** Best first, without those in `picked`; null while they are looked for and nobody that fits is known. */
  function fitting(text: string, picked: readonly Receiver[]): readonly Receiver[] | null {
    const asked = folded(text)
    const known = found.value.get(asked) ?? people.value.filter((one) => fits(one, asked)).toSorted(bestFirst(asked))
    const hasDepartment = picked.some(({ kind }) => kind === "department")
    const groups = hasDepartment ? [] : departments.value.filter((one) => fits(one, asked))
    const isTaken = new Set(picked.map(keyOf))
    const all = [...known, ...groups].filter((one) => !isTaken.has(keyOf(one)) && !isOneself(one))
    if (all.length === 0 && !isEverybody && !found.value.has(asked)) return null
    return [...all.slice(0, most - Math.min(groups.length, 2)), ...all.filter(({ kind }) => kind === "department")]
      .filter((one, index, list) => list.indexOf(one) === index)
      .slice(0, most)
  }

  /** Some first names, for the hint. */
  const names = computed(() =>
    people.value
      .filter((one) => !isOneself(one) && !isMachine(one))
      .slice(0, 3)
      .map(({ name }) => name.split(" ")[0] ?? name),
  )

  return { begin, lookFor, fitting, names }
}

const person = (face: { username: string; name: string; dept: string; avatar: string | null }): Receiver => ({
  kind: "person",
  ...face,
})

const isOneself = (one: Receiver) => one.kind === "person" && one.username === me.value?.username

/** The account that comes with the server. */
const isMachine = (one: Receiver) => one.kind === "person" && one.username === "admin"

const wordsOf = (one: Receiver): string => folded(one.kind === "person" ? `${one.name} ${one.username}` : one.name)

const fits = (one: Receiver, asked: string): boolean =>
  asked !== "" && asked.split(" ").every((word) => wordsOf(one).includes(word))

/** Those of whom a word begins so, then the others. */
const bestFirst = (asked: string) => {
  const rank = (one: Receiver) => (` ${wordsOf(one)}`.includes(` ${asked}`) ? 0 : 1)
  return (one: Receiver, other: Receiver) => rank(one) - rank(other)
}

/** Nearly as the server compares: without case and accents. */
const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
