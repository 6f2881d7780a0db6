import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { Webhook } from "standardwebhooks"
import { auditEntry } from "../../../../src/domain/audit/audit-log.ts"
import { eventTypes } from "../../../../src/domain/webhooks/model.ts"
import { createDeliverer } from "../../../../src/integrations/webhooks/deliverer.ts"
import { temporaryFolder } from "../../../support/executable.ts"
import { createReceiver, type Receiver } from "../../../support/receiver.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"
import { until } from "../../../support/until.ts"

const hour = 3_600_000

interface Hook {
  readonly id: number
  readonly secret: string
  readonly url: string
}

interface Delivery {
  readonly id: number
  readonly event: number | null
  readonly state: string
  readonly attempts: number
  readonly status: number | null
  readonly response: string | null
  readonly error: string | null
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let receiver: Receiver
let server: TestServer
let admin: Person
let ana: Person
let bruno: Person
let addresses = ["127.0.0.1"]

beforeAll(async () => {
  folder = await temporaryFolder()
  receiver = await createReceiver("hooks.example.test")
  const ca = `${folder.path}/ca.pem`
  writeFileSync(ca, receiver.ca)
  server = await startTestServer({
    settings: {
      "webhooks.allow_private": "127.0.0.0/8",
      "webhooks.ports": `${receiver.port}`,
      "webhooks.ca": ca,
      "security.access_token_expire_minutes": "1000000",
      "server.base_url": "https://rewards.example.com",
    },
    resolve: async () => addresses.map((address) => ({ address, family: 4 })),
  })
  admin = await server.admin()
  ana = await server.person("Ana")
  bruno = await server.person("Bruno")
  await admin.post("/api/v1/grants", { usernames: ["ana"], value: 1000 })
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await receiver.close()
  await folder[Symbol.asyncDispose]()
})

beforeEach(async () => {
  for (const { id } of await server.app.store.webhooks.list()) await admin.delete(`/api/v1/webhooks/${id}`)
  receiver.take()
  receiver.alwaysAnswer({})
  addresses = ["127.0.0.1"]
})

const add = async (fields: object = {}): Promise<Hook> => {
  const answer = await admin.post<Hook>("/api/v1/webhooks", { url: receiver.url, ...fields })
  expect(answer.status).toBe(201)
  return answer.body
}
const send = async (fields: object = {}) => {
  const answer = await ana.post<{ id: number }>("/api/v1/transactions", { to: "bruno", value: 5, ...fields })
  expect(answer).toMatchObject({ status: 201 })
  return answer
}
const setUp = auditEntry({ who: "admin", way: "http", address: null }, 0, "webhook_changed")
const deliver = () => server.app.deliverer.deliverDue()
const shown = async ({ id }: Hook) => (await admin.get(`/api/v1/webhooks/${id}`)).body
const deliveries = async ({ id }: Hook, query = "") =>
  (await admin.get<{ items: Delivery[] }>(`/api/v1/webhooks/${id}/deliveries${query}`)).body.items
const bodies = () => receiver.take().map(({ body }) => JSON.parse(body))
const sentIds = () => bodies().map(({ data }) => data.id)

describe("webhooks", () => {
  test("a delivery has a signature that the reference library accepts, for a day with the previous secret too", async () => {
    const hook = await add()
    await send({ reason: "the review", tags: [] })
    await deliver()
    const [first] = receiver.take()
    const now = server.clock.now()
    const verify = (secret: string, message = first) => {
      if (!message) throw new Error("nothing was received")
      // The library compares with the time of the system.
      const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, `${value}`]))
      return withTime(server.clock.now(), () => new Webhook(secret).verify(message.body, headers))
    }
    expect(verify(hook.secret)).toMatchObject({ type: "transaction.created" })
    expect(() => verify(`whsec_${btoa("another secret of 24 bytes")}`)).toThrow()
    expect(first?.headers).toMatchObject({ "content-type": "application/json", "webhook-timestamp": `${now / 1000}` })
    expect(first?.body).not.toContain(hook.secret)

    const rotated = (await admin.post<Hook>(`/api/v1/webhooks/${hook.id}/secret`)).body
    expect(rotated.secret).not.toBe(hook.secret)
    await send()
    await deliver()
    const [second] = receiver.take()
    for (const secret of [hook.secret, rotated.secret]) expect(verify(secret, second)).toBeDefined()
    server.clock.advance(24 * hour)
    await send()
    await deliver()
    const [third] = receiver.take()
    expect(third?.headers["webhook-signature"]).not.toContain(" ")
    expect(JSON.stringify(await shown(hook))).not.toContain("whsec_")
    const stored = await server.app.store.webhooks.find(hook.id)
    expect(`${stored?.secret} ${stored?.oldSecret}`).not.toContain("whsec_")
  })

  test("every type of event is delivered in order, with the id that pollers see, and never with a private reason", async () => {
    const hook = await add()
    const after = await server.app.store.events.lastId()
    const { body: sent } = await send({ reason: "a secret between us", private: true })
    await admin.post(`/api/v1/transactions/${sent.id}/reversal`, { value: 2, reason: "a mistake" })
    await server.person("Carla")
    await admin.patch("/api/v1/users/carla", { dept: "support", username: "carla-renamed" })
    await admin.patch("/api/v1/users/carla-renamed", { active: false })
    const { body: reward } = await admin.post<{ id: number }>("/api/v1/rewards", { name: "Mug", cost: 1 })
    const redeem = () => bruno.post<{ id: number }>(`/api/v1/rewards/${reward.id}/redemptions`, { comment: "Blue" })
    const [one, two] = [(await redeem()).body, (await redeem()).body]
    await admin.post(`/api/v1/redemptions/${one.id}/fulfilment`, { answer: "On your desk" })
    await admin.post(`/api/v1/redemptions/${two.id}/rejection`, {})
    const { users, ledger } = server.app.store
    const [ana, owner] = [await users.byUsername("ana"), await users.byUsername("admin")]
    await ledger.celebrate({
      ...{ userId: ana?.id ?? 0, kind: "birthday", year: 2026, years: null, text: "Happy birthday, {name}!" },
      ...{ points: 0, senderId: owner?.id ?? 0, date: server.clock.now() },
    })
    await deliver()

    const received = receiver.take()
    const { items, next } = (
      await admin.get<{ items: { id: number; type: string; data: object }[]; next: string }>(
        `/api/v1/events?after=${after}`,
      )
    ).body
    expect(received.map(({ headers, body }) => ({ id: Number(headers["webhook-id"]), ...JSON.parse(body) }))).toEqual(
      items,
    )
    expect(next).toBe(`${items.at(-1)?.id}`)
    expect([...new Set(items.map(({ type }) => type))].sort()).toEqual([...eventTypes].sort())
    expect(JSON.stringify(received)).not.toContain("secret between")
    const dataOf = (type: string) => items.find((item) => item.type === type)?.data
    expect(dataOf("transaction.created")).toMatchObject({
      ...{ id: sent.id, kind: "transfer", value: 5, from: { username: "ana", name: "Ana" } },
      ...{ to: { username: "bruno", name: "Bruno" }, reason: null, private: true, reversed: 2 },
    })
    expect(dataOf("user.deactivated")).toEqual({
      ...{ id: expect.any(Number), username: "carla-renamed", name: "Carla", email: "carla@example.com" },
      ...{ dept: "support", active: false },
    })
    expect(dataOf("user.renamed")).toEqual({ ...dataOf("user.deactivated"), former: "carla" })
    expect(dataOf("redemption.fulfilled")).toMatchObject({ username: "bruno", state: "fulfilled", comment: "Blue" })
    expect(await shown(hook)).toMatchObject({ failing_since: null, last_success_at: expect.any(String) })

    const reversed = await admin.get<{ items: object[] }>(`/api/v1/events?after=${after}&types=transaction.reversed`)
    expect(reversed.body.items).toHaveLength(1)
    const page = await admin.get<{ next: string }>(
      `/api/v1/events?after=${after}&limit=2&types=user.created,user.updated`,
    )
    expect(page.body).toMatchObject({ items: [{ type: "user.created" }, { type: "user.updated" }] })
    const rest = await admin.get(`/api/v1/events?after=${page.body.next}&types=user.created,user.updated`)
    expect(rest.body).toMatchObject({ items: [], next })
    for (const query of ["types=nonsense", "limit=0", "limit=1001", "after=x"])
      expect((await admin.get(`/api/v1/events?${query}`)).status).toBe(422)
  })

  test("a webhook gets only the events that it asked for", async () => {
    await add({ events: ["user.created"] })
    await send()
    await server.person("Diana")
    await send()
    await deliver()
    expect(bodies()).toMatchObject([{ type: "user.created", data: { username: "diana" } }])
    await deliver()
    expect(receiver.take()).toEqual([])
  })

  const failures = [
    ["answers 500", { status: 500, body: "broken" }, { status: 500, response: "broken", error: "answered 500" }],
    [
      "redirects",
      { status: 302, headers: { location: "/else" } },
      { error: "answered 302; redirects are not followed" },
    ],
    ["resets the connection", { fault: "reset" }, { status: null, response: null, error: expect.any(String) }],
    ["ends in the middle of the answer", { fault: "cut off" }, { status: null, error: expect.any(String) }],
  ] as const
  for (const [what, reply, seen] of failures)
    test(`a receiver that ${what} gets the event again later, before all others, until it accepts`, async () => {
      const hook = await add()
      receiver.alwaysAnswer(reply)
      const ids = [(await send()).body.id, (await send()).body.id]
      await deliver()
      // Twice when a kept connection ends without a word, because the receiver may have closed it before.
      expect(new Set(sentIds())).toEqual(new Set([ids[0]]))
      expect(await deliveries(hook)).toMatchObject([{ state: "waiting", attempts: 1, ...seen }])
      expect(await shown(hook)).toMatchObject({
        active: true,
        failing_since: expect.any(String),
        retry_at: expect.any(String),
      })
      await deliver()
      expect(receiver.take()).toEqual([])

      server.clock.advance(6_000)
      await deliver()
      expect(sentIds()).toEqual([ids[0]])
      receiver.alwaysAnswer({})
      server.clock.advance(12_000)
      await deliver()
      expect(sentIds()).toEqual(ids)
      expect(await deliveries(hook)).toMatchObject([
        { state: "delivered", attempts: 1 },
        { state: "delivered", attempts: 3, status: 200, response: "ok", error: null },
      ])
      expect(await shown(hook)).toMatchObject({ failing_since: null, retry_at: null })
    })

  test("an outage of nearly three days loses nothing and delays no other webhook; after three days the webhook is deactivated", async () => {
    const dead = await add({ url: `${receiver.url}/dead` })
    await add({ url: `${receiver.url}/live` })
    const sentTo = (path: string, received = receiver.take()) =>
      received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body).data.id)
    const breakDown = () => receiver.alwaysAnswer((path) => (path === "/hook/dead" ? { status: 503 } : {}))
    breakDown()
    const ids: number[] = []
    for (let day = 0; day < 3; day += 1) {
      ids.push((await send()).body.id)
      await deliver()
      server.clock.advance(23 * hour)
    }
    await deliver()
    const received = receiver.take()
    expect(sentTo("/hook/live", received)).toEqual(ids)
    expect(new Set(sentTo("/hook/dead", received))).toEqual(new Set([ids[0]]))
    receiver.alwaysAnswer({})
    server.clock.advance(hour)
    await deliver()
    expect(sentTo("/hook/dead")).toEqual(ids)
    expect(await shown(dead)).toMatchObject({ active: true, failing_since: null })

    breakDown()
    const { body: last } = await send()
    await deliver()
    server.clock.advance(73 * hour)
    await deliver()
    expect(await shown(dead)).toMatchObject({ active: false, stopped_because: "no delivery succeeded for three days" })
    receiver.alwaysAnswer({})
    receiver.take()
    server.clock.advance(hour)
    await deliver()
    expect(receiver.take()).toEqual([])
    await admin.patch(`/api/v1/webhooks/${dead.id}`, { active: true })
    await deliver()
    expect(sentTo("/hook/dead")).toEqual([last.id])
  })

  test("an answer 410 deactivates the webhook, and Retry-After is respected", async () => {
    const hook = await add()
    receiver.answer({ status: 429, headers: { "retry-after": "3600" } })
    await send()
    await deliver()
    server.clock.advance(hour - 1000)
    await deliver()
    expect(receiver.take()).toHaveLength(1)
    receiver.answer({ status: 429, headers: { "retry-after": new Date(server.clock.now() + 2 * hour).toUTCString() } })
    server.clock.advance(1000)
    await deliver()
    server.clock.advance(hour)
    await deliver()
    expect(receiver.take()).toHaveLength(1)
    receiver.answer({ status: 410 })
    server.clock.advance(hour)
    await deliver()
    expect(await shown(hook)).toMatchObject({ active: false, stopped_because: "the receiver answered 410 Gone" })
    const renamed = await admin.patch(`/api/v1/webhooks/${hook.id}`, { description: "The one of sales" })
    expect(renamed.body).toMatchObject({ active: false, stopped_because: "the receiver answered 410 Gone" })
    const { body } = await admin.get("/api/v1/health")
    expect(body).toBeDefined()
    expect(await server.app.store.health.read(0)).toMatchObject({ webhooks: { active: 0, failing: 0, stopped: 1 } })
    expect(
      (await server.app.store.audit.list({ limit: 2 })).map(({ action, before, after }) => [action, before, after]),
    ).toEqual([
      ["webhook_stopped", { active: true }, { active: false }],
      ["webhook_changed", { description: null }, { description: "The one of sales" }],
    ])
  })

  test("each of two changes that began at the same time stores only its own fields", async () => {
    const { id } = await add()
    const { store, webhooks } = server.app
    const [before] = (await store.webhooks.list()).filter((hook) => hook.id === id)
    if (!before) throw new Error("the webhook is missing")
    const by = { who: "admin", way: "http", address: null } as const

    await webhooks.change(by, before, { active: false, description: "paused" })
    const after = await webhooks.change(by, before, { events: ["user.created"] })

    expect(after).toEqual({ ...before, isActive: false, description: "paused", events: ["user.created"], revision: 2 })
    expect(await store.webhooks.find(id)).toEqual(after)
  })

  test("a webhook that is corrected during a round gets nothing more at the old address, and is not blamed for it", async () => {
    const hook = await add()
    const ids = [(await send()).body.id, (await send()).body.id, (await send()).body.id]
    const corrected = `${receiver.url}/corrected`
    receiver.alwaysAnswer((path) => (path.endsWith("/corrected") ? {} : { status: 410 }))
    const { webhookSender: sender, events, store } = server.app
    const deliverer = createDeliverer({
      ...{ store, events, clock: server.clock.now, log: server.app.log },
      sender: {
        compose: sender.compose,
        async send(...given) {
          const sent = await sender.send(...given)
          if (receiver.received.length === 1) await admin.patch(`/api/v1/webhooks/${hook.id}`, { url: corrected })
          return sent
        },
      },
    })

    await deliverer.deliverDue()

    const received = receiver.take().map(({ path, body }) => [path, JSON.parse(body).data.id])
    expect(received).toEqual([["/hook", ids[0]], ...ids.map((id) => ["/hook/corrected", id])])
    expect(await shown(hook)).toMatchObject({ active: true, stopped_because: null, failing_since: null })
  })

  test("a webhook whose newest events were deleted does not look for them again", async () => {
    const hook = await add()
    await server.app.store.webhooks.update(hook.id, { isActive: false }, setUp)
    await send()
    await server.app.events.record()
    await server.app.store.events.prune(Number.MAX_SAFE_INTEGER)
    await server.app.store.webhooks.update(hook.id, { isActive: true }, setUp)

    using endRound = spyOn(server.app.store.webhooks, "endRound")
    for (let count = 0; count < 3; count += 1) await deliver()
    expect(endRound).toHaveBeenCalledTimes(1)

    const next = (await send()).body.id
    await deliver()
    expect(sentIds()).toEqual([next])
  })

  test("no connection is made to a host name that has moved to a private network", async () => {
    const hook = await add()
    addresses = ["169.254.169.254"]
    await send()
    await deliver()
    expect(receiver.take()).toEqual([])
    const [delivery] = await deliveries(hook)
    expect(delivery?.error).toStartWith(
      "refused: hooks.example.test has the address 169.254.169.254, which is not public",
    )
    const refused = await admin.post("/api/v1/webhooks", { url: receiver.url })
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("url: it has an address that is not public") },
    })
  })

  test("a crash before or after the commit of a delivery loses nothing", async () => {
    await add()
    const { webhooks, events } = server.app.store
    const ids: number[] = []
    for (let count = 0; count < 6; count += 1) ids.push((await send()).body.id)
    const { createDeliverer } = await import("../../../../src/integrations/webhooks/deliverer.ts")
    /** A process that dies at the nth settling, before or after it is stored. */
    const dying = (when: "before" | "after") =>
      createDeliverer({
        store: {
          events,
          webhooks: {
            ...webhooks,
            async endRound(...given) {
              if (when === "after") await webhooks.endRound(...given)
              throw new Error("killed")
            },
          },
        },
        events: server.app.events,
        sender: server.app.webhookSender,
        clock: server.clock.now,
        log: server.app.log,
      })
    await dying("before").deliverDue()
    expect(sentIds()).toEqual(ids)
    await deliver()
    expect(receiver.take()).toEqual([]) // another process holds it
    server.clock.advance(60_000)
    await dying("after").deliverDue()
    expect(sentIds()).toEqual(ids)
    server.clock.advance(60_000)
    await deliver()
    expect(receiver.take()).toEqual([])
  })

  test("one delivery can be sent again, or all since a given time", async () => {
    const hook = await add()
    const ids = [(await send()).body.id, (await send()).body.id]
    await deliver()
    receiver.take()
    const [newest, oldest] = await deliveries(hook)
    expect(await admin.post(`/api/v1/deliveries/${oldest?.id}/replay`)).toMatchObject({
      status: 201,
      body: { state: "waiting", event: oldest?.event, attempts: 0 },
    })
    await deliver()
    const [again] = receiver.take()
    expect([again?.headers["webhook-id"], JSON.parse(again?.body ?? "{}").data.id]).toEqual([
      `${oldest?.event}`,
      ids[0],
    ])

    server.clock.advance(1000)
    const { body: third } = await send()
    await deliver()
    receiver.take()
    const since = (ms: number) => ({ since: new Date(server.clock.now() - ms).toISOString() })
    await admin.post(`/api/v1/webhooks/${hook.id}/replay`, since(500))
    await deliver()
    expect(sentIds()).toEqual([third.id])
    await admin.post(`/api/v1/webhooks/${hook.id}/replay`, since(1500))
    await deliver()
    expect(sentIds()).toEqual([...ids, third.id])
    expect((await admin.post(`/api/v1/webhooks/${hook.id}/replay`, { since: "yesterday" })).status).toBe(422)

    expect((await deliveries(hook, "?state=delivered")).length).toBeGreaterThan(4)
    expect(await deliveries(hook, `?before=${newest?.id}`)).toMatchObject([{ id: oldest?.id }])
    for (const query of ["?state=odd", "?before=0", "?size=0"])
      expect((await admin.get(`/api/v1/webhooks/${hook.id}/deliveries${query}`)).status).toBe(422)
  })

  test("a replay since a given time also sends earlier events that were never delivered", async () => {
    const hook = await add()
    receiver.alwaysAnswer({ status: 503 })
    const waiting = (await send()).body.id
    await deliver()
    const behind = (await send()).body.id
    await server.app.events.record()
    receiver.take()
    receiver.alwaysAnswer({})
    server.clock.advance(1000)

    const since = new Date(server.clock.now()).toISOString()
    expect(await admin.post(`/api/v1/webhooks/${hook.id}/replay`, { since })).toMatchObject({ status: 200 })
    await admin.patch(`/api/v1/webhooks/${hook.id}`, { active: true })
    await deliver()

    expect(sentIds()).toEqual([waiting, behind])
  })

  test.each([400, 413, 422])(
    "a message that a chat service refuses for good (%d) does not hold up the next",
    async (status) => {
      for (const format of ["slack", "discord", "teams"]) {
        const hook = await add({ format })
        receiver.answer({ status: 503 }, { status, body: "invalid" }, {}, { status, body: "invalid" })
        await send()
        await deliver()
        expect(await shown(hook)).toMatchObject({ failing_since: expect.any(String) })
        const before = server.logged().length
        for (const _ of [1, 2]) await send()
        server.clock.advance(6_000)
        await deliver()
        expect(receiver.take()).toHaveLength(4)
        const error = `answered ${status}: it will never accept this message, so it is not sent again`
        expect(await deliveries(hook)).toMatchObject([
          { state: "failed", attempts: 1, status, response: "invalid", error },
          { state: "delivered", attempts: 1 },
          { state: "failed", attempts: 2, status, response: "invalid", error },
        ])
        expect(await shown(hook)).toMatchObject({ active: true, failing_since: null, retry_at: null })
        const warned = server
          .logged()
          .slice(before)
          .filter((line) => line.includes("refused for good"))
        expect(warned.map((line) => JSON.parse(line))).toMatchObject([
          { id: hook.id, error },
          { id: hook.id, error },
        ])
        const { webhooks } = await server.app.store.health.read(0)
        expect(webhooks).toMatchObject({ active: 1, failing: 0, stopped: 0 })

        server.clock.advance(hour)
        await deliver()
        expect(receiver.take()).toEqual([])
        const [refused] = await deliveries(hook)
        await admin.post(`/api/v1/deliveries/${refused?.id}/replay`)
        await deliver()
        expect(receiver.take()).toHaveLength(1)
        await admin.delete(`/api/v1/webhooks/${hook.id}`)
      }
    },
  )

  test.each([401, 403, 404, 408, 429, 500])(
    "a message waits while a chat service cannot take any (%d)",
    async (status) => {
      const hook = await add({ format: "discord" })
      receiver.answer({ status, headers: { "retry-after": "12.5" } })
      for (const _ of [1, 2]) await send()
      await deliver()
      server.clock.advance(12_000)
      await deliver()
      expect(receiver.take()).toHaveLength(1)
      expect(await deliveries(hook)).toMatchObject([{ state: "waiting", status, error: `answered ${status}` }])
      server.clock.advance(600)
      await deliver()
      expect(receiver.take()).toHaveLength(2)
    },
  )

  test("an event that its receiver always refuses can be skipped, so that later ones continue, and sent again", async () => {
    const hook = await add()
    const refused = (await send()).body.id
    receiver.alwaysAnswer({ status: 400 })
    await deliver()
    const behind = (await send()).body.id
    await deliver()
    expect(sentIds()).toEqual([refused])
    const [waiting] = await deliveries(hook, "?state=waiting")
    const skip = () => admin.post<Delivery>(`/api/v1/deliveries/${waiting?.id}/skip`)
    receiver.alwaysAnswer({})

    expect(await skip()).toMatchObject({ status: 200, body: { id: waiting?.id, state: "skipped", status: 400 } })
    await deliver()
    expect(sentIds()).toEqual([behind])
    expect(await skip()).toMatchObject({ status: 409, body: { detail: "No delivery waits" } })
    expect(await shown(hook)).toMatchObject({ active: true, failing_since: null })
    const [entry] = await server.app.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({
      action: "webhook_skipped",
      who: "admin",
      detail: expect.stringMatching(/^event \d+ to webhook/),
    })

    await admin.post(`/api/v1/deliveries/${waiting?.id}/replay`)
    await deliver()
    expect(sentIds()).toEqual([refused])
  })

  test("a webhook that is behind is delivered full rounds without a pause in between", async () => {
    const hook = await add({ url: receiver.url })
    await admin.post("/api/v1/grants", { usernames: ["bruno"], value: 1 })
    for (let count = 0; count < 250; count += 1) await server.grant({ username: "bruno" }, 1)
    const sent: string[] = []
    const attempt = { attemptedAt: 0, durationMs: 0, status: 200, response: "", error: null }
    const deliverer = createDeliverer({
      ...{ store: server.app.store, events: server.app.events, clock: server.clock.now, log: server.app.log },
      sender: {
        compose: async () => "{}",
        send: async (_, id) => {
          sent.push(id)
          return { attempt, retryAfterMs: 0, isFinal: false }
        },
      },
      everyMs: 3_600_000,
    })
    deliverer.start()
    await until(() => sent.length >= 251)
    await deliverer.stop(0)
    expect(sent).toEqual(sent.toSorted((a, b) => Number(a) - Number(b)))
    expect(await shown(hook)).toMatchObject({ failing_since: null })
  })

  test("a test is sent at once, shows its result, and cannot be replayed", async () => {
    const hook = await add({ active: false })
    const test = () => admin.post<Delivery>(`/api/v1/webhooks/${hook.id}/test`)
    expect(await test()).toMatchObject({
      status: 201,
      body: { state: "delivered", status: 200, response: "ok", event: null },
    })
    expect(bodies()).toMatchObject([{ type: "webhook.test", data: { webhook: hook.id } }])
    receiver.answer({ status: 404, body: "no such hook" })
    const failed = await test()
    expect(failed.body).toMatchObject({ state: "failed", status: 404, response: "no such hook", error: "answered 404" })
    expect(await admin.post(`/api/v1/deliveries/${failed.body.id}/replay`)).toMatchObject({
      status: 409,
      body: { detail: "A test cannot be sent again; send another test" },
    })
  })

  test("the webhook of a setting is added once, and changed and removed with the setting", async () => {
    const apply = (url: string | null) =>
      Promise.all(
        [1, 2].map(() => server.app.webhooks.applySetting({ setting: "slack.webhook_url", url, format: "slack" })),
      )
    await apply(receiver.url)
    await apply(`${receiver.url}/other`)
    expect((await admin.get("/api/v1/webhooks")).body).toMatchObject({
      items: [{ url: `${receiver.url}/other`, format: "slack", description: "slack.webhook_url" }],
    })
    await apply(null)
    expect((await admin.get("/api/v1/webhooks")).body).toEqual({ items: [] })

    using claim = spyOn(server.app.store.schedule, "claim")
    await apply(null)
    expect(claim).not.toHaveBeenCalled() // a start without a change writes nothing
  })

  test("a webhook that somebody describes like a setting, or describes anew, is not mistaken for another", async () => {
    const apply = (url: string | null) =>
      server.app.webhooks.applySetting({ setting: "slack.webhook_url", url, format: "slack" })
    const listed = async () =>
      (await admin.get<{ items: Hook[] }>("/api/v1/webhooks")).body.items.map(({ url }) =>
        url.slice(receiver.url.length),
      )
    await add({ url: `${receiver.url}/mine`, description: "slack.webhook_url" })

    await apply(`${receiver.url}/set`)
    expect(await listed()).toEqual(["/mine", "/set"])
    const [, { id } = { id: 0 }] = (await admin.get<{ items: Hook[] }>("/api/v1/webhooks")).body.items
    await admin.patch(`/api/v1/webhooks/${id}`, { description: "the wall" })
    await apply(`${receiver.url}/corrected`)
    expect(await listed()).toEqual(["/mine", "/corrected"])
    await apply(null)
    expect(await listed()).toEqual(["/mine"])
  })

  test("a corrected setting takes effect at the next start, however soon", async () => {
    const apply = (url: string | null) =>
      server.app.webhooks.applySetting({ setting: "slack.webhook_url", url, format: "slack" })

    await expect(apply("ftp://hooks.example.test/")).rejects.toThrow("it is not an https URL")
    await apply(receiver.url)

    expect((await admin.get("/api/v1/webhooks")).body).toMatchObject({ items: [{ url: receiver.url }] })
    await apply(null)
  })

  test("invalid fields are refused", async () => {
    const hook = await add()
    const refusals: [object, string][] = [
      [{ url: "ftp://hooks.example.test/" }, "url: it is not an https URL"],
      [{ url: "https://user:pass@hooks.example.test/" }, "url: its URL holds a user name or password"],
      [{ url: "https://hooks.example.test:1/" }, "url: its port is not allowed"],
      [{ url: "https://10.0.0.7/" }, "url: it has an address that is not public; to allow it, list its network"],
      [{ url: `https://hooks.example.test/${"x".repeat(2048)}` }, "url: at most 2048 characters"],
      [{ events: ["user.erased"] }, "events: some of transaction.created"],
      [{ format: "xml" }, "format: one of standard"],
      [{ description: "x".repeat(101) }, "description: at most 100"],
      [{ active: "yes" }, "active"],
    ]
    for (const [fields, detail] of refusals) {
      const answer = await admin.patch(`/api/v1/webhooks/${hook.id}`, fields)
      expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining(detail) } })
      expect(JSON.stringify(answer.body)).not.toMatch(/hooks\.example|10\.0\.0\.7|127\.0\.0\.1/)
    }
    expect((await admin.post("/api/v1/webhooks", {})).status).toBe(422)
    expect((await admin.get("/api/v1/webhooks/99999")).status).toBe(404)
    expect(await admin.get("/api/v1/webhooks")).toMatchObject({ body: { items: [{ id: hook.id, url: receiver.url }] } })
  })

  test("chats get recognitions only, as messages with escaped text and without private reasons", async () => {
    for (const format of ["slack", "teams", "discord"]) await add({ format, url: `${receiver.url}/${format}` })
    await admin.post("/api/v1/grants", { usernames: ["ana"], value: 3 })
    const { body: sent } = await send({ reason: "*bold* <!channel> @all [x](http://evil)" })
    await send({ reason: "between us", private: true })
    await deliver()
    const received = receiver.take()
    const of = (format: string) =>
      received.filter(({ path }) => path.endsWith(format)).map(({ body }) => JSON.parse(body))
    const link = `https://rewards.example.com/recognition/${sent.id}`
    expect(of("slack")[0]).toEqual({
      text: `Ana thanked Bruno: 5 points\n*bold* &lt;!channel&gt; @\u200ball [x](http://evil)\n${link}`,
      blocks: [
        {
          type: "rich_text",
          elements: [
            {
              type: "rich_text_section",
              elements: [
                { type: "text", text: "Ana", style: { bold: true } },
                { type: "text", text: " thanked " },
                { type: "text", text: "Bruno", style: { bold: true } },
                { type: "text", text: ": 5 points" },
              ],
            },
            {
              type: "rich_text_quote",
              elements: [{ type: "text", text: "*bold* <!channel> @all [x](http://evil)" }],
            },
            { type: "rich_text_section", elements: [{ type: "link", url: link, text: "Open in Rewards" }] },
          ],
        },
      ],
    })
    expect(of("teams")[0]).toMatchObject({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            type: "AdaptiveCard",
            fallbackText:
              "Ana thanked Bruno\\: 5 points\n" +
              `\\*bold\\* \\<\\!channel\\> \\@all \\[x\\]\\(http\\://evil\\)\n${link}`,
            body: [{ type: "RichTextBlock" }, { inlines: [{ text: "*bold* <!channel> @all [x](http://evil)" }] }],
            actions: [{ type: "Action.OpenUrl", url: link }],
          },
        },
      ],
    })
    expect(of("discord")[0]).toEqual({
      embeds: [
        {
          title: "Open in Rewards",
          url: link,
          description:
            "**Ana** thanked **Bruno**\\: 5 points\n> \\*bold\\* \\<\\!channel\\> \\@all \\[x\\]\\(http\\:\\/\\/evil\\)".replaceAll(
              "\\/",
              "/",
            ),
        },
      ],
      allowed_mentions: { parse: [] },
    })
    for (const format of ["slack", "teams", "discord"]) expect(of(format)).toHaveLength(2)
    expect(JSON.stringify(received)).not.toContain("between us")
    expect(received.every(({ headers }) => headers["webhook-signature"] === undefined)).toBe(true)
  })

  test("chats get one message for a group, without those from whom the points were taken back", async () => {
    await add({ format: "slack", url: `${receiver.url}/slack` })
    await add({ format: "teams", url: `${receiver.url}/teams` })
    const to = Array.from({ length: 12 }, (_, index) => `person-${index + 1}`)
    for (const name of to)
      await admin.post("/user/", { name, email: `${name}@example.com`, dept: "sales", password: `${name} comes in` })
    const thank = async (people: readonly string[]) =>
      (await admin.post<{ items: { id: number }[] }>("/api/v1/transactions", { to: people, value: 5 })).body.items
    const takeBack = (id = 0, value = 5) => admin.post(`/api/v1/transactions/${id}/reversal`, { value, reason: "typo" })
    await thank(["bruno", "ana"])
    const reversed = await thank(["bruno", "ana", "person-1"])
    await takeBack(reversed[0]?.id)
    const partly = await thank(["bruno", "ana"])
    await takeBack(partly[1]?.id, 2)
    for (const { id } of await thank(["bruno", "ana"])) await takeBack(id)
    await thank(to)
    await deliver()

    const slack = receiver
      .take()
      .filter(({ path }) => path.endsWith("slack"))
      .map(({ body }) => JSON.parse(body).text.split("\n")[0])
    expect(slack).toEqual([
      "Admin thanked Bruno and Ana: 5 points each",
      "Admin thanked Ana and person-1: 5 points each",
      "Admin thanked Bruno and Ana: 8 points together",
      `Admin thanked ${to.slice(0, 9).join(", ")}, and 3 others: 5 points each`,
    ])
  })

  test("messages call points what the programme calls them", async () => {
    await add({ format: "slack" })
    await admin.patch("/api/v1/programme", { points_name: { one: "star", many: "stars" } })
    for (const value of [1, 2]) await admin.post("/api/v1/transactions", { to: "bruno", value })
    await deliver()
    const texts = receiver.take().map(({ body }) => JSON.parse(body).text.split("\n")[0])
    expect(texts).toEqual(["Admin thanked Bruno: 1 star", "Admin thanked Bruno: 2 stars"])
    await admin.patch("/api/v1/programme", { points_name: { one: "point", many: "points" } })
  })
})

/** Runs `work` while the system's clock shows this time. */
function withTime<T>(now: number, work: () => T): T {
  const real = Date.now
  Date.now = () => now
  try {
    return work()
  } finally {
    Date.now = real
  }
}
