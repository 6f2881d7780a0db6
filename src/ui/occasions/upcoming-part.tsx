import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { Upcoming, UpcomingProps } from "./upcoming.tsx"

const loaded = signal<typeof Upcoming | null>(null)

/** Loads the list and what it shows. If its script is missing, there is no list: the feed shows each occasion on its day. */
export async function loadUpcoming(): Promise<void> {
  const part = await import("./upcoming.tsx").catch(() => null)
  if (part === null) return
  await part.Upcoming.prefetch()
  loaded.value = part.Upcoming
}

/** `Upcoming`, whose script no screen needs at first. */
export function UpcomingPart(props: UpcomingProps) {
  useEffect(() => {
    if (loaded.peek() === null) void loadUpcoming()
  }, [])
  const List = loaded.value
  return List && <List {...props} />
}
