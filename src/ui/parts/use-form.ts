import { type Signal, signal } from "@preact/signals"
import { createRef, type RefObject } from "preact"
import { useMemo } from "preact/hooks"
import type { Failure } from "../server/ask.ts"
import { wordsOf } from "../server/words.ts"
import { t } from "../texts/texts.ts"

interface FormField {
  readonly value: Signal<string>
  /** What is wrong with it; null when nothing is. */
  readonly error: Signal<string | null>
  readonly input: RefObject<HTMLInputElement | null>
}

/** Fields by their names at the server, and what is wrong with each. */
export const useForm = <Name extends string>(names: readonly Name[]) => useMemo(() => createForm(names), [])

function createForm<Name extends string>(names: readonly Name[]) {
  const fields = Object.fromEntries(names.map((name) => [name, newField()])) as Record<Name, FormField>
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
      if (about === undefined) refusal.value = wordsOf(failure)
      else fail(about, ruleOf(name, rule))
    },
  }
}

const newField = (): FormField => ({ value: signal(""), error: signal<string | null>(null), input: createRef() })

/** The server's rule at its field, where the name of the field need not stand once more. */
export const ruleOf = (field: string, rule: string): string =>
  t().details[`${field}: ${rule}`] ?? `${rule.charAt(0).toLocaleUpperCase()}${rule.slice(1)}`
