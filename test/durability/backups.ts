import { parseArgs } from "node:util"
import { backUpUnderLoad, killBackup, killRestore } from "./backup-rounds.ts"
import { createCompany } from "./company.ts"

/*
 * bun test/durability/backups.ts --backups 50 --kills 200 --senders 32
 *
 * Backs `dist/rewards serve` up under load, restores each backup, and looks for everything that was acknowledged before
 * it began. Then kills `rewards backup` and `rewards restore` with SIGKILL at random moments, and checks the files that
 * are left. Exit status 1 when anything is wrong.
 */

const count = { type: "string" } as const
const { values } = parseArgs({
  options: {
    backups: { ...count, default: "50" },
    kills: { ...count, default: "200" },
    senders: { ...count, default: "32" },
  },
})

await using company = await createCompany()
const faults: string[] = []
const startedMs = performance.now()
const seconds = () => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`

const load = await backUpUnderLoad(company, Number(values.senders), Number(values.backups))
faults.push(...load.faults)
console.log(
  `${load.backups} backups restored beside ${load.acknowledged} acknowledged: ${faults.length} faults, ${seconds()}`,
)

for (let round = 1; round <= Number(values.kills); round += 1)
  faults.push(...(await killBackup(company)), ...(await killRestore(company)))
console.log(`${values.kills} backups and ${values.kills} restores killed: ${faults.length} faults in all, ${seconds()}`)

for (const fault of faults) console.log(fault)
if (faults.length > 0) process.exitCode = 1
