import { Field } from "./field.tsx"
import type { useForm } from "./use-form.ts"

type FieldProps = Parameters<typeof Field>[0]
type Form = ReturnType<typeof useForm<string>>

/** A field of a form, with what is wrong with it. */
export function FormField({
  of,
  ...rest
}: { of: Form["fields"][string] } & Omit<FieldProps, "value" | "error" | "input">) {
  return <Field {...rest} value={of.value} error={of.error.value} input={of.input} />
}
