import { expect, spyOn, test } from "bun:test"
import { connect } from "node:net"
import { nextTick } from "../../src/domain/ticks.ts"
import {
  createConcurrencyLimit,
  maxConcurrent,
  maxConcurrentOfCaller,
  maxConcurrentOfSource,
  maxIncomplete,
  maxIncompleteOfSource,
  maxWaitingRefusals,
  retryAfterSeconds,
} from "../../src/http/concurrency-limit.ts"
import { bounds } from "../../src/http/costs.ts"
import { codeHeader } from "../../src/http/errors.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

test("the concurrent requests of one caller are limited", () => {
  const limit = createConcurrencyLimit()
  for (let count = 0; count < maxConcurrentOfCaller; count += 1) expect(limit.enter("Ana", null)).toBe(true)

  expect([limit.enter("Ana", null), limit.enter("Bruno", null)]).toEqual([false, true])
  limit.leave("Ana", null)
  expect([limit.enter("Ana", null), limit.enter("Ana", null)]).toEqual([true, false])
})

test("the concurrent requests of one source are limited, across all its credentials", () => {
  const limit = createConcurrencyLimit()
  const source = "198.51.100.1"
  for (let count = 0; count < maxConcurrentOfSource; count += 1)
    expect(limit.enter(`token ${count}`, source)).toBe(true)

  expect([limit.enter("Ana", source), limit.enter("Ana", "198.51.100.2")]).toEqual([false, true])
  limit.leave("token 0", source)
  expect([limit.enter("Ana", source), limit.enter("Ana", source)]).toEqual([true, false])
})

test("all concurrent requests together are limited", () => {
  const limit = createConcurrencyLimit()
  for (let count = 0; count < maxConcurrent; count += 1) expect(limit.enter(`person ${count}`, null)).toBe(true)

  expect(limit.enter("Ana", null)).toBe(false)
  limit.leave("person 0", null)
  expect([limit.enter("Ana", null), limit.enter("Bruno", null)]).toEqual([true, false])
})

test("a request whose body has not arrived does not count until it is there", async () => {
  const limit = createConcurrencyLimit()
  const { promise: body, resolve: arrive } = Promise.withResolvers<string>()
  const source = "198.51.100.1"
  const received = Array.from({ length: maxConcurrentOfCaller }, () => {
    limit.enter("Ana", source)
    return limit.receive("Ana", source, body)
  })

  for (let count = 0; count < maxConcurrentOfCaller; count += 1) expect(limit.enter("Ana", source)).toBe(true)
  for (let count = 0; count < maxConcurrentOfCaller; count += 1) limit.leave("Ana", source)
  arrive("{}")
  expect(new Set(await Promise.all(received))).toEqual(new Set(["{}"]))
  expect([limit.enter("Ana", source), limit.enter("Bruno", source)]).toEqual([false, true])
})

for (const [what, most, source] of [
  ["of one source", maxIncompleteOfSource, () => "198.51.100.1"],
  ["in all", maxIncomplete, (index: number) => (index % 2 === 0 ? null : `198.51.100.${index}`)],
] as const)
  test(`one incomplete body too many ${what} ends the oldest`, async () => {
    const limit = createConcurrencyLimit()
    const refused: number[] = []
    const wait = (index: number) => {
      limit.enter(`caller ${index}`, source(index))
      const body = limit.receive(`caller ${index}`, source(index), new Promise<string>(() => {}))
      body.catch(({ code }) => code === "overloaded" && refused.push(index))
    }

    for (let index = 0; index < most; index += 1) wait(index)
    await nextTick()
    expect(refused).toEqual([])
    wait(most)
    wait(most + 1)
    await nextTick()
    expect(refused).toEqual([0, 1])
  })

test("a body that nobody waits for any more counts among them: one too many ends the wait", async () => {
  const limit = createConcurrencyLimit()
  const never = new Promise<boolean>(() => {})
  const first = limit.ignore(null, never)
  for (let count = 1; count < maxIncomplete; count += 1) void limit.ignore(null, never)

  expect(await limit.ignore(null, Promise.resolve(true))).toBe(true)
  expect(await first).toBe(false)
})

test("bodies that stop half-way keep nobody of the same address out", async () => {
  await using server = await startTestServer()
  const begin = "POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
  const { hostname, port } = new URL(server.url)
  const half = `${begin}Content-Length: 100\r\n\r\nusername=`
  const sockets = Array.from({ length: 2 * maxConcurrentOfCaller }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(half))
    return socket
  })
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on("connect", resolve))))

  expect((await server.anybody.get("/healthz")).status).toBe(200)
  const login = { username: "admin", password: "wrong" }
  for (let count = 0; count < 3; count += 1) expect((await server.anybody.submit("/token", login)).status).toBe(401)
  for (const socket of sockets) socket.destroy()
})

test("a server that is overloaded says that it is alive", async () => {
  await using busy = await busyServer()
  const { server, held, finish } = busy
  const headers = { authorization: "Bearer same" }
  const isRefused = async () => (await server.anybody.request("GET", "/user/admin/", { headers })).status === 503
  await until(isRefused)

  for (const path of ["/healthz", "/readyz"])
    expect((await server.anybody.request("GET", path, { headers })).status).toBe(200)
  expect(await isRefused()).toBe(true)
  finish()
  await Promise.all(held)
})

const answerOf = (status: number, code: string) => new Response(null, { status, headers: { [codeHeader]: code } })
const refused = () => answerOf(429, "too_many_at_once")

test("a limited number of refused requests waits; the next is answered at once", async () => {
  const limit = createConcurrencyLimit()
  const { promise: second, resolve: over } = Promise.withResolvers<void>()
  const waits = Array.from({ length: maxWaitingRefusals }, () => limit.delay(refused(), () => second))

  expect(await limit.delay(refused(), () => second)).toBe(false)
  over()
  expect(new Set(await Promise.all(waits))).toEqual(new Set([true]))
  expect(await limit.delay(refused(), () => Promise.resolve())).toBe(true)
})

test("an answer waits when it refuses what was too much, of everybody or of one person, and no other does", async () => {
  const limit = createConcurrencyLimit()
  const waits = async (status: number, code: string) => {
    const slept: number[] = []
    await limit.delay(answerOf(status, code), async (ms) => void slept.push(ms))
    return slept.length > 0
  }
  for (const code of ["too_many_at_once", "too_many_exports"]) expect(await waits(429, code)).toBe(true)
  for (const code of ["too_many_writes", "too_many_failures"]) expect(await waits(429, code)).toBe(false)
  for (const code of ["overloaded", "busy"]) expect(await waits(503, code)).toBe(true)
  for (const code of ["not_ready", "unwritable", "unavailable"]) expect(await waits(503, code)).toBe(false)
  for (const status of [200, 404, 409]) expect(await waits(status, "")).toBe(false)
})

test("a request that its person's limit refuses is answered only after that time, and takes no place meanwhile", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const ends: (() => void)[] = []
  const { entries } = server.app.store.ledger
  spyOn(server.app.store.ledger, "entries").mockImplementation(async (query) => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return entries(query)
  })
  using second = holdSecond()
  const asked = maxConcurrentOfCaller / 2 // the client of the test opens no more connections than the limit
  const running = bounds.work.ofOne + bounds.work.waiting
  const answers = Array.from({ length: asked }, () => admin.get("/api/v1/transactions"))
  await until(() => second.waiting() === asked - running)
  expect((await admin.get("/api/v1/me")).status).toBe(200)
  second.pass()
  for (let ended = 0; ended < running; ended += 1) {
    await until(() => ends.length > ended)
    ends[ended]?.()
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(asked - running)
})

test("beyond that number the refusal closes the connection", async () => {
  await using busy = await busyServer()
  const { server, held, finish } = busy
  const same = () => server.anybody.request("GET", "/user/admin/", { headers: { authorization: "Bearer same" } })
  await until(async () => (await same()).status !== 200)

  using second = holdSecond()
  const heads: string[] = []
  const answers = Array.from({ length: maxWaitingRefusals + 20 }, () =>
    headFrom(server).then((head) => heads.push(head)),
  )
  await until(() => heads.length === 20)
  for (const head of heads) expect(head).toMatch(/^connection: close\r$/im)
  second.pass()
  await Promise.all(answers)
  expect(heads.filter((head) => /^connection: close\r$/im.test(head))).toHaveLength(20)
  for (const head of heads) expect(head).toMatch(/^HTTP\/1\.1 503 [\s\S]*^retry-after: 1\r$/im)
  finish()
  await Promise.all(held)
}, 120_000)

test("a request above its caller's limit gets 503 and Retry-After, but only after that time", async () => {
  await using busy = await busyServer()
  const { server, held, finish } = busy

  const same = () => server.anybody.call("GET", "/user/admin/", { headers: { authorization: "Bearer same" } })
  let refused = await same()
  await until(async () => {
    refused = await same()
    return refused.status !== 200
  })

  expect(refused).toEqual({
    status: 503,
    headers: { "retry-after": "1" },
    body: { detail: "The server is overloaded; try again in a moment" },
  })
  using second = holdSecond()
  const again = same()
  await until(() => second.waiting() === 1)
  expect((await server.anybody.get("/user/admin/")).status).toBe(200)
  second.pass()
  expect((await again).status).toBe(503)
  finish()
  for (const answer of await Promise.all(held)) expect(answer).toStartWith("HTTP/1.1 200")
  expect((await same()).status).toBe(200)
})

/** A server with as many running requests of one caller as it admits. They are answered after `finish`. */
async function busyServer() {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const server = await startTestServer({
    replace: ({ store }) => ({
      store: {
        ...store,
        exports: {
          ...store.exports,
          async *users() {
            await finished
            yield* store.exports.users()
          },
        },
      },
    }),
  })
  const request = "GET /user/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer same\r\n\r\n"
  // The request that looks whether all are held may take the place of one.
  const hold = async (): Promise<string> => {
    const answer = await server.exchange(request)
    return answer.startsWith("HTTP/1.1 503") ? hold() : answer
  }
  const held = Array.from({ length: maxConcurrentOfCaller }, hold)
  return { server, held, finish, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

/** Stops the second that refused requests wait until `pass` is called. */
function holdSecond() {
  const { promise: passed, resolve: pass } = Promise.withResolvers<void>()
  const sleep = Bun.sleep
  let waiting = 0
  const spy = spyOn(Bun, "sleep").mockImplementation((time) => {
    if (time !== retryAfterSeconds * 1000) return sleep(time)
    waiting += 1
    return passed
  })
  return { pass, waiting: () => waiting, [Symbol.dispose]: () => spy.mockRestore() }
}

/** The head of the answer to one of the same caller's requests, on a connection of its own. */
function headFrom({ url }: TestServer): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname, () =>
    socket.write("GET /user/admin/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer same\r\n\r\n"),
  )
  socket.on("error", reject).once("data", (bytes) => {
    resolve(bytes.toString().split("\r\n\r\n")[0] ?? "")
    socket.destroy()
  })
  return promise
}
