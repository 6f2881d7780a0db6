import { join } from "node:path"
import { type Person, readPeople } from "./company.ts"
import { textOf } from "./http.ts"
import type { Side } from "./report.ts"

const script = join(import.meta.dir, "load.lua")

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly what: "transfers" | "pages" | "users" | "balances" | `pocketbase-${"transfers" | "pages" | "users"}`
  readonly credential: "bearer" | "session"
  /** Senders, written by `writePeople`. */
  readonly peopleFile: string
  /** Each request picks one of the first `pages` pages at random. */
  readonly pages?: number
  /** Average pause of each connection before each request. */
  readonly pauseMs?: number
}

export interface Measured {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers with a status of 400 or more. */
  readonly refused: number
}

export const rates = (measured: readonly Measured[]): Side => ({
  rounds: measured.map(({ perSecond }) => perSecond),
  unit: "/s",
})

/** The 99th percentiles. */
export const slowest = (measured: readonly Measured[]): Side => ({
  rounds: measured.map(({ p99Ms }) => p99Ms),
  unit: " ms",
})

/** One run of wrk. @throws when wrk is missing, or any request failed or was refused */
export async function load(wanted: Load): Promise<Measured> {
  const measured = await loadWithRefusals(wanted)
  if (measured.refused > 0) throw new Error(`${measured.refused} of ${measured.requests} requests were refused`)
  return measured
}

/** Like `load`, but counts refusals and does not throw for them. */
export async function loadWithRefusals(wanted: Load): Promise<Measured> {
  const { url, connections, seconds, what, credential, peopleFile, pages = 1, pauseMs = 0 } = wanted
  const wrk = Bun.which("wrk")
  if (wrk === null) throw new Error("wrk is missing: it makes the load. On Debian and Ubuntu: apt-get install wrk")
  const options = [
    "-t",
    `${Math.min(2, connections)}`,
    "-c",
    `${connections}`,
    "-d",
    `${seconds}s`,
    "--latency",
    "-s",
    script,
    url,
    "--",
  ]
  const child = Bun.spawn([wrk, ...options, what, credential, peopleFile, `${pages}`, `${pauseMs}`], { stderr: "pipe" })
  const [status, output, faults] = await Promise.all([child.exited, read(child.stdout), read(child.stderr)])
  if (status !== 0) throw new Error(`wrk ended with ${status}: ${faults}${output}`)
  return parseOutput(output)
}

interface Line {
  readonly requests: number
  readonly us: number
  readonly p50: number
  readonly p99: number
  readonly refused: number
  readonly broken: number
}

/** Reads the line that load.lua prints at the end. @throws when it is missing, or connections broke */
export function parseOutput(output: string): Measured {
  const text = /^measured (\{.*\})$/m.exec(output)?.[1]
  if (text === undefined) throw new Error(`wrk did not come to its end:\n${output}`)
  const { requests, us, p50, p99, refused, broken } = JSON.parse(text) as Line
  if (requests === 0) throw new Error("no request was answered")
  if (broken > 0) throw new Error(`${broken} connections failed or timed out`)
  return { requests, perSecond: (requests * 1e6) / us, p50Ms: p50 / 1000, p99Ms: p99 / 1000, refused }
}

const read = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

/*
 * bun bench/load.ts URL PEOPLE CONNECTIONS PER_SECOND SECONDS
 *
 * An open loop: transfers are sent at a steady rate, whether or not earlier ones were answered. A crowd behaves in this
 * way, and wrk does not. Each connection belongs to one person and carries one request at a time; a transfer that is
 * due while no connection is free is dropped. Prints an `Outcome` as JSON.
 */

export interface Outcome {
  readonly seconds: number
  readonly due: number
  /** Answered 201. */
  readonly accepted: number
  /** Answered 503 with `Retry-After`. */
  readonly refused: number
  /** Answered anything else. */
  readonly other: number
  /** 99th percentile of the accepted transfers, from the moment when they were due; 0 when there are none. */
  readonly p99Ms: number
}

interface Crowd {
  readonly url: string
  /** Written by `writePeople`. */
  readonly people: string
  readonly connections: number
  readonly perSecond: number
  readonly seconds: number
}

if (import.meta.main) {
  const [url = "", people = "", ...numbers] = process.argv.slice(2)
  const [connections = 0, perSecond = 0, seconds = 0] = numbers.map(Number)
  console.log(JSON.stringify(await send({ url, people, connections, perSecond, seconds })))
  process.exit()
}

/** Runs this program in a process of its own. */
export async function openLoop({ url, people, connections, perSecond, seconds }: Crowd): Promise<Outcome> {
  const args = [url, people, connections, perSecond, seconds].map(String)
  const child = Bun.spawn([process.execPath, import.meta.path, ...args], { stderr: "inherit" })
  const [status, output] = await Promise.all([child.exited, new Response(child.stdout).text()])
  if (status !== 0) throw new Error(`the open loop ended with ${status}`)
  return JSON.parse(output) as Outcome
}

async function send({ url, people: file, connections, perSecond, seconds }: Crowd): Promise<Outcome> {
  const people = await readPeople(file)
  const acceptedMs: number[] = []
  let [due, refused, other] = [0, 0, 0]
  const free = await connectAll(url, connections, people, (bytes, dueMs) => {
    const status = bytes.toString("latin1", 9, 12)
    if (status === "201") acceptedMs.push(performance.now() - dueMs)
    else if (status === "503" && /^retry-after: \d/im.test(bytes.toString("latin1"))) refused += 1
    else other += 1
  })
  const { host } = new URL(url)

  const started = performance.now()
  const elapsedMs = () => performance.now() - started
  while (elapsedMs() < seconds * 1000) {
    for (const until = (elapsedMs() * perSecond) / 1000; due < until; due += 1) {
      const socket = free.shift()
      if (!socket) continue
      socket.data.dueMs = started + (due * 1000) / perSecond
      const path = `/transaction/${personAt(people, Math.floor(Math.random() * people.length)).username}/`
      const body = { value: 1 + Math.floor(Math.random() * 100) }
      socket.write(textOf({ method: "POST", path, token: socket.data.token, body }, host))
    }
    await Bun.sleep(1)
  }
  const accepted = acceptedMs.length
  const p99Ms = acceptedMs.sort((a, b) => a - b)[Math.floor(accepted * 0.99)] ?? 0
  return { seconds: elapsedMs() / 1000, due, accepted, refused, other, p99Ms }
}

interface Sender {
  readonly token: string
  dueMs: number
}

/** Returns the list of idle connections, to which each goes back after its answer. Answers fit in one packet. */
async function connectAll(
  url: string,
  count: number,
  people: readonly Person[],
  answered: (bytes: Buffer, dueMs: number) => void,
): Promise<Bun.Socket<Sender>[]> {
  const { hostname, port } = new URL(url)
  const free: Bun.Socket<Sender>[] = []
  const data = (socket: Bun.Socket<Sender>, bytes: Buffer) => {
    answered(bytes, socket.data.dueMs)
    free.push(socket)
  }
  for (let number = 0; number < count; number += 1) {
    const sender = { token: personAt(people, number % people.length).token, dueMs: 0 }
    free.push(await Bun.connect({ hostname, port: Number(port), socket: { data }, data: sender }))
  }
  return free
}

function personAt(people: readonly Person[], index: number): Person {
  const person = people[index]
  if (!person) throw new Error("there are no senders")
  return person
}
