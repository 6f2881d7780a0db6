import { randomUUID } from "node:crypto"
import { bearer, type Member } from "../durability/company.ts"
import { createClient } from "../support/client.ts"
import type { World } from "./world.ts"

/** A transfer that was sent until the service answered. Its value is unique and identifies its transaction. */
export interface Transfer {
  readonly sender: string
  readonly receiver: string
  readonly value: number
  readonly isAcknowledged: boolean
  /** How many times it was sent, under one idempotency key. */
  readonly tries: number
}

/** Longer than a restart of PostgreSQL takes on a busy machine. */
const patienceMs = 120_000

let lastValue = 0

/**
 * Runs senders and a reader until `stop` aborts. Each transfer is sent again, with its key, until its outcome is known.
 */
export async function loadUntil(stop: AbortSignal, world: World, count: number): Promise<Load> {
  const load: Load = { transfers: [], sums: 0, faults: [] }
  const sender = async () => {
    while (!stop.aborted) load.transfers.push(await transfer(world))
  }
  await Promise.all([...Array.from({ length: count }, sender), readUntil(stop, world, load)])
  return load
}

export interface Load {
  readonly transfers: Transfer[]
  /** How many answers showed balances. */
  sums: number
  readonly faults: string[]
}

async function transfer({ url, company: { members } }: World): Promise<Transfer> {
  lastValue += 1
  const [sender, receiver] = [anyOf(members), anyOf(members)]
  const isRefused = Math.random() < 0.1 && !sender.isSuperuser
  const value = lastValue + (isRefused ? beyondAnyBalance : 0)
  const key = randomUUID()
  const late = Date.now() + patienceMs
  for (let tries = 1; ; tries += 1) {
    const status = await send(url, sender, receiver.username, value, key)
    if (status === 201 || status === 400)
      return { sender: sender.username, receiver: receiver.username, value, isAcknowledged: status === 201, tries }
    if (status !== null && ![409, 503, 504].includes(status)) throw new Error(`a transfer was answered ${status}`)
    if (Date.now() > late) throw new Error(`no outcome of a transfer, the last answer was ${status}`)
    await Bun.sleep(20)
  }
}

/** More than any regular user can have. */
const beyondAnyBalance = 1_000_000_000

const send = (url: string, sender: Member, receiver: string, value: number, key: string): Promise<number | null> =>
  fetch(`${url}/transaction/${receiver}/`, {
    method: "POST",
    keepalive: false,
    headers: { ...bearer(sender), "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ value }),
  }).then(
    ({ status }) => status,
    () => null,
  )

/** Reads the balances until `stop` aborts. In every answer they must add up to zero. */
async function readUntil(stop: AbortSignal, { url, company }: World, load: Load) {
  const admin = createClient(url, bearer(company.admin))
  while (!stop.aborted) {
    const answer = await admin.get<readonly { balance: number }[]>("/user/?show_balance=true").catch(() => null)
    if (answer?.status !== 200) {
      await Bun.sleep(5)
      continue
    }
    load.sums += 1
    const sum = answer.body.reduce((total, { balance }) => total + balance, 0)
    if (sum !== 0) load.faults.push(`balances added up to ${sum}: ${JSON.stringify(answer.body)}`)
  }
}

function anyOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error("there is none")
  return one
}
