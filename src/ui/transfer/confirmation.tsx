import { useSignal } from "@preact/signals"
import { Lock } from "lucide"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Dialog } from "../parts/dialog.tsx"
import { Icon } from "../parts/icon.tsx"
import { Notice } from "../parts/notice.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { wordsOf } from "../server/failure-messages.ts"
import { fill, formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import type { Judgement } from "./draft.ts"
import { Offer } from "./receiver-picker.tsx"
import { type Gift, keyOf, preview } from "./transfer.ts"

/** What is asked, with the figures of the moment at which it is asked. */
export interface Look extends Pick<Judgement, "count" | "total" | "left"> {
  readonly gift: Gift
  /** Null when it is not known. */
  readonly balance: number | null
}

interface LastLookProps {
  readonly at: Look
  readonly onConfirm: () => void
  readonly onBack: () => void
}

/** All of it before it happens: to whom, how much, what is left. Enter gives; Escape goes back with everything kept. */
export function LastLook({ at, onConfirm, onBack }: LastLookProps) {
  const { give } = t()
  const { gift } = at
  const isMany = gift.to.length > 1 || gift.to[0]?.kind === "department"
  /**
   * What the server makes of it, since who is in a department may have changed; null until it has answered: figures
   * that are shown do not change.
   */
  const seen = useSignal<Seen | null>(isMany ? null : { ...at, against: [] })
  const confirm = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    confirm.current?.focus()
    if (isMany)
      void preview(gift).then((answer) => {
        seen.value =
          answer.kind === "done"
            ? { ...answer.data, count: answer.data.receivers.length }
            : { ...at, against: answer.kind === "refused" && answer.status < 500 ? [wordsOf(answer)] : [] }
      })
  }, [])
  const canConfirm = seen.value?.against.length === 0
  return (
    <Dialog
      title={fill(isMany ? give.lookTitleEach : give.lookTitle, { points: formatPoints(gift.value) })}
      onClose={onBack}
    >
      <ul class="-mx-1 grid max-h-64 gap-1 overflow-y-auto">
        {gift.to.map((receiver) => (
          <li key={keyOf(receiver)} class="flex min-h-11 items-center gap-3 px-1">
            <Offer of={receiver} />
          </li>
        ))}
      </ul>
      {(gift.reason !== "" || gift.tags.length > 0) && (
        <div class="grid gap-1.5 border-s-2 border-primary/40 ps-3.5">
          {gift.reason !== "" && (
            <p dir="auto" class="max-h-40 overflow-y-auto whitespace-pre-line">
              {gift.reason}
            </p>
          )}
          <p class="flex flex-wrap gap-x-3 text-sm text-muted empty:hidden">
            {gift.isPrivate && (
              <span class="inline-flex items-center gap-1.5">
                <Icon of={Lock} class="size-3.5" />
                {give.private}
              </span>
            )}
            {gift.tags.map((tag) => (
              <span key={tag} dir="auto">
                {`#${tag}`}
              </span>
            ))}
          </p>
        </div>
      )}
      <p class="tabular-nums">
        {isMany &&
          (seen.value === null ? (
            <Skeleton class="mb-1 h-5 w-48" />
          ) : (
            <Sum count={seen.value.count} value={gift.value} total={seen.value.total ?? 0} />
          ))}
        {seen.value !== null &&
          seen.value.left !== null &&
          fill(give.lookLeft, { points: formatPoints(seen.value.left) })}{" "}
        <span class="text-muted">{give.lookFinal}</span>
      </p>
      {seen.value !== null && seen.value.against.length > 0 && (
        <Notice kind="wrong">{seen.value.against.map((words) => t().details[words] ?? words).join(" ")}</Notice>
      )}
      <div class="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <button type="button" class="btn btn-ghost font-medium" onClick={onBack}>
          {give.back}
        </button>
        <button
          type="button"
          ref={confirm}
          class="btn btn-primary font-medium"
          aria-disabled={!canConfirm}
          // A key that is held down since the box was sent has not looked.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => canConfirm && onConfirm()}
        >
          {seen.value === null
            ? give.submit
            : fill(give.confirm, { points: formatPoints(seen.value.total ?? gift.value) })}
        </button>
      </div>
    </Dialog>
  )
}

interface Seen extends Pick<Look, "count" | "total" | "left"> {
  /** What stands against it, in the server's words. */
  readonly against: readonly string[]
}

function Sum({ count, value, total }: { count: number; value: number; total: number }) {
  const figures = { count: formatNumber(count), value: formatNumber(value), total: formatPoints(total) }
  return <span class="block font-medium">{fill(t().give.sum, figures)}</span>
}
