import { expect, test } from "bun:test"
import { refused } from "../support/answers.ts"
import type { Answer } from "../support/client.ts"
import { type Person, startTestServer } from "../support/server.ts"

const limited = (seconds: number): Answer => ({
  ...refused(429, "Too many transfers in a minute; try again later"),
  headers: { "retry-after": `${seconds}` },
})

/** Ana and Bruno with 100 points each, where three requests a minute are allowed. */
async function two(perMinute = "3") {
  const server = await startTestServer({ settings: { "limits.transfers_per_minute": perMinute } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  for (const person of [ana, bruno]) await server.grant(person, 100)
  return { server, ana, bruno, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const send = (person: Person, to: string, json: object = { value: 1 }, key?: string) =>
  person.call("POST", `/transaction/${to}/`, {
    json,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  })

test("a regular user's requests that send points are counted over all endpoints for a minute", async () => {
  await using here = await two()
  const { server, ana, bruno } = here

  expect((await send(ana, "bruno")).status).toBe(201)
  server.clock.advance(19_500)
  expect((await ana.post("/api/v1/transactions", { to: "ana", value: 1 })).status).toBe(201)
  expect((await ana.post("/api/v1/grants", { value: 1, usernames: ["bruno"] })).status).toBe(201)

  expect(await send(ana, "bruno")).toEqual(limited(41))
  expect(await ana.post("/api/v1/transactions", { to: "bruno", value: 1 })).toEqual(limited(41))
  expect(await ana.post("/api/v1/grants", { value: 1, usernames: ["bruno"] })).toEqual(limited(41))
  expect(await server.app.store.ledger.lastId()).toBe(5)
  expect((await send(bruno, "ana")).status).toBe(201)

  server.clock.advance(40_500)
  expect((await send(ana, "bruno")).status).toBe(201)
})

test("a request refused for its balance counts; an invalid request or a dry run does not", async () => {
  await using here = await two("2")
  const { ana } = here

  for (let turn = 0; turn < 5; turn += 1) {
    expect((await send(ana, "bruno", { value: 0 })).status).toBe(422)
    expect((await send(ana, "nobody")).status).toBe(404)
    expect((await ana.post("/api/v1/grants?dry_run=1", { value: 1, usernames: ["bruno"] })).status).toBe(200)
  }
  expect(await send(ana, "bruno", { value: 101 })).toEqual(refused(400, "Insufficient balance"))
  expect(await send(ana, "bruno", { value: 101 })).toEqual(refused(400, "Insufficient balance"))
  expect(await send(ana, "bruno")).toEqual(limited(60))
})

test("above the limit a replay is answered, and a new key is refused", async () => {
  await using here = await two("1")
  const { ana } = here
  const added = { status: 201, body: { message: "Transaction added" } }

  expect(await send(ana, "bruno", { value: 1 }, "one")).toEqual(added)
  for (let turn = 0; turn < 3; turn += 1) expect(await send(ana, "bruno", { value: 1 }, "one")).toEqual(added)
  expect(await send(ana, "bruno", { value: 2 }, "one")).toEqual(
    refused(409, "This Idempotency-Key was used for another request"),
  )
  expect(await send(ana, "bruno", { value: 1 }, "two")).toEqual(limited(60))
})

test("superusers have no limit, and a limit of 0 means none for anybody", async () => {
  await using here = await two("1")
  const admin = await here.server.admin()
  await using unlimited = await two("0")

  for (let turn = 0; turn < 5; turn += 1) {
    expect((await send(admin, "ana")).status).toBe(201)
    expect((await send(unlimited.ana, "bruno")).status).toBe(201)
  }
})
