import { afterEach, expect, jest, test } from "bun:test"
import { createOffSiteSchedule } from "../../../src/integrations/s3/schedule.ts"
import { createLog } from "../../../src/support/log.ts"

afterEach(() => {
  jest.useRealTimers()
})

test("the lease is extended while an upload runs", async () => {
  jest.useFakeTimers()
  const { promise: uploaded, resolve } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let claims = 0
  const offSite = createOffSiteSchedule({
    everyMs: 3_600_000,
    newest: () => ({ file: "rewards.db", at: 1 }),
    upload() {
      begin()
      return uploaded
    },
    schedule: {
      async claim() {
        claims += 1
        return true
      },
      release: async () => true,
    },
    clock: () => 2,
    log: createLog(() => {}),
  })
  offSite.start()
  await begun
  jest.advanceTimersByTime(60_000)
  expect(claims).toBeGreaterThan(5)
  resolve()
  await offSite.stop()
  expect(offSite.state()).toMatchObject({ lastSuccessAt: 1, lastFailure: null })
})
