import { afterAll, beforeAll, expect, test } from "bun:test"
import { refused } from "../support/answers.ts"
import type { Answer } from "../support/client.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"

const reused = refused(409, "This Idempotency-Key was used for another request")

let server: TestServer
let admin: Person
let ana: Person
let bruno: Person

beforeAll(async () => {
  server = await startTestServer({ settings: { "webhooks.allow_private": "127.0.0.0/8", "webhooks.ports": "9" } })
  admin = await server.admin()
  ana = await server.person("Ana")
  bruno = await server.person("Bruno")
  await server.grant(ana, 1000)
  await ana.post("/transaction/bruno/", { value: 5 })
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 5 })
})

afterAll(() => server[Symbol.asyncDispose]())

interface Made {
  readonly id: number
}

type Request = readonly [path: string, body?: object | string | undefined]

/** Sends the request with this key. A text is a CSV file. */
const sendBy = (person: Person, [path, body]: Request, key: string): Promise<Answer<unknown>> =>
  person.call("POST", path, {
    headers: { "idempotency-key": key, ...(typeof body === "string" && { "content-type": "text/csv" }) },
    ...(typeof body === "string" ? { body } : { json: body }),
  })

const made = async (...[path, body]: Request): Promise<number> => (await admin.post<Made>(path, body)).body.id

/** An open request of Bruno for a reward. */
async function requested(): Promise<number> {
  await ana.post("/transaction/bruno/", { value: 5 })
  return (await bruno.post<Made>("/api/v1/rewards/1/redemptions", {})).body.id
}

const hook = { url: "http://127.0.0.1:9/", active: false }
const budget = { name: "Budget", value: 5, mode: "add", period: "month", audience: { everyone: true } }

/** A delivery that waits, of a webhook of its own. */
async function delivery(): Promise<number> {
  const id = await made("/api/v1/webhooks", { ...hook, active: true })
  await admin.post(`/api/v1/webhooks/${id}/replay`, { since: "2020-01-01T00:00:00Z" })
  await server.app.deliverer.deliverDue()
  await admin.patch(`/api/v1/webhooks/${id}`, { active: false })
  return (await admin.get<{ items: Made[] }>(`/api/v1/webhooks/${id}/deliveries`)).body.items.at(-1)?.id ?? 0
}

/** Every request that makes something else than transactions; `count` says how many there are. */
const requests: Readonly<
  Record<string, { ask: () => Request | Promise<Request>; count: (asked: string) => Promise<number> }>
> = {
  "an allowance": { ask: () => ["/api/v1/allowances", budget], count: () => countIn("/api/v1/allowances") },
  "the run of an allowance": {
    ask: async () => [`/api/v1/allowances/${await made("/api/v1/allowances", budget)}/run`],
    count: (asked) => countIn(asked.replace(/run$/, "runs")),
  },
  "a reward": { ask: () => ["/api/v1/rewards", { name: "Lunch", cost: 5 }], count: () => countIn("/api/v1/rewards") },
  "a fulfilment": {
    ask: async () => [`/api/v1/redemptions/${await requested()}/fulfilment`, { answer: "Here" }],
    count: () => countIn("/api/v1/redemptions?state=fulfilled"),
  },
  "a rejection": {
    ask: async () => [`/api/v1/redemptions/${await requested()}/rejection`, { answer: "Sold out" }],
    count: () => countIn("/api/v1/transactions?kind=refund"),
  },
  "a reply": {
    ask: () => ["/api/v1/recognitions/2/replies", { text: "Well done" }],
    count: async () =>
      (await admin.get<{ replies_list: unknown[] }>("/api/v1/recognitions/2")).body.replies_list.length,
  },
  "people from a file": {
    ask: () => ["/api/v1/users/import", "name,email,dept\nCarla,carla@example.com,sales"],
    count: () => auditCount("users_imported"),
  },
  "an account": {
    ask: () => ["/api/v1/users", { name: "Davi", email: "davi@example.com", dept: "sales" }],
    count: () => auditCount("user_created"),
  },
  "a token": {
    ask: () => ["/api/v1/tokens", { name: "Report", scopes: ["read"] }],
    count: () => countIn("/api/v1/tokens"),
  },
  "a service token": {
    ask: () => ["/api/v1/service-tokens", { name: "Wall", scopes: ["read"], username: "ana" }],
    count: () => countIn("/api/v1/service-tokens"),
  },
  "a webhook": { ask: () => ["/api/v1/webhooks", hook], count: () => countIn("/api/v1/webhooks") },
  "a new secret of a webhook": {
    ask: async () => [`/api/v1/webhooks/${await made("/api/v1/webhooks", hook)}/secret`],
    count: () => auditCount("webhook_changed"),
  },
  "events once more": {
    ask: async () => [
      `/api/v1/webhooks/${await made("/api/v1/webhooks", hook)}/replay`,
      { since: "2020-01-01T00:00:00Z" },
    ],
    count: () => auditCount("webhook_replayed"),
  },
  "a delivery once more": {
    ask: async () => [`/api/v1/deliveries/${await delivery()}/replay`],
    count: () => auditCount("webhook_replayed"),
  },
}

const countIn = async (path: string): Promise<number> => (await admin.get<{ items: unknown[] }>(path)).body.items.length

const auditCount = async (
  action: "user_created" | "users_imported" | "webhook_changed" | "webhook_replayed",
): Promise<number> =>
  (await server.app.store.audit.list({ action, limit: 100 })).reduce((sum, { count }) => sum + count, 0)

for (const [what, { ask, count }] of Object.entries(requests))
  test(`a request for ${what} under a key takes effect once, however often and at the same time it is sent`, async () => {
    const request = await ask()
    const [path, body] = request
    const before = await count(path)

    const [first, ...same] = await Promise.all(Array.from({ length: 3 }, () => sendBy(admin, request, what)))
    const later = await sendBy(admin, request, what)

    expect([200, 201]).toContain(first?.status ?? 0)
    for (const answer of [...same, later]) expect(answer).toEqual(first as Answer<unknown>)
    expect(await count(path)).toBe(before + 1)
    const other = [`${path}?colour=red`, body] as const
    expect(await sendBy(admin, other, what)).toEqual(reused)
    if (typeof body === "object") expect(await sendBy(admin, [path, { ...body, colour: "red" }], what)).toEqual(reused)
    expect(await count(path)).toBe(before + 1)
  })

test("a key belongs to one request and one person, whatever the request makes", async () => {
  const lunch = ["/api/v1/rewards", { name: "Lunch", cost: 5 }] as const
  expect(await sendBy(admin, lunch, "mine")).toMatchObject({ status: 201 })
  expect(await sendBy(admin, ["/transaction/ana/", { value: 1 }], "mine")).toEqual(reused)
  expect(await sendBy(admin, ["/api/v1/grants", { value: 1, usernames: ["ana"] }], "mine")).toEqual(reused)

  expect(await sendBy(admin, ["/transaction/ana/", { value: 1 }], "other")).toMatchObject({ status: 201 })
  expect(await sendBy(admin, lunch, "other")).toEqual(reused)

  expect(await sendBy(ana, ["/api/v1/tokens", { name: "A", scopes: ["read"] }], "mine")).toMatchObject({ status: 201 })
})

test("a refused request leaves its key free, and a key that is no key is refused", async () => {
  const allowance = (name: string) => ["/api/v1/allowances", { ...budget, name }] as const
  expect(await sendBy(admin, allowance(""), "free")).toMatchObject({ status: 422 })
  expect(await sendBy(admin, allowance("Team"), "free")).toMatchObject({ status: 201 })
  expect(await sendBy(admin, allowance("Team"), "k".repeat(256))).toMatchObject({ status: 422 })
})

test("a dry run needs no key, and uses none up", async () => {
  const file = "name,email,dept\nDora,dora@example.com,sales"
  expect(await sendBy(admin, ["/api/v1/users/import?dry_run=true", file], "dry")).toMatchObject({
    body: { created: 1 },
  })
  expect(await sendBy(admin, ["/api/v1/users/import", file], "dry")).toMatchObject({ body: { created: 1 } })
})

test("a secret that is shown once can be read in no copy of the database", async () => {
  const { body } = await sendBy(admin, ["/api/v1/tokens", { name: "Sealed", scopes: ["read"] }], "sealed")
  const admins = await server.app.access.toUser("admin")
  const stored = await server.app.store.idempotency.find(admins.id, "sealed", server.clock.now())

  expect(body).toMatchObject({ token: expect.stringMatching(/^rwd_/) })
  expect(stored?.made).not.toContain("rwd_")
})
