import { expect, test } from "bun:test"
import { ok, refused } from "../../../support/answers.ts"
import { startTestServer } from "../../../support/server.ts"

const dayMs = 86_400_000

const face = (name: string) => ({ username: name.toLowerCase(), name, dept: "sales", avatar: null })

/** Monday 2026-01-05: Ana has 30 and gives Bruno 10 of it. On 2026-02-05, Bruno gives Carla 4. */
async function company() {
  const server = await startTestServer({})
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  await (await server.admin()).post("/api/v1/grants", { usernames: ["ana"], value: 30 })
  await ana.post("/api/v1/transactions", { to: "bruno", value: 10 })
  server.clock.advance(31 * dayMs)
  await (await server.as(bruno)).post("/api/v1/transactions", { to: "carla", value: 4 })
  return {
    server,
    ana,
    bruno,
    carla,
    admin: await server.admin(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

test("what people held at the end of a day is listed, and what all hold together", async () => {
  await using here = await company()
  const { admin } = here

  const first = {
    at: "2026-01-05",
    currency: null,
    total: { balance: 30, redeemable: 10, value: null },
    items: [
      { ...face("Ana"), balance: 20, redeemable: 0, value: null },
      { ...face("Bruno"), balance: 10, redeemable: 10, value: null },
    ],
  }
  expect(await admin.get("/api/v1/insights/outstanding?at=2026-01-05")).toEqual(ok(first))
  expect(await admin.get("/api/v1/insights/outstanding")).toEqual(
    ok({
      ...first,
      at: "2026-02-05",
      items: [
        ...first.items.slice(0, 1),
        { ...face("Bruno"), balance: 6, redeemable: 6, value: null },
        { ...face("Carla"), balance: 4, redeemable: 4, value: null },
      ],
    }),
  )
  expect(await admin.get("/api/v1/insights/outstanding?at=2026-01-04")).toEqual(
    ok({ at: "2026-01-04", currency: null, total: { balance: 0, redeemable: 0, value: null }, items: [] }),
  )
})

test("the answer for a day that has ended stays the same, whatever happens later", async () => {
  await using here = await company()
  const { server, admin } = here
  const ask = () => admin.get("/api/v1/insights/outstanding?at=2026-01-31")
  const answer = await ask()

  await admin.post("/api/v1/transactions/2/reversal", { reason: "By mistake", value: 5 })
  await admin.patch("/api/v1/users/ana", { active: false, return_points: true })

  expect(await ask()).toEqual(answer)
  expect(await admin.get("/api/v1/insights/outstanding")).toMatchObject({ body: { total: { balance: 5 } } })
  server.clock.advance(dayMs)
  const later = await server.admin()
  expect(await later.get("/api/v1/insights/outstanding?at=2026-01-31")).toEqual(answer)
})

test("the totals are shown at each month's end, the present month so far", async () => {
  await using here = await company()

  expect(await here.admin.get("/api/v1/insights/outstanding/monthly")).toEqual(
    ok({
      items: [
        { month: "2026-01", day: "2026-01-31", currency: null, balance: 30, redeemable: 10, value: null },
        { month: "2026-02", day: "2026-02-05", currency: null, balance: 30, redeemable: 10, value: null },
      ],
    }),
  )
})

test("whoever has the duty `insights` may read it too", async () => {
  await using here = await company()
  expect(await here.admin.patch("/api/v1/users/ana", { duties: ["insights"] })).toMatchObject({ status: 200 })
  const ana = await here.server.as(here.ana)

  for (const path of ["outstanding", "outstanding/monthly"])
    expect(await ana.get(`/api/v1/insights/${path}`)).toMatchObject({ status: 200 })
})

test("without transactions there are no months, and nobody holds points", async () => {
  await using server = await startTestServer({})
  const admin = await server.admin()

  expect(await admin.get("/api/v1/insights/outstanding/monthly")).toEqual(ok({ items: [] }))
  expect(await admin.get("/api/v1/insights/outstanding")).toMatchObject({ status: 200, body: { items: [] } })
})

test("both are files too, and each download is in the audit log", async () => {
  await using here = await company()
  const file = async (path: string) => {
    const answer = await fetch(`${here.server.url}/api/v1/insights/${path}`, {
      headers: { authorization: `Bearer ${here.admin.accessToken}` },
    })
    return { name: answer.headers.get("content-disposition"), lines: (await answer.text()).split("\r\n") }
  }

  expect(await file("outstanding.csv?at=2026-01-05")).toEqual({
    name: 'attachment; filename="outstanding-2026-02-05.csv"',
    lines: [
      "at,username,name,dept,balance,redeemable,value,currency",
      "2026-01-05,ana,Ana,sales,20,0,,",
      "2026-01-05,bruno,Bruno,sales,10,10,,",
      "",
    ],
  })
  expect((await file("outstanding/monthly.csv?separator=;")).lines).toEqual([
    "month;day;balance;redeemable;value;currency",
    "2026-01;2026-01-31;30;10;;",
    "2026-02;2026-02-05;30;10;;",
    "",
  ])
  expect(await here.server.app.store.audit.list({ action: "exported", limit: 9 })).toMatchObject([
    { who: "admin", detail: "outstanding: 2026-01-05" },
    { who: "admin", detail: "outstanding: by month" },
  ])
})

test("a day that is none, one before 1970 and one after today are refused, and members see nothing", async () => {
  await using here = await company()
  const ana = await here.server.as(here.ana)
  const at = (day: string) => here.admin.get(`/api/v1/insights/outstanding?at=${day}`)

  for (const [day, rule] of [
    ["yesterday", "at: a day, YYYY-MM-DD"],
    ["2026-02-30", "at: a day, YYYY-MM-DD"],
    ["1969-12-31", "at: a day from 1970-01-01 on"],
    ["2026-02-06", "at: a day that is not after today"],
  ] as const)
    expect(await at(day)).toMatchObject({ status: 422, body: { detail: rule } })
  for (const path of ["outstanding", "outstanding.csv", "outstanding/monthly", "outstanding/monthly.csv"])
    expect(await ana.get(`/api/v1/insights/${path}`)).toEqual(refused(403, "Not a super user"))
})

test("money follows the value that a point had on that day; the first value also counts for the time before it", async () => {
  await using here = await company()
  const { server, admin } = here
  interface Shown {
    readonly currency: string | null
    readonly total: { readonly value: number | null }
    readonly items: readonly { readonly value: number | null }[]
  }
  const worth = async (day: string) => {
    const { body } = await (await server.admin()).get<Shown>(`/api/v1/insights/outstanding?at=${day}`)
    return [body.total.value, body.currency, ...body.items.map(({ value }) => value)]
  }
  const set = async (point_value: object | null) =>
    expect(await (await server.admin()).patch("/api/v1/programme", { point_value })).toMatchObject({ status: 200 })

  await set({ amount: 0.125, currency: "EUR" })
  expect(await admin.get("/api/v1/programme")).toMatchObject({
    body: { point_value: { amount: 0.125, currency: "EUR" } },
  })
  const january = [1.25, "EUR", 0, 1.25]
  expect(await worth("2026-01-31")).toEqual(january)
  expect(await worth("2026-02-05")).toEqual([1.25, "EUR", 0, 0.75, 0.5])
  server.clock.advance(dayMs)
  await set({ amount: 2, currency: "JPY" })
  server.clock.advance(dayMs)
  await set(null)

  expect(await worth("2026-01-31")).toEqual(january)
  expect(await worth("2026-02-05")).toEqual([1.25, "EUR", 0, 0.75, 0.5])
  expect(await worth("2026-02-06")).toEqual([20, "JPY", 0, 12, 8])
  expect(await worth("2026-02-07")).toEqual([null, null, null, null, null])
  expect(await (await server.admin()).get("/api/v1/insights/outstanding/monthly")).toMatchObject({
    body: {
      items: [
        { month: "2026-01", currency: "EUR", value: 1.25 },
        { currency: null, value: null },
      ],
    },
  })
})

test("a value of a point that is none is refused", async () => {
  await using server = await startTestServer({})
  const admin = await server.admin()

  for (const point_value of [
    { amount: 0, currency: "EUR" },
    { amount: -1, currency: "EUR" },
    { amount: 0.0000001, currency: "EUR" },
    { amount: 1_000_001, currency: "EUR" },
    { amount: "1", currency: "EUR" },
    { amount: 1, currency: "eur" },
    { amount: 1, currency: "XQQ" },
    { amount: 1 },
    5,
  ])
    expect(await admin.patch("/api/v1/programme", { point_value })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("point_value") },
    })
})
