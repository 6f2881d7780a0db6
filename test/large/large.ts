import { parseArgs } from "node:util"
import { faultsOf, verifyLarge } from "./run.ts"

/*
 * bun test/large/large.ts --rows 10000000
 *
 * Fills a database with so many transactions, has `dist/rewards` verify it and back it up, and looks at how much memory
 * each took. Wants 100 bytes of disk for each transaction, twice. Exit status 1 when either took 100 MB or found a fault.
 */

const { values } = parseArgs({ options: { rows: { type: "string", default: "10000000" } } })

const verified = await verifyLarge(Number(values.rows))
for (const fault of faultsOf(verified)) console.log(fault)
for (const command of ["verify", "backup"] as const) {
  const { memoryMb, seconds } = verified[command]
  console.log(`${command}: ${verified.rows} transactions in ${seconds.toFixed(1)} s with ${memoryMb.toFixed(0)} MB`)
}
process.exitCode = faultsOf(verified).length === 0 ? 0 : 1
