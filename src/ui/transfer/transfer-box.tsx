import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { FieldError } from "../parts/fields.tsx"
import { Notice } from "../parts/notice.tsx"
import { account, me, service } from "../session.ts"
import { fill, formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { LastLook, type Look } from "./confirmation.tsx"
import { draftFor, giftOf, type Judgement, judge } from "./draft.ts"
import { Amount, Marks, Reason } from "./fields.tsx"
import { give, markBack, type Refusal, refusals } from "./outbox.ts"
import { Picker } from "./receiver-picker.tsx"
import type { Receiver } from "./transfer.ts"

const doubleMs = 500

/** Person, amount, reason: what somebody gives. `to`: to whom it begins with, on the page of a person. */
export function GiveBox({ to = null }: { to?: Receiver | null }) {
  const draft = draftFor(to)
  const balance = account.value?.balance ?? null
  const judgement = judge(draft, me.value, balance)
  const looksAt = useSignal<Look | null>(null)
  /** The balance that the last look was closed for, since it had become less. */
  const shrunkTo = useSignal<number | null>(null)
  /** What is wrong is said once somebody wanted to give; too much is said at once. */
  const isAsked = useSignal(false)
  const id = useId()
  const person = useRef<HTMLInputElement>(null)
  const amount = useRef<HTMLInputElement>(null)
  const reason = useRef<HTMLTextAreaElement>(null)
  const errors = {
    to: isAsked.value ? judgement.to : null,
    amount: isAsked.value || judgement.isTooMuch ? judgement.amount : null,
    reason: judgement.reason,
  }
  const errorId = (field: keyof typeof errors) => (errors[field] === null ? undefined : `${id}-${field}`)

  const bringBack = (refusal: Refusal) => {
    draft.take(refusal.gift)
    markBack(refusal)
  }
  useLayoutEffect(() => {
    const newest = refusals.value.find(({ isBack }) => !isBack)
    if (newest !== undefined && draft.isBlank.value) bringBack(newest)
  }, [refusals.value])
  // What is asked stays as it was asked. With less to give, the question is another one.
  useLayoutEffect(() => {
    const asked = looksAt.value?.balance ?? null
    if (asked === null || balance === null || balance >= asked) return
    looksAt.value = null
    shrunkTo.value = balance
  }, [balance])

  /** When somebody pressed something, not when it was heard: a busy machine hears late. */
  const pressedMs = useRef(0)
  const confirmedMs = useRef(Number.NEGATIVE_INFINITY)
  const onPress = (event: Event) => {
    pressedMs.current = event.timeStamp
  }

  const look = () => {
    // The second half of a double Enter belongs to what was just given.
    if (pressedMs.current - confirmedMs.current < doubleMs) return
    isAsked.value = true
    if (judgement.to !== null) return person.current?.focus()
    if (judgement.amount !== null || judgement.value === null) return amount.current?.focus()
    if (judgement.reason !== null) return reason.current?.focus()
    shrunkTo.value = null
    looksAt.value = { ...judgement, gift: giftOf(draft, judgement.value), balance }
  }
  const confirm = () => {
    if (looksAt.value === null) return
    give(looksAt.value.gift)
    confirmedMs.current = pressedMs.current
    looksAt.value = null
    isAsked.value = false
    draft.clear()
    if (matchMedia("(pointer: fine)").matches) requestAnimationFrame(() => person.current?.focus())
  }
  return (
    <form
      id="give"
      aria-label={t().give.title}
      class="rounded-box border border-line bg-base-100 focus-within:border-base-content/30"
      noValidate
      onKeyDownCapture={onPress}
      onClickCapture={onPress}
      onSubmit={(event) => {
        event.preventDefault()
        look()
      }}
    >
      {refusals.value.map((refusal) => (
        <Refused key={refusal.key} of={refusal} canBringBack={draft.isBlank.value} onBringBack={bringBack} />
      ))}
      {shrunkTo.value !== null && (
        <div class="p-2 pb-0">
          <Notice kind="wrong">{fill(t().give.shrunk, { points: formatPoints(shrunkTo.value) })}</Notice>
        </div>
      )}
      <div class="grid grid-cols-1 gap-4 p-4 sm:p-5">
        <div class="grid grid-cols-1 gap-1.5">
          <Picker draft={draft} input={person} describedBy={errorId("to")} />
          <FieldError id={`${id}-to`} text={errors.to} />
        </div>
        <div class="grid grid-cols-1 gap-1.5">
          <Amount draft={draft} judgement={judgement} first={amount} describedBy={errorId("amount")} />
          <FieldError id={`${id}-amount`} text={errors.amount} />
        </div>
        <div class="grid grid-cols-1 gap-1.5">
          <Reason draft={draft} input={reason} describedBy={errorId("reason")} />
          <FieldError id={`${id}-reason`} text={errors.reason} />
        </div>
        <Marks draft={draft} known={service.value?.tags ?? []} />
      </div>
      <div class="flex min-h-14 items-center justify-between gap-4 border-t border-line py-2 ps-4 pe-2 sm:ps-5">
        <Outlook of={judgement} />
        <button type="submit" class="btn btn-primary px-6 font-medium">
          {t().give.submit}
        </button>
      </div>
      {looksAt.value !== null && (
        <LastLook
          at={looksAt.value}
          onConfirm={confirm}
          onBack={() => {
            looksAt.value = null
          }}
        />
      )}
    </form>
  )
}

interface RefusedProps {
  readonly of: Refusal
  readonly canBringBack: boolean
  readonly onBringBack: (refusal: Refusal) => void
}

/** What the server did not take, above the box; the gift itself is in the box again, or can be put there. */
function Refused({ of: refusal, canBringBack, onBringBack }: RefusedProps) {
  return (
    <div class="p-2 pb-0">
      <Notice kind="wrong">
        {fill(t().give.refused, { words: refusal.words })}{" "}
        {canBringBack && (
          <button type="button" class="link" onClick={() => onBringBack(refusal)}>
            {t().give.bringBack}
          </button>
        )}
      </Notice>
    </div>
  )
}

/** What the draft comes to, and what is left then. */
export function Outlook({ of: { count, value, total, left, isTooMuch } }: { of: Judgement }) {
  const { give } = t()
  const sum =
    value === null || total === null
      ? null
      : count > 1
        ? fill(give.sum, { count: formatNumber(count), value: formatNumber(value), total: formatPoints(total) })
        : formatPoints(value)
  return (
    <output class="min-w-0 text-sm tabular-nums">
      {sum !== null && <span class="font-medium">{sum}</span>}
      {sum !== null && left !== null && !isTooMuch && (
        <span class="text-muted"> · {fill(give.leaves, { points: formatNumber(left) })}</span>
      )}
    </output>
  )
}
