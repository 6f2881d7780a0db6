import { computed, effect, signal } from "@preact/signals"
import { draftOf, keepDraft } from "../drafts.ts"
import { me } from "../session.ts"
import { type Gift, keyOf, type Receiver } from "./gift.ts"

/** Amounts that are offered. */
export const amounts = [10, 25, 50, 100] as const

/** Which amount: one of those offered, all that is left, or a number of one's own. */
export type Choice = (typeof amounts)[number] | "rest" | "other"

export type Draft = ReturnType<typeof createDraft>

/** What somebody is about to give, as it stands in the box. `first`: to whom it begins with. */
function createDraft(first: readonly Receiver[]) {
  const to = signal<readonly Receiver[]>(first)
  /** What is typed of a name. */
  const name = signal("")
  const choice = signal<Choice | null>(null)
  /** The own number, as typed. */
  const other = signal("")
  const reason = signal("")
  const tags = signal<readonly string[]>([])
  const isPrivate = signal(false)
  const isBlank = computed(
    () =>
      to.value.map(keyOf).join() === first.map(keyOf).join() &&
      `${name.value}${other.value}${reason.value}` === "" &&
      // The field for another amount was entered, and nothing is in it.
      (choice.value === null || choice.value === "other"),
  )
  const fields = { to, name, choice, other, reason, tags, isPrivate }

  function clear() {
    to.value = first
    name.value = ""
    choice.value = null
    other.value = ""
    reason.value = ""
    tags.value = []
    isPrivate.value = false
  }

  /** Puts a gift back into the box. */
  function take(gift: Gift) {
    clear()
    const offered = amounts.find((amount) => amount === gift.value)
    to.value = gift.to
    choice.value = offered ?? "other"
    other.value = offered === undefined ? String(gift.value) : ""
    reason.value = gift.reason
    tags.value = gift.tags
    isPrivate.value = gift.isPrivate
  }

  return { ...fields, isBlank, clear, take, asText, putText }

  function asText(): string {
    return JSON.stringify(Object.fromEntries(Object.entries(fields).map(([key, { value }]) => [key, value])))
  }

  function putText(text: string) {
    const typed = JSON.parse(text) as { [Key in keyof typeof fields]: (typeof fields)[Key]["value"] }
    to.value = typed.to
    name.value = typed.name
    choice.value = typed.choice
    other.value = typed.other
    reason.value = typed.reason
    tags.value = typed.tags
    isPrivate.value = typed.isPrivate
  }
}

const drafts = new Map<string, Draft>()
let whose: string | null = null

// A session may end and begin again: what was typed is kept, but only for the same person.
effect(() => {
  const username = me.value?.username ?? whose
  if (username !== whose) drafts.clear()
  whose = username
})

/** What was begun to be given, to this person, or from home when nobody is named. */
export function draftFor(person: Receiver | null): Draft {
  const key = person?.kind === "person" ? person.username : ""
  return drafts.get(key) ?? begin(key, person === null ? [] : [person])
}

/** Goes on where somebody was before the page was loaded. */
function begin(key: string, first: readonly Receiver[]): Draft {
  const draft = createDraft(first)
  drafts.set(key, draft)
  const [giver, place] = [whose, `give ${key}`]
  if (giver === null) return draft
  const typed = draftOf(giver, place)
  if (typed !== null) draft.putText(typed)
  effect(() => keepDraft(giver, place, draft.isBlank.value ? null : draft.asText()))
  return draft
}
