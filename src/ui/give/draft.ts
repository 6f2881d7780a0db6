import { computed, effect, signal } from "@preact/signals"
import { me } from "../session.ts"
import type { Gift, Receiver } from "./gift.ts"

/** Amounts that are offered. */
export const amounts = [10, 25, 50, 100] as const

/** Which amount: one of those offered, all that is left, or a number of one's own. */
export type Choice = (typeof amounts)[number] | "rest" | "other"

export type Draft = ReturnType<typeof createDraft>

/** What somebody is about to give, as it stands in the box. `to`: to whom it begins with. */
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
    () => to.value === first && `${name.value}${other.value}${reason.value}` === "" && choice.value === null,
  )

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

  return { to, name, choice, other, reason, tags, isPrivate, isBlank, clear, take }
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
  const draft = drafts.get(key) ?? createDraft(person === null ? [] : [person])
  drafts.set(key, draft)
  return draft
}
