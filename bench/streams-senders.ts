import type { Person } from "./company.ts"
import { connect } from "./http.ts"

/** More than wait for an answer at the same time. */
const connections = 50

export interface Sending {
  readonly url: string
  readonly people: readonly Person[]
  readonly perSecond: number
  readonly seconds: number
  /** Of the first transfer; each next one is worth a point more. */
  readonly firstValue: number
}

/** Sends at a steady rate, each transfer from and to somebody else. Returns when each was answered 201, ms since the
 *  epoch, by its value. @throws when any is answered otherwise */
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
