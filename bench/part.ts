import type { Figure } from "./figure.ts"

/** One subject of the bench, measured and printed by itself. */
export interface Part {
  readonly name: string
  readonly title: string
  run(options: Options): Promise<Report>
}

export interface Options {
  /** Where databases, programs and running servers are kept. */
  readonly cache: string
  /** The compiled server under measurement. */
  readonly executable: string
  /** How often each figure is measured. */
  readonly rounds: number
  /** Of load, for each value. */
  readonly seconds: number
  /** Smaller databases and fewer cases: an impression, not the figures of the record. */
  readonly quick: boolean
}

export interface Report {
  readonly figures: readonly Figure[]
  /** Markdown shown below the figures. */
  readonly details?: string
}

/**
 * Measures every side once a round, the next round in the other direction: what the machine does meanwhile falls on
 * all alike.
 */
export async function interleaved<Side extends string, T>(
  rounds: number,
  sides: readonly Side[],
  measure: (side: Side) => Promise<T>,
): Promise<Record<Side, T[]>> {
  const measured = Object.fromEntries(sides.map((side) => [side, []])) as unknown as Record<Side, T[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) measured[side].push(await measure(side))
  }
  return measured
}
