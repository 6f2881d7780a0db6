import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, statfs } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join, resolve } from "node:path"
import { compile } from "../build.ts"
import { secret } from "./company.ts"

const patienceMs = 60_000
const tmpfsType = 0x01021994

/** A listening program under measurement; disposing stops it. */
export interface Server extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

interface Program {
  readonly executable: string
  /** Working directory; also holds the log. */
  readonly folder: string
  readonly env?: Record<string, string>
}

/** The required setting, a free port, and no transfer limit. */
export const rewardsEnvironment = {
  REWARDS_SECURITY__SECRET_KEY: secret,
  REWARDS_SERVER__PORT: "0",
  REWARDS_LIMITS__TRANSFERS_PER_MINUTE: "0",
}

/** Starts the compiled server in `folder` with default settings, on the `rewards.db` there if it exists. */
export const startRewards = (executable: string, folder: string, env: Record<string, string> = {}): Promise<Server> =>
  start({ executable, folder, env: { ...rewardsEnvironment, ...env } })

/** Starts a program that logs `"listening"` and its `"url"` to standard error; the log goes to a file, as in production. */
export async function start({ executable, folder, env = {} }: Program): Promise<Server> {
  const log = join(folder, "server.log")
  const child = Bun.spawn([resolve(executable), "serve"], { cwd: folder, env, stdin: "ignore", stderr: Bun.file(log) })
  const stop = async () => {
    child.kill()
    await child.exited
  }
  for (const deadline = performance.now() + patienceMs; ; await Bun.sleep(5)) {
    const text = await readFile(log, "utf8").catch(() => "")
    const url = /"message":"listening".*"url":"([^"]+)"/.exec(text)?.[1]
    if (url !== undefined) return { url, pid: child.pid, [Symbol.asyncDispose]: stop }
    if (child.exitCode === null && performance.now() < deadline) continue
    await stop()
    throw new Error(`${executable} does not listen:\n${text}`)
  }
}

/** A new folder under `cache`, removed at the end of the scope. @throws when `cache` is in memory, where a sync is free */
export async function newFolder(cache: string): Promise<{ readonly path: string } & AsyncDisposable> {
  await mkdir(cache, { recursive: true })
  if ((await statfs(cache)).type === tmpfsType)
    throw new Error(`${cache} is in memory, where a sync costs nothing: name a folder on a disk with --cache`)
  const path = await mkdtemp(join(cache, "run-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Compiles a program of this folder as the server is compiled. Returns the path of the executable. */
export async function compiled(name: "baseline" | "bare" | "plain", cache: string): Promise<string> {
  await mkdir(cache, { recursive: true })
  const executable = join(cache, name)
  await compile(join(import.meta.dir, `${name}.ts`), executable)
  return executable
}

/** Unit of the times in /proc/PID/stat, on every Linux in use. */
export const tickMs = 10

/** Processor time that a process has used so far, with all its threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Like `cpuMs`, with the time of all its children, even ended ones. Reads again when a child ends meanwhile. */
export function cpuMsWithChildren(pid: number): number {
  for (;;)
    try {
      return withChildren(pid)
    } catch (error) {
      if (!existsSync(`/proc/${pid}`)) throw error
    }
}

function withChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean)
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  const ended = (Number(fields[13]) + Number(fields[14])) * tickMs
  return children.map(Number).reduce((sum, child) => sum + cpuMs(child), cpuMs(pid) + ended)
}

/** Resident memory of a process. */
export function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kib) / 1024
}

/** Processor time that an idle process uses, in percent of one core. */
export async function idlePercent(pid: number, seconds: number): Promise<number> {
  const [before, started] = [cpuMs(pid), performance.now()]
  await Bun.sleep(seconds * 1000)
  return ((cpuMs(pid) - before) / (performance.now() - started)) * 100
}

/**
 * Pins these processes to one core and this one to another until the end of the scope. Otherwise one of two servers can
 * seem half as fast as the other while the scheduler lets it share a core with another program.
 */
export function onSeparateCores(pids: readonly number[]): Disposable {
  const cores = availableParallelism()
  if (cores > 1) for (const pid of pids) pin(pid, "1")
  if (cores > 1) pin(process.pid, "0")
  return { [Symbol.dispose]: () => pin(process.pid, `0-${cores - 1}`) }
}

function pin(pid: number, cores: string) {
  const { exitCode, stderr } = Bun.spawnSync(["taskset", "--all-tasks", "--pid", "--cpu-list", cores, `${pid}`])
  if (exitCode !== 0) throw new Error(`taskset: ${stderr}`)
}

export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop(true)
  return port
}
