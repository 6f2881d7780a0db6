/** The quiet shape of what is coming, after 200 ms. `class` gives its final size. */
export function Skeleton({ class: className }: { class: string }) {
  return <span class={`late skeleton block bg-base-300 ${className}`} aria-hidden="true" />
}
