import type { Signal } from "@preact/signals"
import type { ComponentChildren, RefObject } from "preact"
import { useId } from "preact/hooks"
import { FieldError } from "./field-error.tsx"

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
