import { parseArgs } from "node:util"
import { temporaryFolder } from "../support/executable.ts"
import { mailFaults } from "./faults.ts"
import { type DeliveryReport, runScenario, writePeople } from "./scenario.ts"

/*
 * bun test/delivery/delivery.ts [--at-once 8] [--only TEXT]
 *
 * Runs every fault of faults.ts against `dist/rewards serve` while it has mails to send. Exit status 1 when a mail is lost,
 * a permanently refused mail is retried, or requests are not answered meanwhile.
 */

const { values } = parseArgs({
  options: { "at-once": { type: "string", default: "8" }, only: { type: "string", default: "" } },
})
await using folder = await temporaryFolder()
const people = await writePeople(folder.path)
const queue = mailFaults.filter(({ name }) => name.includes(values.only)).values()
const reports: DeliveryReport[] = []

const work = async () => {
  for (const fault of queue) {
    const report = await runScenario(people, fault)
    reports.push(report)
    const { violations, ...figures } = report
    console.log(Object.values(figures).join("\t"), ...violations)
  }
}
console.log("fault\tattempts\tmails\tseconds\tslowest answer in ms")
await Promise.all(Array.from({ length: Number(values["at-once"]) }, work))
const violations = reports.flatMap(({ violations }) => violations)
console.log(`${reports.length} faults: ${violations.length} violations`)
if (violations.length > 0) process.exitCode = 1
