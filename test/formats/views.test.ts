import { afterAll, beforeAll, expect, test } from "bun:test"
import { createHubs } from "../../src/stream/hub.ts"
import { watch } from "../stream/watching.ts"
import { createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"

/**
 * Every object of the store that says who somebody is has one more field here. It must not reach anybody until a view
 * names it.
 */
const newField = { salary: "a field that no view names" }

let server: TestServer
let admin: Person
let ana: Person

beforeAll(async () => {
  server = await startTestServer({
    replace: ({ store, programme, clock, log }) => {
      addToParties(store)
      return createHubs({ store, programme: programme.current, clock, pollMs: 1, log }) // the app's own hold methods of the store from before
    },
  })
  admin = await server.admin()
  ana = await server.person("Ana")
  await server.person("Bruno")
  await server.grant(ana, 100)
})

afterAll(() => server[Symbol.asyncDispose]())

test("a new field of a person appears in no answer of the interface", async () => {
  const made = [
    await ana.post("/transaction/bruno/", { value: 5 }),
    await ana.post("/api/v1/transactions", { to: "bruno", value: 5, reason: "Thank you", tags: [] }),
    await ana.post("/api/v1/transactions", { to: ["bruno", "admin"], value: 1 }),
    await admin.post("/api/v1/transactions/1/reversal", { value: 1, reason: "a mistake" }),
    await admin.post("/api/v1/grants", { value: 1, usernames: ["ana", "bruno"] }),
    await admin.post("/api/v1/grants", { value: 1, usernames: ["ana", "bruno"], dry_run: true }),
    await ana.put(`/api/v1/recognitions/1/reactions/${encodeURIComponent("👏")}`),
    await admin.post("/api/v1/recognitions/1/replies", { text: "Well done" }),
    await admin.post("/api/v1/rewards", { name: "Mug", cost: 1 }),
    await ana.post("/api/v1/rewards/1/redemptions"),
    await admin.post("/api/v1/allowances", {
      name: "Budget",
      value: 1,
      mode: "add",
      period: "month",
      at: "09:00",
      audience: { usernames: ["ana"] },
    }),
    await admin.post("/api/v1/webhooks", { url: "https://example.com/", format: "standard" }),
    await admin.patch("/api/v1/users/bruno", { name: "Bruno Lima" }),
    await admin.patch("/user/bruno/", { bio: "At the desk" }),
  ]
  expect(made.filter(({ status }) => status >= 300)).toEqual([])

  const { body: token } = await admin.post<{ token: string }>("/api/v1/tokens", {
    name: "Directory",
    scopes: ["admin"],
  })
  const clients = [admin, ana, createClient(server.url, bearer(token.token))]
  const { body: document } = await admin.get<{ paths: Record<string, object> }>("/openapi.json")
  const read = Object.entries(document.paths)
    .filter(([path, methods]) => "get" in methods && path !== personalData)
    .map(([path]) => path.replace("{username}", "ana").replace(/\{\w+\}/, "1"))
  const seen = new Set<string>()
  for (const path of read)
    for (const client of clients) {
      const { status, body } = await client.get(path)
      if (status === 200) seen.add(path)
      expect([path, isIn(body)]).toEqual([path, false])
    }

  expect(read.filter((path) => !seen.has(path))).toEqual(withoutView)
  expect(made.filter(isIn)).toEqual([])
})

test("a new field of a person appears in no frame of a stream", async () => {
  const streams = [
    "/transaction/ws",
    "/transaction/ws?after=0",
    "/transaction/ws?after=0&only=recognition",
    "/api/v1/stream?after=0",
  ]
  for (const path of streams) {
    const watched = watch(server.url.replace("http", "ws") + path, bearer(ana.accessToken))
    const frames = await watched.seen(2)
    watched.close()
    expect(frames.filter(isIn)).toEqual([])
  }
})

test("a new field of a person appears in no delivery of a webhook, whatever its format", async () => {
  const { webhookSender, events, store } = server.app
  const [webhook] = await store.webhooks.list()
  const { items } = await events.page({})
  const kinds = new Set(items.map(({ type }) => type.split(".")[0]))
  expect([...kinds].sort()).toEqual(["redemption", "transaction", "user"])
  for (const format of ["standard", "slack", "teams", "discord"] as const) {
    const bodies = await Promise.all(
      items.map((event) => webhook && webhookSender.compose({ ...webhook, format, events: [] }, event)),
    )
    expect(bodies.filter((body) => typeof body === "string").length).toBeGreaterThan(0)
    expect(bodies.filter(isIn)).toEqual([])
  }
})

/** Everything stored about a person: whole rows, and no views. */
const personalData = "/api/v1/users/{username}/data"

/** What answers nothing about people here. */
const withoutView = [
  "/oidc/login",
  "/oidc/callback",
  "/oidc/logout",
  "/unsubscribe",
  "/api/v1/stream",
  "/api/v1/avatars/1",
  "/scim/v2/Schemas/1",
  "/scim/v2/ResourceTypes/1",
]

const isIn = (sent: unknown): boolean => JSON.stringify(sent ?? null).includes(newField.salary)

/** Replaces each method of each part of the store by one whose people have the new field. */
function addToParties(store: object) {
  for (const part of Object.values(store)) {
    if (typeof part !== "object" || part === null) continue
    for (const [name, method] of Object.entries(part))
      if (typeof method === "function") part[name] = (...given: unknown[]) => withField(method(...given))
  }
}

function withField(value: unknown): unknown {
  if (value instanceof Promise) return value.then(withField)
  if (Array.isArray(value)) return value.map(withField)
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, withField(one)]))
  if (typeof value !== "object" || value === null) return value
  if (Symbol.asyncIterator in value) return slicesWithField(value as AsyncIterable<unknown>)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const fields = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withField(one)]))
  return namesOfParties.some((name) => name in fields) ? { ...fields, ...newField } : fields
}

const namesOfParties = ["username", "userId", "receiverName", "receiverUsername"]

async function* slicesWithField(slices: AsyncIterable<unknown>) {
  for await (const slice of slices) yield withField(slice)
}
