/** One line of a table: what was measured, round by round, and what it is held to. */
export interface Figure {
  readonly name: string
  /** What is held against the target, a value for each round. */
  readonly rounds: readonly number[]
  /** Behind each value, such as ` ms`; absent: a bare ratio. */
  readonly unit?: string
  readonly target?: Target
  /** Both sides of a ratio, for the reader: what `rounds` was divided from. */
  readonly ours?: Side
  readonly other?: Side
}

export type Target = { readonly atLeast: number } | { readonly atMost: number }

export interface Side {
  readonly rounds: readonly number[]
  readonly unit: string
}

export type Verdict = "held" | "missed" | "—"

/** A figure of two series measured in the same rounds: each of ours divided by its neighbour. */
export function ratio(name: string, ours: Side, other: Side, target?: Target): Figure {
  const rounds = ours.rounds.map((value, round) => value / (other.rounds[round] ?? Number.NaN))
  return { name, rounds, ours, other, ...(target && { target }) }
}

/** The median decides, as it is printed. */
export function verdictOf({ rounds, target }: Figure): Verdict {
  if (!target) return "—"
  const value = Number(shown(median(rounds)))
  return ("atLeast" in target ? value >= target.atLeast : value <= target.atMost) ? "held" : "missed"
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [lower = Number.NaN, upper = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (lower + upper) / 2
}

/** The median of so many measurements, made one after the other. */
export async function medianOf(times: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = []
  while (values.length < times) values.push(await measure())
  return median(values)
}

/** Three digits, or whole numbers from 100 up. */
export function shown(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}
