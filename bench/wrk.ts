import { join } from "node:path"
import type { Side } from "./figure.ts"

const script = join(import.meta.dir, "load.lua")

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly what: "transfers" | "pages"
  readonly credential: "bearer" | "session"
  /** Written by `writePeople`: who the requests come from. */
  readonly peopleFile: string
  /** Pages are taken from the first so many. */
  readonly pages?: number
  /** Before each request of each connection, on average; then requests do not wait for answers to others. */
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

/** What the slowest hundredth of the requests took at least. */
export const slowest = (measured: readonly Measured[]): Side => ({
  rounds: measured.map(({ p99Ms }) => p99Ms),
  unit: " ms",
})

/** One run of wrk in which every request was answered as asked. @throws when it is missing, or any request failed. */
export async function load(wanted: Load): Promise<Measured> {
  const measured = await loadWithRefusals(wanted)
  if (measured.refused > 0) throw new Error(`${measured.refused} of ${measured.requests} requests were refused`)
  return measured
}

/** The same where refusals are part of what is measured. */
export async function loadWithRefusals(wanted: Load): Promise<Measured> {
  const { url, connections, seconds, what, credential, peopleFile, pages = 1, pauseMs = 0 } = wanted
  const wrk = Bun.which("wrk")
  if (wrk === null) throw new Error("wrk is missing: it makes the load. On Debian and Ubuntu: apt-get install wrk")
  const options = ["-t", "2", "-c", `${connections}`, "-d", `${seconds}s`, "--latency", "-s", script, url, "--"]
  const child = Bun.spawn([wrk, ...options, what, credential, peopleFile, `${pages}`, `${pauseMs}`], { stderr: "pipe" })
  const [status, output, faults] = await Promise.all([child.exited, textOf(child.stdout), textOf(child.stderr)])
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

/** The line that load.lua prints at the end. @throws when it is missing, or connections broke. */
export function parseOutput(output: string): Measured {
  const text = /^measured (\{.*\})$/m.exec(output)?.[1]
  if (text === undefined) throw new Error(`wrk did not come to its end:\n${output}`)
  const { requests, us, p50, p99, refused, broken } = JSON.parse(text) as Line
  if (requests === 0) throw new Error("no request was answered")
  if (broken > 0) throw new Error(`${broken} connections failed or timed out`)
  return { requests, perSecond: (requests * 1e6) / us, p50Ms: p50 / 1000, p99Ms: p99 / 1000, refused }
}

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()
