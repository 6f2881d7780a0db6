import { writeAll } from "./write-all.ts"

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

/** Formats each millisecond once: formatting costs more than the rest of a line, and many lines share one. */
function createIsoTime() {
  let last = Number.NaN
  let text = ""
  return (ms: number) => {
    if (ms !== last) text = new Date(ms).toISOString()
    last = ms
    return text
  }
}
