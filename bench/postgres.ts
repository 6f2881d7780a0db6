import { join } from "node:path"
import { createCompany } from "./company.ts"
import { load } from "./load.ts"
import { type PostgresServer, startPostgres } from "./postgresql.ts"
import { type Figure, interleaved, type Options, type Report, ratio } from "./report.ts"
import { newFolder, residentMiB, startRewards } from "./server.ts"

/** Connections over HTTP. */
const levels = [32, 128, 512]
const pgbenchClients = [8, 32, 128]
const people = 10_000
const idleAtMost = 80
const settleMs = 5000

/** A transfer as somebody would program it by hand: it reads the balances first, as a program that checks them would.
 *  It locks both accounts in the order of their ids, so that two transfers never deadlock. */
const transfer = `\\set sender random(1, ${people})
\\set receiver random(1, ${people})
\\set value random(1, 100)
BEGIN;
SELECT id, balance FROM accounts WHERE id IN (:sender, :receiver) ORDER BY id FOR UPDATE;
UPDATE accounts SET balance = balance - :value WHERE id = :sender;
UPDATE accounts SET balance = balance + :value WHERE id = :receiver;
INSERT INTO transfers (sender, receiver, value) VALUES (:sender, :receiver, :value);
COMMIT;
`

/** The minimum for such a program: no overdrafts, no unknown people, and indexes for sent and received transfers. */
const tables = [
  "CREATE TABLE accounts (id int PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0))",
  `CREATE TABLE transfers (id bigserial PRIMARY KEY, sender int NOT NULL REFERENCES accounts,
     receiver int NOT NULL REFERENCES accounts, value int NOT NULL, date timestamptz NOT NULL DEFAULT now())`,
  "CREATE INDEX ON transfers (sender, id)",
  "CREATE INDEX ON transfers (receiver, id)",
  `INSERT INTO accounts SELECT id, 1000000 FROM generate_series(1, ${people}) AS id`,
]

/** Transfers over HTTP with a database on PostgreSQL, compared with pgbench on the same server. */
export async function postgres(options: Options): Promise<Report> {
  const { cache, executable, rounds, seconds } = options
  await using open = new AsyncDisposableStack()
  const folder = open.use(await newFolder(cache))
  const server = open.use(await startPostgres(folder.path))
  await createAccounts(server)
  const script = join(folder.path, "transfer.sql")
  await Bun.write(script, transfer)

  const ourFolder = open.use(await newFolder(cache))
  const env = { REWARDS_DB__URL: await server.url("rewards") }
  const peopleFile = await createCompany(ourFolder.path, { people, url: env.REWARDS_DB__URL })
  // Autovacuum would do this within a minute.
  for (const database of ["pgbench", "rewards"]) await run(server, database, "VACUUM ANALYZE")
  const startSettled = async (folder: string) => {
    const server = await startRewards(executable, folder, env)
    await Bun.sleep(settleMs)
    return server
  }
  const first = open.use(await newFolder(cache))
  await (await startSettled(first.path))[Symbol.asyncDispose]() // fills the leaderboards with the new company
  const ours = open.use(await startSettled(ourFolder.path))
  const idleMb = (residentMiB(ours.pid) * 2 ** 20) / 1e6

  const send = (connections: number, seconds: number) =>
    load({ url: ours.url, connections, seconds, what: "transfers", credential: "bearer", peopleFile })
  await send(64, 2)
  await pgbench(server, script, 32, 2)

  const sides = [...levels.map((n) => `http ${n}`), ...pgbenchClients.map((n) => `pgbench ${n}`)]
  const measured = await interleaved(rounds, sides, async (side) => {
    const [program = "", count = ""] = side.split(" ")
    if (program === "pgbench") return pgbench(server, script, Number(count), seconds)
    return (await send(Number(count), seconds)).perSecond
  })
  const of = (side: string) => measured[side] ?? []
  const best = of(`pgbench ${pgbenchClients[0]}`).map((_, round) =>
    Math.max(...pgbenchClients.map((clients) => of(`pgbench ${clients}`)[round] ?? Number.NaN)),
  )
  const figures: Figure[] = levels.map((connections) =>
    ratio(
      `transfers, ${connections} connections, beside pgbench's best`,
      { rounds: of(`http ${connections}`), unit: "/s" },
      { rounds: best, unit: "/s" },
    ),
  )
  return {
    figures: [
      ...figures,
      ...pgbenchClients.map((clients) => ({
        name: `pgbench, ${clients} clients`,
        rounds: of(`pgbench ${clients}`),
        unit: "/s",
      })),
      { name: "memory of the idle process", rounds: [idleMb], unit: " MB", target: { atMost: idleAtMost } },
    ],
  }
}

async function createAccounts(server: PostgresServer) {
  await server.url("pgbench")
  for (const statement of tables) await run(server, "pgbench", statement)
}

const run = (server: PostgresServer, database: string, statement: string): Promise<string> =>
  server.program("psql", ["--quiet", `--dbname=${database}`, "--command", statement])

/** Transactions a second. @throws when pgbench is missing */
async function pgbench(server: PostgresServer, script: string, clients: number, seconds: number): Promise<number> {
  const work = ["--no-vacuum", `--file=${script}`, `--time=${seconds}`]
  const output = await server.program("pgbench", [...work, `--client=${clients}`, "--jobs=2", "pgbench"])
  return ratePgbenchPrints(output)
}

/** @throws when transactions failed */
export function ratePgbenchPrints(output: string): number {
  const failed = Number(/^number of failed transactions: (\d+)/m.exec(output)?.[1] ?? 0)
  const rate = Number(/^tps = ([\d.]+) \(without initial connection time\)/m.exec(output)?.[1])
  if (failed > 0 || Number.isNaN(rate)) throw new Error(`pgbench did not come to its end:\n${output}`)
  return rate
}
