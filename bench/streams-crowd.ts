import { join } from "node:path"
import { foundCompany, openHouse, readPeople } from "./company.ts"
import type { Options } from "./part.ts"
import { residentMiB } from "./process.ts"
import { newFolder, startRewards } from "./server.ts"
import { openDashboards, type Seen } from "./streams-dashboards.ts"
import { sendSteadily } from "./streams-senders.ts"
import { openStalled } from "./streams-stalled.ts"

/** Transfers before anybody watches: what those who stall are sent, more than the system takes for them. */
const history = 2000
const perSecond = 100
/** After the start, until memory is looked at. */
const settleMs = 1500

export interface Crowd {
  readonly dashboards: number
  /** Of them. */
  readonly stalled: number
  readonly rounds: number
  readonly seconds: number
}

export interface Watched {
  /** From each sender's 201 to the last dashboard's frame, ms; by round. */
  readonly delaysMs: readonly (readonly number[])[]
  /** From the first connection until all had the history, s. */
  readonly caughtUpSeconds: number
  /** The most that the server held beyond what it held before anybody watched. */
  readonly memoryMiB: number
  readonly faults: readonly string[]
}

/** A server, a crowd of dashboards half of which resumes, and 100 transfers a second. */
export async function watchTransfers(crowd: Crowd, { cache, executable }: Options): Promise<Watched> {
  await using folder = await newFolder(cache)
  const database = join(folder.path, "rewards.db")
  const people = await readPeople(await foundCompany(folder.path))
  await fillHistory(database)
  await using server = await startRewards(executable, folder.path)
  const port = Number(new URL(server.url).port)
  await Bun.sleep(settleMs)
  const idleMiB = residentMiB(server.pid)

  const started = performance.now()
  const count = (crowd.dashboards - crowd.stalled) / 2
  await using plain = await openDashboards({ port, path: "/transaction/ws", count })
  await using resuming = await openDashboards({ port, path: `/transaction/ws?after=${history}`, count })
  await plain.seen(history)
  const caughtUpSeconds = (performance.now() - started) / 1000
  openStalled(port, "/transaction/ws?after=0", crowd.stalled)
  await Bun.sleep(settleMs)

  let memoryMiB = 0
  const looking = setInterval(() => {
    memoryMiB = Math.max(memoryMiB, residentMiB(server.pid) - idleMiB)
  }, 100)
  const { seconds } = crowd
  const delaysMs: number[][] = []
  let seen: readonly Seen[] = []
  for (let sent = 0; delaysMs.length < crowd.rounds; sent += perSecond * seconds) {
    const answeredMs = await sendSteadily({ url: server.url, people, perSecond, seconds, firstValue: sent + 1 })
    const total = sent + perSecond * seconds
    seen = await Promise.all([plain.seen(history + total), resuming.seen(total)])
    delaysMs.push(delaysOf(answeredMs, seen))
  }
  clearInterval(looking)
  const faults = [...seen.flatMap((half) => half.faults), ...(await differences(database, seen))]
  return { delaysMs, caughtUpSeconds, memoryMiB, faults }
}

async function fillHistory(database: string) {
  await using house = await openHouse(database)
  const { ledger, store } = house.app
  const [sender, receiver] = [await house.user("person-1"), await house.user("person-2")]
  for (let id = await store.ledger.lastId(); id < history; id += 1)
    void ledger.sendPoints({ sender, receiver, value: 1 })
}

/** The values of one round are its own. */
function delaysOf(answeredMs: ReadonlyMap<number, number>, seen: readonly Seen[]): number[] {
  const lastMs = new Map<number, number>()
  for (const { texts, reachedMs } of seen)
    for (const [index, text] of texts.entries()) {
      const { value } = JSON.parse(text) as { value: number }
      lastMs.set(
        value,
        Math.max(index === 0 ? 0 : (lastMs.get(value) ?? 0), reachedMs[index] ?? Number.POSITIVE_INFINITY),
      )
    }
  return [...answeredMs].map(([value, ms]) => (lastMs.get(value) ?? Number.POSITIVE_INFINITY) - ms)
}

/** What was sent otherwise than it stands in the ledger, from its end on. */
async function differences(database: string, seen: readonly Seen[]): Promise<string[]> {
  await using house = await openHouse(database)
  const { ledger } = house.app.store
  const lastId = await ledger.lastId()
  const faults: string[] = []
  for (const { texts } of seen) {
    const entries = await ledger.after(lastId - texts.length, texts.length)
    for (const [index, { id, receiverName, senderName, value }] of entries.entries()) {
      const frame = JSON.parse(texts[index] ?? "{}")
      const isRight = frame.to === receiverName && frame.from === senderName && frame.value === value
      if (!isRight || (frame.id ?? id) !== id) faults.push(`transaction ${id} was sent as ${texts[index]}`)
    }
  }
  return faults
}
