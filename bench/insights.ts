import { insightNames } from "../src/domain/recognition/insights.ts"
import { serveDatabase } from "./databases.ts"
import { type Figure, interleaved, medianOf, type Options, type Report, ratio } from "./report.ts"

/** Transactions in the measured database, which has as many people as every generated one. */
const rows = 1_000_000
/** Greatest cost of an insight, divided by that of listing all people with their balances. */
const atMost = 4
const requests = 5
/** The last year of the generated histories. */
const days = "from=2025-01-02&to=2026-01-02"

/** Insights of superusers, after the first request has read the history. */
export async function insights(options: Options): Promise<Report> {
  await using served = await serveDatabase(rows, options)
  const ask = async (path: string) => (await served.ask("admin", { path })).us
  const pathOf = (name: string) => `/api/v1/insights/${name}?${days}`

  const first = await ask(pathOf("participation"))
  const figures: Figure[] = [{ name: "the first question after a start", rounds: [first / 1000], unit: " ms" }]
  for (const name of insightNames) {
    const us = await interleaved(options.rounds, ["insight", "people"], (side) =>
      medianOf(requests, () => ask(side === "insight" ? pathOf(name) : "/user/?show_balance=true")),
    )
    const [insight, people] = [us.insight, us.people].map((rounds) => ({ rounds, unit: " µs" }))
    if (insight && people) figures.push(ratio(`${name}, beside the list of all people`, insight, people, { atMost }))
  }
  return { figures }
}
