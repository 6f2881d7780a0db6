import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { createCompany, settings } from "../durability/company.ts"
import { readLedger } from "../durability/ledger.ts"
import { folderOnDisk, startServer } from "../support/executable.ts"
import { type Load, loadUntil } from "./load.ts"
import { growthOf, type Sample, sampleOf } from "./samples.ts"

export interface Soak extends Load {
  readonly samples: readonly Sample[]
  /** Resources that kept growing. Meaningful after minutes, not after seconds. */
  readonly growth: readonly string[]
}

const samplesInAll = 120

/** Runs a server under mixed load for this time, and samples its resources. */
export async function soak(ms: number, report: (sample: Sample) => void = () => {}): Promise<Soak> {
  await using folder = await folderOnDisk()
  await using company = await createCompany()
  await copyFile(company.database, join(folder.path, "rewards.db"))
  await using server = await startServer({
    cwd: folder.path,
    config: `${settings}login_failures = 1000000\n`,
  })
  const stop = new AbortController()
  const loading = loadUntil(stop.signal, server, company)
  const samples: Sample[] = []
  for (let count = 0; count < samplesInAll; count += 1) {
    await Bun.sleep(ms / samplesInAll)
    samples.push(sampleOf(server))
    if (count % 10 === 9) report(samples.at(-1) ?? sampleOf(server))
  }
  stop.abort()
  const { done, faults } = await loading

  const unexpected = server.stderr.filter((line) => line.includes('"level":"error"'))
  const status = await server.stop()
  return {
    done,
    samples,
    growth: growthOf(samples),
    faults: [
      ...faults,
      ...unexpected,
      ...readLedger(join(folder.path, "rewards.db")).faults,
      ...(status === 0 ? [] : [`it ended with status ${status}`]),
    ],
  }
}
