/** What came together, in ascending order; `missed`: it happened while the line was down or the page hidden. */
export type Listener<Entry> = (entries: readonly Entry[], about: { readonly missed: boolean }) => void

/** What comes within this is told together: a night's entries must not be drawn one by one. */
const togetherMs = 50

/** Who hears the feed: everybody each entry once. `onTelling` knows what it was that is told now. */
export function createAudience<Entry extends { readonly id: number }>(onTelling: () => { readonly missed: boolean }) {
  /** Each with the id through which it has heard everything. */
  const listeners = new Map<Listener<Entry>, number>()
  let waiting: Entry[] = []

  function tell() {
    const entries = waiting
    waiting = []
    const { missed } = onTelling()
    const newest = entries.at(-1)?.id ?? 0
    for (const [listener, heard] of listeners) {
      const unheard = entries.filter(({ id }) => id > heard)
      listeners.set(listener, Math.max(heard, newest))
      if (unheard.length > 0) listener(unheard, { missed })
    }
  }

  return {
    listeners,
    isWaiting: () => waiting.length > 0,
    add(entry: Entry) {
      waiting.push(entry)
      if (waiting.length === 1) setTimeout(tell, togetherMs)
    },
    forget() {
      waiting = []
    },
  }
}
