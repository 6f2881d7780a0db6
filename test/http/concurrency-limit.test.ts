import { expect, test } from "bun:test"
import { connect } from "node:net"
import {
  createConcurrencyLimit,
  maxConcurrent,
  maxConcurrentOfCaller,
  maxConcurrentOfSource,
  maxWaiting,
} from "../../src/http/concurrency-limit.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

test("one caller has a bounded number of requests under way, whatever others do", () => {
  const limit = createConcurrencyLimit()
  for (let count = 0; count < maxConcurrentOfCaller; count += 1) expect(limit.enter("Ana", null)).toBe(true)

  expect([limit.enter("Ana", null), limit.enter("Bruno", null)]).toEqual([false, true])
  limit.leave("Ana", null)
  expect([limit.enter("Ana", null), limit.enter("Ana", null)]).toEqual([true, false])
})

test("one source has a bounded number of requests under way, whatever it presents", () => {
  const limit = createConcurrencyLimit()
  const source = "198.51.100.1"
  for (let count = 0; count < maxConcurrentOfSource; count += 1)
    expect(limit.enter(`token ${count}`, source)).toBe(true)

  expect([limit.enter("Ana", source), limit.enter("Ana", "198.51.100.2")]).toEqual([false, true])
  limit.leave("token 0", source)
  expect([limit.enter("Ana", source), limit.enter("Ana", source)]).toEqual([true, false])
})

test("all together have a bounded number of requests under way", () => {
  const limit = createConcurrencyLimit()
  for (let count = 0; count < maxConcurrent; count += 1) expect(limit.enter(`person ${count}`, null)).toBe(true)

  expect(limit.enter("Ana", null)).toBe(false)
  limit.leave("person 0", null)
  expect([limit.enter("Ana", null), limit.enter("Bruno", null)]).toEqual([true, false])
})

test("a bounded number of refused requests waits; the next is answered at once", async () => {
  const limit = createConcurrencyLimit()
  const { promise: second, resolve: over } = Promise.withResolvers<void>()
  const waits = Array.from({ length: maxWaiting }, () => limit.waitRefused(() => second))

  expect(await limit.waitRefused(() => second)).toBe(false)
  over()
  expect(new Set(await Promise.all(waits))).toEqual(new Set([true]))
  expect(await limit.waitRefused(() => Promise.resolve())).toBe(true)
})

test("beyond that the connection is closed with the refusal", async () => {
  await using server = await startTestServer()
  const { promise: rest, resolve: finish } = Promise.withResolvers<string>()
  const begin = "POST /refresh_token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer same\r\n"
  const held = Array.from({ length: maxConcurrentOfCaller }, () =>
    server.exchange(`${begin}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`, rest),
  )
  const same = () => server.anybody.request("GET", "/user/", { headers: { authorization: "Bearer same" } })
  while ((await same()).status === 200);

  const answers = await Promise.all(Array.from({ length: maxWaiting + 20 }, () => headFrom(server)))
  const closed = answers.filter((head) => /^connection: close\r$/im.test(head))
  expect(closed.length).toBeWithin(1, 21)
  for (const head of answers) expect(head).toMatch(/^HTTP\/1\.1 503 [\s\S]*^retry-after: 1\r$/im)
  finish("}")
  await Promise.all(held)
}, 30_000)

test("who has too many requests under way is told so, with 503 and when to try again, once that time is over", async () => {
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
    body: { detail: "The server has too much to do; try again in a moment" },
  })
  const answered: string[] = []
  const again = same().then(() => answered.push("the same"))
  expect((await server.anybody.get("/user/")).status).toBe(200)
  answered.push("another")
  await again
  expect(answered).toEqual(["another", "the same"])
  finish("}")
  for (const answer of await Promise.all(held)) expect(answer).toStartWith("HTTP/1.1 422")
  expect((await same()).status).toBe(200)
})

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
