import { existsSync } from "node:fs"
import { chown } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SQL } from "bun"
import { cpuMsWithChildren, freePort } from "./server.ts"

/** A PostgreSQL server of the Debian package, on a folder of its own and a free port; disposing stops it. */
export interface PostgresServer extends AsyncDisposable {
  readonly port: number
  /** Creates the database if it does not exist. */
  url(database: string): Promise<string>
  /** Runs statements as the superuser, each by itself. */
  run(...statements: readonly string[]): Promise<void>
  /** Processor time of all its processes so far. */
  cpuMs(): number
  /** A program of the package, such as `pgbench`, run to its end. @throws unless its exit status is 0 */
  program(name: string, args: readonly string[]): Promise<string>
}

const user = "postgres"
const patienceMs = 30_000

/**
 * Starts a server with default settings, except for `settings` and enough connections. `folder` must exist and be
 * accessible to the user `postgres`, because PostgreSQL refuses to run as root. If it holds databases from an earlier
 * start, they are served again.
 */
export async function startPostgres(folder: string, settings: Record<string, string> = {}): Promise<PostgresServer> {
  const data = join(folder, "primary")
  if (!existsSync(data)) {
    await asOwner(folder)
    await run("initdb", ["--pgdata", data, "--username", user, "--auth", "trust", "--no-locale", "--encoding", "UTF8"])
  }
  return serve(data, { ...settings })
}

/** Starts a standby of `primary` on the same machine. Every commit of the primary waits for it from now on. */
export async function startStandby(primary: PostgresServer, folder: string): Promise<PostgresServer> {
  const data = join(folder, "standby")
  await asOwner(folder)
  const from = `host=127.0.0.1 port=${primary.port} user=${user} application_name=standby`
  await run("pg_basebackup", ["--pgdata", data, "--dbname", from, "--write-recovery-conf", "--checkpoint", "fast"])
  await using open = new AsyncDisposableStack()
  const standby = open.use(await serve(data, {}))
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = 'standby'", "SELECT pg_reload_conf()")
  const state = ["--no-align", "--tuples-only", "--command", "SELECT sync_state FROM pg_stat_replication"]
  for (const deadline = performance.now() + patienceMs; ; await Bun.sleep(50)) {
    if ((await primary.program("psql", state)).trim() === "sync") break
    if (performance.now() > deadline) throw new Error("the standby does not become synchronous")
  }
  open.move()
  return standby
}

async function serve(data: string, settings: Record<string, string>): Promise<PostgresServer> {
  const port = freePort()
  const all = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "", max_connections: 300, ...settings }
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const log = Bun.file(join(data, "server.log"))
  const child = Bun.spawn(command("postgres", ["-D", data, ...options]), { stdin: "ignore", stdout: log, stderr: log })
  const stop = async () => {
    child.kill("SIGINT")
    await child.exited
  }
  const url = `postgres://${user}@127.0.0.1:${port}`
  await connectSoon(`${url}/postgres`, child).catch(async (error) => {
    await stop()
    throw new Error(`PostgreSQL does not start: ${error}\n${await log.text()}`)
  })

  const execute = async (statements: readonly string[]) => {
    await using sql = new SQL(`${url}/postgres`, { max: 1 })
    for (const statement of statements) await sql.unsafe(statement)
  }
  return {
    port,
    async url(database) {
      await using sql = new SQL(`${url}/postgres`, { max: 1 })
      const [found] = await sql`SELECT 1 FROM pg_database WHERE datname = ${database}`
      if (!found) await sql.unsafe(`CREATE DATABASE ${database}`)
      return `${url}/${database}`
    },
    run: (...statements) => execute(statements),
    cpuMs: () => cpuMsWithChildren(child.pid),
    program: (name, args) => run(name, ["--host=127.0.0.1", `--port=${port}`, `--username=${user}`, ...args]),
    [Symbol.asyncDispose]: stop,
  }
}

async function connectSoon(url: string, child: Bun.Subprocess) {
  for (const deadline = performance.now() + patienceMs; ; await Bun.sleep(50)) {
    try {
      await using sql = new SQL(url, { max: 1, connectionTimeout: 5 })
      await sql`SELECT 1`
      return
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) throw error
    }
  }
}

/** PostgreSQL runs as its own user when this program runs as root. */
const isRoot = process.getuid?.() === 0

async function asOwner(folder: string) {
  if (!isRoot) return
  const ids = ["-u", "-g"].map((which) => Number(Bun.spawnSync(["id", which, user]).stdout.toString()))
  await chown(folder, ids[0] ?? Number.NaN, ids[1] ?? Number.NaN)
}

function command(name: string, args: readonly string[]): string[] {
  const [newest] = [...new Bun.Glob("/usr/lib/postgresql/*/bin").scanSync({ cwd: "/", onlyFiles: false })].sort(
    (a, b) => versionOf(b) - versionOf(a),
  )
  const path = Bun.which(name, newest === undefined ? {} : { PATH: `${newest}:${process.env.PATH}` })
  if (path === null)
    throw new Error(`${name} is missing: it belongs to PostgreSQL. On Debian and Ubuntu: apt-get install postgresql`)
  const other = isRoot ? ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"] : []
  return [...other, path, ...args]
}

const versionOf = (path: string) => Number(/postgresql\/(\d+)/.exec(path)?.[1] ?? 0)

async function run(name: string, args: readonly string[]): Promise<string> {
  const child = Bun.spawn(command(name, args), { cwd: tmpdir(), stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [status, output, faults] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${faults}${output}`)
  return output
}
