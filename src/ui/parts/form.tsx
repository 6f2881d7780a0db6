import { type Signal, signal, useSignal } from "@preact/signals"
import { Eye, EyeOff } from "lucide"
import { type ComponentChildren, createRef, type RefObject } from "preact"
import { useId, useLayoutEffect, useMemo } from "preact/hooks"
import { fill } from "../../languages/writing.ts"
import type { Failure } from "../server/api.ts"
import { messageOf, translatedAtField } from "../server/failure-messages.ts"
import { formatNumber } from "../texts/format.ts"
import { t } from "../texts/texts.ts"
import { Icon } from "./icon.tsx"

interface FormProps {
  readonly class?: string
  /** An error that concerns the whole form; null for none. */
  readonly refusal: string | null
  readonly onSubmit: () => unknown
  readonly onInput?: () => void
  readonly children: ComponentChildren
}

/** A form that the app validates and sends itself. */
export function Form({ class: look = "grid gap-5", refusal, onSubmit, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      class={look}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {refusal !== null && <Notice kind="error">{refusal}</Notice>}
      {children}
    </form>
  )
}

/** A text field that is bound to a field of `useForm`. */
export function FormField({ of, ...rest }: { of: FieldState } & Omit<FieldProps, "value" | "error" | "input">) {
  return <Field {...rest} value={of.value} error={of.error.value} input={of.input} />
}

export interface FieldState {
  readonly value: Signal<string>
  /** The error message; null if the value is valid. */
  readonly error: Signal<string | null>
  /** Typed as both elements, so that it suits a `Field` and a `TextArea`. */
  readonly input: RefObject<(HTMLInputElement & HTMLTextAreaElement) | null>
}

/** The state of a form by the server's field names: values and errors. */
export const useForm = <Name extends string>(names: readonly Name[]) => useMemo(() => createForm(names), [])

function createForm<Name extends string>(names: readonly Name[]) {
  const fields = Object.fromEntries(names.map((name) => [name, newField()])) as Record<Name, FieldState>
  /** An error that concerns no single field. */
  const refusal = signal<string | null>(null)

  function fail(name: Name, message: string) {
    fields[name].error.value = message
  }

  return {
    fields,
    refusal,
    fail,
    of: (name: Name) => fields[name].value.value.trim(),
    clear() {
      refusal.value = null
      for (const name of names) fields[name].error.value = null
    },
    /** Whether any field has an error; focuses the first such field. */
    isWrong(): boolean {
      const first = names.find((name) => fields[name].error.value !== null)
      if (first !== undefined) fields[first].input.current?.focus()
      return first !== undefined
    },
    /** Shows the server's error at the field that it names, or of which it names a part, else above the form. */
    refuse(failure: Failure) {
      const field = failure.kind === "refused" ? failure.field : undefined
      const about = names.find((name) => field === name || field?.startsWith(`${name}.`))
      if (failure.kind === "refused" && about !== undefined) fail(about, translatedAtField(failure))
      else refusal.value = messageOf(failure)
    },
  }
}

const newField = (): FieldState => ({ value: signal(""), error: signal<string | null>(null), input: createRef() })

/** Focuses the first field of a form. Not on phones, where the keyboard would cover half of the form. */
export function useAutofocus(field: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus()
  }, [])
}

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
  /** The rule of the field, shown below it. */
  readonly hint?: string | null
  /** A link beside the label. */
  readonly aside?: ComponentChildren
  /** A button inside the field, at its end. */
  readonly end?: ComponentChildren
}

const types = {
  text: { type: "text", dir: "auto" },
  password: { type: "password" },
  email: { type: "email" },
  date: { type: "date" },
} as const

/** A labelled text field of one line, with an error message. */
export function Field({
  label,
  value,
  error = null,
  hint = null,
  input,
  aside,
  end,
  type = "text",
  ...rest
}: FieldProps) {
  const id = useId()
  // An error that says the same takes its place.
  const shownHint = hint === error ? null : hint
  const described = [error !== null && `${id}-error`, shownHint !== null && `${id}-hint`].filter((one) => one !== false)
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
          aria-describedby={described.join(" ") || undefined}
          spellcheck={false}
        />
        {end}
      </div>
      {shownHint !== null && (
        <p id={`${id}-hint`} class="text-sm text-muted">
          {shownHint}
        </p>
      )}
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

/** A message near the place that it concerns: an error above its form, or a confirmation. */
export function Notice({ kind, children }: { kind: "error" | "info"; children: ComponentChildren }) {
  const look = kind === "error" ? "bg-error/8 text-error" : "bg-primary/8 text-primary"
  return (
    <p role={kind === "error" ? "alert" : "status"} class={`rounded-field px-3 py-2.5 text-sm ${look}`}>
      {children}
    </p>
  )
}
