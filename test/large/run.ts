import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { generate } from "../../bench/generate.ts"
import { executable, folderOnDisk } from "../support/executable.ts"

/**
 * The output of `rewards verify` and `rewards backup` for a database of this size, and the memory and time they took.
 */
export interface Verified {
  readonly rows: number
  readonly verify: Run
  readonly backup: Run
}

interface Run {
  readonly status: number
  readonly told: string
  /** The peak, in megabytes of a million bytes. */
  readonly memoryMb: number
  readonly seconds: number
}

const noMoreThanMb = 100

/** Fills a database with `rows` transactions among a thousand people, then verifies it and backs it up. */
export async function verifyLarge(rows: number): Promise<Verified> {
  await using folder = await folderOnDisk()
  const path = join(folder.path, "rewards.db")
  await generate({ path, rows, people: 1000 })
  const run = (command: string) => runMeasured([command, "--db", path], folder.path)
  return { rows, verify: await run("verify"), backup: await run("backup") }
}

/** The faults: findings of `verify`, and commands whose memory grows with the database. */
export const faultsOf = ({ rows, verify, backup }: Verified): string[] => [
  ...(verify.told.startsWith(`${rows} transactions, nothing wrong\n`) ? [] : [`verify: ${verify.told}`]),
  ...Object.entries({ verify, backup }).flatMap(([command, { status, memoryMb }]) => [
    ...(status === 0 ? [] : [`${command} ended with exit status ${status}`]),
    ...(memoryMb < noMoreThanMb ? [] : [`${command} took ${memoryMb.toFixed(0)} MB of memory`]),
  ]),
]

async function runMeasured(args: readonly string[], cwd: string): Promise<Run> {
  const startedMs = performance.now()
  const child = Bun.spawn([executable, ...args], { cwd, env: {}, stdin: "ignore", stdout: "pipe", stderr: "inherit" })
  let memoryMb = Number.NaN
  // Not from resourceUsage(), which starts with the memory of the parent process.
  while (child.exitCode === null) {
    memoryMb = highestMbOf(child.pid) ?? memoryMb
    await Bun.sleep(5)
  }
  const told = await new Response(child.stdout).text()
  return { status: child.exitCode, told, memoryMb, seconds: (performance.now() - startedMs) / 1000 }
}

/** The peak memory of a Linux process; null when it has ended. */
function highestMbOf(pid: number): number | null {
  const path = `/proc/${pid}/status`
  const kib = /^VmHWM:\s+(\d+)/m.exec(existsSync(path) ? readFileSync(path, "utf8") : "")?.[1]
  return kib === undefined ? null : (Number(kib) * 1024) / 1e6
}
