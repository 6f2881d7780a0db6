import { writeSync } from "node:fs"

/** Pause between two attempts to write to a full pipe. */
const retryMs = 5

/**
 * Writes all of `text`, in several system calls if needed: a nearly full disk or a slow pipe takes only a part at a time.
 * Waits for a full non-blocking pipe, for up to `timeoutMs` in total.
 * @throws system errors, after which a part may have been written
 */
export function writeAll(descriptor: number, text: string, timeoutMs = Number.POSITIVE_INFINITY) {
  const deadline = performance.now() + timeoutMs
  // First as a string, because encoding it costs as much as the write.
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
