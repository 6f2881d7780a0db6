import { readFileSync } from "node:fs"
import { executable } from "../support/executable.ts"

export interface Ended {
  readonly at: number
  readonly status: number
  /** The last line of its log. */
  readonly lastLine: string
}

export type Supervised = ReturnType<typeof keepServing>

interface Options {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly port: number
}

/** Keeps `rewards serve` running as the unit of systemd does: a process that ends is started again after a second. */
export function keepServing({ cwd, env, port }: Options) {
  const ended: Ended[] = []
  const errors: string[] = []
  let isStopping = false
  let starts = 0
  let child = start()
  const over = watch()

  return {
    pid: () => child.pid,
    starts: () => starts,
    /** Every end that nobody asked for with `stop`. */
    ended,
    /** Messages of the level error, each once. */
    errors,
    kill: () => child.kill("SIGKILL"),
    async stop(): Promise<number> {
      isStopping = true
      child.kill("SIGTERM")
      await over
      return child.exitCode ?? 1
    },
  }

  function start() {
    starts += 1
    return Bun.spawn([executable, "serve", "--host", "127.0.0.1", "--port", `${port}`], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "ignore", "pipe"],
    })
  }

  async function watch() {
    for (;;) {
      const lastLine = await readLog(child.stderr)
      const status = await child.exited
      if (isStopping) return
      ended.push({ at: performance.now(), status, lastLine })
      await Bun.sleep(1000)
      if (isStopping) return
      child = start()
    }
  }

  async function readLog(stream: ReadableStream<Uint8Array>): Promise<string> {
    let last = ""
    let rest = ""
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        last = line
        const [, message] = /"level":"error","message":"([^"]*)"/.exec(line) ?? []
        if (message !== undefined && !errors.includes(message)) errors.push(message)
      }
    }
    return rest || last
  }
}

/** The resident memory of a process in MiB; null when it has ended. */
export function memoryOf(pid: number): number | null {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024 || null
  } catch {
    return null
  }
}
