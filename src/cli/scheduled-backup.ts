import { removeAbandoned } from "../storage/sqlite/database/files.ts"
import type { FileArgs } from "./command.ts"
import type { Surroundings } from "./surroundings.ts"

/**
 * `rewards backup` in a process of its own, so that the requests of this one do not wait for it. What it began is taken
 * away when it fails or `signal` ends it. Rejects with what it said.
 */
export function backUpBeside({ program, cwd, env }: Surroundings, path: string, { config }: FileArgs) {
  return async (file: string, signal: AbortSignal): Promise<void> => {
    const args = ["backup", file, "--db", path, ...(config === undefined ? [] : ["--config", config])]
    const child = Bun.spawn([...program, ...args], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "ignore", "pipe"],
      signal,
      killSignal: "SIGKILL",
    })
    const said = await new Response(child.stderr).text()
    const status = await child.exited
    if (status === 0) return
    removeAbandoned(file, Number.POSITIVE_INFINITY)
    throw new Error(signal.aborted ? tooLate : said.trim() || `it ended with status ${status}`)
  }
}

const tooLate = "it took too long and was given up; see that the disk of the backups takes what is written to it"
