import { writeSync, write as writeTo } from "node:fs"

type Fields = Record<string, unknown>

/** Logs one JSON object per line. Callers never pass a secret, token, password or body, so that none can leak. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  /** Begins to write the buffered lines now, not at the end of the tick. */
  flush(): void
  /** Resolves when every line is written, or when nobody has read for a second. Await it before the process ends. */
  written(): Promise<void>
  /** The same for a process that ends at once: takes no further lines. */
  end(): Promise<void>
  /** How many lines could not be written. */
  lost(): number
}

/** How many characters wait at most while nobody reads. Further lines are lost. */
const maxWaiting = 1 << 20
/** How long the end of the process waits for somebody who does not read. */
const patienceMs = 1000

/**
 * Writes the lines of one event-loop tick at once, because a system call per line would cost more than a request. While a
 * write is under way, further lines wait. A log that nobody reads, a full disk or a closed pipe must not stop the server,
 * so lines that find no room or cannot be written are lost, and counted in a later line.
 */
export function createLog(write: (text: string) => unknown = toStderr, now: () => number = Date.now): Log {
  let waiting = ""
  let writing: Promise<void> | null = null
  /** Lines that could not be written before those that wait, and lines that found no room after them. */
  const unsaid = { before: 0, after: 0 }
  let lost = 0
  let isEnded = false

  const entry = (level: string, message: string, fields?: Fields) =>
    `${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`
  const report = (lines: number) =>
    lines === 0 ? "" : entry("warn", "log lines could not be written and were dropped", { lines })
  const flush = () => {
    if (writing !== null || (waiting === "" && unsaid.after === 0)) return
    const lines = waiting
    const { before, after } = unsaid
    waiting = ""
    Object.assign(unsaid, { before: 0, after: 0 })
    const failed = () => {
      const count = lines.split("\n").length - 1
      lost += count
      unsaid.before += before + count + after
    }
    try {
      const result = write(report(before) + lines + report(after))
      if (result instanceof Promise)
        writing = result.catch(failed).then(() => {
          writing = null
          flush()
        })
    } catch {
      failed()
    }
  }
  const line = (level: string) => (message: string, fields?: Fields) => {
    if (isEnded) return
    if (waiting.length >= maxWaiting) {
      lost += 1
      unsaid.after += 1
      return
    }
    if (waiting === "") setImmediate(flush)
    waiting += entry(level, message, fields)
  }

  const written = async () => {
    flush()
    const until = performance.now() + patienceMs
    for (let left = patienceMs; writing !== null && left > 0; left = until - performance.now())
      await Promise.race([writing, Bun.sleep(left)])
  }

  return {
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    flush,
    written,
    end() {
      isEnded = true
      return written()
    },
    lost: () => lost,
  }
}

/** Pause between two attempts to write to a full pipe that does not block. */
const retryMs = 5

/**
 * Writes off the event loop, because a write to a pipe that nobody reads blocks. As long as it does, one thread of the pool
 * is taken.
 */
async function toStderr(text: string): Promise<void> {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(await writeSome(2, rest))
    } catch (error) {
      if (!isFullPipe(error)) throw error
      await Bun.sleep(retryMs)
    }
  }
}

const writeSome = (descriptor: number, bytes: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) =>
    writeTo(descriptor, bytes, (error, written) => (error ? reject(error) : resolve(written))),
  )

/**
 * Writes all of `text`, in several system calls if needed: a nearly full disk or a slow pipe takes only a part at a time.
 * Waits for a full non-blocking pipe.
 * @throws system errors, after which a part may have been written
 */
export function writeAll(descriptor: number, text: string) {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if (!isFullPipe(error)) throw error
      Bun.sleepSync(retryMs)
    }
  }
}

const isFullPipe = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN"
