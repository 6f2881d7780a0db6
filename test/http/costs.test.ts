import { expect, spyOn, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { createApi } from "../../src/http/api.ts"
import { bounds, costs } from "../../src/http/costs.ts"
import type { NamedGuard } from "../../src/http/guards.ts"
import { badSession, refused } from "../support/answers.ts"
import { type Client, createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

const tooMany = {
  ...refused(429, "Your other large requests are still running; try again in a moment"),
  headers: { "retry-after": "5" },
}
const costly = Object.entries(costs).filter(([, cost]) => cost !== "cheap" && cost !== "list")

test("every route says what it costs, and every costly one has a guard, which takes its turn", async () => {
  await using server = await startTestServer()
  const unused = () => {
    throw new Error("nobody sends requests")
  }
  const parts = await createApi({ app: server.app, arrival: unused }).parts()
  const routes = parts.flatMap(({ routes }) => routes).map(({ method, path, hooks }) => [`${method} ${path}`, hooks])
  const guards = new Map(
    routes.flatMap(([name, hooks]) => ("guard" in hooks ? [[name, hooks.guard as NamedGuard] as const] : [])),
  )

  expect(routes.map(([name]) => name).toSorted()).toEqual(Object.keys(costs).toSorted())
  expect(costly.map(([name]) => [name, guards.get(name)?.row ? guards.get(name)?.cost : "no guard"])).toEqual(costly)
})

/** A server on which admin has as many reads that last as one person may have, and as many waiting as may wait. */
async function crowded() {
  const server = await startTestServer()
  const admin = await server.admin()
  const request = { name: "Directory", scopes: ["admin"], username: "admin" }
  const { body } = await admin.post<{ token: string }>("/api/v1/service-tokens", request)
  const reads: (() => void)[] = []
  const { entries } = server.app.store.ledger
  spyOn(server.app.store.ledger, "entries").mockImplementation(async (query) => {
    await new Promise<void>((resolve) => reads.push(resolve))
    return entries(query)
  })
  const most = bounds.work.ofOne + bounds.work.waiting
  const answers = Array.from({ length: most + 1 }, () => admin.get("/api/v1/transactions"))
  const first = await Promise.race(answers)
  return {
    server,
    admin,
    directory: createClient(server.url, bearer(body.token)),
    reads,
    answers,
    first,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Calls a route for something that exists. */
function ask(client: Client, route: string) {
  const [method = "", path = ""] = route.split(" ")
  const of = { username: "admin", id: "1", name: "management" } as Readonly<Record<string, string>>
  const asked = path.replaceAll(/:(\w+)/g, (_, name) => of[name] ?? "")
  return method === "GET" ? client.get(asked) : client.call(method, asked, { json: {} })
}

test("one more costly request of a person is refused, whatever it asks for, and before anything is read", async () => {
  await using here = await crowded()
  const { server, admin, directory, reads, answers, first } = here
  const ofAddress = "GET /api/v1/wall" // which looks at no credentials
  const works = costly.filter(([route, cost]) => cost === "work" && route !== ofAddress).map(([route]) => route)
  const asked = works.map(async (route) => {
    const { status, headers } = await ask(route.includes("/scim/") ? directory : admin, route)
    return [route, status, headers?.["retry-after"]]
  })
  expect(first).toEqual(tooMany)
  expect(await Promise.all(asked)).toEqual(works.map((route) => [route, 429, "5"]))
  expect(reads).toHaveLength(bounds.work.ofOne)

  const ana = await server.person("Ana")
  expect((await ana.get("/api/v1/team")).status).toBe(200)
  expect((await admin.get("/api/v1/me")).status).toBe(200)

  // Each that ends lets one more begin, until all are answered.
  const begun = bounds.work.ofOne + bounds.work.waiting
  for (let ended = 0; ended < begun; ended += 1) {
    await until(() => reads.length > ended)
    expect(reads.length - ended).toBeLessThanOrEqual(bounds.work.ofOne)
    reads[ended]?.()
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([...Array.from({ length: begun }, () => 200), 429])
}, 30_000)

test("two requests of a person at a time look a name up, and keep no other waiting", async () => {
  const lookups: (() => void)[] = []
  await using server = await startTestServer({
    resolve: async () => {
      await new Promise<void>((resolve) => lookups.push(resolve))
      return [{ address: "10.0.0.1", family: 4 }]
    },
  })
  const admin = await server.admin()
  const add = (client: Client) =>
    client.post("/api/v1/webhooks", { url: "https://silent.test/", format: "standard", events: [] })
  const most = bounds.lookup.ofOne + bounds.lookup.waiting
  const answers = Array.from({ length: most + 1 }, () => add(admin))
  expect(await Promise.race(answers)).toEqual(tooMany)
  expect(lookups).toHaveLength(bounds.lookup.ofOne)

  const routes = Object.entries(costs).flatMap(([route, cost]) => (cost === "lookup" ? [route] : []))
  expect(await Promise.all(routes.map((route) => ask(admin, route)))).toEqual(routes.map(() => tooMany))
  expect((await admin.get("/api/v1/team")).status).toBe(200)
  for (let ended = 0; ended < most; ended += 1) {
    await until(() => lookups.length > ended)
    expect(lookups.length - ended).toBeLessThanOrEqual(bounds.lookup.ofOne)
    lookups[ended]?.()
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([...Array.from({ length: most }, () => 422), 429])
}, 30_000)

test("a request whose session ends while it waits for its turn reads nothing", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const session = await server.withSession(ana)
  const reads: (() => void)[] = []
  const { entries } = server.app.store.ledger
  spyOn(server.app.store.ledger, "entries").mockImplementation(async (query) => {
    await new Promise<void>((resolve) => reads.push(resolve))
    return entries(query)
  })
  const running = Array.from({ length: bounds.work.ofOne }, () => ana.get("/api/v1/transactions"))
  await until(() => reads.length === bounds.work.ofOne)
  const begun = spyOn(server.app.access, "caller")
  const waiting = session.get("/api/v1/transactions")
  await until(() => begun.mock.calls.length === 1)
  expect((await ana.delete("/api/v1/me/sessions")).status).toBe(200)

  for (const end of reads) end()
  expect(await waiting).toEqual(badSession)
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
  expect(reads).toHaveLength(bounds.work.ofOne)
})

test("costly requests without credentials are bounded by address", async () => {
  await using server = await startTestServer({ settings: { "server.trusted_proxies": "127.0.0.1" } })
  const ends: (() => void)[] = []
  const { newest } = server.app.store.recognitions
  spyOn(server.app.store.recognitions, "newest").mockImplementation(async (query) => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return newest(query)
  })
  const from = (address: string) => createClient(server.url, { "x-forwarded-for": address })
  const most = bounds.work.ofOne + bounds.work.waiting
  const answers = Array.from({ length: most + 1 }, () => from("198.51.100.1").get("/api/v1/wall"))

  expect(await Promise.race(answers)).toEqual(tooMany)
  await until(() => ends.length >= bounds.work.ofOne)
  expect(ends).toHaveLength(bounds.work.ofOne)
  const other = from("198.51.100.2").get("/api/v1/wall")
  await until(() => ends.length > bounds.work.ofOne)
  for (let ended = 0; ended <= most; ended += 1) {
    await until(() => ends.length > ended)
    ends[ended]?.()
  }
  expect((await Promise.all([...answers, other])).filter(({ status }) => status === 200)).toHaveLength(most + 1)
})

test("downloads of one person are bounded, and no other work of theirs is", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const ends: (() => void)[] = []
  const { users } = server.app.store.exports
  spyOn(server.app.store.exports, "users").mockImplementation(async function* () {
    await new Promise<void>((resolve) => ends.push(resolve))
    yield* users()
  })
  const running = Array.from({ length: bounds.download.ofOne }, () => admin.get("/api/v1/users.csv"))
  await until(() => ends.length === running.length)
  const files = costly.filter(([, cost]) => cost === "download").map(([route]) => route)
  const asked: unknown[] = []
  for (const route of files) asked.push([route, (await ask(admin, route)).status])

  expect(asked).toEqual(files.map((route) => [route, 429]))
  expect(await admin.get("/api/v1/users.csv")).toEqual({
    ...refused(429, "Your other downloads are still running; try again when one of them is done"),
    headers: { "retry-after": "5" },
  })
  expect((await admin.get("/api/v1/team")).status).toBe(200)
  for (const end of ends) end()
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
})

test("a large answer of a costly route counts until its client has read it, a small one until it is written", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const { insights } = server.app.store
  const { people } = insights
  spyOn(insights, "people").mockImplementation(async (days, signal) => {
    const [one] = await people(days, signal)
    if (one === undefined) throw new Error("there is nobody")
    const name = "x".repeat(10_000)
    return Array.from({ length: 1200 }, (_, id) => ({ ...one, id, username: `person-${id}`, name }))
  })
  const readers = await Promise.all(
    Array.from({ length: bounds.work.ofOne }, () => slowReader(server, "/api/v1/insights/budgets", admin.accessToken)),
  )
  const third = admin.get("/api/v1/team")
  const [ana, small] = [await server.person("Ana"), Array.from({ length: 10 }, () => admin.get("/api/v1/me"))]
  expect((await ana.get("/api/v1/team")).status).toBe(200)
  expect((await Promise.all(small)).every(({ status }) => status === 200)).toBe(true)
  expect(Bun.peek.status(third)).toBe("pending")

  for (const reader of readers) reader.destroy()
  expect((await third).status).toBe(200)
})

/** A client that has read the beginning of an answer, and nothing more. */
function slowReader({ url }: TestServer, path: string, token: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const socket = connect(Number(port), hostname, () => socket.write(head))
  socket.on("error", reject).once("data", () => {
    socket.pause()
    resolve(socket)
  })
  return promise
}
