import { Notice } from "../../parts/form.tsx"
import type { Answer } from "../../server/api.ts"
import { messageOf } from "../../server/failure-messages.ts"

/** What an action came to: a confirmation, or why it failed. */
export interface Outcome {
  readonly kind: "error" | "info"
  readonly text: string
}

export const outcomeOf = <T,>(answer: Answer<T>, done: (data: T) => string): Outcome =>
  answer.kind === "done" ? { kind: "info", text: done(answer.data) } : { kind: "error", text: messageOf(answer) }

/** Null: no action has ended yet. */
export function OutcomeNotice({ of }: { of: Outcome | null }) {
  return of && <Notice kind={of.kind}>{of.text}</Notice>
}
