import { expect, spyOn, test } from "bun:test"
import { connect } from "node:net"
import {
  createConcurrencyLimit,
  maxConcurrent,
  maxConcurrentOfCaller,
  maxConcurrentOfSource,
  maxWaitingRefusals,
  retryAfterSeconds,
} from "../../src/http/concurrency-limit.ts"
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

test("a limited number of refused requests waits; the next is answered at once", async () => {
  const limit = createConcurrencyLimit()
  const { promise: second, resolve: over } = Promise.withResolvers<void>()
  const waits = Array.from({ length: maxWaitingRefusals }, () => limit.waitRefused(() => second))

  expect(await limit.waitRefused(() => second)).toBe(false)
  over()
  expect(new Set(await Promise.all(waits))).toEqual(new Set([true]))
  expect(await limit.waitRefused(() => Promise.resolve())).toBe(true)
})

test("beyond that number the refusal closes the connection", async () => {
  await using server = await startTestServer()
  const { promise: rest, resolve: finish } = Promise.withResolvers<string>()
  const begin = "POST /refresh_token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer same\r\n"
  const held = Array.from({ length: maxConcurrentOfCaller }, () =>
    server.exchange(`${begin}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`, rest),
  )
  const same = () => server.anybody.request("GET", "/user/", { headers: { authorization: "Bearer same" } })
  while ((await same()).status === 200);

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
  finish("}")
  await Promise.all(held)
}, 120_000)

test("a request above its caller's limit gets 503 and Retry-After, but only after that time", async () => {
  await using server = await startTestServer()
  const { promise: rest, resolve: finish } = Promise.withResolvers<string>()
  const begin = "POST /refresh_token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer same\r\n"
  const held = Array.from({ length: maxConcurrentOfCaller }, () =>
    server.exchange(`${begin}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`, rest),
  )

  const same = () => server.anybody.call("GET", "/user/", { headers: { authorization: "Bearer same" } })
  let refused = await same()
  while (refused.status === 200) refused = await same()

  expect(refused).toEqual({
    status: 503,
    headers: { "retry-after": "1" },
    body: { detail: "The server is overloaded; try again in a moment" },
  })
  using second = holdSecond()
  const again = same()
  await until(() => second.waiting() === 1)
  expect((await server.anybody.get("/user/")).status).toBe(200)
  second.pass()
  expect((await again).status).toBe(503)
  finish("}")
  for (const answer of await Promise.all(held)) expect(answer).toStartWith("HTTP/1.1 422")
  expect((await same()).status).toBe(200)
})

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
    socket.write("GET /user/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer same\r\n\r\n"),
  )
  socket.on("error", reject).once("data", (bytes) => {
    resolve(bytes.toString().split("\r\n\r\n")[0] ?? "")
    socket.destroy()
  })
  return promise
}
