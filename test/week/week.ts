import { join } from "node:path"
import { parseArgs } from "node:util"
import { growthOf, reportOf } from "./report.ts"
import { week } from "./run.ts"

/*
 * bun test/week/week.ts [--minutes 120] [--speed 50] [--incidents 14] [--write]
 *
 * An operator's week: `dist/rewards serve` with the company of the demo at work, while its process is killed, its disk is slow
 * or full, its clock jumps and its network fails. `--write` puts the report into docs/week.md. Needs Linux and a C compiler.
 * Exit status 1 when something is lost, fails without an incident, or keeps growing.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    speed: { type: "string", default: "50" },
    incidents: { type: "string", default: "14" },
    write: { type: "boolean", default: false },
  },
})
const result = await week({
  minutes: Number(values.minutes),
  speed: Number(values.speed),
  incidents: Number(values.incidents),
  tell: console.error,
})
const report = reportOf(result, new Date().toISOString().slice(0, 10))
console.log(report)
if (values.write) await write(report)
process.exitCode = result.faults.length + growthOf(result.samples).length === 0 ? 0 : 1

async function write(report: string) {
  const page = join(import.meta.dir, "../../docs/week.md")
  const text = await Bun.file(page).text()
  const [before = "", , after = ""] = text.split(/(?<=<!-- report -->\n)|(?=<!-- end of report -->)/)
  await Bun.write(page, `${before}${report}\n${after}`)
}
