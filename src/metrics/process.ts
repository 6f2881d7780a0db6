import { readdirSync } from "node:fs"
import type { MetricRegistry } from "./registry.ts"

/** The process, under the names that every Prometheus client has for it. The library's own would add some forty that
 *  are Node's and mean nothing under Bun. */
export function describeProcess({ gauge, counter }: MetricRegistry) {
  const started = Date.now() / 1000 - process.uptime()
  gauge("process_start_time_seconds", "When the process started, since the epoch.", () => started)
  gauge("process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss())
  counter("process_cpu_seconds_total", "Processor time, user and system.", () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  gauge("process_open_fds", "Open file descriptors; on Linux alone.", openFiles)
}

/** Without the one that reads the folder. */
const openFiles = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length - 1 : null)
