import { expect, test } from "bun:test"
import { createFollower, pauseMs } from "../../src/stream/follower.ts"
import { createLog } from "../../src/support/log.ts"
import { until } from "../support/until.ts"

/** Follows a ledger for this many live dashboards. The second transaction is committed while the first is published, the
 *  third one tick later. Returns the ids that each round published. */
async function followThree(dashboards: number) {
  const published: number[][] = []
  let appended = 0
  let sent = 0
  let notify = () => {}

  const append = () => {
    appended += 1
    notify()
  }
  const follower = createFollower({
    ledger: {
      onAppend(listener) {
        notify = listener
        return () => {}
      },
    },
    groups: {
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

test("with many dashboards, transactions committed during a round and its pause are sent together", async () => {
  expect(await followThree(10_000)).toEqual([[1], [2, 3]])
})

test("with few dashboards, each commit is sent at once", async () => {
  expect(await followThree(10)).toEqual([[1], [2], [3]])
})

test("the pause between two rounds grows with the number of dashboards, up to 50 ms", () => {
  expect([0, 1, 199, 200, 1000, 10_000, 1_000_000].map(pauseMs)).toEqual([0, 0, 0, 1, 5, 50, 50])
})
