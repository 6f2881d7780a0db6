import { type Figure, median, type Side, shown, type Target, verdictOf } from "./figure.ts"

const head = ["Figure", "Ours", "Compared with", "Result", "Spread", "Target", ""]

/** The figures as a Markdown table, aligned so that a terminal shows it too. */
export function tableOf(figures: readonly Figure[]): string {
  return aligned([head, ...figures.map(rowOf)])
}

/** How many were held and missed, in one line. */
export function summaryOf(figures: readonly Figure[]): string {
  const verdicts = figures.map(verdictOf)
  const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length
  return `${count("held")} held, ${count("missed")} missed`
}

/** Rows of cells as a Markdown table; the first is its head. */
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
