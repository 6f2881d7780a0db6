import { type Person, readPeople } from "./company.ts"
import { textOf } from "./http.ts"

/*
 * bun bench/open-loop.ts URL PEOPLE CONNECTIONS PER_SECOND SECONDS
 *
 * Transfers that fall due at a steady rate, whatever became of those before: what a crowd does, and wrk does not. Each
 * connection belongs to one person and carries one request at a time; what falls due while none is free is lost.
 * Prints an `Outcome` as JSON.
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
  /** Of those accepted, from the moment when they fell due; 0 when there are none. */
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

/** Runs this program beside the caller. */
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

/** The connections that carry no request; each comes back when its answer is there. Answers fit in one packet. */
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
  if (!person) throw new Error("nobody to send")
  return person
}
