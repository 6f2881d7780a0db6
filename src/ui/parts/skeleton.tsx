/** A placeholder for content that is loading, visible after 200 ms. `class` sets its final size. */
export function Skeleton({ class: className }: { class: string }) {
  return <span class={`late skeleton block bg-base-300 ${className}`} aria-hidden="true" />
}
