import { type Signal, signal } from "@preact/signals"
import { type ComponentChildren, createRef, type RefObject } from "preact"
import { useLayoutEffect, useMemo } from "preact/hooks"
import type { Failure } from "../server/api.ts"
import { messageOf, translatedDetail } from "../server/failure-messages.ts"
import { t } from "../texts/texts.ts"
import { Field } from "./fields.tsx"
import { Notice } from "./notice.tsx"

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

type FieldProps = Parameters<typeof Field>[0]

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
    /** Shows the server's error at the field that it names, else above the form. */
    refuse(failure: Failure) {
      const [, name = "", rule = ""] = (failure.kind === "refused" && /^(\w+): (.+)$/s.exec(failure.detail)) || []
      const about = names.find((one) => one === name)
      if (about === undefined) refusal.value = messageOf(failure)
      else fail(about, ruleOf(name, rule))
    },
  }
}

const newField = (): FieldState => ({ value: signal(""), error: signal<string | null>(null), input: createRef() })

/** The server's error without the field name, because it is shown at the field. */
export const ruleOf = (field: string, rule: string): string =>
  translatedDetail(`${field}: ${rule}`, t().details) ?? `${rule.charAt(0).toLocaleUpperCase()}${rule.slice(1)}`

/** Focuses the first field of a form. Not on phones, where the keyboard would cover half of the form. */
export function useAutofocus(field: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus()
  }, [])
}
