import { computed, signal } from "@preact/signals"
import { adminUsername } from "../people.ts"
import { api, request } from "../server/api.ts"
import { requestWithRetry } from "../server/retry.ts"
import { me } from "../session.ts"
import { type Receiver, receiverKey } from "./transfer.ts"

/** The maximum number of options in the list. */
const maxOffered = 8
/** How many people are loaded at first; in a small team, everybody. */
const initialCount = 100

/** Possible receivers for a typed text. */
export function createCandidates() {
  const people = signal<readonly Receiver[]>([])
  const departments = signal<readonly Receiver[]>([])
  /** Search results of the server by text. */
  const searchResults = signal<ReadonlyMap<string, readonly Receiver[]>>(new Map())
  const suggestions = signal<readonly Suggested[]>([])
  let isComplete = false
  let areSuggestionsAsked = false

  /** Loads the first people and all departments. */
  async function loadInitial(isWanted: () => boolean) {
    if (people.value.length > 0) return
    const [firstPeople, allDepartments] = await Promise.all([
      requestWithRetry(() => request(api.api.v1.people.get({ query: { size: String(initialCount) } })), isWanted),
      requestWithRetry(() => request(api.api.v1.departments.get()), isWanted),
    ])
    if (firstPeople?.kind === "done") {
      people.value = firstPeople.data.items.map(person)
      isComplete = firstPeople.data.next === null
    }
    if (allDepartments?.kind === "done")
      departments.value = allDepartments.data.items.map((one): Receiver => ({ kind: "department", ...one }))
  }

  /** Loads the suggestions once. After a failure the next focus tries again. */
  async function suggest() {
    if (areSuggestionsAsked) return
    areSuggestionsAsked = true
    const answer = await request(api.api.v1.suggestions.get())
    areSuggestionsAsked = answer.kind === "done"
    if (answer.kind === "done")
      suggestions.value = answer.data.items.map(({ because, ...user }) => ({ ...person(user), because }))
  }

  async function search(text: string, isWanted: () => boolean) {
    const normalized = normalize(text)
    if (normalized === "" || isComplete || searchResults.value.has(normalized)) return
    const query = { q: normalized, size: String(maxOffered + 1) }
    const answer = await requestWithRetry(() => request(api.api.v1.people.get({ query })), isWanted)
    if (answer?.kind === "done")
      searchResults.value = new Map([...searchResults.value, [normalized, answer.data.items.map(person)]])
  }

  /**
   * Matching receivers without those in `picked`, best first; null while the search is running and no match is known.
   */
  function matching(text: string, picked: readonly Receiver[]): readonly Receiver[] | null {
    const normalized = normalize(text)
    const known =
      searchResults.value.get(normalized) ??
      people.value.filter((one) => isMatch(one, normalized)).toSorted(byRelevance(normalized))
    const hasDepartment = picked.some(({ kind }) => kind === "department")
    const groups = hasDepartment ? [] : departments.value.filter((one) => isMatch(one, normalized))
    const isTaken = new Set(picked.map(receiverKey))
    const all = [...known, ...groups].filter((one) => !isTaken.has(receiverKey(one)) && !isSelf(one))
    if (all.length === 0 && !isComplete && !searchResults.value.has(normalized)) return null
    return [
      ...all.slice(0, maxOffered - Math.min(groups.length, 2)),
      ...all.filter(({ kind }) => kind === "department"),
    ]
      .filter((one, index, list) => list.indexOf(one) === index)
      .slice(0, maxOffered)
  }

  /** Some first names for the placeholder. */
  const hintNames = computed(() => {
    const others = people.value.filter((one) => !isSelf(one) && !isBuiltInAdmin(one))
    return [...new Set(others.map(({ name }) => name.split(" ")[0] ?? name))].slice(0, 3)
  })

  return { loadInitial, search, suggest, suggestions, matching, hintNames }
}

/** A suggested receiver, and the reason for the suggestion. */
export type Suggested = Receiver & { readonly because: "recent" | "overlooked" }

const person = (user: { username: string; name: string; dept: string; avatar: string | null }) => ({
  kind: "person" as const,
  ...user,
})

const isSelf = (one: Receiver) => one.kind === "person" && one.username === me.value?.username

const isBuiltInAdmin = (one: Receiver) => one.kind === "person" && one.username === adminUsername

const searchText = (one: Receiver): string =>
  normalize(one.kind === "person" ? `${one.name} ${one.username}` : one.name)

const isMatch = (one: Receiver, normalized: string): boolean =>
  normalized !== "" && normalized.split(" ").every((word) => searchText(one).includes(word))

/** Matches at the beginning of a word come first. */
const byRelevance = (normalized: string) => {
  const rank = (one: Receiver) => (` ${searchText(one)}`.includes(` ${normalized}`) ? 0 : 1)
  return (one: Receiver, other: Receiver) => rank(one) - rank(other)
}

/** Ignores case and accents, approximately as the server does. */
const normalize = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
