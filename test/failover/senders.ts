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
 * Runs senders, somebody who adds rewards, and a reader until `stop` aborts. Each request is sent again, with its key, until
 * its outcome is known.
 */
export async function loadUntil(stop: AbortSignal, world: World, count: number): Promise<Load> {
  const load: Load = { transfers: [], rewards: [], sums: 0, faults: [] }
  const sender = async () => {
    while (!stop.aborted) load.transfers.push(await transfer(world))
  }
  const adder = async () => {
    while (!stop.aborted) load.rewards.push(await addReward(world))
  }
  await Promise.all([...Array.from({ length: count }, sender), adder(), readUntil(stop, world, load)])
  return load
}

export interface Load {
  readonly transfers: Transfer[]
  /** Names of the rewards that were added, all different. */
  readonly rewards: string[]
  /** How many answers showed balances. */
  sums: number
  readonly faults: string[]
}

async function transfer({ url, company: { members } }: World): Promise<Transfer> {
  lastValue += 1
  const [sender, receiver] = [anyOf(members), anyOf(members)]
  const isRefused = Math.random() < 0.1 && !sender.isSuperuser
  const value = lastValue + (isRefused ? beyondAnyBalance : 0)
  const { status, tries } = await sendUntilKnown(`${url}/transaction/${receiver.username}/`, sender, { value })
  return { sender: sender.username, receiver: receiver.username, value, isAcknowledged: status === 201, tries }
}

async function addReward({ url, company: { admin } }: World): Promise<string> {
  const name = randomUUID()
  await sendUntilKnown(`${url}/api/v1/rewards`, admin, { name, cost: 1 })
  await Bun.sleep(10) // few are enough
  return name
}

/** Sends a request again and again, under one key, until it is acknowledged or refused. */
async function sendUntilKnown(address: string, sender: Member, body: object) {
  const key = randomUUID()
  const late = Date.now() + patienceMs
  for (let tries = 1; ; tries += 1) {
    const status = await send(address, sender, body, key)
    if (status === 201 || status === 400) return { status, tries }
    if (status !== null && ![409, 503, 504].includes(status)) throw new Error(`${address} was answered ${status}`)
    if (Date.now() > late) throw new Error(`no outcome of ${address}, the last answer was ${status}`)
    await Bun.sleep(20)
  }
}

/** More than any regular user can have. */
const beyondAnyBalance = 1_000_000_000

const send = (address: string, sender: Member, body: object, key: string): Promise<number | null> =>
  fetch(address, {
    method: "POST",
    keepalive: false,
    headers: { ...bearer(sender), "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(body),
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
