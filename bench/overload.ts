import { join } from "node:path"
import { maxConcurrent, retryAfterSeconds } from "../src/http/concurrency-limit.ts"
import { createCompany } from "./company.ts"
import { load, loadWithRefusals, type Measured, type Outcome, openLoop, rates } from "./load.ts"
import { type Figure, interleaved, type Options, type Report, ratio } from "./report.ts"
import { newFolder, startRewards } from "./server.ts"

/** The least part that is accepted of what callers ask for beside one who asks for much more. */
const acceptedAtLeast = 0.9
/** More connections than the concurrency limit, for longer than a refused request waits. */
const crowd = { connections: 2 * maxConcurrent, times: 2, more: 2 * retryAfterSeconds }
/** Until all requests of the crowd are answered. */
const settleMs = 1000
const bestConnections = 128
/** Callers with one connection each, whose requests together are far below the best rate. */
const ordinary = { connections: 100, perSecond: 1000 }
const greedyConnections = 1000

/** Twice the load that the server can carry, and one caller with as many requests as possible. */
export async function overload(options: Options): Promise<Report> {
  await using folder = await newFolder(options.cache)
  const people = await createCompany(folder.path)
  await using server = await startRewards(options.executable, folder.path)
  const target = { url: server.url, people, seconds: options.seconds }
  const rounds = options.quick ? 1 : options.rounds
  return { figures: [...(await underTwice(target, rounds)), ...(await besideGreedy(target, rounds, folder.path))] }
}

interface Target {
  readonly url: string
  readonly people: string
  readonly seconds: number
}

async function underTwice({ url, people, seconds }: Target, rounds: number): Promise<Figure[]> {
  const best = () => load({ ...bearer, url, seconds, connections: bestConnections, peopleFile: people })
  const warmUps = [await best(), await best()]
  const perSecond = crowd.times * Math.max(...warmUps.map((measured) => measured.perSecond))

  const carried: Measured[] = []
  const outcomes: Outcome[] = []
  for (let round = 0; round < rounds; round += 1) {
    carried.push(await best())
    outcomes.push(
      await openLoop({ url, people, seconds: seconds + crowd.more, connections: crowd.connections, perSecond }),
    )
    await Bun.sleep(settleMs)
  }
  const bestRate = rates(carried)
  const rate = (count: (outcome: Outcome) => number) => ({
    rounds: outcomes.map((outcome) => count(outcome) / outcome.seconds),
    unit: "/s",
  })
  const offered = rate((outcome) => outcome.due)
  const accepted = rate((outcome) => outcome.accepted)
  const refused = rate((outcome) => outcome.refused)
  return [
    ratio("offered, of the best rate", offered, bestRate),
    ratio("accepted then, of the best rate", accepted, bestRate),
    { name: "refused then, with 503 and Retry-After", ...refused },
    { name: "answered otherwise", rounds: outcomes.map(({ other }) => other), target: { atMost: 0 } },
    { name: "99th percentile of those accepted then", rounds: outcomes.map(({ p99Ms }) => p99Ms), unit: " ms" },
  ]
}

async function besideGreedy({ url, people, seconds }: Target, rounds: number, folder: string): Promise<Figure[]> {
  const peopleFile = join(folder, "greedy.txt")
  await Bun.write(peopleFile, `${(await Bun.file(people).text()).split("\n")[0]}\n`)
  const others = (seconds: number) => openLoop({ url, people, seconds, ...ordinary })

  const { alone, beside } = await interleaved(rounds, ["alone", "beside"], async (which) => {
    if (which === "alone") return others(seconds)
    // The others begin and end while the greedy caller sends.
    const load = loadWithRefusals({ ...bearer, url, seconds: seconds + 2, connections: greedyConnections, peopleFile })
    await Bun.sleep(1000)
    const outcome = await others(seconds)
    await load
    return outcome
  })
  const p99 = (outcomes: Outcome[]) => ({ rounds: outcomes.map(({ p99Ms }) => p99Ms), unit: " ms" })
  const share = beside.map(({ accepted, due }) => accepted / due)
  return [
    ratio("99th percentile of 100 callers, beside one with 1,000 connections", p99(beside), p99(alone)),
    { name: "accepted of what those 100 callers ask for then", rounds: share, target: { atLeast: acceptedAtLeast } },
  ]
}

const bearer = { what: "transfers", credential: "bearer" } as const
