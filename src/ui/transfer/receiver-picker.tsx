import { computed, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals"
import { Users, X } from "lucide"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { Avatar } from "../parts/avatar.tsx"
import { Combobox } from "../parts/combobox.tsx"
import { Icon } from "../parts/icon.tsx"
import { adminUsername } from "../people.ts"
import { api, request } from "../server/api.ts"
import { requestWithRetry, untilCleanup } from "../server/retry.ts"
import { me } from "../session.ts"
import { formatNumber, formatPlural, perLocale } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Draft } from "./draft.ts"
import { clearLastSent, lastSent } from "./outbox.ts"
import { type Receiver, receiverKey } from "./transfer.ts"

const lists = perLocale((tag) => new Intl.ListFormat(tag, { type: "disjunction" }))

interface ReceiverPickerProps {
  readonly draft: Draft
  readonly input: RefObject<HTMLInputElement | null>
  /** Whether it is all of the box: without its label, and with what the box is for. */
  readonly isLine: boolean
  readonly describedBy: string | undefined
}

/** The receivers: people and at most one department, found by a part of the name. */
export function ReceiverPicker({ draft: { to, name }, input, isLine, describedBy }: ReceiverPickerProps) {
  const { give } = t()
  const candidates = useMemo(createCandidates, [])
  /** The text for which Enter was pressed while its search was still running. */
  const pendingName = useSignal<string | null>(null)
  const isBlank = name.value.trim() === ""
  const options = useComputed(() =>
    name.value.trim() === "" ? candidates.suggestions.value : candidates.matching(name.value, to.value),
  ).value
  // An effect runs after the first paint: nobody types earlier, and nothing on the page waits for the candidates.
  useEffect(() => untilCleanup(candidates.loadInitial), [])
  useLayoutEffect(() => untilCleanup((isWanted) => candidates.search(name.value, isWanted)), [name.value])

  const pick = (receiver: Receiver) => {
    to.value = [...to.value, receiver]
    name.value = ""
  }
  const remove = (key: string) => {
    to.value = to.value.filter((one) => receiverKey(one) !== key)
    input.current?.focus()
  }
  // If Enter was faster than the server, picks the best match when the server has answered.
  useSignalEffect(() => {
    const [first] = candidates.matching(name.value, to.value) ?? []
    if (pendingName.value === null || pendingName.value !== name.value || first === undefined) return
    pendingName.value = null
    pick(first)
  })
  return (
    <div
      // A click or the down arrow shows suggestions in place of the summary of the last transfer.
      onPointerDown={clearLastSent}
      onKeyDownCapture={(event) => {
        if (event.key === "ArrowDown") clearLastSent()
        if (event.key !== "Enter" || name.value.trim() === "" || options !== null) return
        event.preventDefault()
        pendingName.value = name.value
      }}
    >
      <Combobox
        look="bare"
        label={give.to}
        isLabelled={!isLine}
        suggests={isBlank && to.value.length === 0 && lastSent.value === null}
        onFocus={() => void candidates.suggest()}
        text={name}
        options={options}
        keyOf={receiverKey}
        draw={(receiver) => <ReceiverLabel of={receiver} />}
        onPick={pick}
        onRemove={() => {
          to.value = to.value.slice(0, -1)
        }}
        picked={to.value.map((receiver) => (
          <ReceiverChip key={receiverKey(receiver)} of={receiver} onRemove={() => remove(receiverKey(receiver))} />
        ))}
        placeholder={isLine ? give.thank : to.value.length > 0 ? give.another : hintOf(candidates.hintNames.value)}
        input={input}
        describedBy={describedBy}
      />
    </div>
  )
}

function hintOf(names: readonly string[]): string {
  const { give } = t()
  if (names.length === 0) return give.hintWithoutNames
  return fill(give.hint, { names: lists().format(names) })
}

/** A selected receiver, with a button to remove it. */
function ReceiverChip({ of, onRemove }: { of: Receiver; onRemove: () => void }) {
  const label = fill(t().give.remove, { name: of.name })
  return (
    <span class="flex min-h-8 max-w-full items-center gap-2 rounded-3xl bg-base-300/70 ps-1 text-[0.9375rem]">
      {of.kind === "person" ? (
        <Avatar name={of.name} username={of.username} src={of.avatar} size="tiny" />
      ) : (
        <Icon of={Users} class="ms-1.5 size-4 text-muted" />
      )}
      <span dir="auto" class="line-clamp-2">
        {of.name}
      </span>
      {of.kind === "department" && <span class="text-xs text-muted tabular-nums">{formatNumber(of.people)}</span>}
      <button
        type="button"
        tabIndex={-1}
        class="-ms-1 grid size-8 place-content-center rounded-full text-muted hover:text-base-content pointer-coarse:size-11"
        aria-label={label}
        title={label}
        onClick={onRemove}
      >
        <Icon of={X} class="size-3.5" />
      </button>
    </span>
  )
}

/** A receiver in a list: picture, name, and what tells namesakes apart. */
export function ReceiverLabel({ of }: { of: Receiver | Suggested }) {
  const isPerson = of.kind === "person"
  return (
    <>
      {isPerson ? (
        <Avatar name={of.name} username={of.username} src={of.avatar} size="small" />
      ) : (
        <span class="grid size-7 shrink-0 place-content-center rounded-full bg-base-300 text-muted">
          <Icon of={Users} class="size-4" />
        </span>
      )}
      <span class="min-w-0 grow">
        <span dir="auto" class="block wrap-anywhere">
          {isPerson ? of.name : fill(t().give.everybodyIn, { name: of.name })}
        </span>
        <span class="block text-xs wrap-anywhere text-muted">
          {isPerson ? (
            <>
              {of.username} · <span dir="auto">{of.dept}</span>
            </>
          ) : (
            formatPlural(of.people, t().give.people)
          )}
        </span>
      </span>
      {"because" in of && <span class="shrink-0 text-xs text-muted">{t().give[of.because]}</span>}
    </>
  )
}

/** The maximum number of options in the list. */
const maxOffered = 8
/** How many people are loaded at first; in a small team, everybody. */
const initialCount = 100

/** Possible receivers for a typed text. */
function createCandidates() {
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
type Suggested = Receiver & { readonly because: "recent" | "overlooked" }

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
