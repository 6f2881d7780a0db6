import { cpus } from "node:os"
import type { Seen } from "./people.ts"
import { isFailed, type Sample, type Week } from "./run.ts"

/** How much each may grow over the second half of the time, and still be level. */
const slack = { memory: 32, descriptors: 20, wal: 8 } as const

/** What kept growing: the most of the last quarter compared with that of the second. */
export function growthOf(samples: readonly Sample[]): string[] {
  const quarter = Math.floor(samples.length / 4)
  return (["memory", "descriptors", "wal"] as const).flatMap((what) => {
    const most = (from: number, to: number) => Math.max(...samples.slice(from, to).map((sample) => sample[what]))
    const [before, after] = [most(quarter, 2 * quarter), most(3 * quarter, samples.length)]
    return after > before + slack[what] ? [`${what} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`] : []
  })
}

/** The page of a run, between its markers. */
export function reportOf(week: Week, day: string): string {
  const { minutes, speed, samples, incidents, calm, requests, acknowledged, starts, faults, errors } = week
  const growth = growthOf(samples)
  const processor = cpus()[0]?.model ?? "unknown processor"
  return [
    `On ${day}, ${minutes} minutes at ${speed} times the pace, on ${cpus().length} cores (${processor}) that other work used too: ` +
      `${whole(requests)} requests, ${whole(acknowledged)} transfers acknowledged, ${incidents.length} incidents, ${starts} starts. ` +
      `${faults.length === 0 ? "Nothing that was acknowledged is lost, nothing was stored twice, no tab missed an entry, and no request failed outside of an incident." : `**${faults.length} faults.**`} ` +
      `${growth.length === 0 ? "Memory, descriptors and WAL are level." : `**${growth.join("; ")}.**`}`,
    "",
    ...faults.slice(0, 20).map((fault) => `- ${fault}`),
    ...(faults.length > 0 ? [""] : []),
    "### Resources",
    "",
    "| Part of the time | Memory, MiB | Descriptors | WAL, MiB | Database, MiB |",
    "| --- | --- | --- | --- | --- |",
    ...quarters(samples).map(
      (part, index) =>
        `| ${["first", "second", "third", "last"][index]} quarter | ${range(part, "memory")} | ${range(part, "descriptors")} | ${range(part, "wal", 1)} | ${range(part, "database", 1)} |`,
    ),
    "",
    "### Latency outside of incidents",
    "",
    "| Requests | Number | Median | 99 % | Longest |",
    "| --- | --- | --- | --- | --- |",
    ...(["page", "read", "write"] as const).map((kind) =>
      latency(
        kind,
        calm.filter((seen) => seen.kind === kind),
      ),
    ),
    "",
    "### Incidents",
    "",
    "| At | What | Lasted | Until writes were acknowledged again | Requests | Failed |",
    "| --- | --- | --- | --- | --- | --- |",
    ...incidents.map(
      ({ what, from, to, recoveryMs, requests, failed }) =>
        `| ${(from / 60_000).toFixed(1)} min | ${what} | ${seconds(to - from)} | ${seconds(recoveryMs)} | ${requests} | ${failed} |`,
    ),
    "",
    errors.length === 0
      ? "The log had no error."
      : `The log had these errors, all during incidents: ${errors.map((error) => `\`${error}\``).join(", ")}.`,
  ].join("\n")
}

function quarters(samples: readonly Sample[]): (readonly Sample[])[] {
  const size = Math.ceil(samples.length / 4)
  return [0, 1, 2, 3].map((index) => samples.slice(index * size, (index + 1) * size))
}

function range(samples: readonly Sample[], what: keyof Sample, digits = 0): string {
  const values = samples.map((sample) => sample[what])
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`
}

function latency(kind: string, seen: readonly Seen[]): string {
  const times = seen
    .filter((one) => !isFailed(one))
    .map(({ ms }) => ms)
    .toSorted((one, other) => one - other)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return `| ${kind}s | ${whole(times.length)} | ${at(0.5).toFixed(1)} ms | ${at(0.99).toFixed(0)} ms | ${at(1).toFixed(0)} ms |`
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const whole = (value: number): string => value.toLocaleString("en")
