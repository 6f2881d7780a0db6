import { readFileSync } from "node:fs"
import { cpus, totalmem, type } from "node:os"

/** The machine in words, without its name. */
export function machine(): string {
  const cores = cpus()
  const model = cores[0]?.model.trim() ?? "unknown"
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cores.length} cores (${model}), ${gib} GiB of memory, ${type()} ${kernel()}, Bun ${Bun.version}`
}

/** Call it at the end: which part of the processor time since now others took, on a machine that is shared. */
export function watchStolen(): () => string {
  const before = processorTimes()
  return () => {
    const after = processorTimes()
    const share = (after.stolen - before.stolen) / (after.all - before.all)
    return `${Math.round(share * 100)} % of the processor time taken by other guests of the host`
  }
}

function processorTimes() {
  const line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0] ?? ""
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is contained in the first two.
  const times = line.split(/\s+/).slice(1, 9).map(Number)
  return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 }
}

const kernel = (): string => /^\d+\.\d+/.exec(readFileSync("/proc/sys/kernel/osrelease", "utf8"))?.[0] ?? ""
