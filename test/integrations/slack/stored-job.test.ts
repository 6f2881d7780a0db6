import { expect, test } from "bun:test"
import type { GiveJob } from "../../../src/integrations/chat/give-job.ts"
import { restored, stored } from "../../../src/integrations/slack/stored-job.ts"

const job: GiveJob = {
  ...{ giver: "UANA", to: { id: "UBRUNO" }, value: 5, reason: "the review", tags: ["care"] },
  ...{ key: "slack 1", responseUrl: null },
}

test("a job is stored as version 0.1.0 stores it, and read back", () => {
  const asIn010 = {
    ...{ slackUser: "UANA", to: { slackUser: "UBRUNO" }, value: 5, reason: "the review", tags: ["care"] },
    ...{ key: "slack 1", responseUrl: null },
  }
  expect(stored(job)).toEqual(asIn010)
  expect(restored(asIn010)).toEqual(job)
  const named = { ...job, to: { name: "ada" } }
  expect(restored(stored(named))).toEqual(named)
})
