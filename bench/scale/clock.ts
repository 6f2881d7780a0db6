/** The clock of a simulation: it jumps from one event to the next. */
export interface Clock {
  /** Microseconds since the start. */
  readonly now: number
  /** Calls `event` after `delayUs`. Events at the same moment run in the order in which they were added. */
  after(delayUs: number, event: () => void): void
  /** Runs all events up to this moment, and stops the clock there. */
  runUntil(us: number): void
}

interface Event {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

export function createClock(): Clock {
  const heap: Event[] = []
  let now = 0
  let order = 0
  return {
    get now() {
      return now
    },
    after(delayUs, run) {
      push(heap, { at: now + delayUs, order: order++, run })
    },
    runUntil(us) {
      for (let next = heap[0]; next !== undefined && next.at <= us; next = heap[0]) {
        pop(heap)
        now = next.at
        next.run()
      }
      now = us
    },
  }
}

const isEarlier = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)

function push(heap: Event[], event: Event) {
  let place = heap.length
  heap.push(event)
  while (place > 0) {
    const above = (place - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isEarlier(event, parent)) break
    heap[place] = parent
    place = above
  }
  heap[place] = event
}

/** Removes the earliest event. */
function pop(heap: Event[]) {
  const last = heap.pop()
  if (last === undefined || heap.length === 0) return
  let place = 0
  for (;;) {
    const left = 2 * place + 1
    const [first, second] = [heap[left], heap[left + 1]]
    const isSecond = first !== undefined && second !== undefined && isEarlier(second, first)
    const child = isSecond ? second : first
    if (child === undefined || !isEarlier(child, last)) break
    heap[place] = child
    place = isSecond ? left + 1 : left
  }
  heap[place] = last
}
