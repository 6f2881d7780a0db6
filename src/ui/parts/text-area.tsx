import type { Signal } from "@preact/signals"
import type { RefObject } from "preact"
import { useId } from "preact/hooks"
import { fill, formatNumber } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { FieldError } from "./field-error.tsx"

interface TextAreaProps {
  readonly label: string
  readonly value: Signal<string>
  /** In characters; what is left is told when it becomes little. */
  readonly max: number
  /** What is wrong with the value, in plain words; null when nothing is. */
  readonly error?: string | null
  readonly input?: RefObject<HTMLTextAreaElement | null>
  readonly rows?: number
}

/** A label, a box for several lines, and what is wrong with it. */
export function TextArea({ label, value, max, error = null, input, rows = 4 }: TextAreaProps) {
  const id = useId()
  const left = max - [...value.value].length
  const isNear = left < max / 10
  return (
    <div class="grid gap-1.5">
      <div class="flex items-baseline justify-between gap-4">
        <label for={id} class="text-sm font-medium">
          {label}
        </label>
        <span role="status" class={`text-xs tabular-nums ${left < 0 ? "text-error" : "text-muted"}`}>
          {isNear && fill(t().parts.left, { number: formatNumber(left) })}
        </span>
      </div>
      <textarea
        {...(input && { ref: input })}
        id={id}
        dir="auto"
        rows={rows}
        class={`textarea w-full ${error === null ? "border-base-content/45" : "textarea-error"}`}
        value={value}
        onInput={(event) => {
          value.value = event.currentTarget.value
        }}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
      />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}
