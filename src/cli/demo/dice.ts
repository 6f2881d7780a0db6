/** Seeded choices: the same ones each time. */
export interface Dice {
  /** A number from 0 up to, but not including, `bound`. */
  below(bound: number): number
  /** @throws Error when there is nothing to pick from */
  pick<T>(from: readonly T[]): T
  /** All of them in a new order. */
  shuffled<T>(these: readonly T[]): T[]
  chance(probability: number): boolean
}

export function createDice(seed: number): Dice {
  const random = createRandom(seed)
  const below = (bound: number) => Math.floor(random() * bound)
  return {
    below,
    pick(from) {
      const [picked] = from.slice(below(from.length))
      if (picked === undefined) throw new Error("there is nothing to pick from")
      return picked
    },
    shuffled: (these) =>
      these
        .map((one) => ({ one, place: random() }))
        .sort((first, second) => first.place - second.place)
        .map(({ one }) => one),
    chance: (probability) => random() < probability,
  }
}

/** Seeded random numbers from 0 up to, but not including, 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
