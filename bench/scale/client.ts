import { SQL } from "bun"
import { median } from "../report.ts"

/*
 * bun bench/scale/client.ts URL CALLERS SECONDS
 *
 * One process of the ledger, without HTTP: callers that wait for their transfer and send the next one, gathered into
 * batches of two round trips. Prints "ready" once it is connected, starts when it is sent a line, and prints a `Sent` as
 * JSON.
 */

/** What one process did in the measured time, after a warm-up. */
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

export const accounts = 10_000
const batchLimit = 512
const warmUpMs = 500

/** With the indexes of drizzle/postgres/0000_init.sql. */
export const tables = [
  "CREATE TABLE ledger_state (one int PRIMARY KEY, last_id bigint NOT NULL, hash bytea NOT NULL)",
  "INSERT INTO ledger_state VALUES (1, 0, ''::bytea)",
  "CREATE TABLE balances (user_id bigint PRIMARY KEY, balance bigint NOT NULL)",
  `INSERT INTO balances SELECT id, 1000000000 FROM generate_series(1, ${accounts}) AS id`,
  `CREATE TABLE transactions (id bigint PRIMARY KEY, user_id bigint NOT NULL, from_id bigint NOT NULL,
    value bigint NOT NULL, date bigint NOT NULL, hash bytea NOT NULL)`,
  ...["user_id", "from_id", "from_id, user_id", "value", "user_id, value", "from_id, value"].map(
    (columns) => `CREATE INDEX ON transactions (${columns}, id)`,
  ),
]

interface Transfer {
  readonly from: number
  readonly to: number
  readonly value: number
  readonly done: () => void
}

if (import.meta.main) {
  const [url = "", callers = "", seconds = ""] = process.argv.slice(2)
  console.log(JSON.stringify(await send(url, Number(callers), Number(seconds))))
  process.exit()
}

async function send(url: string, callers: number, seconds: number): Promise<Sent> {
  const pool = new SQL(url, { max: 1 })
  const sql = await pool.reserve()
  const roundTripUs = await timeRoundTrip(sql)
  const waiting: Transfer[] = []
  const steps = { prepare: 0, first: 0, check: 0, second: 0 }
  let [transfers, batches] = [0, 0]
  console.log("ready")
  for await (const _ of console) break
  const started = process.cpuUsage()

  const any = () => 1 + Math.floor(Math.random() * accounts)
  let isStopped = false
  const caller = async () => {
    while (!isStopped) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ from: any(), to: any(), value: 1 + Math.floor(Math.random() * 100), done: resolve })
      await promise
    }
  }
  const all = Array.from({ length: callers }, caller)
  const ledger = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchLimit)
      await commit(sql, batch, steps)
      transfers += batch.length
      batches += 1
      for (const { done } of batch) done()
      // Lets the callers send again.
      if (waiting.length === 0) await Promise.resolve()
    }
  }
  const running = ledger()

  await Bun.sleep(warmUpMs)
  const before = { transfers, batches, ...steps, at: Bun.nanoseconds() }
  await Bun.sleep(seconds * 1000)
  const after = { transfers, batches, ...steps, at: Bun.nanoseconds() }
  isStopped = true
  await Promise.all([running, ...all])
  const { user, system } = process.cpuUsage(started)
  sql.release()
  await pool.end()
  const since = (name: keyof typeof before) => after[name] - before[name]
  return {
    seconds: since("at") / 1e9,
    transfers: since("transfers"),
    batches: since("batches"),
    stepUs: {
      prepare: since("prepare"),
      first: since("first"),
      check: since("check"),
      second: since("second"),
    },
    processUs: user + system,
    roundTripUs,
  }
}

/** Two round trips: the lock and the balances, then everything that is written. */
async function commit(sql: Connection, batch: readonly Transfer[], steps: Steps) {
  const time = stopwatch(steps)
  const people = [...new Set(batch.flatMap(({ from, to }) => [from, to]))]
  const wanted = arrayOf(people)
  time("prepare")
  const [, [state], rows] = await Promise.all([
    sql`BEGIN`,
    sql`SELECT last_id, hash FROM ledger_state WHERE one = 1 FOR UPDATE`,
    sql`SELECT user_id, balance FROM balances WHERE user_id = ANY(${wanted}::bigint[])`,
  ])
  time("first")

  const balances = new Map<number, number>()
  for (const { user_id, balance } of rows) balances.set(Number(user_id), Number(balance))
  let id = Number(state.last_id)
  let hash = Buffer.from(state.hash)
  const date = Date.now()
  const inserted = batch.map(({ from, to, value }) => {
    const left = (balances.get(from) ?? 0) - value
    if (left < 0) throw new Error(`account ${from} has too few points for this measurement`)
    balances.set(from, left)
    balances.set(to, (balances.get(to) ?? 0) + value)
    id += 1
    const row = `${id}|${to}|${from}|${value}|${date}`
    hash = new Bun.CryptoHasher("sha256").update(hash).update(row).digest()
    return { id, to, from, value, hash: hash.toString("hex") }
  })
  const column = (name: keyof (typeof inserted)[number]) => arrayOf(inserted.map((row) => row[name]))
  const changed = [arrayOf([...balances.keys()]), arrayOf([...balances.values()])]
  const [ids, to, from, values, hashes] = [column("id"), column("to"), column("from"), column("value"), column("hash")]
  time("check")
  await Promise.all([
    sql`INSERT INTO transactions
      SELECT id, user_id, from_id, value, ${date}::bigint, decode(hash, 'hex')
      FROM unnest(${ids}::bigint[], ${to}::bigint[], ${from}::bigint[], ${values}::bigint[], ${hashes}::text[])
        AS batch (id, user_id, from_id, value, hash)`,
    sql`UPDATE balances SET balance = batch.balance
      FROM unnest(${changed[0]}::bigint[], ${changed[1]}::bigint[]) AS batch (user_id, balance)
      WHERE balances.user_id = batch.user_id`,
    sql`UPDATE ledger_state SET last_id = ${id}, hash = ${hash} WHERE one = 1`,
    sql`COMMIT`,
  ])
  time("second")
}

type Connection = Awaited<ReturnType<SQL["reserve"]>>

/** An array as PostgreSQL's text: numbers and hexadecimal digits need no quotes. */
function arrayOf(values: readonly (number | string)[]): string {
  return `{${values.join(",")}}`
}

function stopwatch(steps: Steps) {
  let last = Bun.nanoseconds()
  return (step: keyof Steps) => {
    const now = Bun.nanoseconds()
    steps[step] += (now - last) / 1000
    last = now
  }
}

async function timeRoundTrip(sql: Connection): Promise<number> {
  const us: number[] = []
  for (let number = 0; number < 200; number += 1) {
    const started = Bun.nanoseconds()
    await sql`SELECT 1`
    us.push((Bun.nanoseconds() - started) / 1000)
  }
  return median(us)
}
