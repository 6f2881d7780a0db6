import { expect, test } from "bun:test"
import { refused } from "../../../support/answers.ts"
import { startTestServer } from "../../../support/server.ts"

const monthly = { name: "Monthly allowance", value: 100, mode: "top_up", period: "month", audience: { everyone: true } }

const settings = {
  "service.time_zone": "America/Sao_Paulo",
  "security.access_token_expire_minutes": "5000000", // the clock moves by months
}

/** Ana and Bruno in sales, on Monday 5 January 2026, 09:00 UTC, which is 06:00 in São Paulo. */
async function company() {
  const server = await startTestServer({ settings })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const admin = await server.admin()
  const add = <T = unknown>(fields: object = {}) => admin.post<T>("/api/v1/allowances", { ...monthly, ...fields })
  const payDue = () =>
    server.app.allowances.payDue((error) => {
      throw error
    })
  const balances = async () => {
    const { body } = await admin.get<{ username: string; balance: number }[]>("/user/?show_balance=true")
    return Object.fromEntries(body.map(({ username, balance }) => [username, balance]))
  }
  return { server, admin, ana, bruno, add, payDue, balances, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

test("of two changes that began at the same time, neither is lost", async () => {
  await using here = await company()
  await here.add()
  const { allowances, store } = here.server.app
  const before = await store.allowances.find(1)
  if (!before) throw new Error("the allowance is missing")
  const by = { user: null, who: "admin", way: "http", address: null } as const

  await allowances.change(by, before, { active: false })
  const { allowance } = await allowances.change(by, before, { value: 5 })

  expect(allowance).toEqual({ ...before, isActive: false, value: 5 })
  expect(await store.allowances.find(before.id)).toEqual(allowance)
})

test("an allowance is added with defaults, shown, changed and removed, each recorded in the audit log", async () => {
  await using here = await company()
  const added = {
    ...monthly,
    id: 1,
    on: 1,
    at: "09:00",
    reason: null,
    starts_on: null,
    ends_on: null,
    catch_up: "latest",
    active: true,
    next_run: "2026-02-01T12:00:00.000Z",
    last_run: null,
  }

  expect(await here.add()).toMatchObject({ status: 201, body: added })
  const path = "/api/v1/allowances/1"
  expect((await here.admin.get(path)).body).toEqual(added)
  const change = { on: "last", at: "23:30", reason: "Pass it on", ends_on: "2026-12-31", audience: { dept: "sales" } }
  const changed = { ...added, ...change, next_run: "2026-02-01T02:30:00.000Z" }
  expect(await here.admin.patch(path, change)).toMatchObject({ status: 200, body: changed })
  expect((await here.admin.get("/api/v1/allowances")).body).toEqual({ items: [changed] })
  expect(
    await here.admin.patch(path, { period: "day", ends_on: null, audience: { usernames: ["bruno", "ana"] } }),
  ).toEqual(expect.objectContaining({ status: 200 }))
  const { on: _, ...daily } = { ...changed, period: "day", ends_on: null, next_run: "2026-01-06T02:30:00.000Z" }
  expect((await here.admin.get(path)).body).toEqual({ ...daily, audience: { usernames: ["ana", "bruno"] } })
  expect(await here.admin.patch(path, { active: false })).toMatchObject({ body: { active: false, next_run: null } })
  expect(await here.admin.call("DELETE", path)).toMatchObject({ status: 200, body: { status: "removed" } })
  expect(await here.admin.get(path)).toEqual(refused(404, "Allowance not found"))
  expect((await here.admin.get("/api/v1/allowances")).body).toEqual({ items: [] })
  const entries = await here.server.app.store.audit.list({ limit: 5 })
  expect(entries.map(({ who, action, detail }) => `${who} ${action} ${detail}`).slice(-5)).toEqual([
    "admin allowance_added Monthly allowance: top_up 100 each month",
    "admin allowance_changed changed: Monthly allowance: top_up 100 each month",
    "admin allowance_changed changed: Monthly allowance: top_up 100 each day",
    "admin allowance_changed paused: Monthly allowance: top_up 100 each day",
    "admin allowance_removed Monthly allowance: top_up 100 each day",
  ])
})

test("an allowance can still be changed after some of its people, or its whole department, have left", async () => {
  await using here = await company()
  await here.add({ audience: { usernames: ["ana", "bruno"] } })
  await here.add({ audience: { dept: "sales" } })
  const leaves = (username: string) => here.admin.patch(`/api/v1/users/${username}`, { active: false })
  await leaves("bruno")

  const path = "/api/v1/allowances/1"
  const { body } = await here.admin.get<object>(path)
  expect(await here.admin.patch(path, { ...body, value: 7 })).toMatchObject({
    status: 200,
    body: { ...body, value: 7 },
  })
  expect(await here.admin.patch(path, { audience: { usernames: ["ana"] } })).toMatchObject({ status: 200 })
  expect(await here.admin.patch(path, { audience: { usernames: ["bruno"] } })).toEqual(
    refused(404, "User not found: bruno"), // nobody who left is added
  )

  await leaves("ana")
  const { body: ofSales } = await here.admin.get<object>("/api/v1/allowances/2")
  expect(await here.admin.patch("/api/v1/allowances/2", { ...ofSales, value: 7 })).toMatchObject({ status: 200 })
})

test("an invalid field is named", async () => {
  await using here = await company()
  const faults: Record<string, object[]> = {
    name: [{ name: "" }, { name: "x".repeat(101) }, { name: "a\nb" }],
    value: [{ value: 0 }, { value: 2 ** 53 }],
    mode: [{ mode: "raise" }],
    period: [{ period: "year" }],
    on: [{ on: 0 }, { on: 29 }, { on: "first" }, { on: 1.5 }, { period: "week", on: 8 }, { period: "day", on: 1 }],
    at: [{ at: "9:00" }, { at: "24:00" }, { at: "09:00:00" }, { at: "09:60" }],
    audience: [{ audience: {} }, { audience: { everyone: false } }, { audience: { dept: "nobody's" } }],
    reason: [{ reason: "x".repeat(501) }],
    starts_on: [{ starts_on: "2026-02-30" }, { starts_on: "tomorrow" }, { starts_on: "2026-1-1" }],
    ends_on: [{ ends_on: "2026-13-01" }, { starts_on: "2026-02-02", ends_on: "2026-02-01" }],
    catch_up: [{ catch_up: "all" }],
  }
  for (const [field, bodies] of Object.entries(faults))
    for (const body of bodies) {
      const { status, body: answer } = await here.add<{ detail: string }>(body)
      expect([body, status, answer.detail.split(":")[0]]).toEqual([body, 422, field])
    }
  const both = { everyone: true, dept: "sales" }
  expect(await here.add({ audience: both })).toEqual(
    refused(422, "audience: one of everyone (true), dept and usernames"),
  )
  expect(await here.add({ audience: { usernames: ["ana", "zoe", "yve"] } })).toEqual(
    refused(404, "User not found: zoe, yve"),
  )
  expect(await here.add({ audience: { usernames: [] } })).toMatchObject({ status: 422 })
  expect((await here.admin.get("/api/v1/allowances")).body).toEqual({ items: [] })
  await here.add()
  expect(await here.admin.patch("/api/v1/allowances/1", { on: 31 })).toMatchObject({ status: 422 })
  for (const id of ["0", "2", "x", "1.5", "9".repeat(17)])
    expect(await here.admin.get(`/api/v1/allowances/${id}`)).toEqual(refused(404, "Allowance not found"))
})

test("on the due day everybody's budget except admin's is raised to the value; the history shows it, the feed does not", async () => {
  await using here = await company()
  await here.server.grant(here.ana, 130)
  await here.admin.post("/api/v1/grants", { usernames: ["ana"], value: 30 })
  await here.add({ reason: "Pass it on" })
  const preview = {
    run_at: "2026-02-01T12:00:00.000Z",
    total: 170,
    expired: 0,
    items: [
      { username: "ana", name: "Ana", value: 70, expired: 0 },
      { username: "bruno", name: "Bruno", value: 100, expired: 0 },
    ],
  }
  expect((await here.admin.get("/api/v1/allowances/1/preview")).body).toEqual(preview)
  const next = { value: 100, mode: "top_up", at: "2026-02-01T12:00:00.000Z" }
  expect((await here.ana.get("/api/v1/me")).body).toMatchObject({ next_allowance: next })
  expect((await here.admin.get("/api/v1/me")).body).toMatchObject({ next_allowance: null })

  here.server.clock.advance(Date.parse("2026-02-01T11:59:59.999Z") - here.server.clock.now())
  await here.payDue()
  expect(await here.balances()).toEqual({ admin: -160, ana: 160, bruno: 0 })
  here.server.clock.advance(1)
  await here.payDue()
  await here.payDue()

  expect(await here.balances()).toEqual({ admin: -330, ana: 230, bruno: 100 })
  expect((await here.ana.get("/api/v1/me")).body).toMatchObject({ budget: 100, redeemable: 130, to_give: 230 })
  const run = { id: 1, period: "2026-02-01", time: "2026-02-01T12:00:00.000Z", people: 2, sum: 170, expired: 0 }
  expect((await here.admin.get("/api/v1/allowances/1/runs")).body).toEqual({
    items: [{ ...run, finished: true }],
    next: null,
  })
  expect((await here.admin.get("/api/v1/allowances/1")).body).toMatchObject({
    last_run: "2026-02-01T12:00:00.000Z",
    next_run: "2026-03-01T12:00:00.000Z",
  })
  expect((await here.bruno.get("/api/v1/transactions")).body).toMatchObject({
    items: [{ kind: "allowance", value: 100, from: { username: "admin" }, reason: "Pass it on" }],
  })
  expect((await here.bruno.get<{ items: object[] }>("/api/v1/feed")).body.items).toHaveLength(1)
  const [entry] = await here.server.app.store.audit.list({ action: "allowance_run", limit: 1 })
  expect(entry).toMatchObject({
    who: null,
    way: "server",
    detail: "Monthly allowance: top_up 100 each month, 2026-02-01",
  })
})

test("a reset takes back what is left of the budget, in a transaction of its own, and pays the value; earned points stay", async () => {
  await using here = await company()
  await here.server.grant(here.ana, 130)
  await here.admin.post("/api/v1/grants", { usernames: ["ana"], value: 45 })
  await here.add({ mode: "reset", reason: "Pass it on" })
  expect((await here.admin.get("/api/v1/allowances/1/preview")).body).toMatchObject({
    total: 200,
    expired: 45,
    items: [
      { username: "ana", value: 100, expired: 45 },
      { username: "bruno", value: 100, expired: 0 },
    ],
  })

  expect(await here.admin.post("/api/v1/allowances/1/run")).toMatchObject({
    body: { people: 2, sum: 200, expired: 45, finished: true },
  })

  expect((await here.ana.get("/api/v1/me")).body).toMatchObject({ budget: 100, redeemable: 130, balance: 230 })
  expect((await here.ana.get("/api/v1/transactions?size=2")).body).toMatchObject({
    items: [
      { kind: "allowance", value: 100, from: { username: "admin" }, reason: "Pass it on" },
      { id: 3, kind: "expiry", value: 45, from: { username: "ana" }, to: { username: "admin" }, reason: null },
    ],
  })
  expect((await here.ana.get("/api/v1/transactions?kind=expiry")).body).toMatchObject({ items: [{ id: 3 }] })
  expect((await here.ana.get<{ items: object[] }>("/api/v1/feed")).body.items).toHaveLength(1)
  expect(await here.admin.post("/api/v1/transactions/3/reversal", { reason: "a mistake" })).toEqual(
    refused(409, "Only transfers, grants, allowances and occasions can be reversed"),
  )
})

test("points that were given from what was earned do not come back with the next allowance", async () => {
  await using here = await company()
  await here.server.grant(here.ana, 130)
  await here.ana.post("/transaction/bruno/", { value: 120 })
  await here.add({ audience: { usernames: ["ana"] } })
  await here.admin.post("/api/v1/allowances/1/run")

  expect((await here.ana.get("/api/v1/me")).body).toMatchObject({ budget: 100, redeemable: 10 })
})

test("a superuser whose balance is negative gets the whole way up to the value", async () => {
  await using here = await company()
  const hanna = await here.server.person("Hanna", { dept: "management" })
  await hanna.post("/transaction/bruno/", { value: 500 })
  expect((await hanna.get("/api/v1/me")).body).toMatchObject({ to_give: -500, budget: 0, redeemable: 0 })

  for (const mode of ["top_up", "reset"]) {
    await here.add({ mode, audience: { usernames: ["hanna"] } })
    const [allowance] = (await here.server.app.store.allowances.list()).toReversed()
    await here.admin.post(`/api/v1/allowances/${allowance?.id}/run`)
    expect((await hanna.get("/api/v1/me")).body).toMatchObject({ to_give: 100, budget: 100, redeemable: 0 })
  }
  expect((await here.admin.get("/api/v1/transactions?kind=allowance")).body).toMatchObject({
    items: [{ value: 100 }, { value: 600 }],
  })
})

test("the current period is paid once on request, even if the allowance is paused", async () => {
  await using here = await company()
  await here.add({ mode: "add", active: false })
  const run = () => here.admin.post("/api/v1/allowances/1/run")

  expect(await run()).toMatchObject({
    status: 201,
    body: { period: "2026-01-01", people: 2, sum: 200, finished: true },
  })
  expect(await run()).toEqual(refused(409, "This period is paid already"))
  expect(await here.balances()).toEqual({ admin: -200, ana: 100, bruno: 100 })
  await here.add({ starts_on: "2026-02-01" })
  expect(await here.admin.post("/api/v1/allowances/2/run")).toEqual(
    refused(409, "No period of this allowance has begun"),
  )
  await here.add({ ends_on: "2026-01-04" })
  expect(await here.admin.post("/api/v1/allowances/3/run")).toMatchObject({ status: 409 })
})

test("periods that fall due during a pause are not paid later; changed terms apply from the next run on", async () => {
  await using here = await company()
  await here.add({ mode: "add", period: "week", audience: { usernames: ["ana"] } })
  const path = "/api/v1/allowances/1"
  const week = 7 * 24 * 3_600_000
  await here.admin.patch(path, { active: false })
  here.server.clock.advance(week)
  await here.payDue()
  await here.admin.patch(path, { active: true })
  await here.payDue()
  expect(await here.balances()).toMatchObject({ ana: 0 })

  await here.admin.patch(path, { value: 7 })
  here.server.clock.advance(week)
  await here.payDue()
  expect(await here.balances()).toEqual({ admin: -7, ana: 7, bruno: 0 })
  expect((await here.bruno.get("/api/v1/me")).body).toMatchObject({ next_allowance: null })
})

test("an allowance of a clock that ran ahead begins an hour after it is set right, and pays nothing for before", async () => {
  await using here = await company()
  const day = 24 * 3_600_000
  here.server.clock.advance(1000 * day)
  await here.add({ mode: "add", period: "day", value: 5, audience: { usernames: ["ana"] } })
  here.server.clock.advance(-1000 * day)

  await here.payDue()
  here.server.clock.advance(3_600_000)
  await here.payDue()
  await here.payDue()
  expect(await here.balances()).toMatchObject({ ana: 0 })
  for (const count of [1, 2]) {
    here.server.clock.advance(day)
    await here.payDue()
    expect(await here.balances()).toMatchObject({ ana: 5 * count })
  }
  const { body } = await here.admin.get<{ items: object[] }>("/api/v1/allowances/1/runs")
  expect(body.items).toHaveLength(2)
})

test("a clock that starts in the past and is set soon changes no allowance", async () => {
  await using here = await company()
  await here.add({ mode: "add", period: "day", at: "05:00", value: 5, audience: { usernames: ["ana"] } }) // due an hour ago
  const decades = 20_000 * 24 * 3_600_000
  here.server.clock.advance(-decades)
  for (let minute = 0; minute < 5; minute += 1) {
    await here.payDue()
    here.server.clock.advance(60_000)
  }
  here.server.clock.advance(decades)

  await here.payDue()

  expect(await here.balances()).toMatchObject({ ana: 0 })
})

test("a changed period pays nothing for days before the change", async () => {
  await using here = await company()
  await here.add({ mode: "add", period: "month", on: 1, value: 5, audience: { usernames: ["ana"] } })
  here.server.clock.advance(8 * 24 * 3_600_000) // to Tuesday
  await here.admin.patch("/api/v1/allowances/1", { period: "week", on: 1 })

  await here.payDue()

  expect(await here.balances()).toMatchObject({ ana: 0 })
})

test("runs are listed page by page, newest first", async () => {
  await using here = await company()
  await here.add({ mode: "add", period: "day", value: 1 })
  for (let day = 0; day < 5; day++) {
    here.server.clock.advance(24 * 3_600_000)
    await here.payDue()
  }
  const page = async (query: string) => {
    const { body } = await here.admin.get<{ items: { period: string }[]; next: string | null }>(
      `/api/v1/allowances/1/runs?size=2${query}`,
    )
    return [body.items.map(({ period }) => period), body.next]
  }

  expect(await page("")).toEqual([["2026-01-09", "2026-01-08"], "4"])
  expect(await page("&before=4")).toEqual([["2026-01-07", "2026-01-06"], "2"])
  expect(await page("&before=2")).toEqual([["2026-01-05"], null])
  for (const query of ["size=0", "before=0"])
    expect(await here.admin.get(`/api/v1/allowances/1/runs?${query}`)).toMatchObject({ status: 422 })
})
