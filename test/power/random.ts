/** Numbers from 0 up to 1, the same ones for the same seed. */
export type Random = () => number

/** Mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const numberBelow = (random: Random, end: number): number => Math.floor(random() * end)

export function oneOf<T>(random: Random, all: readonly T[]): T {
  const one = all[numberBelow(random, all.length)]
  if (one === undefined) throw new Error("there is none")
  return one
}
