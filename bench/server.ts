import { mkdir, mkdtemp, readFile, rm, statfs } from "node:fs/promises"
import { join, resolve } from "node:path"
import { secret } from "./company.ts"

const patienceMs = 60_000
const tmpfsType = 0x01021994

/** A program under measurement, listening. Its folder is gone when it is disposed of. */
export interface Server extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

interface Program {
  readonly executable: string
  /** Working directory; what it logs goes to a file in it. */
  readonly folder: string
  readonly env?: Record<string, string>
}

/** What the server cannot do without, a port that is free, and no limit on the load. */
export const rewardsEnvironment = {
  REWARDS_SECURITY__SECRET_KEY: secret,
  REWARDS_SERVER__PORT: "0",
  REWARDS_LIMITS__TRANSFERS_PER_MINUTE: "0",
}

/** Starts the compiled server with default settings but those in `folder`, beside the database `rewards.db` if that is there. */
export const startRewards = (executable: string, folder: string, env: Record<string, string> = {}): Promise<Server> =>
  start({ executable, folder, env: { ...rewardsEnvironment, ...env } })

/** Starts a program that says `"listening"` and its `"url"` on standard error; that goes to a file, as in service. */
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

/** A new folder under `cache`, gone with the scope. @throws when it would lie in memory, where a sync costs nothing. */
export async function newFolder(cache: string): Promise<{ readonly path: string } & AsyncDisposable> {
  await mkdir(cache, { recursive: true })
  if ((await statfs(cache)).type === tmpfsType)
    throw new Error(`${cache} lies in memory: a sync costs nothing there. Name a folder on a disk with --cache`)
  const path = await mkdtemp(join(cache, "run-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
