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
  readonly autoComplete?: "username" | "current-password" | "new-password" | "email" | "one-time-code" | "off"
  readonly autoCapitalize?: "none"
  readonly placeholder?: string
  /** The error message; null if the value is valid. */
  readonly error?: string | null
  readonly input?: RefObject<HTMLInputElement | null>
  /** A link beside the label. */
  readonly aside?: ComponentChildren
  /** A button inside the field, at its end. */
  readonly end?: ComponentChildren
}

const types = { text: { type: "text", dir: "auto" }, password: { type: "password" }, email: { type: "email" } } as const

/** A labelled text field of one line, with an error message. */
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

/** A password field with a button to show the password. */
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
  /** The maximum number of characters. When less than 10% are left, the field shows how many. */
  readonly max: number
  /** The error message; null if the value is valid. */
  readonly error?: string | null
  readonly input?: RefObject<HTMLTextAreaElement | null>
  readonly rows?: number
}

/** A labelled text field of several lines, with an error message. */
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

/** The error message of a field. Always rendered, because screen readers only announce changes in an existing alert. */
export function FieldError({ id, text }: { id: string; text: string | null }) {
  return (
    <p id={id} role="alert" class="text-sm text-error empty:hidden">
      {text}
    </p>
  )
}
