import { useSignal } from "@preact/signals"
import { Lock } from "lucide"
import { useLayoutEffect, useRef } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import { Dialog, DialogButtons } from "../parts/dialog.tsx"
import { Notice } from "../parts/form.tsx"
import { Icon } from "../parts/icon.tsx"
import { Skeleton } from "../parts/placeholders.tsx"
import type { Failure } from "../server/api.ts"
import { messageOf, translated } from "../server/failure-messages.ts"
import type { Account } from "../session.ts"
import { tagText } from "../tags.ts"
import { formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { type DraftCheck, tooManyText } from "./check.ts"
import { spentFrom } from "./pockets.ts"
import { ReceiverLabel } from "./receiver-picker.tsx"
import {
  departmentOf,
  isToMany,
  maxThanked,
  type PreviewAnswer,
  peopleOf,
  previewTransfer,
  receiverKey,
  type Transfer,
} from "./transfer.ts"

/** A transfer to confirm, with the figures at the time when it was submitted. */
export interface ConfirmationData extends Pick<DraftCheck, "count" | "total"> {
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
export function Confirmation({ at, onConfirm, onBack }: ConfirmationProps) {
  const { give } = t()
  const { transfer } = at
  const isMany = isToMany(transfer)
  /**
   * The server's preview, because the members of a department may have changed; null until it arrives, so that no
   * figure changes once it is shown.
   */
  const preview = useSignal<TransferPreview | null>(isMany ? null : { ...at, to: transfer.to, against: [] })
  const confirm = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const reason = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    for (const { current } of [list, reason]) if (current !== null) reachIfScrolled(current)
  })
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
      <ul ref={list} class="-mx-1 grid max-h-64 gap-1 overflow-y-auto">
        {receivers.map((receiver) => (
          <li key={receiverKey(receiver)} class="flex min-h-11 items-center gap-3 px-1">
            <ReceiverLabel of={receiver} />
          </li>
        ))}
      </ul>
      {(transfer.reason !== "" || transfer.tags.length > 0) && (
        <div class="grid gap-1.5 border-s-2 border-primary/40 ps-3.5">
          {transfer.reason !== "" && (
            <p ref={reason} dir="auto" class="max-h-40 overflow-y-auto whitespace-pre-line">
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
                {tagText(tag)}
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

/** Lets the keyboard reach an element that has more than it shows. */
function reachIfScrolled(element: HTMLElement) {
  if (element.scrollHeight > element.clientHeight) element.tabIndex = 0
  else element.removeAttribute("tabindex")
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
