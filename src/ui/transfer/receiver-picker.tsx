import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import { Users, X } from "lucide"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks"
import { Avatar } from "../parts/avatar.tsx"
import { Combobox } from "../parts/combobox.tsx"
import { Icon } from "../parts/icon.tsx"
import { untilCleanup } from "../server/retry.ts"
import { fill, formatNumber, formatPlural, perLocale } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { createCandidates, type Suggested } from "./candidates.ts"
import type { Draft } from "./draft.ts"
import { clearLastSent, lastSent } from "./outbox.ts"
import { type Receiver, receiverKey } from "./transfer.ts"

const lists = perLocale((tag) => new Intl.ListFormat(tag, { type: "disjunction" }))

interface ReceiverPickerProps {
  readonly draft: Draft
  readonly input: RefObject<HTMLInputElement | null>
  readonly describedBy: string | undefined
}

/** The receivers: people and at most one department, found by a part of the name. */
export function ReceiverPicker({ draft: { to, name }, input, describedBy }: ReceiverPickerProps) {
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
        isLabelled
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
        placeholder={to.value.length > 0 ? give.another : hintOf(candidates.hintNames.value)}
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
