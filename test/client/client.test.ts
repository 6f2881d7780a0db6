import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { createRewardsClient, RewardsError } from "../../client/src/client.ts"
import type { Transfer } from "../../client/src/stream.ts"
import { verifyWebhook } from "../../client/src/webhook.ts"
import { bundledClient } from "../../tooling/client/pack.ts"
import { callerOf } from "../support/credentials.ts"
import { type StartedServer, startServer } from "../support/executable.ts"

let server: StartedServer
const password = "a password of hers"
/** Ana's API token. */
let token = ""

beforeAll(async () => {
  server = await startServer()
  const admin = await callerOf(server.url, { username: "admin", password: "admin" })
  for (const name of ["Ana", "Bruno"])
    await admin.post("/user/", { name, email: `${name}@example.com`, dept: "sales", password })
  await admin.post("/transaction/ana/", { value: 1000 })
  const ana = await callerOf(server.url, { username: "ana", password })
  token = (await ana.post<{ token: string }>("/api/v1/tokens", { name: "test", scopes: ["read", "give"] })).body.token
})
afterAll(() => server.stop())

const sleeps: number[] = []
const sleep = async (ms: number) => void sleeps.push(ms)

/** A client whose first requests get these answers instead of being sent; null is a lost connection after sending. */
function clientBehind(answers: readonly (Response | "lost" | "lost after")[], attempts?: number) {
  const left = [...answers]
  sleeps.length = 0
  const sent: Request[] = []
  const fetch = (async (input: Request) => {
    sent.push(input.clone())
    const answer = left.shift()
    if (answer === "lost") throw new TypeError("fetch failed")
    if (answer === "lost after") {
      await globalThis.fetch(input)
      throw new TypeError("fetch failed")
    }
    return answer ?? globalThis.fetch(input)
  }) as typeof globalThis.fetch
  const options = { url: server.url, credentials: { token }, fetch, sleep, ...(attempts !== undefined && { attempts }) }
  return { client: createRewardsClient(options), sent }
}

const status = (code: number, retryAfter?: string) =>
  Response.json(
    { detail: "no" },
    { status: code, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } },
  )

test("a transfer is made once under one key, however often its request is repeated", async () => {
  const { client, sent } = clientBehind(["lost", "lost after", status(503, "7"), status(502), status(504)], 6)

  const given = await client.give({ to: "bruno", value: 5, reason: "for the review" })

  expect(given).toMatchObject({ value: 5, reason: "for the review", replayed: true, to: { username: "bruno" } })
  expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1)
  expect(sent).toHaveLength(6)
  expect(sleeps[2]).toBe(7000)
  const all = await Array.fromAsync(client.all("/api/v1/transactions", { user: "bruno" }))
  expect(all.filter(({ reason }) => reason === "for the review")).toHaveLength(1)
})

test("429 is retried only if the service says how long to wait; a refusal and a 500 are never retried", async () => {
  const waited = clientBehind([status(429, "3")])
  expect(await waited.client.give({ to: "bruno", value: 1 })).toMatchObject({ replayed: false })
  expect(sleeps).toEqual([3000])
  for (const answer of [status(429), status(429, "3600"), status(500), status(409)]) {
    const { client, sent } = clientBehind([answer])
    await expect(client.give({ to: "bruno", value: 1 })).rejects.toBeInstanceOf(RewardsError)
    expect(sent).toHaveLength(1)
  }
  const lost = clientBehind(["lost", "lost", "lost"], 3)
  await expect(lost.client.give({ to: "bruno", value: 1 })).rejects.toThrow("fetch failed")
  const { client } = clientBehind([])
  await expect(client.give({ to: "nobody", value: 1 })).rejects.toMatchObject({ status: 404, detail: "User not found" })
})

test("a refusal says which one it is, and which field is wrong; one of a proxy has no code", async () => {
  const { client } = clientBehind([])
  await expect(client.give({ to: "bruno", value: 1e6 })).rejects.toMatchObject({
    status: 400,
    code: "insufficient_balance",
    detail: "Insufficient balance",
    field: null,
  })
  await expect(client.give({ to: "bruno", value: 0 })).rejects.toMatchObject({ code: "invalid", field: "value" })
  const proxied = clientBehind([status(409)])
  await expect(proxied.client.give({ to: "bruno", value: 1 })).rejects.toMatchObject({ code: null, detail: "no" })
})

test("a list is read page by page, each page when the loop needs it", async () => {
  const { client, sent } = clientBehind([])
  for (let count = 0; count < 5; count += 1) await client.give({ to: "bruno", value: 1, reason: `page ${count}` })
  sent.length = 0
  const seen: string[] = []
  for await (const { reason } of client.all("/api/v1/transactions", { size: 2, q: "page" })) {
    seen.push(reason ?? "")
    if (seen.length === 3) break
  }
  expect(seen).toEqual(["page 4", "page 3", "page 2"])
  expect(sent).toHaveLength(2)
  const people = await Array.fromAsync(client.all("/api/v1/people", { size: 1 }))
  expect(people.map(({ username }) => username).toSorted()).toEqual(["admin", "ana", "bruno"])
})

test("with a password the client logs in once and renews expired tokens", async () => {
  const client = createRewardsClient({ url: `${server.url}/`, credentials: { username: "bruno", password } })
  const me = async () => (await client.api.GET("/api/v1/me")).data?.username
  expect(await Promise.all([me(), me()])).toEqual(["bruno", "bruno"])

  const admin = await callerOf(server.url, { username: "admin", password: "admin" })
  await admin.post("/user/bruno/password/", { password, password_confirm: password })
  expect(await Promise.all([me(), me()])).toEqual(["bruno", "bruno"])

  const wrong = createRewardsClient({ url: server.url, credentials: { username: "bruno", password: "wrong" } })
  expect((await wrong.api.GET("/api/v1/me")).response.status).toBe(401)
})

const html = () => new Response("<p>Bad gateway</p>", { headers: { "content-type": "text/html" } })

test("a log-in or a renewal that fails is not remembered: give tries it again with each attempt", async () => {
  const failures = ["lost", html(), status(503, "2"), "lost"] as const
  const left: (typeof failures)[number][] = [...failures]
  const asked: string[] = []
  sleeps.length = 0
  const fetch = (async (input: Request | string, init?: RequestInit) => {
    const path = new URL(typeof input === "string" ? input : input.url).pathname
    asked.push(path)
    const failure = /token$/.test(path) ? left.shift() : undefined
    if (failure === "lost") throw new TypeError("fetch failed")
    return failure ?? globalThis.fetch(input, init)
  }) as typeof globalThis.fetch
  const credentials = { username: "ana", password }
  const client = createRewardsClient({ url: server.url, credentials, fetch, sleep })

  expect(await client.give({ to: "bruno", value: 1 })).toMatchObject({ replayed: false })
  expect(asked).toEqual(["/token", "/token", "/token", "/token", "/token", "/api/v1/transactions"])
  expect(sleeps[2]).toBe(2000)

  const admin = await callerOf(server.url, { username: "admin", password: "admin" })
  await admin.post("/user/ana/password/", { password, password_confirm: password })
  left.push("lost", "lost")
  asked.length = 0
  expect(await client.give({ to: "bruno", value: 1 })).toMatchObject({ replayed: false })
  expect(asked.filter((path) => path === "/token")).toHaveLength(2)
  const ana = await callerOf(server.url, { username: "ana", password })
  token = (await ana.post<{ token: string }>("/api/v1/tokens", { name: "next", scopes: ["read", "give"] })).body.token
})

test("any other request that makes something takes a key", async () => {
  const client = createRewardsClient({ url: server.url, credentials: { username: "admin", password: "admin" } })
  const params = { header: { "Idempotency-Key": "the mug" } }
  const add = async () => (await client.api.POST("/api/v1/rewards", { params, body: { name: "Mug", cost: 50 } })).data

  expect(await add()).toMatchObject({ name: "Mug" })
  expect(await add()).toEqual(await add())
  expect((await client.api.GET("/api/v1/rewards")).data?.items).toHaveLength(1)
})

test("a refused log-in is the answer to the request, and tried again with the next one", async () => {
  const refusedOnce = [Response.json({ detail: "Incorrect username or password" }, { status: 401 })]
  const fetch = (async (input: Request | string, init?: RequestInit) =>
    (input === `${server.url}/token` && refusedOnce.shift()) ||
    globalThis.fetch(input, init)) as typeof globalThis.fetch
  const client = createRewardsClient({ url: server.url, credentials: { username: "ana", password }, fetch })

  const refused = client.give({ to: "bruno", value: 1 })
  await expect(refused).rejects.toMatchObject({ status: 401, detail: "Incorrect username or password" })
  expect(await client.give({ to: "bruno", value: 1 })).toMatchObject({ replayed: false })
})

/** A service whose access tokens end with each connection, and whose connections fall silent after one transfer. */
function shortLived() {
  const connected: { readonly after: number; readonly token: string | null }[] = []
  let valid = 0
  const listener = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, own) {
      const { pathname, searchParams } = new URL(request.url)
      const token = request.headers.get("authorization")
      if (pathname === "/token" && (await request.text()).includes("wrong"))
        return Response.json({ detail: "Incorrect username or password" }, { status: 401 })
      if (/token$/.test(pathname)) {
        valid += 1
        return Response.json({ access_token: `${valid}`, refresh_token: "r" })
      }
      if (token !== `Bearer ${valid}` && token !== "Bearer rwd_valid")
        return Response.json({ detail: "Could not validate credentials" }, { status: 401 })
      if (pathname === "/api/v1/me") return Response.json({ username: "ana" })
      const after = Number(searchParams.get("after"))
      connected.push({ after, token })
      valid += 1
      return own.upgrade(request, { data: after }) ? undefined : new Response()
    },
    websocket: {
      data: 0,
      open(socket) {
        socket.send(JSON.stringify({ id: socket.data + 1, to: "A", from: "B", value: 1, date: "" }))
        socket.send(JSON.stringify({ through: socket.data + 1 }))
      },
      message() {},
    },
  })
  return { url: `http://127.0.0.1:${listener.port}`, connected, [Symbol.dispose]: () => void listener.stop(true) }
}

test("a stream renews its token before each connection, and notices one that has fallen silent", async () => {
  using service = shortLived()
  const client = createRewardsClient({
    ...{ url: service.url, silenceMs: 50 },
    credentials: { username: "ana", password },
  })
  const stop = new AbortController()
  const ids: number[] = []

  for await (const { id } of client.stream({ signal: stop.signal })) if (ids.push(id) === 3) stop.abort()

  expect(ids).toEqual([1, 2, 3])
  expect(service.connected).toEqual([
    { after: 0, token: "Bearer 1" },
    { after: 1, token: "Bearer 3" },
    { after: 2, token: "Bearer 5" },
  ])
})

test("a stream whose credentials are refused throws, and never connects without them", async () => {
  using service = shortLived()
  for (const credentials of [{ username: "ana", password: "wrong" }, { token: "rwd_revoked" }]) {
    const first = createRewardsClient({ url: service.url, credentials }).stream().next()
    await expect(first).rejects.toMatchObject({ name: "RewardsError", status: 401 })
  }
  expect(service.connected).toEqual([])
})

test("after a lost connection the stream continues after the last transfer, and it ends with its signal", async () => {
  const { client } = clientBehind([])
  const aborting = new AbortController()
  const seen: Transfer[] = []
  for await (const transfer of client.stream({ after: 1, signal: aborting.signal })) {
    seen.push(transfer)
    if (seen.length === 3) aborting.abort()
  }
  expect(seen.map(({ id }) => id)).toEqual([2, 3, 4])
  expect(seen[0]).toMatchObject({ to: "Bruno", from: "Ana", value: 5 })

  // A server that closes after each transfer: every connection begins behind the one before.
  const asked: string[] = []
  using closing = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, listener) => (listener.upgrade(request, { data: request.url }) ? undefined : new Response()),
    websocket: {
      data: "" as string,
      open(socket) {
        const after = Number(new URL(socket.data).searchParams.get("after"))
        asked.push(String(after))
        socket.send(JSON.stringify({ id: after + 1, to: "A", from: "B", value: 1, date: "" }))
        socket.close()
      },
      message() {},
    },
  })
  const again = createRewardsClient({ url: `http://127.0.0.1:${closing.port}` })
  const stop = new AbortController()
  const ids: number[] = []
  for await (const { id } of again.stream({ after: 7, signal: stop.signal })) if (ids.push(id) === 2) stop.abort()
  expect(ids).toEqual([8, 9])
  expect(asked.slice(0, 2)).toEqual(["7", "8"])
})

test("a webhook signed by the reference library is verified; a changed one, an old one or one with another key is refused", async () => {
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes ...").toString("base64")}`
  const body = JSON.stringify({ type: "transaction.created", timestamp: "2026-11-22T09:00:00Z", data: { id: 7 } })
  const now = Date.UTC(2026, 10, 22, 9)
  const signature = new Webhook(secret).sign("msg_1", new Date(now), body)
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(now / 1000),
    "webhook-signature": `v1,${btoa("another")} ${signature}`,
  }
  expect(await verifyWebhook(body, headers, secret, now)).toMatchObject({ data: { id: 7 } })
  expect(await verifyWebhook(body, new Headers(headers), secret, now + 300_000)).toMatchObject({ data: { id: 7 } })

  for (const refused of [
    () => verifyWebhook(`${body} `, headers, secret, now),
    () => verifyWebhook(body, headers, secret, now + 301_000),
    () => verifyWebhook(body, headers, `whsec_${btoa("another secret")}`, now),
    () => verifyWebhook(body, { ...headers, "webhook-id": "msg_2" }, secret, now),
    () => verifyWebhook(body, { ...headers, "webhook-signature": "v1,§ v2,x" }, secret, now),
    () => verifyWebhook(body, {}, secret, now),
  ])
    await expect(refused()).rejects.toThrow(/webhook/)
})

test("git ignores the types, which follow from the routes; builds and type checks write them first", async () => {
  const root = join(import.meta.dir, "../..")
  const { scripts } = await Bun.file(join(root, "package.json")).json()
  for (const script of ["build", "typecheck"]) expect(scripts[script]).toStartWith("bun run client:schema && ")
  expect((await Bun.file(join(root, ".gitignore")).text()).split("\n")).toContain("client/src/schema.ts")
})

test("the whole client is under 5 KB compressed", async () => {
  const files = await bundledClient({ isWhole: true })
  const whole = Buffer.concat(files.map(({ bytes }) => bytes))
  expect(files.map(({ path }) => path).toSorted()).toEqual(["client.js", "webhook.js"])
  expect(Bun.gzipSync(whole).length).toBeLessThan(5000)
})

test("the examples run unchanged", async () => {
  const env = { ...process.env, REWARDS_URL: server.url, REWARDS_TOKEN: token }
  const examples = join(import.meta.dir, "../../client/examples")
  const programs = { "thank.ts": process.execPath, "thank.py": Bun.which("python3") }
  for (const [file, program] of Object.entries(programs)) {
    if (program === null) continue // not every machine has Python
    const child = Bun.spawn([program, join(examples, file), "2", `by ${file}`, "bruno"], { env, stdout: "pipe" })
    expect([file, await new Response(child.stdout).text()]).toEqual([
      file,
      expect.stringMatching(/^\d+: 2 to bruno\n$/),
    ])
  }
})

test("several people are thanked at once with a list of receivers", async () => {
  const { client } = clientBehind(["lost after"])

  const { items, group, replayed } = await client.give({ to: ["bruno", "admin"], value: 1, reason: "for the fair" })

  expect(items.map(({ to, group }) => [to.username, group])).toEqual([
    ["bruno", group],
    ["admin", group],
  ])
  expect(replayed).toBe(true)
})
