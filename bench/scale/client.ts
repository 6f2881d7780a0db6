import { parseDatabaseUrl } from "../../src/config/database-url.ts"
import { createLedgerStore } from "../../src/storage/ledger/ledger.ts"
import { type Client, createClient } from "../../src/storage/postgres/database/client.ts"
import { createDatabase } from "../../src/storage/postgres/database/database.ts"
import { migrate } from "../../src/storage/postgres/database/migrations.ts"
import { createLog } from "../../src/support/log.ts"
import { median } from "../report.ts"

/*
 * bun bench/scale/client.ts URL CALLERS SECONDS [timed]
 *
 * The ledger of one process, without HTTP: callers that wait for their transfer and then send the next one. Prints
 * "ready" when it is connected, starts when it receives a line, and prints a `Sent` as JSON. Only with `timed` does
 * this include the steps of the batches.
 */

/** The results of one process in the measured time, after a warm-up. */
export interface Sent {
  readonly seconds: number
  readonly transfers: number
  readonly batches: number
  /** Wall time in each step of all batches. */
  readonly stepUs: Steps
  /** Processor time of the process from the first transfer to the last. */
  readonly processUs: number
  /** Wall time of a query that does nothing, before the start. */
  readonly roundTripUs: number
}

export type Steps = Record<"prepare" | "first" | "check" | "second", number>

const accounts = 10_000
const warmUpMs = 500

/** Creates the schema, and people who send to each other. */
export async function createLedger(url: string) {
  const client = clientOf(url)
  await migrate(client, { now: 0 })
  await client.query(
    `INSERT INTO users (email, email_key, username, username_key, password, name, dept, currency)
     SELECT id, id, 'person-' || id, 'person-' || id, repeat('x', 60), 'Person', 'sales', 'USD'
     FROM generate_series(1, $1::bigint) AS id`,
    [accounts],
  )
  await client.close()
}

function clientOf(text: string): Client {
  const url = parseDatabaseUrl(text)
  if (url === undefined) throw new Error(`not a database URL: ${text}`)
  return createClient({ url, poolSize: 2, log: createLog() })
}

if (import.meta.main) {
  const [url = "", callers = "", seconds = "", way = ""] = process.argv.slice(2)
  console.log(JSON.stringify(await send(url, Number(callers), Number(seconds), way === "timed")))
  process.exit()
}

async function send(url: string, callers: number, seconds: number, isTimed: boolean): Promise<Sent> {
  const client = clientOf(url)
  const roundTripUs = await timeRoundTrip(client)
  const steps = { prepare: 0, first: 0, check: 0, second: 0 }
  let [transfers, batches] = [0, 0]
  const onCommit = ({ entries }: { readonly entries: number }) => {
    transfers += entries
    batches += 1
  }
  const ledger = createLedgerStore(createDatabase(isTimed ? timed(client, steps) : client), { onCommit })
  console.log("ready")
  for await (const _ of console) break
  const started = process.cpuUsage()

  const any = () => 1 + Math.floor(Math.random() * accounts)
  let isStopped = false
  const caller = async () => {
    while (!isStopped) {
      const [senderId, receiverId, value] = [any(), any(), 1 + Math.floor(Math.random() * 100)]
      await ledger.post({ kind: "transfer", senderId, receiverId, value, date: Date.now() }, () => {})
    }
  }
  const all = Array.from({ length: callers }, caller)

  await Bun.sleep(warmUpMs)
  const before = { transfers, batches, ...steps, at: Bun.nanoseconds() }
  await Bun.sleep(seconds * 1000)
  const after = { transfers, batches, ...steps, at: Bun.nanoseconds() }
  isStopped = true
  await Promise.all(all)
  const { user, system } = process.cpuUsage(started)
  await client.close()
  const since = (name: keyof typeof before) => after[name] - before[name]
  return {
    seconds: since("at") / 1e9,
    transfers: since("transfers"),
    batches: since("batches"),
    stepUs: { prepare: since("prepare"), first: since("first"), check: since("check"), second: since("second") },
    processUs: user + system,
    roundTripUs,
  }
}

/**
 * The client, with a measurement of the time that batches take until the first query, for reading, for deciding, and
 * for the rest. It changes the revision after each batch, as other processes do, so that each batch reads its accounts.
 */
function timed(client: Client, steps: Steps): Client {
  return {
    ...client,
    async transaction(work, options) {
      const time = stopwatch()
      const result = await client.transaction(async (tx) => {
        steps.prepare += time()
        let readUs = 0
        const decided = await work({
          ...tx,
          query: (text, parameters) =>
            tx.query<never>(text, parameters).finally(() => {
              readUs += time()
            }),
        })
        tx.send("UPDATE ledger_state SET revision = gen_random_uuid()")
        steps.first += readUs
        steps.check += time()
        return decided
      }, options)
      steps.second += time()
      return result
    },
  }
}

/** Returns a function that returns the microseconds since its last call. */
function stopwatch() {
  let last = Bun.nanoseconds()
  return () => {
    const now = Bun.nanoseconds()
    const us = (now - last) / 1000
    last = now
    return us
  }
}

async function timeRoundTrip(client: Client): Promise<number> {
  const us: number[] = []
  for (let number = 0; number < 200; number += 1) {
    const started = Bun.nanoseconds()
    await client.query("SELECT 1")
    us.push((Bun.nanoseconds() - started) / 1000)
  }
  return median(us)
}
