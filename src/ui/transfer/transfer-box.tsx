import { useSignal } from "@preact/signals"
import { Check, Lock } from "lucide"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { Dialog, DialogButtons } from "../parts/dialog.tsx"
import { FieldError, Notice } from "../parts/form.tsx"
import { Icon } from "../parts/icon.tsx"
import { Skeleton } from "../parts/placeholders.tsx"
import type { Failure } from "../server/api.ts"
import { messageOf, translated } from "../server/failure-messages.ts"
import { type Account, account, me, service } from "../session.ts"
import { fill, formatNumber, formatPlural, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { checkDraft, type DraftCheck, draftFor, tooManyText, transferOf } from "./draft.ts"
import { AmountField, ReasonField, TagsAndPrivacy } from "./fields.tsx"
import { lastSent, markRestored, type Refusal, refusals, submitTransfer } from "./outbox.ts"
import { spentFrom } from "./pockets.ts"
import { ReceiverLabel, ReceiverPicker } from "./receiver-picker.tsx"
import {
  departmentOf,
  isToMany,
  maxThanked,
  type PreviewAnswer,
  peopleOf,
  previewTransfer,
  type Receiver,
  receiverCount,
  receiverKey,
  type Transfer,
} from "./transfer.ts"

const doublePressMs = 500

/** The form that sends points: receivers, amount, reason. `to`: the initial receiver, on a person's page. */
export function TransferBox({ to = null }: { to?: Receiver | null }) {
  const draft = draftFor(to)
  const balance = account.value?.balance ?? null
  const check = checkDraft(draft, me.value, account.value)
  const confirming = useSignal<ConfirmationData | null>(null)
  /** The new balance, if it fell while the confirmation was open. This closed the confirmation. */
  const reducedBalance = useSignal<number | null>(null)
  /** Errors show after the first submit; an amount above the balance and a reason that is too long show at once. */
  const isSubmitted = useSignal(false)
  const id = useId()
  const person = useRef<HTMLInputElement>(null)
  const amount = useRef<HTMLInputElement>(null)
  const reason = useRef<HTMLTextAreaElement>(null)
  const errors = {
    to: isSubmitted.value ? check.to : null,
    amount: isSubmitted.value || check.isTooMuch ? check.amount : null,
    reason: check.reason,
  }
  const errorId = (field: keyof typeof errors) => (errors[field] === null ? undefined : `${id}-${field}`)

  const restore = (refusal: Refusal) => {
    draft.restore(refusal.transfer)
    markRestored(refusal)
  }
  useLayoutEffect(() => {
    const newest = refusals.value.find(({ isRestored }) => !isRestored)
    if (newest !== undefined && draft.isBlank.value) restore(newest)
  }, [refusals.value])
  // The confirmation never changes its figures. If the balance falls, it is closed instead.
  useLayoutEffect(() => {
    const shownBalance = confirming.value?.own?.balance ?? null
    if (shownBalance === null || balance === null || balance >= shownBalance) return
    confirming.value = null
    reducedBalance.value = balance
  }, [balance])

  /** The timestamp of the key or pointer event, not the current time, because a busy device handles the event late. */
  const pressedMs = useRef(0)
  const confirmedMs = useRef(Number.NEGATIVE_INFINITY)
  const onPress = (event: Event) => {
    pressedMs.current = event.timeStamp
  }

  const openConfirmation = () => {
    // The second press of a double Enter still belongs to the confirmed transfer.
    if (pressedMs.current - confirmedMs.current < doublePressMs) return
    isSubmitted.value = true
    if (check.to !== null) return person.current?.focus()
    if (check.amount !== null || check.value === null) return amount.current?.focus()
    if (check.reason !== null) return reason.current?.focus()
    reducedBalance.value = null
    confirming.value = { ...check, transfer: transferOf(draft, check.value), own: account.value }
  }
  const confirm = (transfer: Transfer) => {
    if (confirming.value === null) return
    submitTransfer(transfer)
    confirmedMs.current = pressedMs.current
    confirming.value = null
    isSubmitted.value = false
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
        openConfirmation()
      }}
    >
      {refusals.value.map((refusal) => (
        <RefusalNotice key={refusal.key} of={refusal} canRestore={draft.isBlank.value} onRestore={restore} />
      ))}
      {reducedBalance.value !== null && (
        <div class="p-2 pb-0">
          <Notice kind="error">{fill(t().give.shrunk, { points: formatPoints(reducedBalance.value) })}</Notice>
        </div>
      )}
      <div class="grid grid-cols-1 gap-4 p-4 sm:p-5">
        <div class="grid grid-cols-1 gap-1.5">
          <ReceiverPicker draft={draft} input={person} describedBy={errorId("to")} />
          <FieldError id={`${id}-to`} text={errors.to} />
        </div>
        <div class="grid grid-cols-1 gap-1.5">
          <AmountField draft={draft} check={check} first={amount} describedBy={errorId("amount")} />
          <FieldError id={`${id}-amount`} text={errors.amount} />
        </div>
        <div class="grid grid-cols-1 gap-1.5">
          <ReasonField draft={draft} input={reason} describedBy={errorId("reason")} />
          <FieldError id={`${id}-reason`} text={errors.reason} />
        </div>
        <TagsAndPrivacy draft={draft} known={service.value?.tags ?? []} onUse={() => reason.current?.focus()} />
      </div>
      <div class="flex min-h-14 items-center justify-between gap-4 border-t border-line py-2 ps-4 pe-2 sm:ps-5">
        <Summary of={check} sent={draft.isBlank.value ? lastSent.value : null} />
        <button type="submit" class="btn btn-primary px-6 font-medium">
          {t().give.submit}
        </button>
      </div>
      {confirming.value !== null && (
        <Confirmation
          at={confirming.value}
          onConfirm={confirm}
          onBack={() => {
            confirming.value = null
          }}
        />
      )}
    </form>
  )
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
        {fill(t().give.refused, { words: refusal.message })}{" "}
        {canRestore && (
          <button type="button" class="link" onClick={() => onRestore(refusal)}>
            {t().give.bringBack}
          </button>
        )}
      </Notice>
    </div>
  )
}

/** The total of the draft, and from which pockets it comes. While the draft is blank: the last transfer that was sent. */
function Summary({ of: { count, value, total, isTooMuch }, sent }: { of: DraftCheck; sent: Transfer | null }) {
  const { give } = t()
  const [receiver, another] = sent?.to ?? []
  const sum =
    value === null || total === null
      ? null
      : count > 1
        ? fill(give.sum, { count: formatNumber(count), value: formatNumber(value), total: formatPoints(total) })
        : formatPoints(value)
  return (
    <output class="min-w-0 text-sm tabular-nums">
      {sent !== null && receiver !== undefined && (
        <span class="arrives inline-flex items-center gap-1.5 text-warm">
          <span>
            {another === undefined && receiver.kind === "person"
              ? fill(give.sentTo, { name: receiver.name })
              : formatPlural(receiverCount(sent, me.value), give.sentToMany)}
          </span>
          <Icon of={Check} class="size-4" />
        </span>
      )}
      {sum !== null && <span class="font-medium">{sum}</span>}
      {total !== null && account.value !== null && !isTooMuch && (
        <span class="text-muted"> · {spentFrom(total, account.value)}</span>
      )}
    </output>
  )
}

/** A transfer to confirm, with the figures at the time when it was submitted. */
interface ConfirmationData extends Pick<DraftCheck, "count" | "total"> {
  readonly transfer: Transfer
  /** The sender's points; null if unknown. */
  readonly own: Account | null
}

interface ConfirmationProps {
  readonly at: ConfirmationData
  /** Gets the transfer with everybody whom it thanks by name. */
  readonly onConfirm: (transfer: Transfer) => void
  readonly onBack: () => void
}

/**
 * Asks to confirm a transfer and shows receivers, amount and the pockets that it comes from. Enter confirms; Escape returns to the
 * box, which keeps its content.
 */
function Confirmation({ at, onConfirm, onBack }: ConfirmationProps) {
  const { give } = t()
  const { transfer } = at
  const isMany = isToMany(transfer)
  /**
   * The server's preview, because the members of a department may have changed; null until it arrives, so that no
   * figure changes once it is shown.
   */
  const preview = useSignal<TransferPreview | null>(isMany ? null : { ...at, to: transfer.to, against: [] })
  const confirm = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    confirm.current?.focus()
    if (isMany)
      void previewTransfer(transfer).then((answer) => {
        preview.value = answer.kind === "done" ? previewOf(transfer, answer.data) : previewWithout(at, answer)
      })
  }, [])
  const receivers = preview.value?.to ?? transfer.to
  const canConfirm = preview.value?.against.length === 0
  return (
    <Dialog
      title={fill(isMany ? give.lookTitleEach : give.lookTitle, { points: formatPoints(transfer.value) })}
      onClose={onBack}
    >
      <ul class="-mx-1 grid max-h-64 gap-1 overflow-y-auto">
        {receivers.map((receiver) => (
          <li key={receiverKey(receiver)} class="flex min-h-11 items-center gap-3 px-1">
            <ReceiverLabel of={receiver} />
          </li>
        ))}
      </ul>
      {(transfer.reason !== "" || transfer.tags.length > 0) && (
        <div class="grid gap-1.5 border-s-2 border-primary/40 ps-3.5">
          {transfer.reason !== "" && (
            <p dir="auto" class="max-h-40 overflow-y-auto whitespace-pre-line">
              {transfer.reason}
            </p>
          )}
          <p class="flex flex-wrap gap-x-3 text-sm text-muted empty:hidden">
            {transfer.isPrivate && (
              <span class="inline-flex items-center gap-1.5">
                <Icon of={Lock} class="size-3.5" />
                {give.private}
              </span>
            )}
            {transfer.tags.map((tag) => (
              <span key={tag} dir="auto">
                {`#${tag}`}
              </span>
            ))}
          </p>
        </div>
      )}
      <p class="tabular-nums">
        {isMany &&
          (preview.value === null ? (
            <Skeleton class="mb-1 h-5 w-48" />
          ) : (
            <TotalLine count={preview.value.count} value={transfer.value} total={preview.value.total ?? 0} />
          ))}
        {preview.value !== null && preview.value.total !== null && at.own !== null && (
          <span class="block">{spentFrom(preview.value.total, at.own)}</span>
        )}
        <span class="text-muted">{give.lookFinal}</span>
      </p>
      {preview.value !== null && preview.value.against.length > 0 && (
        <Notice kind="error">{preview.value.against.join(" ")}</Notice>
      )}
      <DialogButtons onClose={onBack} cancel={give.back}>
        <button
          type="button"
          ref={confirm}
          class="btn btn-primary h-auto min-h-(--size) max-w-full font-medium whitespace-normal"
          aria-disabled={!canConfirm}
          // Ignores a key that has been held down since the box was submitted.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => canConfirm && onConfirm({ ...transfer, to: receivers })}
        >
          {preview.value === null
            ? give.submit
            : fill(give.confirm, { points: formatPoints(preview.value.total ?? transfer.value) })}
        </button>
      </DialogButtons>
    </Dialog>
  )
}

interface TransferPreview extends Pick<ConfirmationData, "count" | "total">, Pick<Transfer, "to"> {
  /** The reasons against the transfer; empty if there are none. */
  readonly against: readonly string[]
}

/** Everybody who would be thanked is named one by one. A grant goes to the people who are in the department when it is sent. */
function previewOf(transfer: Transfer, { receivers, total, refusals }: PreviewAnswer): TransferPreview {
  const count = receivers.length
  const against = refusals.map(translated)
  if (transfer.isGrant) return { to: transfer.to, count, total, against }
  const picked = new Map(peopleOf(transfer).map((person) => [person.username, person]))
  const dept = departmentOf(transfer)?.name ?? ""
  const to = receivers.map((one) => picked.get(one.username) ?? { kind: "person" as const, ...one, dept, avatar: null })
  return { to, count, total, against: count > maxThanked ? [tooManyText(count)] : against }
}

/** Without the server's figures those of the app are shown. They do not say who is in a department. */
function previewWithout(at: ConfirmationData, answer: Failure): TransferPreview {
  const { transfer } = at
  const isKnown = transfer.isGrant || departmentOf(transfer) === null
  const isRefused = answer.kind === "refused" && answer.status < 500
  return { ...at, to: transfer.to, against: isRefused || !isKnown ? [messageOf(answer)] : [] }
}

function TotalLine({ count, value, total }: { count: number; value: number; total: number }) {
  const figures = { count: formatNumber(count), value: formatNumber(value), total: formatPoints(total) }
  return <span class="block font-medium">{fill(t().give.sum, figures)}</span>
}
