import { parseArgs } from "node:util"
import { faultsOf, verifyLarge } from "./run.ts"

/*
 * bun test/large/large.ts --rows 10000000
 *
 * Fills a database with this many transactions, lets `dist/rewards` verify it and back it up, and measures the memory
 * of both. Needs 200 bytes of disk for each transaction. Exit status 1 when either takes 100 MB or finds a fault.
 */

const { values } = parseArgs({ options: { rows: { type: "string", default: "10000000" } } })

const verified = await verifyLarge(Number(values.rows))
for (const fault of faultsOf(verified)) console.log(fault)
for (const command of ["verify", "backup"] as const) {
  const { memoryMb, seconds } = verified[command]
  console.log(`${command}: ${verified.rows} transactions in ${seconds.toFixed(1)} s with ${memoryMb.toFixed(0)} MB`)
}
process.exitCode = faultsOf(verified).length === 0 ? 0 : 1
