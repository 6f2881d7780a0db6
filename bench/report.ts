import { readFileSync } from "node:fs"
import { cpus, totalmem, type } from "node:os"

/** One part of the bench, measured and printed by itself. */
export interface Part {
  readonly name: string
  readonly title: string
  /** The page under docs/ into which `--write` puts the tables; by default performance.md. */
  readonly page?: string
  run(options: Options): Promise<Report>
}

export interface Options {
  /** Folder for databases, programs and running servers. */
  readonly cache: string
  /** The compiled server under measurement. */
  readonly executable: string
  /** Number of measurements of each figure. */
  readonly rounds: number
  /** Seconds of load for each measurement. */
  readonly seconds: number
  /** PocketBase, with which `competitors` compares; absent: the one on the PATH. */
  readonly pocketbase?: string | undefined
  /** Uses smaller databases and fewer cases: for a quick look, not for published figures. */
  readonly quick: boolean
}

export interface Report {
  readonly figures: readonly Figure[]
  /** Markdown shown below the figures. */
  readonly details?: string
}

/**
 * Measures every side once in each round, and reverses the order from round to round, so that other work of the machine
 * affects all sides equally.
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

/** One row of a table: the measured values and their target. */
export interface Figure {
  readonly name: string
  /** One value for each round. The median is compared with the target. */
  readonly rounds: readonly number[]
  /** Appended to each value, such as ` ms`; absent for a ratio. */
  readonly unit?: string
  readonly target?: Target
  /** Both sides of a ratio. */
  readonly ours?: Side
  readonly other?: Side
}

export type Target = { readonly atLeast: number } | { readonly atMost: number }

export interface Side {
  readonly rounds: readonly number[]
  readonly unit: string
}

export type Verdict = "held" | "missed" | ""

/** Divides each value of `ours` by the value of `other` in the same round. */
export function ratio(name: string, ours: Side, other: Side, target?: Target): Figure {
  const rounds = ours.rounds.map((value, round) => value / (other.rounds[round] ?? Number.NaN))
  return { name, rounds, ours, other, ...(target && { target }) }
}

/** Compares the median, rounded as printed, with the target. */
export function verdictOf({ rounds, target }: Figure): Verdict {
  if (!target) return ""
  const value = Number(shown(median(rounds)))
  return ("atLeast" in target ? value >= target.atLeast : value <= target.atMost) ? "held" : "missed"
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [lower = Number.NaN, upper = Number.NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (lower + upper) / 2
}

/** The median of `times` measurements, made one after the other. */
export async function medianOf(times: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = []
  while (values.length < times) values.push(await measure())
  return median(values)
}

/** Three significant digits; whole numbers from 100 up. */
export function shown(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)
}

const head = ["Figure", "Ours", "Compared with", "Result", "Spread", "Target", ""]

/** The figures as a Markdown table that is aligned for terminals, too. Columns that would be empty are left out. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(rowOf)
  const isUsed = head.map((_, column) => rows.some((row) => row[column] !== ""))
  return aligned([head, ...rows].map((row) => row.filter((_, column) => isUsed[column])))
}

/** Number of targets held and missed; empty when there are none. */
export function summaryOf(figures: readonly Figure[]): string {
  const verdicts = figures.map(verdictOf)
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
  return figures.some(({ target }) => target) ? `${count("held")} held, ${count("missed")} missed` : ""
}

/** Aligns rows of cells as a Markdown table; the first row is its header. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const [first = []] = rows
  const widths = first.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, c) => cell.padEnd(widths[c] ?? 0)).join(" | ")} |`
  const [top = "", ...rest] = rows.map(line)
  return [top, line(widths.map((width) => "-".repeat(width))), ...rest].join("\n")
}

function rowOf(figure: Figure): string[] {
  const { name, rounds, unit = "", target, ours, other } = figure
  const spread = rounds.length > 1 ? `${shown(Math.min(...rounds))} to ${shown(Math.max(...rounds))}` : ""
  const result = `${shown(median(rounds))}${unit}`
  return [name, sideOf(ours), sideOf(other), result, spread, targetOf(target, unit), verdictOf(figure)]
}

const sideOf = (side?: Side): string => (side ? `${shown(median(side.rounds))}${side.unit}` : "")

function targetOf(target: Target | undefined, unit: string): string {
  if (!target) return ""
  return "atLeast" in target ? `≥ ${target.atLeast}${unit}` : `≤ ${target.atMost}${unit}`
}

/**
 * Replaces the text between `<!-- bench NAME -->` and `<!-- end -->`.
 * @throws when there are no such markers
 */
export function written(text: string, name: string, measured: string): string {
  const start = `<!-- bench ${name} -->`
  const begins = text.indexOf(start)
  const ends = text.indexOf("<!-- end -->", begins)
  if (begins < 0 || ends < 0) throw new Error(`the page has no markers for ${name}`)
  return `${text.slice(0, begins + start.length)}\n${measured}\n${text.slice(ends)}`
}

/** Describes the machine without naming it. */
export function machine(): string {
  const cores = cpus()
  const model = cores[0]?.model.trim() ?? "unknown"
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cores.length} cores (${model}), ${gib} GiB of memory, ${type()} ${kernel()}, Bun ${Bun.version}`
}

/** Returns a function that says which part of the processor time other guests of the host have taken since then. */
export function watchStolen(): () => string {
  const before = processorTimes()
  return () => {
    const after = processorTimes()
    const share = (after.stolen - before.stolen) / (after.all - before.all)
    return `${Math.round(share * 100)} % of the processor time taken by other guests of the host`
  }
}

/** Processor time of the whole machine so far, in ticks of 10 ms. */
export function processorTimes() {
  const line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? ""
  // user, nice, system, idle, iowait, irq, softirq, steal; the rest is included in the first two.
  const times = line.split(/\s+/).slice(1, 9).map(Number)
  const all = times.reduce((sum, time) => sum + time, 0)
  return { all, stolen: times[7] ?? 0, busy: all - (times[3] ?? 0) - (times[4] ?? 0) }
}

const kernel = (): string => /^\d+\.\d+/.exec(readFileSync("/proc/sys/kernel/osrelease", "utf8"))?.[0] ?? ""
