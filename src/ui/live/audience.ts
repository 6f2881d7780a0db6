/** What came together, in ascending order; `missed`: it happened while the line was down or the page hidden. */
export type Listener<Entry> = (entries: readonly Entry[], about: { readonly missed: boolean }) => void

/** Entries that arrive within this time are passed on together: a night's entries must not be drawn one by one. */
const togetherMs = 50

/** Passes each entry to every listener once. `onTelling` says whether the entries of this batch were missed. */
export function createAudience<Entry extends { readonly id: number }>(onTelling: () => { readonly missed: boolean }) {
  /** The id through which each listener has heard everything; null until it is known where the connection begins. */
  const listeners = new Map<Listener<Entry>, number | null>()
  let waiting: Entry[] = []
  let timer = 0

  function flush() {
    clearTimeout(timer)
    if (waiting.length === 0) return
    const entries = waiting
    waiting = []
    const about = onTelling()
    for (const listener of [...listeners.keys()]) tell(listener, entries, about)
  }

  /** Passes on what this listener has not heard yet. */
  function tell(listener: Listener<Entry>, entries: readonly Entry[], about: { readonly missed: boolean }) {
    const heard = listeners.get(listener)
    if (heard === undefined) return
    const unheard = entries.filter(({ id }) => id > (heard ?? 0))
    const newest = unheard.at(-1)
    if (newest === undefined) return
    listeners.set(listener, newest.id)
    listener(unheard, about)
  }

  return {
    listeners,
    tell,
    flush,
    isWaiting: () => waiting.length > 0,
    add(entry: Entry) {
      waiting.push(entry)
      if (waiting.length === 1) timer = window.setTimeout(flush, togetherMs)
    },
    forget() {
      clearTimeout(timer)
      waiting = []
    },
  }
}
