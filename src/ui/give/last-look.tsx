import { useSignal } from "@preact/signals"
import { Lock } from "lucide"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Dialog } from "../parts/dialog.tsx"
import { Icon } from "../parts/icon.tsx"
import { Notice } from "../parts/notice.tsx"
import { fill, formatNumber, formatPoints } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { type Gift, keyOf } from "./gift.ts"
import type { Judgement } from "./judge.ts"
import { Offer } from "./offer.tsx"
import { preview } from "./send.ts"

interface LastLookProps {
  readonly gift: Gift
  readonly judgement: Judgement
  readonly onConfirm: () => void
  readonly onBack: () => void
}

/** All of it before it happens: to whom, how much, what is left. Enter gives; Escape goes back with everything kept. */
export function LastLook({ gift, judgement, onConfirm, onBack }: LastLookProps) {
  const { give } = t()
  const isMany = gift.to.length > 1 || gift.to[0]?.kind === "department"
  /** What the server makes of it: who is in a department may have changed. */
  const seen = useSignal<{ count: number; total: number; left: number; against: readonly string[] } | null>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    confirm.current?.focus()
    if (isMany)
      void preview(gift).then((answer) => {
        if (answer.kind === "done") seen.value = { ...answer.data, count: answer.data.receivers.length }
      })
  }, [])
  const { count, total, left } = seen.value ?? judgement
  const against = seen.value?.against ?? []
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
        {isMany && <Sum count={count} value={gift.value} total={total ?? 0} />}
        {left !== null && fill(give.lookLeft, { points: formatPoints(left) })}{" "}
        <span class="text-muted">{give.lookFinal}</span>
      </p>
      {against.length > 0 && (
        <Notice kind="wrong">{against.map((words) => t().details[words] ?? words).join(" ")}</Notice>
      )}
      <div class="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <button type="button" class="btn btn-ghost font-medium" onClick={onBack}>
          {give.back}
        </button>
        <button
          type="button"
          ref={confirm}
          class="btn btn-primary font-medium"
          aria-disabled={against.length > 0}
          // A key that is held down since the box was sent has not looked.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => against.length === 0 && onConfirm()}
        >
          {fill(give.confirm, { points: formatPoints(total ?? gift.value) })}
        </button>
      </div>
    </Dialog>
  )
}

function Sum({ count, value, total }: { count: number; value: number; total: number }) {
  const figures = { count: formatNumber(count), value: formatNumber(value), total: formatPoints(total) }
  return <span class="block font-medium">{fill(t().give.sum, figures)}</span>
}
