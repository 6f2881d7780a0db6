import { readFileSync } from "node:fs"
import { cpus, totalmem, type } from "node:os"

/** The machine in words, without its name. */
export function machine(): string {
  const cores = cpus()
  const model = cores[0]?.model.trim() ?? "unknown"
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cores.length} cores (${model}), ${gib} GiB of memory, ${type()} ${kernel()}, Bun ${Bun.version}`
}

const kernel = (): string => /^\d+\.\d+/.exec(readFileSync("/proc/sys/kernel/osrelease", "utf8"))?.[0] ?? ""
