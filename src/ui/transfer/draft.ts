import { computed, effect, signal } from "@preact/signals"
import { loadDraft, storeDraft } from "../browser-storage.ts"
import { me, onLogOut } from "../session.ts"
import { amounts } from "./amounts.ts"
import { type Receiver, receiverKey, type Transfer } from "./transfer.ts"

/** An amount on a button. */
export type Offer = number | "rest"

/** A preset amount, the whole budget, or a typed number. */
export type Choice = Offer | "other"

export type Draft = ReturnType<typeof createDraft>

/** The content of the transfer box. `first`: the initial receivers. */
function createDraft(first: readonly Receiver[]) {
  const to = signal<readonly Receiver[]>(first)
  /** The text in the receiver field. */
  const name = signal("")
  const choice = signal<Choice | null>(null)
  /** The text in the field for another amount. */
  const other = signal("")
  const reason = signal("")
  const tags = signal<readonly string[]>([])
  const isPrivate = signal(false)
  const isGrant = signal(false)
  const isBlank = computed(
    () =>
      to.value.map(receiverKey).join() === first.map(receiverKey).join() &&
      `${name.value}${other.value}${reason.value}` === "" &&
      // `other` without text: the field for another amount has the focus but is empty.
      (choice.value === null || choice.value === "other"),
  )
  const fields = { to, name, choice, other, reason, tags, isPrivate, isGrant }

  function clear() {
    to.value = first
    name.value = ""
    choice.value = null
    other.value = ""
    reason.value = ""
    tags.value = []
    isPrivate.value = false
    isGrant.value = false
  }

  /** Restores a transfer into the box. */
  function restore(transfer: Transfer) {
    clear()
    const offered = amounts.peek().find((amount) => amount === transfer.value)
    to.value = transfer.to
    choice.value = offered ?? "other"
    other.value = offered === undefined ? String(transfer.value) : ""
    reason.value = transfer.reason
    tags.value = transfer.tags
    isPrivate.value = transfer.isPrivate
    isGrant.value = transfer.isGrant
  }

  return { ...fields, isBlank, clear, restore, serialize, deserialize }

  function serialize(): string {
    return JSON.stringify(Object.fromEntries(Object.entries(fields).map(([key, { value }]) => [key, value])))
  }

  function deserialize(text: string) {
    const typed = JSON.parse(text) as { [Key in keyof typeof fields]: (typeof fields)[Key]["value"] }
    to.value = typed.to
    name.value = typed.name
    choice.value = typed.choice
    other.value = typed.other
    reason.value = typed.reason
    tags.value = typed.tags
    isPrivate.value = typed.isPrivate
    isGrant.value = typed.isGrant ?? false
  }
}

const drafts = new Map<string, Draft>()
let owner: string | null = null

// Drafts survive the end of a session, but only for the same user.
effect(() => {
  const username = me.value?.username ?? owner
  if (username !== owner) drafts.clear()
  owner = username
})

onLogOut(() => {
  drafts.clear()
  owner = null
})

/** The draft of the box for this person, or of the home screen for null. */
export function draftFor(person: Receiver | null): Draft {
  const key = person?.kind === "person" ? person.username : ""
  return drafts.get(key) ?? createStoredDraft(key, person === null ? [] : [person])
}

/** Restores the text that was typed before a reload. */
function createStoredDraft(key: string, first: readonly Receiver[]): Draft {
  const draft = createDraft(first)
  drafts.set(key, draft)
  const [sender, place] = [owner, `give ${key}`]
  if (sender === null) return draft
  const typed = loadDraft(sender, place)
  if (typed !== null) draft.deserialize(typed)
  effect(() => storeDraft(sender, place, draft.isBlank.value ? null : draft.serialize()))
  return draft
}
