import { administerAt } from "../support/postgres.ts"
import { until } from "../support/until.ts"
import { loadUntil, type Transfer } from "./senders.ts"
import type { World } from "./world.ts"

export interface RoundReport {
  readonly fault: string
  readonly acknowledged: number
  readonly refused: number
  /** Transfers that were sent more than once. */
  readonly repeated: number
  /** Answers with balances. */
  readonly sums: number
  /** What went wrong. */
  readonly faults: readonly string[]
}

/** What happens to the world under load. It returns when everything runs again. */
export type Fault = (world: World) => Promise<void>

export const faults: Readonly<Record<string, Fault>> = {
  "one process killed": (world) => world.replace([Math.floor(Math.random() * world.servers.length)]),
  "all processes killed": (world) => world.replace([...world.servers.keys()]),
  async "PostgreSQL killed"({ primary }) {
    process.kill(primary.pid, "SIGKILL")
    await primary.start()
  },
  async "a backend of PostgreSQL killed"({ client }) {
    const [backend] = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'rewards' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1",
    )
    if (backend !== undefined) process.kill(backend.pid, "SIGKILL")
  },
  async "PostgreSQL and a process killed"(world) {
    process.kill(world.primary.pid, "SIGKILL")
    await world.servers[0]?.stop("SIGKILL")
    await world.primary.start() // without it, no process starts
    await world.replace([0])
  },
}

/** Kills the primary and promotes the standby. */
export const promote: Fault = async ({ primary, standby }) => {
  if (standby === null) throw new Error("this world has no standby")
  process.kill(primary.pid, "SIGKILL")
  await administerAt(standby, "SELECT pg_promote()")
}

/** Causes the fault at a random moment under the load of `senders`, then compares the stored data with the answers. */
export async function runRound(world: World, name: string, fault: Fault, senders: number): Promise<RoundReport> {
  const before = (await transactionsAfter(world, 0)).length
  const stop = new AbortController()
  const loading = loadUntil(stop.signal, world, senders)
  await Promise.race([Bun.sleep(20 + Math.random() * 250), loading])
  await fault(world)
  await Bun.sleep(Math.random() * 100)
  stop.abort()
  const load = await loading

  const rows = await transactionsAfter(world, before)
  return {
    fault: name,
    acknowledged: load.transfers.filter(({ isAcknowledged }) => isAcknowledged).length,
    refused: load.transfers.filter(({ isAcknowledged }) => !isAcknowledged).length,
    repeated: load.transfers.filter(({ tries }) => tries > 1).length,
    sums: load.sums,
    faults: [
      ...load.faults,
      ...differences(load.transfers, rows),
      ...(await lostRewards(world, load.rewards)),
      ...(await contradictionsOf(world)),
    ].map((what) => `${name}: ${what}`),
  }
}

interface Row {
  readonly id: number
  readonly sender: string
  readonly receiver: string
  readonly value: number
}

async function transactionsAfter({ client }: World, id: number): Promise<readonly Row[]> {
  let rows: readonly Row[] | undefined
  await until(async () => {
    rows = await client
      .query<Row>(
        `SELECT t.id, s.username AS sender, r.username AS receiver, t.value FROM transactions t
           JOIN users s ON s.id = t.from_id JOIN users r ON r.id = t.user_id WHERE t.id > $1 ORDER BY t.id`,
        [id],
      )
      .catch(() => undefined) // the server may still be starting
    return rows !== undefined
  })
  return rows ?? []
}

function differences(transfers: readonly Transfer[], rows: readonly Row[]): string[] {
  const byValue = Map.groupBy(rows, ({ value }) => value)
  const found = transfers.flatMap((transfer) => {
    const recorded = byValue.get(transfer.value) ?? []
    byValue.delete(transfer.value)
    const told = JSON.stringify({ transfer, recorded })
    if (recorded.length > 1) return [`recorded twice: ${told}`]
    const [row] = recorded
    if (!transfer.isAcknowledged) return row === undefined ? [] : [`refused and recorded: ${told}`]
    if (row === undefined) return [`acknowledged and lost: ${told}`]
    return row.sender === transfer.sender && row.receiver === transfer.receiver ? [] : [`recorded for others: ${told}`]
  })
  return [...found, ...[...byValue.values()].map((unasked) => `never asked for: ${JSON.stringify(unasked)}`)]
}

async function lostRewards({ client }: World, names: readonly string[]): Promise<string[]> {
  const lost = await client.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS added (name) WHERE name NOT IN (SELECT name FROM rewards)",
    [names],
  )
  return lost.map(({ name }) => `a reward was acknowledged and lost: ${name}`)
}

/** Queries that must return nothing: each row is a fault. */
const contradictions = {
  "a balance is not received minus sent": `
    SELECT b.user_id, b.value FROM balances b
    WHERE b.value <> coalesce((SELECT sum(value) FROM transactions WHERE user_id = b.user_id), 0)
                   - coalesce((SELECT sum(value) FROM transactions WHERE from_id = b.user_id), 0)`,
  "balances do not add up to zero": "SELECT sum(value)::bigint AS sum FROM balances HAVING sum(value) <> 0",
  "a regular user is below zero": `
    SELECT u.username, b.value FROM balances b JOIN users u ON u.id = b.user_id WHERE u.dept <> 'management' AND b.value < 0`,
  "a count is wrong": `
    SELECT user_id FROM balances b WHERE received_count <>
        (SELECT count(*) FROM transactions WHERE user_id = b.user_id AND from_id <> b.user_id)
      OR sent_count <> (SELECT count(*) FROM transactions WHERE from_id = b.user_id AND user_id <> b.user_id)`,
  "the state of the ledger is wrong": `
    SELECT transaction_count, last_id, last_date FROM ledger_state
    WHERE transaction_count <> (SELECT count(*) FROM transactions)
       OR last_id <> (SELECT max(id) FROM transactions) OR last_date <> (SELECT max(date) FROM transactions)`,
  "a reward was added twice": "SELECT name, count(*) FROM rewards GROUP BY name HAVING count(*) > 1",
  "ids have a gap": "SELECT max(id) AS last, count(*) AS counted FROM transactions HAVING max(id) <> count(*)",
  "dates go backwards":
    "SELECT id FROM (SELECT id, date < lag(date) OVER (ORDER BY id) AS back FROM transactions) AS dated WHERE back",
}

async function contradictionsOf({ client }: World): Promise<string[]> {
  const found: string[] = []
  for (const [what, sql] of Object.entries(contradictions))
    for (const row of await client.query(sql)) found.push(`${what}: ${JSON.stringify(row)}`)
  return found
}
