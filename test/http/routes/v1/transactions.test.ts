import { expect, test } from "bun:test"
import { noSuchUser, refused, unauthenticated } from "../../../support/answers.ts"
import { startOfTests } from "../../../support/app.ts"
import { startTestServer } from "../../../support/server.ts"

const path = "/api/v1/transactions"

/** Ana with 100 points, and Bruno. */
async function two() {
  const server = await startTestServer({ settings: { "recognition.tags": "care,team" } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 100)
  return { server, ana, bruno, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const sent = {
  id: 2,
  kind: "transfer",
  date: `${startOfTests}Z`,
  value: 25,
  from: { username: "ana", name: "Ana" },
  to: { username: "bruno", name: "Bruno" },
  reason: "the review",
  tags: ["care"],
  private: true,
  reverses: null,
  reversed: 0,
  reference: null,
  group: null,
  adds_to: null,
  replayed: false,
}

test("points are sent, and the answer is the stored transaction", async () => {
  await using here = await two()
  const { ana, bruno } = here
  const asked = { to: "bruno", value: 25, reason: " the review ", tags: ["care"], private: true }

  expect(await ana.post(path, asked)).toEqual({ status: 201, body: sent })
  expect(await ana.post(path, { to: "bruno", value: 1 })).toMatchObject({
    status: 201,
    body: { id: 3, value: 1, reason: null, tags: [], private: false },
  })

  expect(await bruno.get("/api/v1/me")).toMatchObject({ body: { balance: 26 } })
  expect(await bruno.get("/api/v1/feed")).toMatchObject({
    body: { items: [{ id: 3 }, { id: 2, reason: "the review", tags: ["care"], private: true }, { id: 1 }] },
  })
})

test("under the same Idempotency-Key a transfer is made once, across both endpoints", async () => {
  await using here = await two()
  const { ana, bruno } = here
  const whole = { value: 25, reason: "the review", tags: ["care"], private: true }
  const headers = { "idempotency-key": "one" }
  const post = (json: object) => ana.call("POST", path, { json, headers })

  expect(await post({ to: "bruno", ...whole })).toEqual({ status: 201, body: sent })
  expect(await post({ to: "bruno", ...whole })).toEqual({ status: 201, body: { ...sent, replayed: true } })
  expect(await ana.call("POST", "/transaction/bruno/", { json: whole, headers })).toEqual({
    status: 201,
    body: { message: "Transaction added" },
  })
  expect(await post({ to: "bruno", ...whole, value: 26 })).toEqual(
    refused(409, "This Idempotency-Key was used for another request"),
  )

  expect(await bruno.get("/api/v1/me")).toMatchObject({ body: { balance: 25 } })
})

test("a replay says how much was taken back since", async () => {
  await using here = await two()
  const { server, ana } = here
  const admin = await server.admin()
  const again = () =>
    ana.call("POST", path, { json: { to: "bruno", value: 25 }, headers: { "idempotency-key": "one" } })

  expect(await again()).toMatchObject({ status: 201, body: { id: 2, reversed: 0, replayed: false } })
  await admin.post(`${path}/2/reversal`, { value: 10, reason: "too much" })
  expect(await again()).toMatchObject({ status: 201, body: { id: 2, value: 25, reversed: 10, replayed: true } })
})

test("401 is checked before 404, then 422, then 400; nothing is recorded", async () => {
  await using here = await two()
  const { server, ana } = here

  expect(await server.anybody.post(path, { to: "nobody", value: "?" })).toEqual(unauthenticated)
  for (const value of ["?", 0, 101]) expect(await ana.post(path, { to: "nobody", value })).toEqual(noSuchUser)
  expect(await ana.post(path, { to: "bruno", value: 0 })).toEqual(
    refused(422, "value: an integer from 1 to 9007199254740991"),
  )
  expect(await ana.post(path, { to: "bruno", value: 101, tags: ["?"] })).toEqual(
    refused(422, "tags: each at most once, of care, team"),
  )
  expect(await ana.post(path, { value: 1 })).toEqual(refused(422, "to: missing"))
  for (const to of [7, null, ["bruno", 7], {}])
    expect(await ana.post(path, { to, value: 1 })).toEqual(refused(422, "to: a text or a list"))
  expect(await ana.post(path, { to: "bruno", value: 101 })).toEqual(refused(400, "Insufficient balance"))

  expect(await server.app.store.ledger.lastId()).toBe(1)
})
