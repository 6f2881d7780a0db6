import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"

/** Of the counters in /proc/PID/stat, on every Linux in use. */
const tickMs = 10

/** Processor time that a process has used until now, with all its threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Memory that a process holds now. */
export function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kib) / 1024
}

/** Processor time that a process uses while it is left alone, in percent of one core. */
export async function idlePercent(pid: number, seconds: number): Promise<number> {
  const [before, started] = [cpuMs(pid), performance.now()]
  await Bun.sleep(seconds * 1000)
  return ((cpuMs(pid) - before) / (performance.now() - started)) * 100
}

/**
 * Keeps these processes on one core and this one on another until the end of the scope: of servers asked in turn, one
 * would else seem half as fast as the other for as long as the scheduler leaves it beside something else.
 */
export function keptApart(pids: readonly number[]): Disposable {
  const cores = availableParallelism()
  if (cores > 1) for (const pid of pids) pin(pid, "1")
  if (cores > 1) pin(process.pid, "0")
  return { [Symbol.dispose]: () => pin(process.pid, `0-${cores - 1}`) }
}

function pin(pid: number, cores: string) {
  const { exitCode, stderr } = Bun.spawnSync(["taskset", "--all-tasks", "--pid", "--cpu-list", cores, `${pid}`])
  if (exitCode !== 0) throw new Error(`taskset: ${stderr}`)
}
