import { existsSync, statSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databaseIn, databaseVariable, dropDatabase } from "./database.ts"
import { folderForFiles } from "./files.ts"
import { freePort } from "./free-port.ts"
import { startRoundRobin } from "./round-robin.ts"

const root = join(import.meta.dir, "../..")

/** The compiled program that `bun run build` writes. */
export const executable = join(root, "dist/rewards")

/** The key that signs the tokens of every test. */
export const secret = "a secret for tests alone, 32 bytes and more"

/** The whole environment of a started program, unless a test adds to it. */
const environment: Environment = {
  REWARDS_SECURITY__SECRET_KEY: secret,
  REWARDS_SECURITY__BCRYPT_COST: "10",
}

/**
 * With this a password costs 1 ms of hashing and not 50, for suites that are not about passwords. Every program that works
 * in the same folder needs it, because only `cheap-hashes.ts` can check such a hash.
 */
export const cheapHashes: Environment = { BUN_OPTIONS: `"--preload=${join(import.meta.dir, "cheap-hashes.ts")}"` }

const patienceMs = 60_000

/** Variables in addition to those of `environment`; `undefined` removes one. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface ServerOptions {
  /** Working directory; absent: a new one, removed by `stop`. */
  readonly cwd?: string
  readonly env?: Environment
  /** Flags after `serve --host 127.0.0.1 --port 0`. */
  readonly args?: readonly string[]
  /** Text of `rewards.toml`, written to the working directory. */
  readonly config?: string
}

/** `await using server = await startServer()` stops it at the end of the test in any case. */
export interface StartedServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  readonly pid: number
  readonly process: Bun.Subprocess
  readonly cwd: string
  /** Lines written to standard error so far. */
  readonly stderr: readonly string[]
  /** Sends the signal (absent: SIGTERM), waits for the end and returns the exit status. May be called again. */
  stop(signal?: NodeJS.Signals): Promise<number>
}

/**
 * If more than one, each server of a test consists of this many processes on one database, behind a round-robin proxy.
 */
const processes = Number(process.env.REWARDS_TEST_PROCESSES ?? 1)

/** Starts `dist/rewards serve` on a free port; resolves once it listens. */
export const startServer = (options: ServerOptions = {}): Promise<StartedServer> =>
  processes === 1 ? startProcess(options) : startProcesses(processes, options)

/** The processes that `startProcesses` started, as one server. */
export interface StartedProcesses extends StartedServer {
  readonly all: readonly StartedServer[]
}

/** Starts `count` processes in one folder, and a proxy in front of them. Its URL is the base URL of the service. */
export async function startProcesses(count: number, options: ServerOptions = {}): Promise<StartedProcesses> {
  const folder = await temporaryFolder()
  const cwd = options.cwd ?? folder.path
  const all: StartedServer[] = []
  const proxy = await startRoundRobin(freePort(), () => all.map(({ url }) => Number(new URL(url).port)))
  const env = { REWARDS_SERVER__BASE_URL: proxy.url, ...options.env }
  const stop = async (signal?: NodeJS.Signals) => {
    const statuses = await Promise.all(all.map((server) => server.stop(signal)))
    await proxy[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
    return Math.max(...statuses)
  }
  const dispose = async () => {
    await stop()
  }
  try {
    const starting = Array.from({ length: count }, () => startProcess({ ...options, cwd, env }))
    for (const started of await Promise.allSettled(starting))
      if (started.status === "fulfilled") all.push(started.value)
    await Promise.all(starting)
    const [first] = all
    if (first === undefined) throw new Error("a server has at least one process")
    const { pid, process } = first
    return {
      url: proxy.url,
      pid,
      process,
      cwd,
      get stderr() {
        return all.flatMap(({ stderr }) => stderr)
      },
      all,
      stop,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await stop("SIGKILL")
    throw error
  }
}

export async function startProcess(options: ServerOptions = {}): Promise<StartedServer> {
  const program = built()
  const folder = await temporaryFolder()
  const cwd = options.cwd ?? folder.path
  const database = await databaseIn(cwd)
  if (options.config !== undefined) await Bun.write(join(cwd, "rewards.toml"), options.config)

  const args = options.args ?? []
  const host = args.includes("--host") ? [] : ["--host", "127.0.0.1"]
  const port = args.includes("--port") ? [] : ["--port", "0"]
  const child = Bun.spawn([program, "serve", ...host, ...port, ...args], {
    cwd,
    env: environmentOf({ ...databaseVariable(database), ...options.env }),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  })
  const stderr: string[] = []
  const { promise: listening, resolve: listens } = Promise.withResolvers<string>()
  const read = eachLine(child.stderr, (line) => {
    stderr.push(line)
    const url = /"message":"listening".*"url":"([^"]+)"/.exec(line)?.[1]
    if (url !== undefined) listens(url)
  })

  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    try {
      return await endOf(child)
    } finally {
      await read
      await folder[Symbol.asyncDispose]()
    }
  }
  const dispose = async () => {
    await stop()
  }

  const url = await inTime(Promise.race([listening, read])).catch(() => undefined)
  if (url === undefined) {
    const status = await stop("SIGKILL")
    throw new Error(`serve did not listen; exit status ${status}\n${stderr.join("\n")}`)
  }
  return { url, pid: child.pid, process: child, cwd, stderr, stop, [Symbol.asyncDispose]: dispose }
}

export interface CommandOptions {
  /** Working directory; absent: a new one, removed afterwards. */
  readonly cwd?: string
  readonly env?: Environment
  /** Standard input; absent: none. */
  readonly stdin?: string
}

export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `dist/rewards` with these arguments to its end. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const program = built()
  await using folder = await temporaryFolder()
  const cwd = options.cwd ?? folder.path
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: environmentOf({ ...databaseVariable(await databaseIn(cwd)), ...options.env }),
    stdin: new Blob([options.stdin ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
  })
  const [status, stdout, stderr] = await Promise.all([endOf(child), textOf(child.stdout), textOf(child.stderr)])
  return { status, stdout, stderr }
}

/** A new folder, removed with its content and its database when the scope of `await using` ends. */
export async function temporaryFolder(parent = folderForFiles()): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(parent, "rewards-"))
  return {
    path,
    async [Symbol.asyncDispose]() {
      await Promise.all([rm(path, { recursive: true, force: true }), dropDatabase(path)])
    },
  }
}

/** One on a disk, for what tests or measures the syncs of the server. */
export const folderOnDisk = () => temporaryFolder(tmpdir())

let isBuilt = false

/** @throws when the executable is older than the sources */
function built(): string {
  if (isBuilt) return executable
  const sources = [
    ...new Bun.Glob("{src,tooling/bundle,drizzle}/**/*").scanSync(root),
    "build.ts",
    "package.json",
    "bun.lock",
  ]
  const changedMs = Math.max(...sources.map((path) => statSync(join(root, path)).mtimeMs))
  if (!existsSync(executable) || statSync(executable).mtimeMs < changedMs) {
    throw new Error("dist/rewards is missing or older than the sources: run `bun run build`")
  }
  isBuilt = true
  return executable
}

function environmentOf(given: Environment = {}): Record<string, string> {
  const entries = Object.entries({ ...environment, ...given })
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

async function eachLine(stream: ReadableStream<Uint8Array>, act: (line: string) => void): Promise<undefined> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    lines.forEach(act)
  }
  if (rest !== "") act(rest)
}

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text()

/** The exit status; from 128 up when a signal ended the program. Kills a program that does not end in time. */
async function endOf(child: Bun.Subprocess): Promise<number> {
  try {
    return await inTime(child.exited)
  } catch (error) {
    child.kill("SIGKILL")
    throw error
  }
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`dist/rewards took more than ${patienceMs} ms`)), patienceMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
