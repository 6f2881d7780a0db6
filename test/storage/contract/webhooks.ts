import { expect, test } from "bun:test"
import type { AuditAction, AuditEntry } from "../../../src/domain/audit/ports.ts"
import type { Store } from "../../../src/domain/store.ts"
import type { Attempted, NewWebhook, Webhook, WebhookRound } from "../../../src/domain/webhooks/model.ts"
import { allow, person, threePeople } from "./people.ts"
import type { OpenSubject } from "./subject.ts"

const hook: NewWebhook = {
  url: "https://hooks.example.com/a",
  events: ["transaction.created", "user.created"],
  format: "standard",
  description: "The wall",
  isActive: true,
  secret: "sealed",
  setting: null,
}

const audit = (action: AuditAction): AuditEntry => ({
  ...{ at: 7, action, who: "ana", whom: null },
  ...{ way: "http", address: null, count: 1, detail: null, before: null, after: null },
})

const attempt = { attemptedAt: 9, durationMs: 3, status: 200, response: "ok", error: null }
const failure = { attemptedAt: 10, durationMs: 5, status: null, response: null, error: "ECONNREFUSED" }

const added = (store: Store, fields: Partial<NewWebhook> = {}) =>
  store.webhooks.create({ ...hook, ...fields }, audit("webhook_added"))

const round = (webhook: Webhook, owner: string, fields: Partial<WebhookRound> = {}): WebhookRound => ({
  ...{ webhook, owner, attempted: [], lastEvent: webhook.lastEvent, failures: 0, failingSince: null },
  ...{ retryAt: 0, lastSuccessAt: null, stoppedBecause: null, ...fields },
})

const attempted = (fields: Partial<Attempted> = {}): Attempted => ({
  ...{ deliveryId: null, eventId: 1, state: "delivered", attempt, ...fields },
})

export function webhookPromises(open: OpenSubject) {
  test("a webhook is stored, changed and removed with its audit entry, and gets only events after its creation", async () => {
    await using subject = await open()
    const { store } = subject
    const { webhooks } = store
    await store.users.create(person("Ana"))
    const created = await added(store)
    expect(created).toEqual({
      ...{ ...hook, id: created.id, stoppedBecause: null, lastEvent: 1, failures: 0, failingSince: null, revision: 0 },
      ...{ retryAt: 0, lastSuccessAt: null, oldSecret: null, oldSecretUntil: null },
    })
    const change = { description: null, isActive: false, secret: "after", oldSecretUntil: 99, lastEvent: 0 }
    const changed = await webhooks.update(created.id, change, audit("webhook_changed"))
    expect(changed).toEqual({ ...created, ...change, revision: 1, oldSecret: created.secret })
    const other = await subject.reopen()
    expect([await other.webhooks.find(created.id), await other.webhooks.list()]).toEqual([
      changed,
      changed ? [changed] : [],
    ])

    expect([await webhooks.find(99), await webhooks.update(99, change, audit("webhook_changed"))]).toEqual([null, null])
    await webhooks.saveAttempt(created.id, attempted({ eventId: null }))
    expect(await webhooks.remove(created.id, audit("webhook_removed"))).toBe(true)
    expect(await webhooks.remove(created.id, audit("webhook_removed"))).toBe(false)
    expect([await webhooks.list(), await webhooks.deliveries(created.id, { limit: 5 })]).toEqual([[], []])
    expect(await webhooks.saveAttempt(created.id, attempted())).toBeNull()
    expect((await store.audit.list({ limit: 9 })).map(({ action }) => action)).toEqual([
      ...["webhook_added", "webhook_changed", "webhook_removed"],
    ] as AuditAction[])
  })

  test("one process claims an active webhook that has events waiting; a round or the time ends its lease", async () => {
    await using subject = await open()
    const { store } = subject
    const other = await subject.reopen()
    const webhook = await added(store)
    const claim = (by: Store, owner: string, now: number) => by.webhooks.claim(owner, now, 100)
    expect(await claim(store, "w1", 10)).toBeNull()

    await store.users.create(person("Ana"))
    const claims = await Promise.all([claim(store, "w1", 10), claim(other, "w2", 10)])
    expect(claims.filter((one) => one !== null)).toEqual([webhook])
    const owner = claims[0] === null ? "w2" : "w1"
    expect(await claim(other, "w3", 109)).toBeNull()
    expect(await claim(other, "w3", 110)).toEqual(webhook)
    expect(await store.webhooks.endRound(round(webhook, owner, { lastEvent: 1 }))).toBe("lost")
    expect(await other.webhooks.endRound(round(webhook, "w3", { lastEvent: 1 }))).toBe("stored")
    expect(await claim(store, "w1", 200)).toBeNull()

    await store.webhooks.update(webhook.id, { lastEvent: 0 }, audit("webhook_replayed"))
    expect(await claim(store, "w4", 1_000_000)).not.toBeNull()
    expect(await claim(other, "w5", 10)).not.toBeNull() // the clock of the lease was wrong
    await store.webhooks.update(webhook.id, { isActive: false }, audit("webhook_changed"))
    expect(await claim(store, "w6", 10_000_000)).toBeNull()
  })

  test("a round stores its deliveries, failures and position in one commit", async () => {
    await using subject = await open()
    const { store } = subject
    const { webhooks } = store
    const webhook = await added(store)
    for (const name of ["Ana", "Bruno"]) await store.users.create(person(name))
    await webhooks.claim("w1", 10, 100)
    const failing = { failures: 2, failingSince: 5, retryAt: 50, lastSuccessAt: 9, lastEvent: 2 }
    const done = [attempted(), attempted({ eventId: 2, state: "waiting", attempt: failure })]
    expect(await webhooks.endRound(round(webhook, "w1", { ...failing, attempted: done }))).toBe("stored")
    expect(await webhooks.find(webhook.id)).toEqual({ ...webhook, ...failing })
    const [waiting, delivered] = await webhooks.deliveries(webhook.id, { limit: 5 })
    expect(delivered).toEqual({
      ...{ id: 1, webhookId: webhook.id, eventId: 1, state: "delivered", attempts: 1, createdAt: 9, attempt },
    })
    expect(waiting).toMatchObject({ id: 2, eventId: 2, state: "waiting", attempts: 1, attempt: failure })
    expect(await webhooks.waiting(webhook.id, 5)).toEqual(waiting ? [waiting] : [])

    expect(await webhooks.claim("w2", 49, 100)).toBeNull()
    const found = await webhooks.claim("w2", 50, 100)
    if (!found) throw new Error("it was not claimed")
    const again = attempted({ deliveryId: 2, eventId: 2 })
    const stop = { attempted: [again], lastEvent: 2, stoppedBecause: "410" }
    await webhooks.endRound(round(found, "w2", stop), audit("webhook_stopped"))
    expect(await webhooks.delivery(2)).toMatchObject({ state: "delivered", attempts: 2, attempt })
    expect(await webhooks.find(webhook.id)).toMatchObject({ isActive: false, stoppedBecause: "410", lastSuccessAt: 9 })
    expect((await store.audit.list({ limit: 1 })).map(({ action }) => action)).toEqual(["webhook_stopped"])

    const resumed = await webhooks.update(webhook.id, { isActive: true }, audit("webhook_changed"))
    expect(resumed).toMatchObject({ isActive: true, stoppedBecause: null, failures: 0, failingSince: null, retryAt: 0 })
  })

  test("an erasure deletes what receivers answered, which may have been sent back to the server", async () => {
    await using subject = await open()
    const { store } = subject
    const webhook = await added(store)
    const { ana } = await threePeople(store)
    await store.webhooks.claim("w1", 10, 100)
    const echo = attempted({ attempt: { ...attempt, response: "got a transaction of Ana Souza" } })
    await store.webhooks.endRound(round(webhook, "w1", { attempted: [echo] }))

    await store.users.setActive(ana.id, 50)
    const replacement = {
      username: "erased-1",
      name: "Former colleague",
      email: "erased-1@erased.invalid",
      password: ana.password,
    }
    await store.users.erase(ana.id, { at: 60, replacement, reasons: "none" }, audit("user_erased"))

    expect(await store.webhooks.deliveries(webhook.id, { limit: 5 })).toMatchObject([
      { state: "delivered", attempt: { ...attempt, response: null } },
    ])
  })

  test("a replay requested during a round is kept", async () => {
    await using subject = await open()
    const { store } = subject
    const webhook = await added(store)
    for (const name of ["Ana", "Bruno"]) await store.users.create(person(name))
    await store.webhooks.claim("w1", 10, 100)
    await store.webhooks.endRound(round(webhook, "w1", { lastEvent: 2 }))
    await store.webhooks.update(webhook.id, { lastEvent: 1 }, audit("webhook_replayed"))
    const claimed = await store.webhooks.claim("w2", 20, 100)
    if (!claimed) throw new Error("it was not claimed")
    await store.webhooks.update(webhook.id, { lastEvent: 0 }, audit("webhook_replayed"))
    await store.webhooks.endRound(round(claimed, "w2", { lastEvent: 2 }))
    expect(await store.webhooks.find(webhook.id)).toMatchObject({ lastEvent: 0 })
  })

  test("a waiting delivery can be skipped once, and then the next is due; other deliveries stay", async () => {
    await using subject = await open()
    const { store } = subject
    const { webhooks } = store
    const webhook = await added(store)
    for (const name of ["Ana", "Bruno"]) await store.users.create(person(name))
    await webhooks.claim("w1", 10, 100)
    const failing = { failures: 3, failingSince: 5, retryAt: 900, lastEvent: 1 }
    const refused = attempted({ state: "waiting", attempt: failure })
    await webhooks.endRound(round(webhook, "w1", { ...failing, attempted: [refused] }))
    const [waiting] = await webhooks.waiting(webhook.id, 5)
    if (!waiting) throw new Error("nothing waits")

    const skip = (id: number) => webhooks.skip(id, audit("webhook_skipped"))
    expect(await webhooks.claim("w2", 20, 100)).toBeNull()
    expect(await skip(waiting.id)).toEqual({ ...waiting, state: "skipped" })
    expect([await skip(waiting.id), await skip(99)]).toEqual([null, null])
    expect((await store.audit.list({ limit: 1 })).map(({ action, count }) => [action, count])).toEqual([
      ["webhook_skipped", 1],
    ])
    expect(await webhooks.deliveries(webhook.id, { state: "skipped", limit: 5 })).toHaveLength(1)
    expect(await webhooks.waiting(webhook.id, 5)).toEqual([])
    expect(await webhooks.claim("w2", 20, 100)).toMatchObject({ failures: 0, failingSince: null, retryAt: 0 })
  })

  test("an attempt that a wrong clock put off by more than a day is due, and so is a webhook that does not fail", async () => {
    await using subject = await open()
    const { store } = subject
    const { webhooks } = store
    const webhook = await added(store)
    await store.users.create(person("Ana"))
    const day = 86_400_000
    const claimedAt = async (now: number, retryAt: number, failures: number) => {
      const failing = { failures, failingSince: failures === 0 ? null : 1, retryAt }
      const owner = crypto.randomUUID()
      await webhooks.claim(owner, retryAt + 2 * day, 100)
      await webhooks.endRound(round(webhook, owner, failing))
      const claimed = await webhooks.claim("next", now, 100)
      if (claimed) await webhooks.endRound(round(webhook, "next", failing))
      return claimed !== null
    }

    expect(await claimedAt(10, 10 + day, 1)).toBe(false)
    expect(await claimedAt(10, 10 + 90 * day, 1)).toBe(true)
    expect(await claimedAt(10, 10 + 3_600_000, 0)).toBe(true)
  })

  test("what a round learned about a webhook that was changed meanwhile does not count, but its deliveries do", async () => {
    await using subject = await open()
    const { store } = subject
    const { webhooks } = store
    await added(store)
    await store.users.create(person("Ana"))
    const claimed = await webhooks.claim("w1", 10, 100)
    if (!claimed) throw new Error("it was not claimed")
    const corrected = await webhooks.update(
      claimed.id,
      { url: "https://hooks.example.com/b" },
      audit("webhook_changed"),
    )

    const refused = attempted({ state: "waiting", attempt: failure })
    const stop = {
      failures: 9,
      failingSince: 5,
      retryAt: 900,
      stoppedBecause: "410",
      lastEvent: 1,
      attempted: [refused],
    }
    expect(await webhooks.endRound(round(claimed, "w1", stop), audit("webhook_stopped"))).toBe("changed")

    expect(await webhooks.find(claimed.id)).toEqual(corrected && { ...corrected, lastEvent: 1 })
    expect(await webhooks.waiting(claimed.id, 5)).toHaveLength(1)
    expect((await store.audit.list({ limit: 9 })).map(({ action }) => action)).not.toContain("webhook_stopped")
    expect(await webhooks.claim("w2", 10, 100)).not.toBeNull()
  })

  test("a new webhook gets no transfer from before it, even if no process has recorded its event", async () => {
    await using subject = await open()
    const { store } = subject
    const { ana, bruno } = await threePeople(store)
    const send = (date: number) =>
      store.ledger.post({ kind: "transfer", senderId: ana.id, receiverId: bruno.id, value: 1, date }, allow)
    await send(1)
    await send(2)

    const { lastEvent } = await added(store)
    await send(3)
    await store.events.recordTransactions(10, 100)

    expect((await store.events.after(lastEvent, 10)).map(({ type, subject }) => [type, subject])).toEqual([
      ["transaction", 3],
    ])
  })

  test("a setting has at most one webhook", async () => {
    await using subject = await open()
    const { store } = subject
    expect(await added(store, { setting: "slack.webhook_url" })).toMatchObject({ setting: "slack.webhook_url" })
    await expect(added(store, { setting: "slack.webhook_url" })).rejects.toThrow()
    expect(await store.webhooks.list()).toHaveLength(1)
  })

  test("a delivery that is skipped during its attempt delays nothing, and counts as delivered if it arrived", async () => {
    await using subject = await open()
    const { webhooks } = subject.store
    const webhook = await added(subject.store)
    const claimed = async (owner: string) => {
      const found = await webhooks.claim(owner, 10, 100)
      if (!found) throw new Error("it was not claimed")
      return found
    }
    for (const eventId of [1, 2]) await webhooks.enqueue(webhook.id, eventId, audit("webhook_replayed"))
    const first = await claimed("w1")
    await webhooks.skip(1, audit("webhook_skipped"))
    const refused = attempted({ deliveryId: 1, state: "waiting", attempt: failure })
    const failing = { failures: 1, failingSince: 10, retryAt: 900 }
    expect(await webhooks.endRound(round(first, "w1", { ...failing, attempted: [refused] }))).toBe("stored")
    expect(await webhooks.delivery(1)).toMatchObject({ state: "skipped", attempts: 0 })

    const second = await claimed("w2")
    expect(second).toMatchObject({ failures: 0, retryAt: 0 })
    await webhooks.skip(2, audit("webhook_skipped"))
    await webhooks.endRound(round(second, "w2", { attempted: [attempted({ deliveryId: 2, eventId: 2 })] }))
    expect(await webhooks.delivery(2)).toMatchObject({ state: "delivered", attempts: 1 })
  })

  test("deliveries are listed newest first, by state; the oldest finished ones are deleted, waiting ones are not", async () => {
    await using subject = await open()
    const { webhooks } = subject.store
    const [one, two] = [await added(subject.store), await added(subject.store)]
    await webhooks.enqueue(one.id, 5, audit("webhook_replayed"))
    await webhooks.claim("w", 10, 100)
    for (let id = 1; id <= 4; id += 1)
      await webhooks.saveAttempt(one.id, attempted({ eventId: id, state: id % 2 ? "failed" : "delivered" }))
    await webhooks.saveAttempt(two.id, attempted({ eventId: null }))
    const ids = async (id: number, query: Partial<Parameters<typeof webhooks.deliveries>[1]> = {}) =>
      (await webhooks.deliveries(id, { limit: 10, ...query })).map((delivery) => delivery.id)
    expect(await ids(one.id)).toEqual([5, 4, 3, 2, 1])
    expect(await ids(one.id, { limit: 2, before: 5 })).toEqual([4, 3])
    expect(await ids(one.id, { state: "failed" })).toEqual([4, 2])
    expect(await webhooks.delivery(1)).toMatchObject({ state: "waiting", attempts: 0, createdAt: 7, attempt: null })
    await webhooks.prune(2)
    expect([await ids(one.id), await ids(two.id)]).toEqual([[5, 4, 1], [6]])
  })
}
