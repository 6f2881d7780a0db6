import { writeSync } from "node:fs"

type Fields = Record<string, unknown>

/** Logs one JSON object per line. Callers never pass a secret, token, password or body, so that none can leak. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  /** Writes the buffered lines. Call it before the process ends. */
  flush(): void
}

/** How long to wait for a full pipe. Short, because requests wait meanwhile. */
const pipeTimeoutMs = 50

const toStderr = (text: string) => writeAll(2, text, pipeTimeoutMs)

/**
 * Writes the lines of one event-loop tick at once, because a system call per line would cost more than a request. Lines
 * that cannot be written are dropped and counted in a later line: a full disk or a closed pipe must not stop the server.
 */
export function createLog(write: (text: string) => void = toStderr, now: () => number = Date.now): Log {
  let waiting = ""
  let lost = 0
  const isoTime = createIsoTime()

  const entry = (level: string, message: string, fields?: Fields) =>
    `${JSON.stringify({ time: isoTime(now()), level, message, ...fields })}\n`
  const flush = () => {
    const text = waiting
    waiting = ""
    if (text === "") return
    try {
      write(
        lost === 0 ? text : entry("warn", "log lines could not be written and were dropped", { lines: lost }) + text,
      )
      lost = 0
    } catch {
      lost += text.split("\n").length - 1
    }
  }
  const line = (level: string) => (message: string, fields?: Fields) => {
    if (waiting === "") setImmediate(flush)
    waiting += entry(level, message, fields)
  }

  return { info: line("info"), warn: line("warn"), error: line("error"), flush }
}

/**
 * Formats each millisecond once, because formatting costs more than the rest of a line, and many lines share one time.
 */
function createIsoTime() {
  let last = Number.NaN
  let text = ""
  return (ms: number) => {
    if (ms !== last) text = new Date(ms).toISOString()
    last = ms
    return text
  }
}

/** Pause between two attempts to write to a full pipe. */
const retryMs = 5

/**
 * Writes all of `text`, in several system calls if needed: a nearly full disk or a slow pipe takes only a part at a time.
 * Waits for a full non-blocking pipe, for up to `timeoutMs` in total.
 * @throws system errors, after which a part may have been written
 */
export function writeAll(descriptor: number, text: string, timeoutMs = Number.POSITIVE_INFINITY) {
  const deadline = performance.now() + timeoutMs
  // Tries the string first, because encoding it costs as much as the write.
  for (let rest: string | Uint8Array = text; rest.length > 0; ) {
    try {
      if (typeof rest !== "string") rest = rest.subarray(writeSync(descriptor, rest))
      else {
        const written = writeSync(descriptor, rest)
        if (written === Buffer.byteLength(rest)) return
        rest = Buffer.from(rest).subarray(written)
      }
    } catch (error) {
      if (!isFullPipe(error) || performance.now() > deadline) throw error
      Bun.sleepSync(retryMs)
    }
  }
}

const isFullPipe = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN"
