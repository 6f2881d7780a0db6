import { expect, test } from "bun:test"
import { mailHandlers } from "../../../src/integrations/mail/handlers.ts"
import { PermanentFailure } from "../../../src/jobs/attempt.ts"
import { openTestApp } from "../../support/app.ts"

test.each([
  ["reset_mail", { email: null }],
  ["invitation", { email: 5 }],
  ["redemption_mail", { redemption: "1", to: 1, about: "request" }],
  ["redemption_mail", { redemption: 1, to: null, about: "request" }],
  ["redemption_mail", { redemption: 1, to: 1, about: "thanks" }],
  ["factor_notice", { userId: "1", change: "reset", at: 1 }],
  ["factor_notice", { userId: 1, change: "stolen", at: 1 }],
  ["factor_notice", { userId: 1, change: "reset", at: "1" }],
])("a job %s with a wrong field is discarded: %j", async (kind, payload) => {
  await using opened = await openTestApp()
  const mailer = { send: () => Promise.reject(new Error("sent")) }
  const handlers = mailHandlers({ ...opened.app, mailer })

  await expect(
    handlers[kind]?.(payload, { signal: new AbortController().signal, attempt: 1, key: "mail 1" }),
  ).rejects.toBeInstanceOf(PermanentFailure)
})
