import { expect, test } from "bun:test"
import { createLease } from "../../../src/domain/jobs/lease.ts"
import type { ScheduleStore } from "../../../src/domain/jobs/ports.ts"
import { createTestClock } from "../../support/clock.ts"

const work = { name: "sweeping", everyMs: 1000, leaseMs: 5000 }

/** A schedule that notes what it is asked, and answers every claim with this. */
function noting(claim: () => Promise<boolean>, release = async () => true) {
  const asked: (string | number)[] = []
  const schedule: ScheduleStore = {
    claim(_, __, now) {
      asked.push("claim", now)
      return claim()
    },
    release(_, __, dueAt) {
      asked.push("release", dueAt)
      return release()
    },
  }
  return { asked, schedule }
}
const granted = async () => true
const refused = async () => false
const away = async (): Promise<never> => {
  throw new Error("the store accepts no writes")
}

test("the task is not done while another process does it", async () => {
  const { asked, schedule } = noting(refused)
  let done = 0
  await createLease(schedule, work, () => 7).hold(async () => void done++)
  expect([done, asked]).toEqual([0, ["claim", 7]])
})

test("the task is done when the store accepts no writes", async () => {
  let done = 0
  await createLease(noting(away, away).schedule, work, () => 7).hold(async () => void done++)
  expect(done).toBe(1)
})

test("the lease is extended while the task runs, and only then", async () => {
  const { asked, schedule } = noting(granted)
  const lease = createLease(schedule, work, () => 7)
  lease.extend()
  await lease.hold(async () => lease.extend())
  lease.extend()
  expect(asked).toEqual(["claim", 7, "claim", 7, "release", 7])
})

test("the pause counts from the start of the task, also of one that fails", async () => {
  const clock = createTestClock(0)
  const { asked, schedule } = noting(granted)
  const lease = createLease(schedule, work, clock.now)
  const pauseMs = (hasFailed: boolean) => (hasFailed ? 600 : 60)
  await lease.hold(async () => clock.advance(5), pauseMs)
  const failing = lease.hold(async () => {
    throw new Error("no")
  }, pauseMs)
  await expect(failing).rejects.toThrow("no")
  expect(asked).toEqual(["claim", 0, "release", 60, "claim", 5, "release", 605])
})
