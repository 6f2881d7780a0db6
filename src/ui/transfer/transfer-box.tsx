import { type Signal, signal, useSignal } from "@preact/signals"
import { Check, PenLine } from "lucide"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { FieldError, Notice } from "../parts/form.tsx"
import { Icon } from "../parts/icon.tsx"
import { isPhone } from "../parts/phone.ts"
import { isUnlimited } from "../parts/pockets.tsx"
import { type Account, account, me, programme } from "../session.ts"
import { formatNames, formatNumber, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { amounts } from "./amounts.ts"
import type { DraftCheck } from "./check.ts"
import type { ConfirmationData } from "./confirmation.tsx"
import { type Draft, draftFor } from "./draft.ts"
import { lastSent, markRestored, type Refusal, refusals, submitTransfer } from "./outbox.ts"
import { isSmall, spentFrom } from "./pockets.ts"
import { ReceiverPicker } from "./receiver-picker.tsx"
import { isToMany, type Receiver, receiverCount, type Transfer } from "./transfer.ts"

/**
 * The box that gives points: one line, which opens in place when it has the focus. On a phone it opens a sheet. `to`: the
 * person to give to, on that person's page, where the box is always open unless the page is on a phone.
 */
export function TransferBox({ to = null }: { to?: Receiver | null }) {
  const draft = draftFor(to)
  const isOpen = useSignal(false)
  const isMissing = useSignal(false)
  useEffect(() => {
    isMissing.value = false
    loadParts().catch(() => {
      isMissing.value = true
    })
  }, [isOpen.value])
  const restore = (refusal: Refusal) => {
    draft.restore(refusal.transfer)
    markRestored(refusal)
  }
  useLayoutEffect(() => {
    const newest = refusals.value.find(({ isRestored }) => !isRestored)
    if (newest !== undefined && draft.isBlank.value) restore(newest)
  }, [refusals.value])
  const notices = refusals.value.map((refusal) => (
    <RefusalNotice key={refusal.key} of={refusal} canRestore={draft.isBlank.value} onRestore={restore} />
  ))
  if (isMissing.value && (isOpen.value || to !== null))
    notices.push(
      <div key="missing" class="p-2 pb-0">
        <Notice kind="error">{t().failures.part}</Notice>
      </div>,
    )
  const props = { draft, isOpen, notices }
  return isPhone.value ? (
    <BoxOnPhone {...props} person={to} />
  ) : (
    <BoxInPlace {...props} isFoldable={to === null && notices.length === 0} />
  )
}

interface BoxProps {
  readonly draft: Draft
  readonly isOpen: Signal<boolean>
  readonly notices: ComponentChildren
}

/** It folds when it is left blank: by Escape, by the keyboard, or by a click elsewhere. */
function BoxInPlace({ draft, isOpen, notices, isFoldable }: BoxProps & { readonly isFoldable: boolean }) {
  const root = useRef<HTMLDivElement>(null)
  /** The focus returns to the line after a transfer; this does not open it. */
  const isReturning = useRef(false)
  const isFolded = isFoldable && !isOpen.value && draft.isBlank.value
  useEffect(() => {
    const foldOutside = ({ target }: MouseEvent) => {
      if (target instanceof Node && target.isConnected && !root.current?.contains(target)) isOpen.value = false
    }
    document.addEventListener("click", foldOutside)
    return () => document.removeEventListener("click", foldOutside)
  }, [])
  const open = () => {
    isOpen.value = true
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields have the keys; this only follows them
    <div
      ref={root}
      id="give"
      class="rounded-box border border-line bg-base-100 focus-within:border-base-content/30"
      onPointerDown={open}
      onInput={open}
      onFocusIn={() => {
        if (!isReturning.current) open()
        isReturning.current = false
      }}
      onFocusOut={({ relatedTarget }) => {
        // The mouse folds it with its click: what is below must not move under it before that.
        if (!(relatedTarget instanceof Element) || root.current?.contains(relatedTarget)) return
        if (!relatedTarget.matches(":active, dialog *")) isOpen.value = false
      }}
      onKeyDown={({ key }) => {
        if (key === "ArrowDown") open()
        if (key === "Escape" && draft.isBlank.value) isOpen.value = false
      }}
    >
      <TransferForm
        draft={draft}
        notices={notices}
        isFolded={isFolded}
        onGiven={(person) => {
          isOpen.value = false
          if (matchMedia("(pointer: fine)").matches)
            requestAnimationFrame(() => {
              isReturning.current = person !== document.activeElement
              person?.focus()
            })
        }}
      />
    </div>
  )
}

function BoxOnPhone({ draft, isOpen, notices, person }: BoxProps & { readonly person: Receiver | null }) {
  const { give } = t()
  const parts = loadedParts.value
  const names = draft.to.value.map(({ name }) => name)
  const text =
    person !== null
      ? fill(give.thankPerson, { name: person.name })
      : draft.isBlank.value || names.length === 0
        ? give.thank
        : fill(give.goOn, { names: formatNames(names) })
  return (
    <div id="give" class="rounded-box border border-line bg-base-100">
      {(!isOpen.value || parts === null) && notices}
      <button
        type="button"
        class="flex min-h-13 w-full cursor-pointer items-center gap-3 px-4 text-start text-muted"
        onClick={() => {
          isOpen.value = true
        }}
      >
        <Icon of={PenLine} />
        <span dir="auto" class="min-w-0 grow py-2 wrap-anywhere">
          {text}
        </span>
      </button>
      {!isOpen.value && draft.isBlank.value && <Sent />}
      {isOpen.value && parts !== null && (
        <parts.Sheet title={give.title} onClose={() => (isOpen.value = false)}>
          <TransferForm draft={draft} notices={notices} isSheet onGiven={() => (isOpen.value = false)} />
        </parts.Sheet>
      )}
    </div>
  )
}

/** What an open box needs beyond its line. Loaded once the line is shown, so that the first visit shows its page sooner. */
type Parts = typeof import("./check.ts") &
  typeof import("./fields.tsx") &
  typeof import("./confirmation.tsx") &
  typeof import("./sheet.tsx")
const loadedParts = signal<Parts | null>(null)

async function loadParts() {
  if (loadedParts.value !== null) return
  const [check, fields, confirmation, sheet] = await Promise.all([
    import("./check.ts"),
    import("./fields.tsx"),
    import("./confirmation.tsx"),
    import("./sheet.tsx"),
  ])
  loadedParts.value = { ...check, ...fields, ...confirmation, ...sheet }
}

const doublePressMs = 500

interface FormProps extends Omit<BoxProps, "isOpen"> {
  /** Shows the field for the receivers only. */
  readonly isFolded?: boolean
  /** The fields scroll, and the button stays visible below them. */
  readonly isSheet?: boolean
  /** Called with the field for the receivers. */
  readonly onGiven: (person: HTMLInputElement | null) => void
}

/** The form that gives points: receivers, amount, reason. */
function TransferForm({ draft, notices, isFolded = false, isSheet = false, onGiven }: FormProps) {
  const left = account.value?.to_give ?? null
  const parts = loadedParts.value
  const check = parts?.checkDraft(draft, me.value, account.value, programme.value) ?? null
  const confirming = useSignal<ConfirmationData | null>(null)
  /** What is left to give, if it fell while the confirmation was open. This closed the confirmation. */
  const reducedLeft = useSignal<number | null>(null)
  /** Errors show after the first submit; an amount that is too much and a reason that is too long show at once. */
  const isSubmitted = useSignal(false)
  const id = useId()
  const person = useRef<HTMLInputElement>(null)
  const amount = useRef<HTMLInputElement>(null)
  const reason = useRef<HTMLTextAreaElement>(null)
  const tags = useRef<HTMLInputElement>(null)
  const errors = {
    to: (isSubmitted.value && check?.to) || null,
    amount: ((isSubmitted.value || check?.isTooMuch) && check?.amount) || null,
    reason: ((isSubmitted.value || check?.isTooLong) && check?.reason) || null,
    tags: (isSubmitted.value && check?.tags) || null,
  }
  const errorId = (field: keyof typeof errors) => (errors[field] === null ? undefined : `${id}-${field}`)

  // The confirmation never changes its figures. If the balance falls, it is closed instead.
  useLayoutEffect(() => {
    const shownLeft = confirming.value?.own?.to_give ?? null
    if (shownLeft === null || left === null || left >= shownLeft) return
    confirming.value = null
    reducedLeft.value = left
  }, [left])

  /** The timestamp of the key or pointer event, not the current time, because a busy device handles the event late. */
  const pressedMs = useRef(0)
  const confirmedMs = useRef(Number.NEGATIVE_INFINITY)
  const onPress = (event: Event) => {
    pressedMs.current = event.timeStamp
  }

  const submit = () => {
    // The second press of a double Enter still belongs to the transfer before.
    if (pressedMs.current - confirmedMs.current < doublePressMs) return
    if (parts === null || check === null) return
    isSubmitted.value = true
    if (check.to !== null) return person.current?.focus()
    if (check.amount !== null || check.value === null) return amount.current?.focus()
    if (check.reason !== null) return reason.current?.focus()
    if (check.tags !== null) return tags.current?.focus()
    reducedLeft.value = null
    ignoreSecondTap()
    const [transfer, own] = [parts.transferOf(draft, check.value, programme.value), account.value]
    if (!needsLook(transfer, own)) return send(transfer, false)
    confirming.value = { ...check, transfer, own }
  }
  const send = (transfer: Transfer, isConfirmed: boolean) => {
    submitTransfer(transfer, isConfirmed)
    confirmedMs.current = pressedMs.current
    confirming.value = null
    isSubmitted.value = false
    draft.clear()
    onGiven(person.current)
  }
  return (
    <form
      aria-label={t().give.title}
      class="flex min-h-0 grow flex-col"
      noValidate
      onKeyDownCapture={onPress}
      onClickCapture={onPress}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div class={isSheet ? "min-h-0 grow overflow-y-auto" : ""}>
        {notices}
        {reducedLeft.value !== null && (
          <div class="p-2 pb-0">
            <Notice kind="error">{fill(t().give.shrunk, { points: formatPoints(reducedLeft.value) })}</Notice>
          </div>
        )}
        <div class={`grid grid-cols-1 gap-4 px-4 sm:px-5 ${isFolded ? "py-2" : "py-4 sm:py-5"}`}>
          <div class="grid grid-cols-1 gap-1.5">
            <ReceiverPicker draft={draft} input={person} isLine={isFolded} describedBy={errorId("to")} />
            <FieldError id={`${id}-to`} text={errors.to} />
          </div>
          {!isFolded && parts !== null && check !== null && (
            <>
              <div class="grid grid-cols-1 gap-1.5">
                <parts.AmountField draft={draft} check={check} first={amount} describedBy={errorId("amount")} />
                <FieldError id={`${id}-amount`} text={errors.amount} />
              </div>
              <div class="grid grid-cols-1 gap-1.5">
                <parts.ReasonField draft={draft} input={reason} describedBy={errorId("reason")} />
                <FieldError id={`${id}-reason`} text={errors.reason} />
              </div>
              <div class="grid grid-cols-1 gap-1.5">
                <parts.TagsAndPrivacy
                  draft={draft}
                  known={programme.value?.tags ?? []}
                  first={tags}
                  describedBy={errorId("tags")}
                  onUse={() => reason.current?.focus()}
                />
                <FieldError id={`${id}-tags`} text={errors.tags} />
              </div>
            </>
          )}
        </div>
      </div>
      {isFolded ? (
        <Sent />
      ) : (
        <div class="flex min-h-14 shrink-0 items-center justify-between gap-4 border-t border-line py-2 ps-4 pe-2 sm:ps-5">
          {check !== null && <Summary of={check} />}
          <button type="submit" class="btn btn-primary px-6 font-medium">
            {t().give.submit}
          </button>
        </div>
      )}
      {confirming.value !== null && parts !== null && (
        <parts.Confirmation
          at={confirming.value}
          onConfirm={(transfer) => confirming.value !== null && send(transfer, true)}
          onBack={() => {
            confirming.value = null
          }}
        />
      )}
    </form>
  )
}

/** The box closes under a double tap, whose second tap would land on whatever lies below: a button, or a link to another screen. */
function ignoreSecondTap() {
  const ignore = (event: MouseEvent) => {
    if (event.detail < 2) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener("click", ignore, true)
  setTimeout(() => document.removeEventListener("click", ignore, true), doublePressMs)
}

/** Whether to show a transfer once more before it is sent: what is large, or goes to several, cannot be undone for some seconds. */
function needsLook(transfer: Transfer, own: Account | null): boolean {
  if (transfer.isGrant || isToMany(transfer) || own === null) return true
  return isUnlimited(own.budget) ? transfer.value > Math.max(...amounts.peek()) : !isSmall(transfer.value, own)
}

interface RefusalNoticeProps {
  readonly of: Refusal
  readonly canRestore: boolean
  readonly onRestore: (refusal: Refusal) => void
}

/** A refused transfer, above the box. It is already back in the box, or a button restores it while the box is blank. */
function RefusalNotice({ of: refusal, canRestore, onRestore }: RefusalNoticeProps) {
  return (
    <div class="p-2 pb-0">
      <Notice kind="error">
        {refusal.message === null ? t().give.undone : fill(t().give.refused, { words: refusal.message })}{" "}
        {canRestore && (
          <button type="button" class="link" onClick={() => onRestore(refusal)}>
            {t().give.bringBack}
          </button>
        )}
      </Notice>
    </div>
  )
}

/** The last transfer, once the server has recorded it. */
function Sent() {
  const { give } = t()
  const sent = lastSent.value
  const [receiver, another] = sent?.to ?? []
  return (
    <output class="block px-4 pb-2.5 text-sm text-warm empty:hidden sm:px-5">
      {sent !== null && receiver !== undefined && (
        <span class="arrives inline-flex items-center gap-1.5">
          <span>
            {another === undefined && receiver.kind === "person"
              ? fill(give.sentTo, { name: receiver.name })
              : formatPlural(receiverCount(sent, me.value), give.sentToMany)}
          </span>
          <Icon of={Check} class="size-4" />
        </span>
      )}
    </output>
  )
}

/** The total of the draft, and from which pockets it comes. */
function Summary({ of: { count, value, total, isTooMuch } }: { of: DraftCheck }) {
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
      {total !== null && account.value !== null && !isTooMuch && (
        <span class="text-muted"> · {spentFrom(total, account.value)}</span>
      )}
    </output>
  )
}
