import { expect, test } from "bun:test"
import { refused } from "../../../support/answers.ts"
import { startTestServer } from "../../../support/server.ts"

/** Ana with 100 points; transaction 2: 25 of Ana to Bruno. */
async function company() {
  const server = await startTestServer({})
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const admin = await server.admin()
  await server.grant(ana, 100)
  await ana.post("/api/v1/transactions", { to: "bruno", value: 25, reason: "the review" })
  const reverse = (body: object, id = 2) => admin.post(`/api/v1/transactions/${id}/reversal`, body)
  const balances = async () => {
    const { body } = await admin.get<{ username: string; balance: number }[]>("/user/?show_balance=true")
    return Object.fromEntries(body.map(({ username, balance }) => [username, balance]))
  }
  const { audit } = server.app.store
  return { admin, ana, bruno, reverse, balances, audit, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test("a reversal moves the points back; both entries name each other, and the feed marks the recognition", async () => {
  await using here = await company()

  expect(await here.reverse({ value: 5, reason: "a typing error" })).toMatchObject({
    status: 201,
    body: {
      id: 3,
      kind: "reversal",
      value: 5,
      from: { username: "bruno", name: "Bruno" },
      to: { username: "ana", name: "Ana" },
      reason: "a typing error",
      reverses: 2,
      reversed: 0,
      replayed: false,
    },
  })

  expect(await here.balances()).toEqual({ admin: -100, ana: 80, bruno: 20 })
  const { body } = await here.bruno.get("/api/v1/transactions")
  expect(body).toMatchObject({
    items: [
      { id: 3, reverses: 2, reversed: 0 },
      { id: 2, reverses: null, reversed: 5 },
    ],
  })
  expect(await here.bruno.get("/api/v1/feed")).toMatchObject({
    body: { items: [{ id: 2, value: 25, reversed: 5 }, {}] },
  })
  expect(await here.bruno.get("/api/v1/people/bruno")).toMatchObject({ body: { received: { points: 20, count: 1 } } })
})

test("without a value a reversal takes back everything left; after that the recognition no longer counts", async () => {
  await using here = await company()
  await here.reverse({ value: 5, reason: "a typing error" })

  expect(await here.reverse({ value: 21, reason: "no" })).toEqual(refused(409, "Fewer points are left to reverse"))
  expect(await here.reverse({ reason: "all of it" })).toMatchObject({ status: 201, body: { value: 20 } })
  expect(await here.reverse({ reason: "again" })).toEqual(refused(409, "Nothing left to reverse"))

  expect(await here.balances()).toEqual({ admin: -100, ana: 100, bruno: 0 })
  expect(await here.bruno.get("/api/v1/people/bruno")).toMatchObject({ body: { received: { points: 0, count: 0 } } })
})

test("the receiver's balance must cover a reversal", async () => {
  await using here = await company()
  await here.bruno.post("/api/v1/transactions", { to: "ana", value: 10 })

  expect(await here.reverse({ reason: "too late" })).toEqual(refused(400, "Insufficient balance"))
  expect(await here.reverse({ value: 15, reason: "what is there" })).toMatchObject({ status: 201 })
  expect(await here.balances()).toEqual({ admin: -100, ana: 100, bruno: 0 })
})

test("a reversal is refused for unknown transactions, members, invalid values, a missing reason, and another reversal", async () => {
  await using here = await company()
  await here.reverse({ value: 1, reason: "one" })

  const unknown = refused(404, "Transaction not found")
  for (const id of [99, 0, -1, 1.5, 1e16]) expect(await here.reverse({ reason: "no" }, id)).toEqual(unknown)
  expect(await here.ana.post("/api/v1/transactions/99/reversal", {})).toEqual(unknown)
  expect(await here.ana.post("/api/v1/transactions/2/reversal", {})).toEqual(refused(403, "Not a super user"))
  expect(await here.reverse({ reason: "no" }, 3)).toEqual(
    refused(409, "Only transfers, grants, allowances and occasions can be reversed"),
  )
  for (const body of [
    {},
    { reason: " " },
    { reason: "x".repeat(501) },
    { reason: "x", value: 0 },
    { reason: "x", value: 1.5 },
  ])
    expect((await here.reverse(body)).status).toBe(422)
  expect(await here.balances()).toEqual({ admin: -100, ana: 76, bruno: 24 })
})

test("under an Idempotency-Key a reversal is done once; the key belongs to the superuser, not to the receiver who pays back", async () => {
  await using here = await company()
  const headers = { "idempotency-key": "one" }
  const path = "/api/v1/transactions/2/reversal"
  const reverse = (json: object) => here.admin.call("POST", path, { json, headers })

  expect(await reverse({ reason: "all of it" })).toMatchObject({ status: 201, body: { id: 3, replayed: false } })
  expect(await reverse({ reason: "all of it" })).toMatchObject({
    status: 201,
    body: { id: 3, value: 25, replayed: true },
  })
  expect(await reverse({ reason: "another" })).toEqual(
    refused(409, "This Idempotency-Key was used for another request"),
  )
  const json = { to: "ana", value: 1 }
  expect(await here.bruno.call("POST", "/api/v1/transactions", { json, headers })).toEqual(
    refused(400, "Insufficient balance"),
  )
})

test("simultaneous reversals never take back more than was sent", async () => {
  await using here = await company()

  const answers = await Promise.all(Array.from({ length: 20 }, () => here.reverse({ value: 3, reason: "at once" })))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(8)
  expect(await here.balances()).toEqual({ admin: -100, ana: 99, bruno: 1 })
})

test("each reversal leaves an entry in the audit log, and a refused one leaves none", async () => {
  await using here = await company()
  await here.reverse({ value: 5, reason: "a typing error" })
  await here.reverse({ value: 50, reason: "no" })

  expect(await here.audit.list({ action: "points_reversed", limit: 10 })).toMatchObject([
    { who: "admin", whom: "bruno", way: "http", detail: "5 of transaction 2" },
  ])
})
