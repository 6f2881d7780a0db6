import { expect, test } from "bun:test"
import type { ProgrammeRequest } from "../../src/domain/programme/programme-fields.ts"
import { ok, refused } from "../support/answers.ts"
import { startTestServer } from "../support/server.ts"

/** What the programme says about giving, over HTTP. */

const path = "/api/v1/transactions"

/** Ana with 100 points that admin granted, Bruno, and Carla. */
async function company(programme: ProgrammeRequest) {
  const server = await startTestServer({
    settings: { "recognition.tags": "care,team", "service.time_zone": "Europe/Berlin" },
  })
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  const admin = await server.admin()
  await admin.post("/api/v1/grants", { usernames: ["ana"], value: 100 })
  const change = (changed: ProgrammeRequest) => admin.patch("/api/v1/programme", changed)
  await change(programme)
  return { server, ana, bruno, carla, admin, change, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const reasonNeeded = refused(422, "reason: at least 10 characters")
const tagNeeded = refused(422, "tags: at least one")
const mostGiven = refused(409, "You have given this person the most that is allowed for now")

test("where a reason is required, it has its least length; the contract's endpoint needs none", async () => {
  await using here = await company({ reason: "required", reason_min: 10 })
  const { ana, admin } = here
  const to = { to: "bruno", value: 1 }

  expect(await ana.post(path, to)).toEqual(reasonNeeded)
  expect(await ana.post(path, { ...to, reason: " Thanks " })).toEqual(reasonNeeded)
  expect(await ana.post(path, { ...to, to: ["bruno", "carla"] })).toEqual(reasonNeeded)
  expect(await ana.post("/api/v1/grants", { usernames: ["bruno"], value: 1 })).toEqual(reasonNeeded)
  expect(await admin.post("/api/v1/grants?dry_run=true", { usernames: ["bruno"], value: 1 })).toEqual(reasonNeeded)
  expect(await ana.post(path, { ...to, reason: "For the review" })).toMatchObject({ status: 201 })
  expect(await ana.post(path, { ...to, to: ["bruno", "carla"], reason: "For the review" })).toMatchObject({
    status: 201,
  })
  expect(await ana.post("/transaction/bruno/", { value: 1 })).toMatchObject({ status: 201 })
  expect(await ana.post("/transaction/bruno/", { value: 1, reason: "Hi" })).toMatchObject({ status: 201 })
})

test("a reason that is optional has its least length where there is one", async () => {
  await using here = await company({ reason_min: 10 })
  const { ana } = here
  expect(await ana.post(path, { to: "bruno", value: 1 })).toMatchObject({ status: 201 })
  expect(await ana.post(path, { to: "bruno", value: 1, reason: "Thanks" })).toEqual(reasonNeeded)
  expect(await ana.post(path, { to: "bruno", value: 1, reason: "👏".repeat(10) })).toMatchObject({ status: 201 })
})

test("where a tag is required, a transfer has one of those of the programme", async () => {
  await using here = await company({ tag: "required", tags: [{ name: "courage", emoji: "🦁" }] })
  const { ana, server } = here
  const to = { to: "bruno", value: 1 }

  expect(await ana.post(path, to)).toEqual(tagNeeded)
  expect(await ana.post(path, { ...to, tags: ["care"] })).toEqual(refused(422, "tags: each at most once, of courage"))
  expect(await ana.post(path, { ...to, tags: ["courage"] })).toMatchObject({ status: 201 })
  expect(await ana.post("/transaction/bruno/", { value: 1 })).toMatchObject({ status: 201 })
  expect(await ana.post("/transaction/bruno/", { value: 1, tags: ["care"] })).toMatchObject({ status: 422 })
  expect(await server.anybody.get("/api/v1/service")).toMatchObject(ok({ tags: ["courage"] }))
})

test("a repeated request gets its first answer, whatever the programme says by then", async () => {
  await using here = await company({})
  const { ana, change } = here
  const asked = { to: "bruno", value: 1, tags: ["care"], reference: "r1" }
  const headers = { "idempotency-key": "k1" }
  const send = () => ana.call("POST", path, { json: { ...asked, reference: undefined }, headers })
  const [first, keyed] = [await ana.post(path, asked), await send()]
  await change({ reason: "required", tags: [], most_to_one: { points: 1 }, give_from: "budget" })

  expect(await ana.post(path, asked)).toMatchObject({
    status: 201,
    body: { id: Object(first.body).id, replayed: true },
  })
  expect(await send()).toMatchObject({ status: 201, body: { id: Object(keyed.body).id, replayed: true } })
})

test("a member gives one person at most so much, by every endpoint; superusers give more", async () => {
  await using here = await company({ most_to_one: { points: 20, period: "week" } })
  const { ana, admin, server } = here

  expect(await ana.post(path, { to: "bruno", value: 21 })).toEqual(mostGiven)
  expect(await ana.post(path, { to: "bruno", value: 10 })).toMatchObject({ status: 201 })
  expect(await ana.post("/transaction/bruno/", { value: 11 })).toEqual(mostGiven)
  expect(await ana.post("/api/v1/grants", { usernames: ["bruno"], value: 5 })).toMatchObject({ status: 201 })
  expect(await ana.post(path, { to: ["carla", "bruno"], value: 6 })).toEqual(mostGiven)
  expect(await ana.post(path, { to: ["carla", "bruno"], value: 5 })).toMatchObject({ status: 201 })
  expect(await ana.post(path, { to: "bruno", value: 1 })).toEqual(mostGiven)
  expect(await ana.post(path, { to: "carla", value: 15 })).toMatchObject({ status: 201 })
  expect(await admin.post(path, { to: "bruno", value: 1000 })).toMatchObject({ status: 201 })

  const moveTo = (time: string) => server.clock.advance(Date.parse(time) - server.clock.now())
  // The tests begin on a Monday. The week ends at midnight in Berlin.
  moveTo("2026-01-11T22:59:59.000Z")
  expect(await (await server.as(ana)).post(path, { to: "bruno", value: 1 })).toEqual(mostGiven)
  moveTo("2026-01-11T23:00:00.000Z")
  expect(await (await server.as(ana)).post(path, { to: "bruno", value: 20 })).toMatchObject({ status: 201 })
})

test("members who give only from their budget keep what they earned", async () => {
  await using here = await company({ give_from: "budget" })
  const { ana, bruno, admin } = here
  await ana.post(path, { to: "bruno", value: 40 })
  await admin.post("/api/v1/grants", { usernames: ["bruno"], value: 5 })
  const purse = async () => (await bruno.get("/api/v1/me")).body

  expect(await purse()).toMatchObject({ balance: 45, to_give: 5, budget: 5, redeemable: 40 })
  const tooLittle = refused(400, "Insufficient balance")
  expect(await bruno.post(path, { to: "ana", value: 6 })).toEqual(tooLittle)
  expect(await bruno.post("/transaction/ana/", { value: 6 })).toEqual(tooLittle)
  expect(await bruno.post(path, { to: ["ana", "carla"], value: 3 })).toEqual(tooLittle)
  expect(await bruno.post("/api/v1/grants", { usernames: ["ana", "carla"], value: 3 })).toEqual(tooLittle)
  expect(await bruno.post("/api/v1/grants?dry_run=true", { usernames: ["ana"], value: 6 })).toMatchObject(
    ok({ against: ["Insufficient balance"] }),
  )
  expect(await bruno.post(path, { to: "ana", value: 5 })).toMatchObject({ status: 201 })
  expect(await purse()).toMatchObject({ balance: 40, to_give: 0, budget: 0, redeemable: 40 })
  expect(await admin.post(path, { to: "ana", value: 500 })).toMatchObject({ status: 201 })
  expect(await admin.get("/api/v1/me")).toMatchObject(ok({ to_give: -605 }))
})

test("points added to a recognition need no reason, and count like others that one person gets", async () => {
  await using here = await company({
    reason: "required",
    reason_min: 10,
    tag: "required",
    most_to_one: { points: 20, period: "month" },
    give_from: "budget",
  })
  const { ana, bruno, carla } = here
  const thanks = await ana.post(path, { to: "bruno", value: 15, reason: "For the review", tags: ["care"] })
  await ana.post(path, { to: "carla", value: 20, reason: "For the review", tags: ["care"] })
  const add = (person: typeof ana, value: number) =>
    person.post(`/api/v1/recognitions/${Object(thanks.body).id}/points`, { value })

  expect(await add(ana, 6)).toEqual(mostGiven)
  expect(await add(ana, 5)).toMatchObject({ status: 201 })
  expect(await add(ana, 1)).toEqual(mostGiven)
  expect(await add(carla, 1)).toEqual(refused(400, "Insufficient balance"))
  expect(await bruno.get("/api/v1/me")).toMatchObject(ok({ balance: 20 }))
})
