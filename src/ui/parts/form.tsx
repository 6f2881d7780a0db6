import type { ComponentChildren } from "preact"
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
      {refusal !== null && <Notice kind="wrong">{refusal}</Notice>}
      {children}
    </form>
  )
}
