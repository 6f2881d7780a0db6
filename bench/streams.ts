import { dlopen, FFIType, ptr } from "bun:ffi"
import { join } from "node:path"
import { createCompany, openInProcess, type Person, readPeople } from "./company.ts"
import { openDashboards, type Seen, upgradeOf } from "./dashboards.ts"
import { connect } from "./http.ts"
import type { Figure, Options, Report } from "./report.ts"
import { idlePercent, newFolder, residentMiB, startRewards } from "./server.ts"

const fullCrowd = { dashboards: 10_000, stalled: 1000, rounds: 3, seconds: 5 }
const quickCrowd = { dashboards: 2000, stalled: 200, rounds: 1, seconds: 3 }
const idleDashboards = 200
/** From a 201 to the last frame; memory beyond the idle process; percent of one core with 200 open streams. */
const [delayMsAtMost, memoryMiBAtMost, idlePercentAtMost] = [250, 150, 1]

/** Thousands of dashboards at 100 transfers a second. First all of them read, then some are stalled. */
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

/** `delaysMs`: milliseconds from each 201 to the last frame, by round. */
export function delayFigures(name: string, delaysMs: readonly (readonly number[])[]): Figure[] {
  const delays = (part: number) => delaysMs.map((round) => percentile(round, part))
  return [
    {
      name: `${name}: 201 to last frame, 99th percentile`,
      rounds: delays(0.99),
      unit: " ms",
      target: { atMost: delayMsAtMost },
    },
    { name: `${name}: the same, median`, rounds: delays(0.5), unit: " ms" },
  ]
}

export function faultFigure(name: string, faults: readonly string[]): Figure {
  for (const fault of faults.slice(0, 10)) console.error(fault)
  return { name: `${name}: frames lost, doubled or out of order`, rounds: [faults.length], target: { atMost: 0 } }
}

function figuresOf({ delaysMs, caughtUpSeconds, memoryMiB, faults }: Watched, name: string): Figure[] {
  return [
    ...delayFigures(name, delaysMs),
    faultFigure(name, faults),
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

/** Transfers before the dashboards open: more than the socket buffers of a stalled dashboard can hold. */
const history = 2000
export const perSecond = 100
/** From the start until memory is measured. */
const settleMs = 1500

export interface Crowd {
  readonly dashboards: number
  /** How many of them never read. */
  readonly stalled: number
  readonly rounds: number
  readonly seconds: number
}

export interface Watched {
  /** Milliseconds from each 201 until the last dashboard has the frame, by round. */
  readonly delaysMs: readonly (readonly number[])[]
  /** Seconds from the first connection until all had the whole history. */
  readonly caughtUpSeconds: number
  /** Greatest memory of the server, less its memory before the dashboards opened. */
  readonly memoryMiB: number
  readonly faults: readonly string[]
}

/** Runs a server with many dashboards, half of which resume with `?after=`, at 100 transfers a second. */
export async function watchTransfers(crowd: Crowd, { cache, executable }: Options): Promise<Watched> {
  await using folder = await newFolder(cache)
  const database = join(folder.path, "rewards.db")
  const people = await readPeople(await createCompany(folder.path))
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
  await using inProcess = await openInProcess(database)
  const { ledger, store } = inProcess.app
  const [sender, receiver] = [await inProcess.user("person-1"), await inProcess.user("person-2")]
  for (let id = await store.ledger.lastId(); id < history; id += 1)
    void ledger.sendPoints({ sender, receiver, value: 1 })
}

/** Milliseconds from each 201 to its last frame. Transfers are identified by their value, which is never used twice. */
export function delaysOf(answeredMs: ReadonlyMap<number, number>, seen: readonly Seen[]): number[] {
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

/** Compares the frames with the end of the ledger. */
export async function differences(database: string, seen: readonly Seen[]): Promise<string[]> {
  await using inProcess = await openInProcess(database)
  const { ledger } = inProcess.app.store
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

/** More connections than requests that wait for an answer at the same time. */
const connections = 50

export interface Sending {
  readonly url: string
  readonly people: readonly Person[]
  readonly perSecond: number
  readonly seconds: number
  /** Value of the first transfer; each next one has one point more. */
  readonly firstValue: number
}

/** Sends transfers between changing people at a steady rate. Returns the time of each 201 by value, in ms since the epoch.
 *  @throws when any is answered otherwise */
export async function sendSteadily({
  url,
  people,
  perSecond,
  seconds,
  firstValue,
}: Sending): Promise<Map<number, number>> {
  const free = await Promise.all(Array.from({ length: connections }, () => connect(url)))
  const all = [...free]
  const answeredMs = new Map<number, number>()
  const started = performance.now()

  const sendOne = async (number: number) => {
    const connection = free.shift()
    if (!connection) throw new Error(`${connections} transfers wait for their answers`)
    const [sender, receiver] = [people[(number * 7) % people.length], people[(number * 13 + 5) % people.length]]
    const value = firstValue + number
    const path = `/transaction/${receiver?.username}/`
    const { status } = await connection.request({ method: "POST", path, body: { value }, token: sender?.token ?? "" })
    if (status !== 201) throw new Error(`a transfer was answered ${status}`)
    answeredMs.set(value, performance.timeOrigin + performance.now())
    free.push(connection)
  }

  const sent: Promise<void>[] = []
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const dueMs = started + (number * 1000) / perSecond
    if (dueMs > performance.now()) await Bun.sleep(dueMs - performance.now())
    sent.push(sendOne(number))
  }
  await Promise.all(sent)
  for (const connection of all) connection.close()
  return answeredMs
}

/** Constants of Linux, from <sys/socket.h> and <netinet/tcp.h>. */
const [inet, stream, socketLevel, receiveBuffer, tcp, maximumSegment] = [2, 1, 1, 8, 6, 2]
const { i32, u32, u64, i64, ptr: pointer } = FFIType

/**
 * Opens dashboards that never read, until this process ends. Buffers and segments are as small as possible, because
 * over the loopback, unlike over a network, the kernel would buffer 4 MB for each of them before the server notices.
 */
export function openStalled(port: number, path: string, count: number): void {
  const { symbols: c } = dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    setsockopt: { args: [i32, i32, i32, pointer, u32], returns: i32 },
    connect: { args: [i32, pointer, u32], returns: i32 },
    send: { args: [i32, pointer, u64, i32], returns: i64 },
  })
  const int = (value: number) => ptr(new Int32Array([value]))
  const address = Buffer.from([inet, 0, port >> 8, port & 0xff, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  const upgrade = Buffer.from(upgradeOf(path))

  for (let opened = 0; opened < count; opened += 1) {
    const socket = c.socket(inet, stream, 0)
    c.setsockopt(socket, socketLevel, receiveBuffer, int(2048), 4)
    c.setsockopt(socket, tcp, maximumSegment, int(536), 4)
    if (c.connect(socket, ptr(address), address.length) !== 0) throw new Error("a stalled dashboard cannot connect")
    c.send(socket, ptr(upgrade), upgrade.length, 0)
  }
}
