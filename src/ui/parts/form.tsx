import { type Signal, signal } from "@preact/signals"
import { type ComponentChildren, createRef, type RefObject } from "preact"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { messageOf } from "../server/failure-messages.ts"
import type { Failure } from "../server/request.ts"
import { t } from "../texts/texts.ts"
import { Field } from "./fields.tsx"
import { Notice } from "./notice.tsx"

interface FormProps {
  readonly class?: string
  /** What is wrong with no field alone, above them all; null when nothing is. */
  readonly refusal: string | null
  readonly onSubmit: () => unknown
  readonly onInput?: () => void
  readonly children: ComponentChildren
}

/** Fields that the app itself looks at and sends. */
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

/** A field of a form, with what is wrong with it. */
export function FormField({ of, ...rest }: { of: FieldState } & Omit<FieldProps, "value" | "error" | "input">) {
  return <Field {...rest} value={of.value} error={of.error.value} input={of.input} />
}

export interface FieldState {
  readonly value: Signal<string>
  /** What is wrong with it; null when nothing is. */
  readonly error: Signal<string | null>
  readonly input: RefObject<HTMLInputElement | null>
}

/** Fields by their names at the server, and what is wrong with each. */
export const useForm = <Name extends string>(names: readonly Name[]) => useMemo(() => createForm(names), [])

function createForm<Name extends string>(names: readonly Name[]) {
  const fields = Object.fromEntries(names.map((name) => [name, newField()])) as Record<Name, FieldState>
  /** What is wrong with none of them alone. */
  const refusal = signal<string | null>(null)

  function fail(name: Name, words: string) {
    fields[name].error.value = words
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
    /** Whether something is wrong; the first such field has the focus then. */
    isWrong(): boolean {
      const first = names.find((name) => fields[name].error.value !== null)
      if (first !== undefined) fields[first].input.current?.focus()
      return first !== undefined
    },
    /** Puts what the server said to the field that it is about, else above them all. */
    refuse(failure: Failure) {
      const [, name = "", rule = ""] = (failure.kind === "refused" && /^(\w+): (.+)$/s.exec(failure.detail)) || []
      const about = names.find((one) => one === name)
      if (about === undefined) refusal.value = messageOf(failure)
      else fail(about, ruleOf(name, rule))
    },
  }
}

const newField = (): FieldState => ({ value: signal(""), error: signal<string | null>(null), input: createRef() })

/** The server's rule at its field, where the name of the field need not stand once more. */
export const ruleOf = (field: string, rule: string): string =>
  t().details[`${field}: ${rule}`] ?? `${rule.charAt(0).toLocaleUpperCase()}${rule.slice(1)}`

/** The first field of a form is ready to type in. Not on a phone, whose keyboard would hide half of the form. */
export function useAutofocus(field: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus()
  }, [])
}
