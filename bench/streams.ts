import type { Figure } from "./figure.ts"
import type { Options, Report } from "./part.ts"
import { idlePercent } from "./process.ts"
import { newFolder, startRewards } from "./server.ts"
import { type Watched, watchTransfers } from "./streams-crowd.ts"
import { openDashboards } from "./streams-dashboards.ts"

const fullCrowd = { dashboards: 10_000, stalled: 1000, rounds: 3, seconds: 5 }
const quickCrowd = { dashboards: 2000, stalled: 200, rounds: 1, seconds: 3 }
const idleDashboards = 200
/** From a 201 to the last frame; beyond the idle process; of one core with 200 open streams. */
const [delayMsAtMost, memoryMiBAtMost, idlePercentAtMost] = [250, 150, 1]

/** Dashboards by the thousand under 100 transfers a second, without and with some that do not read. */
export async function streams(options: Options): Promise<Report> {
  const crowd = options.quick ? quickCrowd : fullCrowd
  const reading = await watchTransfers({ ...crowd, stalled: 0 }, options)
  const partlyStalled = await watchTransfers(crowd, options)
  return {
    figures: [
      ...figuresOf(reading, `${crowd.dashboards.toLocaleString("en")} dashboards`),
      ...figuresOf(partlyStalled, `${crowd.stalled.toLocaleString("en")} of them stalled`),
      await idling(options),
    ],
  }
}

function figuresOf({ delaysMs, caughtUpSeconds, memoryMiB, faults }: Watched, name: string): Figure[] {
  for (const fault of faults.slice(0, 10)) console.error(fault)
  const delays = (part: number) => delaysMs.map((round) => percentile(round, part))
  return [
    {
      name: `${name}: 201 to last frame, 99th percentile`,
      rounds: delays(0.99),
      unit: " ms",
      target: { atMost: delayMsAtMost },
    },
    { name: `${name}: the same, median`, rounds: delays(0.5), unit: " ms" },
    { name: `${name}: frames lost, doubled or out of order`, rounds: [faults.length], target: { atMost: 0 } },
    {
      name: `${name}: memory beyond the idle process`,
      rounds: [memoryMiB],
      unit: " MiB",
      target: { atMost: memoryMiBAtMost },
    },
    { name: `${name}: all connected and caught up`, rounds: [caughtUpSeconds], unit: " s" },
  ]
}

async function idling({ cache, executable, quick }: Options): Promise<Figure> {
  await using folder = await newFolder(cache)
  await using server = await startRewards(executable, folder.path)
  const port = Number(new URL(server.url).port)
  await using _ = await openDashboards({ port, path: "/transaction/ws", count: idleDashboards })
  await Bun.sleep(1500)
  const percent = await idlePercent(server.pid, quick ? 3 : 10)
  return {
    name: `idle processor time, ${idleDashboards} open streams`,
    rounds: [percent],
    unit: " %",
    target: { atMost: idlePercentAtMost },
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}
