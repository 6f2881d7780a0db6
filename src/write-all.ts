import { writeSync } from "node:fs"

/** How long a full pipe is left alone between two tries. */
const pauseMs = 5

/**
 * Writes all of `text`: one system call may take only a part, on a disk that is almost full or at a pipe that is read
 * slowly. A pipe that another process made non-blocking is waited for, up to `patienceMs` in all.
 * @throws system errors; a part may be written then
 */
export function writeAll(descriptor: number, text: string, patienceMs = Number.POSITIVE_INFINITY) {
  const deadline = performance.now() + patienceMs
  for (let rest: Uint8Array = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if (!isFullPipe(error) || performance.now() > deadline) throw error
      Bun.sleepSync(pauseMs)
    }
  }
}

const isFullPipe = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN"
