import { type Signal, useSignal } from "@preact/signals"
import { Eye, EyeOff } from "lucide"
import type { ComponentChildren, RefObject } from "preact"
import { useId } from "preact/hooks"
import { fill, formatNumber } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { Icon } from "./icon.tsx"

interface FieldProps {
  readonly label: string
  readonly value: Signal<string>
  readonly type?: keyof typeof types
  readonly autoComplete?: "username" | "current-password" | "new-password" | "email" | "off"
  readonly autoCapitalize?: "none"
  readonly placeholder?: string
  /** Id of a `datalist`: what others chose before. */
  readonly list?: string
  /** What is wrong with the value, in plain words; null when nothing is. */
  readonly error?: string | null
  readonly input?: RefObject<HTMLInputElement | null>
  /** Beside the label, as a link. */
  readonly aside?: ComponentChildren
  /** Inside the box, at its end, as a button. */
  readonly end?: ComponentChildren
}

const types = { text: { type: "text", dir: "auto" }, password: { type: "password" }, email: { type: "email" } } as const

/** A label, a box for one line, and what is wrong with it. */
export function Field({ label, value, error = null, input, aside, end, type = "text", ...rest }: FieldProps) {
  const id = useId()
  return (
    <div class="grid gap-1.5">
      <div class="flex items-baseline justify-between gap-4">
        <label for={id} class="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div class={`input w-full ${error === null ? "border-base-content/45" : "input-error"} ${end ? "pe-1" : ""}`}>
        <input
          {...rest}
          {...(input && { ref: input })}
          id={id}
          {...types[type]}
          class="grow"
          value={value}
          onInput={(event) => {
            value.value = event.currentTarget.value
          }}
          aria-invalid={error !== null}
          aria-describedby={error === null ? undefined : `${id}-error`}
          spellcheck={false}
        />
        {end}
      </div>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

/** A field for a password, which may be shown. */
export function PasswordField(props: Omit<FieldProps, "type" | "end">) {
  const isShown = useSignal(false)
  const label = isShown.value ? t().login.hide : t().login.show
  const toggle = (
    <button
      type="button"
      class="btn btn-ghost btn-sm btn-square text-muted"
      aria-label={label}
      title={label}
      onClick={() => {
        isShown.value = !isShown.value
      }}
    >
      <Icon of={isShown.value ? EyeOff : Eye} class="size-4.5" />
    </button>
  )
  return <Field {...props} type={isShown.value ? "text" : "password"} autoCapitalize="none" end={toggle} />
}

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

/** What is wrong, under its field. It is there before it says something, so that it is read out when it does. */
export function FieldError({ id, text }: { id: string; text: string | null }) {
  return (
    <p id={id} role="alert" class="text-sm text-error empty:hidden">
      {text}
    </p>
  )
}
