import { readdirSync, readFileSync } from "node:fs"
import fc from "fast-check"
import { cheapPasswords, everybodysPassword } from "../support/cheap-passwords.ts"
import { createClient } from "../support/client.ts"
import { logIn, sessionIn } from "../support/credentials.ts"
import { runCommand, type StartedServer, startServer, temporaryFolder } from "../support/executable.ts"
import { type Case, smuggledPath } from "./case.ts"
import { framed } from "./frames.ts"
import { encoded, type Identity, mutated, slow, validRequests } from "./requests.ts"
import { sendCase } from "./send.ts"
import { targeted } from "./targeted.ts"

export interface FuzzOptions {
  readonly cases: number
  readonly seed: number
  /** Receives a progress message now and then. */
  readonly report?: (message: string) => void
}

export interface FuzzReport {
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Resident memory in MiB: after the first tenth of the cases, and at the end. */
  readonly memory: readonly [number, number]
  readonly faults: readonly string[]
}

const atOnce = 32
const batchSize = 500
/** Connections that begin a request and never end it, open during the whole run. */
const stalled = 200

/** Sends malformed input to a server, while another client sends ordinary requests. */
export async function fuzz({ cases, seed, report = () => {} }: FuzzOptions): Promise<FuzzReport> {
  await using folder = await temporaryFolder()
  await runCommand(["create-user", "Ana", "ana@example.com", everybodysPassword, "sales"], { cwd: folder.path })
  await cheapPasswords(folder.path)
  await using server = await startServer({ cwd: folder.path })
  const arbitrary = kindsOf(await identityAt(server.url))
  const openBefore = openFilesOf(server)
  const others = await watchOthers(server.url)
  const waiting = await stall(server.url)
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  const memory: [number, number] = [0, 0]

  for (let done = 0; done < cases; done += batchSize) {
    const made = fc.sample(arbitrary, { seed: seed + done, numRuns: Math.min(batchSize, cases - done) })
    await eachOf(done === 0 ? [...targeted, ...made] : made, async (one) => {
      const result = await sendCase(server.url, one)
      for (const status of result.statuses) statuses[status] = (statuses[status] ?? 0) + 1
      for (const fault of result.faults) faults.push(`${fault}: ${describe(one)}`)
    })
    if (memory[0] === 0 && done >= cases / 10) memory[0] = memoryOf(server)
    if ((done / batchSize) % 20 === 19)
      report(`${done + batchSize} cases, ${faults.length} faults, ${memoryOf(server)} MiB`)
  }
  memory[1] = memoryOf(server)
  for (const socket of waiting) socket.terminate()
  faults.push(...(await others.stop()), ...faultsInLog(server), ...(await leftOpen(server, openBefore)))
  return { statuses, memory, faults }
}

function kindsOf(identity: Identity): fc.Arbitrary<Case> {
  const valid = validRequests(identity)
  return fc.oneof(
    { arbitrary: mutated(valid), weight: 6 },
    { arbitrary: encoded(identity), weight: 2 },
    { arbitrary: framed, weight: 3 },
    { arbitrary: slow(valid), weight: 1 },
    { arbitrary: fc.constantFrom(...targeted), weight: 2 },
  )
}

async function identityAt(url: string): Promise<Identity> {
  const form = { username: "ana", password: everybodysPassword }
  const { access_token } = await logIn(url, form.username, form.password)
  return { bearer: access_token, session: sessionIn(await createClient(url).submit("/login", form)) }
}

/** Another client, which sends ordinary requests and must always be answered. */
async function watchOthers(url: string) {
  const faults: string[] = []
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const { status } = await fetch(`${url}/user/ana/`, { signal: AbortSignal.timeout(60_000) })
      if (status !== 200) faults.push(`another client was answered ${status}`)
      await Bun.sleep(50)
    }
  }
  const watching = watch()
  return {
    async stop() {
      isOver = true
      await watching
      return faults
    },
  }
}

function stall(url: string) {
  const { hostname, port } = new URL(url)
  const beginning = "POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nuser"
  return Promise.all(
    Array.from({ length: stalled }, async (_, index) => {
      const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } })
      socket.write(beginning.slice(0, 1 + (index % beginning.length)))
      return socket
    }),
  )
}

async function eachOf<T>(all: readonly T[], act: (one: T) => Promise<void>) {
  const queue = all.values()
  const work = async () => {
    for (const one of queue) await act(one)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const describe = ({ kind, pieces, frames = [] }: Case): string => {
  const text = Buffer.concat([...pieces, ...frames]).toString("latin1")
  return `${kind} ${JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}…` : text)}`
}

function faultsInLog({ stderr }: StartedServer): string[] {
  const wrong = stderr.filter((line) => line.includes("unexpected failure") || line.includes(smuggledPath))
  return [...new Set(wrong.map((line) => line.replace(/"(time|id|ms)":("[^"]*"|[\d.]+),?/g, "")))]
}

/** Whether everything that the cases opened is closed again. */
async function leftOpen(server: StartedServer, expected: number): Promise<string[]> {
  const late = Date.now() + 60_000
  while (openFilesOf(server) > expected + 5) {
    if (Date.now() > late) return [`${openFilesOf(server)} files are open, and before there were ${expected}`]
    await Bun.sleep(50)
  }
  return []
}

const openFilesOf = ({ pid }: StartedServer): number => readdirSync(`/proc/${pid}/fd`).length

const memoryOf = ({ pid }: StartedServer): number =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024)
