import { writeAll } from "./write-all.ts"

type Fields = Record<string, unknown>

/** One JSON object a line. Callers pass no secret, token, password or body: what is not passed cannot leak. */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
  /** Writes what waits. Before the process ends. */
  flush(): void
}

/** Requests wait meanwhile, so that a full pipe is not waited for longer. */
const patienceMs = 50

const toStderr = (text: string) => writeAll(2, text, patienceMs)

/**
 * Lines of one turn of the event loop leave in one write: a system call each would cost more than the request.
 * What cannot be written is lost, and told when something can: a full disk or a closed pipe must not stop what runs.
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
      write(lost === 0 ? text : entry("warn", "log lines could not be written and are lost", { lines: lost }) + text)
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

/** Many lines share a millisecond, and writing it out costs more than all else of a line. */
function createIsoTime() {
  let last = Number.NaN
  let text = ""
  return (ms: number) => {
    if (ms !== last) text = new Date(ms).toISOString()
    last = ms
    return text
  }
}
