import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section aria-labelledby={id} class="grid grid-cols-1 gap-2 rounded-box bg-base-100 p-4">
      <h2 id={id} class="text-sm font-medium text-muted">
        {title}
      </h2>
      {children}
    </section>
  )
}
