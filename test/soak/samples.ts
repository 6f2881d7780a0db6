import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { StartedServer } from "../support/executable.ts"

/** The resources of a server at one moment. */
export interface Sample {
  /** Resident memory in MiB. */
  readonly memory: number
  readonly files: number
  /** In MiB. */
  readonly wal: number
  /** In MiB. It may grow, because it stores the work that was done. */
  readonly database: number
}

export function sampleOf({ pid, cwd }: Pick<StartedServer, "pid" | "cwd">): Sample {
  const mebibytes = (name: string) => {
    const path = join(cwd, name)
    return existsSync(path) ? statSync(path).size / 2 ** 20 : 0
  }
  const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  return {
    memory: resident / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    wal: mebibytes("rewards.db-wal"),
    database: mebibytes("rewards.db"),
  }
}

/** How much each resource may grow and still count as stable. */
const slack = { memory: 48, files: 40, wal: 8 }

/** Resources that kept growing: compares the maximum of the last quarter with that of the second quarter. */
export function growthOf(samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4)
  return (["memory", "files", "wal"] as const).flatMap((what) => {
    const most = (from: number, to: number) => Math.max(...samples.slice(from, to).map((sample) => sample[what]))
    const [before, after] = [most(quarter, 2 * quarter), most(3 * quarter, samples.length)]
    return after > before + slack[what] ? [`${what} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`] : []
  })
}

export const describe = ({ memory, files, wal, database }: Sample): string =>
  `memory ${memory.toFixed(0)} MiB, ${files} files, WAL ${wal.toFixed(1)} MiB, database ${database.toFixed(1)} MiB`
