import { expect, test } from "bun:test"
import { createLog } from "../../src/log.ts"
import { createFollower, restMs } from "../../src/stream/follower.ts"
import { until } from "./watching.ts"

/** Follows a ledger for so many live dashboards. Its second transaction is committed while the first is published, the
 *  third a turn of the event loop later. Returns what was published together. */
async function followThree(dashboards: number) {
  const published: number[][] = []
  let appended = 0
  let sent = 0
  let tell = () => {}

  const append = () => {
    appended += 1
    tell()
  }
  const follower = createFollower({
    ledger: {
      onAppend(listener) {
        tell = listener
        return () => {}
      },
    },
    live: {
      size: () => dashboards,
      isBehind: () => false,
      async publishRound() {
        if (sent === appended) return false
        published.push(Array.from({ length: appended - sent }, (_, index) => sent + index + 1))
        sent = appended
        if (sent === 1) {
          append()
          setImmediate(append)
        }
        return true
      },
    },
    onAdvance: () => {},
    log: createLog(() => {}),
  })
  await follower.start()
  append()
  await until(() => sent === 3)
  follower.stop()
  return published
}

test("to a crowd, what is committed while a round of publications runs and rests goes out together", async () => {
  expect(await followThree(10_000)).toEqual([[1], [2, 3]])
})

test("to a few dashboards, each commit goes out at once", async () => {
  expect(await followThree(10)).toEqual([[1], [2], [3]])
})

test("the rest between two rounds grows with the crowd, to 50 ms", () => {
  expect([0, 1, 199, 200, 1000, 10_000, 1_000_000].map(restMs)).toEqual([0, 0, 0, 1, 5, 50, 50])
})
