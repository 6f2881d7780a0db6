import { parseArgs } from "node:util"
import { DatabaseExists, fillDemo } from "./demo.ts"
import { nextSteps } from "./next-steps.ts"
import { wholeYear } from "./year.ts"

/*
 * bun run demo [--db demo.db | --postgres postgres://…]
 *
 * Fills a new database with a year of a company, to have a look at the app with.
 */

const { values } = parseArgs({ options: { db: { type: "string" }, postgres: { type: "string" } } })
process.exitCode = await demo(values)

async function demo({ db = "demo.db", postgres }: typeof values): Promise<number> {
  const database = postgres ?? db
  const onMonth = (month: string) => console.error(month)
  try {
    const filled = await fillDemo({ database, scale: wholeYear, until: Date.now(), underTest: false, onMonth })
    for (const { check, fault } of filled.findings) console.error(`${check}: ${fault}`)
    console.log(summaryOf(filled))
    const variables = postgres === undefined ? { REWARDS_DB__PATH: db } : { REWARDS_DB__URL: postgres }
    console.log(nextSteps(variables, Bun.which("npx") !== null))
    return filled.findings.length === 0 && filled.sumOfBalances === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof DatabaseExists)) throw error
    console.error(`${error.message}: name another one with --db FILE or --postgres URL`)
    return 1
  }
}

function summaryOf({ played, transactions, findings, sumOfBalances }: Awaited<ReturnType<typeof fillDemo>>): string {
  const lines = Object.entries(played).map(([what, count]) => `${what.padEnd(16)}${count.toLocaleString("en")}`)
  const verified = findings.length === 0 ? "nothing wrong" : "damaged"
  return [
    "",
    ...lines,
    "",
    `rewards verify: ${transactions?.toLocaleString("en")} transactions, ${verified}; all balances together: ${sumOfBalances}`,
  ].join("\n")
}
