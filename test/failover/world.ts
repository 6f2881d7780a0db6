import type { Client } from "../../src/storage/postgres/database/client.ts"
import { type Company, foundCompany, settings } from "../durability/company.ts"
import { runCommand, type StartedServer, startProcess, temporaryFolder } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { administerAt, type Cluster, clientOf, startCluster, startStandby } from "../support/postgres.ts"
import { startRoundRobin } from "../support/round-robin.ts"

const processes = 3
const database = "rewards"

/**
 * Three processes behind a proxy, on one PostgreSQL (optionally with a synchronous standby), and a company that uses
 * them.
 */
export interface World extends AsyncDisposable {
  /** The URL of the proxy. */
  readonly url: string
  readonly company: Pick<Company, "members" | "admin" | "transactions">
  readonly servers: readonly StartedServer[]
  readonly primary: Cluster
  readonly standby: Cluster | null
  /** A client of the database server that accepts writes. It finds the promoted standby by itself. */
  readonly client: Client
  /** Kills the processes at these positions with SIGKILL, and starts new ones in their places. */
  replace(positions: readonly number[]): Promise<void>
  /** The faults that `rewards verify` finds, in the hash chain and in data that contradicts the transactions. */
  verify(): Promise<string[]>
}

export async function startWorld({ withStandby = false } = {}): Promise<World> {
  await using cleanup = new AsyncDisposableStack()
  const primary = await startCluster({ synchronous_commit: "on" })
  cleanup.defer(() => primary.stop())
  await administerAt(primary, `CREATE DATABASE ${database}`)
  const standby = withStandby ? await startStandby(primary) : null
  if (standby !== null) cleanup.defer(() => standby.stop())

  const folder = cleanup.use(await temporaryFolder())
  const url = standby === null ? primary.url(database) : withHosts(primary, standby)
  const servers: StartedServer[] = []
  const proxy = cleanup.use(
    await startRoundRobin(freePort(), () => servers.map((server) => Number(new URL(server.url).port))),
  )
  const env = { REWARDS_DB__URL: url, REWARDS_SERVER__BASE_URL: proxy.url }
  const start = () => startProcess({ cwd: folder.path, env, config: settings })
  cleanup.defer(async () => {
    await Promise.all(servers.map((server) => server.stop("SIGKILL")))
  })
  for (let count = 0; count < processes; count += 1) servers.push(await start())
  const client = clientOf({ url }, { poolSize: 2 })
  cleanup.defer(() => client.close())
  const company = await foundCompany(proxy.url)

  const all = cleanup.move()
  return {
    url: proxy.url,
    company,
    servers,
    primary,
    standby,
    client,
    async replace(positions) {
      await Promise.all(
        positions.map(async (position) => {
          await servers[position]?.stop("SIGKILL")
          servers[position] = await start()
        }),
      )
    },
    async verify() {
      const { status, stdout, stderr } = await runCommand(["verify"], { cwd: folder.path, env })
      return status === 0 ? [] : [`rewards verify: ${stdout}${stderr}`]
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** A URL with both servers, which connects to the one that accepts writes. */
const withHosts = (primary: Cluster, { host, port }: Cluster): string =>
  `${primary.url(database).replace(`:${primary.port}/`, `:${primary.port},${host}:${port}/`)}?target_session_attrs=read-write`
