import { expect, test } from "bun:test"
import { createGate, maxUnderWay, maxUnderWayOfOne, maxUnderWayOfSource } from "../../src/http/gate.ts"
import { startTestServer } from "../support/server.ts"

test("one caller has a bounded number of requests under way, whatever others do", () => {
  const gate = createGate()
  for (let count = 0; count < maxUnderWayOfOne; count += 1) expect(gate.enter("Ana", null)).toBe(true)

  expect([gate.enter("Ana", null), gate.enter("Bruno", null)]).toEqual([false, true])
  gate.leave("Ana", null)
  expect([gate.enter("Ana", null), gate.enter("Ana", null)]).toEqual([true, false])
})

test("one source has a bounded number of requests under way, whatever it presents", () => {
  const gate = createGate()
  const source = "198.51.100.1"
  for (let count = 0; count < maxUnderWayOfSource; count += 1) expect(gate.enter(`token ${count}`, source)).toBe(true)

  expect([gate.enter("Ana", source), gate.enter("Ana", "198.51.100.2")]).toEqual([false, true])
  gate.leave("token 0", source)
  expect([gate.enter("Ana", source), gate.enter("Ana", source)]).toEqual([true, false])
})

test("all together have a bounded number of requests under way", () => {
  const gate = createGate()
  for (let count = 0; count < maxUnderWay; count += 1) expect(gate.enter(`person ${count}`, null)).toBe(true)

  expect(gate.enter("Ana", null)).toBe(false)
  gate.leave("person 0", null)
  expect([gate.enter("Ana", null), gate.enter("Bruno", null)]).toEqual([true, false])
})

test("who has too many requests under way is told so, with 503 and when to try again, once that time is over", async () => {
  await using server = await startTestServer()
  const { promise: rest, resolve: finish } = Promise.withResolvers<string>()
  const begin = "POST /refresh_token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer same\r\n"
  const held = Array.from({ length: maxUnderWayOfOne }, () =>
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
