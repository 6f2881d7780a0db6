import type { ComponentChildren } from "preact"

/** A message near the place that it concerns: an error above its form, or a confirmation. */
export function Notice({ kind, children }: { kind: "error" | "info"; children: ComponentChildren }) {
  const look = kind === "error" ? "bg-error/8 text-error" : "bg-primary/8 text-primary"
  return (
    <p role={kind === "error" ? "alert" : "status"} class={`rounded-field px-3 py-2.5 text-sm ${look}`}>
      {children}
    </p>
  )
}
