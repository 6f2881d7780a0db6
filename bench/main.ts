import { join } from "node:path"
import { parseArgs } from "node:util"
import { budgets, effort } from "./budgets.ts"
import { competitors } from "./competitors.ts"
import { connected } from "./connected.ts"
import { databases } from "./databases.ts"
import { fairness } from "./fairness.ts"
import { growth } from "./growth.ts"
import { insights } from "./insights.ts"
import { overload } from "./overload.ts"
import { pageLoad, pages } from "./pages.ts"
import { postgres } from "./postgres.ts"
import { postgresPages } from "./postgres-pages.ts"
import { postgresStreams } from "./postgres-streams.ts"
import { replay } from "./replay.ts"
import { type Figure, machine, type Options, type Part, summaryOf, tableOf, watchStolen, written } from "./report.ts"
import { responsiveness } from "./responsiveness.ts"
import { check } from "./scale/check.ts"
import { scale } from "./scale/scale.ts"
import { streams } from "./streams.ts"
import { sessions, transfers, users } from "./transfers.ts"

/*
 * bun run bench [PART...] [--quick] [--write] [--rounds N] [--seconds N] [--cache FOLDER] [--executable FILE]
 *   [--pocketbase FILE]
 *
 * Measures and prints tables; with --write they go into the pages of docs/ too. Without parts: all of them.
 */

/** Long tables, and those that few people look for. */
const tables = "performance-tables.md"

const parts: readonly Part[] = [
  { name: "competitors", title: "What a reader would use instead", run: competitors },
  { name: "transfers", title: "Transfers by bearer token", run: transfers },
  { name: "sessions", title: "Transfers by session cookie", page: tables, run: sessions },
  { name: "users", title: "A user's details", run: users },
  { name: "databases", title: "Histories", page: tables, run: databases },
  { name: "pages", title: "First pages of histories of different length", page: tables, run: pages },
  { name: "page-load", title: "Pages under load", run: pageLoad },
  { name: "growth", title: "What must not grow with the history", page: tables, run: growth },
  { name: "insights", title: "Insights", run: insights },
  { name: "streams", title: "Dashboards", run: streams },
  { name: "replay", title: "Replay of a long history", page: tables, run: replay },
  { name: "budgets", title: "Start, memory, size", run: budgets },
  { name: "effort", title: "Processor time for each request", page: tables, run: effort },
  { name: "overload", title: "Overload", page: tables, run: overload },
  { name: "responsiveness", title: "What holds the event loop", page: tables, run: responsiveness },
  { name: "fairness", title: "What one party makes others wait", run: fairness },
  { name: "connected", title: "Transfers beside webhooks and Slack", page: tables, run: connected },
  { name: "postgres", title: "Transfers on PostgreSQL", run: postgres },
  { name: "postgres-pages", title: "First pages on PostgreSQL", page: tables, run: postgresPages },
  { name: "postgres-streams", title: "Dashboards of two processes on PostgreSQL", page: tables, run: postgresStreams },
  { name: "scale", title: "One ledger and several processes, simulated", page: "scale.md", run: scale },
  { name: "scale-check", title: "The simulation beside measurements", page: "scale.md", run: check },
]

const date = new Date().toISOString().slice(0, 10)
const docs = join(import.meta.dir, "../docs")

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    cache: { type: "string", default: join(import.meta.dir, ".cache") },
    executable: { type: "string", default: "dist/rewards" },
    pocketbase: { type: "string" },
  },
})
const { quick, write, cache, executable, pocketbase } = values
const options: Options = {
  quick,
  cache,
  executable,
  pocketbase,
  rounds: countOf("rounds", values.rounds ?? (quick ? "3" : "5")),
  seconds: countOf("seconds", values.seconds ?? "1"),
}

const started = performance.now()
const all: Figure[] = []
for (const { name, title, page = "performance.md", run } of chosen(positionals)) {
  const stolen = watchStolen()
  const { figures, details } = await run(options)
  all.push(...figures)
  const command = ["bun run bench", name, quick ? "--quick" : ""].join(" ").trim()
  const conditions = [date, `${options.rounds} rounds of ${options.seconds} s`, machine(), stolen()].join("; ")
  const facts = [summaryOf(figures), conditions].filter((fact) => fact !== "").join(". ")
  const table = figures.length === 0 ? undefined : tableOf(figures)
  const sections = [table, details, `\`${command}\`: ${facts}.`]
  const text = sections.filter((section) => section !== undefined).join("\n\n")
  console.log(`\n${title}\n\n${text}`)
  const record = join(docs, page)
  if (write) await Bun.write(record, written(await Bun.file(record).text(), name, text))
}

const took = `in ${Math.round((performance.now() - started) / 1000)} s`
console.log(`\nIn all: ${[summaryOf(all), took].filter((fact) => fact !== "").join(", ")}`)

function chosen(names: readonly string[]): readonly Part[] {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name))
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(", ")}; parts are ${parts.map(({ name }) => name).join(", ")}`)
  return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name))
}

function countOf(name: string, given: string): number {
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} wants a number from 1`)
  return count
}
