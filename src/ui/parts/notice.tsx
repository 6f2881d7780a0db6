import type { ComponentChildren } from "preact"

/** A sentence that stands where it matters: a refusal above its form, or a word on what just happened. */
export function Notice({ kind, children }: { kind: "error" | "info"; children: ComponentChildren }) {
  const look = kind === "error" ? "bg-error/8 text-error" : "bg-primary/8 text-primary"
  return (
    <p role={kind === "error" ? "alert" : "status"} class={`rounded-field px-3 py-2.5 text-sm ${look}`}>
      {children}
    </p>
  )
}
