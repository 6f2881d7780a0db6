import { parseArgs } from "node:util"
import { password, tags } from "./company.ts"
import { DatabaseExists, fillDemo } from "./demo.ts"
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
    console.log(nextSteps(postgres === undefined ? { REWARDS_DB__PATH: db } : { REWARDS_DB__URL: postgres }))
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

function nextSteps(variables: Readonly<Record<string, string>>): string {
  const environment = Object.entries({ ...variables, REWARDS_RECOGNITION__TAGS: tags.join(",") })
  return `
Start the server with it:

  ${environment.map(([name, value]) => `${name}='${value}'`).join(" ")} bun run start

and log in at http://127.0.0.1:8000 as ana-souza or anybody else with the password '${password}'.
Superusers: admin with the password 'admin', and carla-mendes.`
}
