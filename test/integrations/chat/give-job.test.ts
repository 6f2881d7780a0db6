import { expect, test } from "bun:test"
import { DomainError } from "../../../src/domain/errors.ts"
import { askChat, type Chat, ChatRefusal, ChatUnreachable } from "../../../src/integrations/chat/chat.ts"
import { createGiving } from "../../../src/integrations/chat/give-job.ts"
import { PermanentFailure, TemporaryFailure } from "../../../src/jobs/attempt.ts"
import { createLog } from "../../../src/support/log.ts"
import { refusalOf } from "../../storage/contract/people.ts"
import { openTestApp } from "../../support/app.ts"

const job = { giver: "U1", to: { name: "bo" }, value: 1, reason: "", tags: [], key: "1", responseUrl: null }

/** How the job of a request from a chat ends whose answer fails with this error. */
async function endOf(error: unknown) {
  await using opened = await openTestApp()
  const { app } = opened
  const chat: Chat = {
    name: "Slack",
    user: async () => null,
    plain: (text) => text,
    answer: () => Promise.reject(error),
  }
  const { give } = createGiving(chat, {
    outbound: app.outbound,
    store: app.store,
    ledger: app.ledger,
    programme: app.programme.current,
    language: "en",
    clock: opened.clock.now,
    log: createLog(() => {}),
    maxAttempts: 10,
    onEnqueue() {},
  })
  return refusalOf(give(job))
}

test("a chat that is not reached, and an outage of the database, are temporary", async () => {
  for (const error of [new ChatUnreachable("no answer"), new DomainError("unavailable")])
    expect(await endOf(error)).toBeInstanceOf(TemporaryFailure)
})

test("a chat that refuses this server is final", async () => {
  expect(await endOf(new ChatRefusal("not_in_channel"))).toBeInstanceOf(PermanentFailure)
  expect(await endOf(new PermanentFailure("gone"))).toBeInstanceOf(PermanentFailure)
})

test("anything else is a bug, whose attempts are limited", async () => {
  for (const bug of [new TypeError("undefined is not a function"), new DomainError("invalid")])
    expect(await endOf(bug)).toBe(bug)
})

test("whatever keeps a request from being answered means that the chat is not reached", async () => {
  const outbound = { send: () => Promise.reject(new Error("connection refused")) }

  const failure = await refusalOf(askChat(outbound, { method: "GET", url: "https://chat.example" }))
  expect(failure).toBeInstanceOf(ChatUnreachable)
  expect(failure).toMatchObject({ message: "connection refused" })
})
