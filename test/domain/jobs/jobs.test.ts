import { expect, test } from "bun:test"
import { createMailJobs } from "../../../src/domain/jobs/jobs.ts"

const now = 1_000_000
const mailJobs = createMailJobs({ clock: () => now, maxAttempts: 7, delayMs: 3000, wake: () => {} })

test("mail is sent after the delay of debug mode, and retried for seven days or as long as it is of use", () => {
  const job = { kind: "invitation", payload: { email: "ana@example.com" }, maxAttempts: 7, runAt: now + 3000 }
  const sevenDays = 7 * 24 * 3_600_000

  expect(mailJobs.of(job.kind, job.payload)).toEqual({ ...job, createdAt: now, retryUntil: now + 3000 + sevenDays })
  expect(mailJobs.of(job.kind, job.payload, 60_000)).toEqual({ ...job, createdAt: now, retryUntil: now + 63_000 })
})
