import { readFileSync } from "node:fs"

/*
 * Serves like `rewards serve`, and tells its parent process for how long at most something has held the event loop since
 * it was asked last: how late a timer fired, without the time in which other processes had the processor (Linux).
 */

const everyMs = 1
let longestMs = 0
let last = moment()

setInterval(() => {
  const now = moment()
  longestMs = Math.max(longestMs, now.at - last.at - (now.waited - last.waited) - everyMs)
  last = now
}, everyMs)

process.on("message", () => {
  process.send?.(longestMs)
  longestMs = 0
  last = moment()
})

/** The time, and for how long this thread has been ready to run while others ran, both in milliseconds. */
function moment() {
  const [, waited] = readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")
  return { at: performance.now(), waited: Number(waited) / 1e6 }
}

await import("../src/main.ts")
