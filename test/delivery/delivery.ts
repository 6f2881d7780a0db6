import { parseArgs } from "node:util"
import { temporaryFolder } from "../support/executable.ts"
import { type DeliveryReport, playTrouble, writePeople } from "./play.ts"
import { troubles } from "./troubles.ts"

/*
 * bun test/delivery/delivery.ts [--at-once 8] [--only TEXT]
 *
 * Lets a mail server make every trouble there is while `dist/rewards serve` has mails to send. Exit status 1 when a mail
 * is lost, a refusal for good is asked again, or requests are not answered meanwhile.
 */

const { values } = parseArgs({
  options: { "at-once": { type: "string", default: "8" }, only: { type: "string", default: "" } },
})
await using folder = await temporaryFolder()
const people = await writePeople(folder.path)
const queue = troubles.filter(({ name }) => name.includes(values.only)).values()
const reports: DeliveryReport[] = []

const work = async () => {
  for (const trouble of queue) {
    const report = await playTrouble(people, trouble)
    reports.push(report)
    const { faults, ...figures } = report
    console.log(Object.values(figures).join("\t"), ...faults)
  }
}
console.log("trouble\tattempts\tmails\tseconds\tslowest answer in ms")
await Promise.all(Array.from({ length: Number(values["at-once"]) }, work))
const faults = reports.flatMap(({ faults }) => faults)
console.log(`${reports.length} troubles: ${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1
