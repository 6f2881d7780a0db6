import { insightNames } from "../src/domain/recognition/insights.ts"
import { serveDatabase } from "./databases.ts"
import { type Figure, interleaved, medianOf, type Options, type Report } from "./report.ts"

/** Transactions in the measured database, which has as many people as every generated one. */
const rows = 1_000_000
const requests = 5
/** The last year of the generated histories. */
const days = "from=2025-01-02&to=2026-01-02"

/** Insights of superusers. */
export async function insights(options: Options): Promise<Report> {
  await using served = await serveDatabase(rows, options)
  const ask = async (path: string) => (await served.ask("admin", { path })).us
  const pathOf = (name: string) => `/api/v1/insights/${name}?${days}`

  const figures: Figure[] = []
  for (const name of insightNames) {
    const { insight } = await interleaved(options.rounds, ["insight"], () =>
      medianOf(requests, () => ask(pathOf(name))),
    )
    figures.push({ name, rounds: insight.map((us) => us / 1000), unit: " ms" })
  }
  return { figures }
}
