import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { FieldError } from "../parts/field-error.tsx"
import { Notice } from "../parts/notice.tsx"
import { account, me, service } from "../session.ts"
import { fill } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { Amount } from "./amount.tsx"
import { draftFor } from "./draft.ts"
import type { Gift, Receiver } from "./gift.ts"
import { giftOf, judge } from "./judge.ts"
import { LastLook } from "./last-look.tsx"
import { give, refusal } from "./outbox.ts"
import { Outlook } from "./outlook.tsx"
import { Picker } from "./picker.tsx"
import { Marks, Reason } from "./words.tsx"

const doubleMs = 500

/** Person, amount, reason: what somebody gives. `to`: to whom it begins with, on the page of a person. */
export function GiveBox({ to = null }: { to?: Receiver | null }) {
  const draft = draftFor(to)
  const judgement = judge(draft, me.value, account.value?.balance ?? null)
  const looksAt = useSignal<Gift | null>(null)
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

  useLayoutEffect(() => {
    if (refusal.value === null || !draft.isBlank.value) return
    draft.take(refusal.value.gift)
    if (refusal.value.words === null) refusal.value = null
  }, [refusal.value])

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
    looksAt.value = giftOf(draft, judgement.value)
  }
  const confirm = () => {
    if (looksAt.value === null) return
    give(looksAt.value)
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
      <Refused onBringBack={draft.take} isInBox={!draft.isBlank.value} />
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
          gift={looksAt.value}
          judgement={judgement}
          onConfirm={confirm}
          onBack={() => {
            looksAt.value = null
          }}
        />
      )}
    </form>
  )
}

/** What the server did not take, above what it did not take. */
function Refused({ onBringBack, isInBox }: { onBringBack: (gift: Gift) => void; isInBox: boolean }) {
  const refused = refusal.value
  if (refused === null || refused.words === null) return null
  return (
    <div class="p-2 pb-0">
      <Notice kind="wrong">
        {fill(t().give.refused, { words: refused.words })}{" "}
        {!isInBox && (
          <button type="button" class="link" onClick={() => onBringBack(refused.gift)}>
            {t().give.bringBack}
          </button>
        )}
      </Notice>
    </div>
  )
}
