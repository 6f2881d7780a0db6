import { expect, test } from "bun:test"
import { ok, refused } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

const withTags = { settings: { "recognition.tags": "teamwork" } }

const face = (name: string, dept = "sales") => ({ username: name.toLowerCase(), name, dept, avatar: null })

/** Monday 2026-01-05: Ana has 30, gave Bruno 10 of it with a tag. In February, Bruno gives Carla of support 4. */
async function thanked(server: TestServer) {
  const [ana, bruno, carla] = [
    await server.person("Ana"),
    await server.person("Bruno"),
    await server.person("Carla", { dept: "support" }),
  ]
  const admin = await server.admin()
  expect(await admin.post("/api/v1/grants", { usernames: ["ana"], value: 30 })).toMatchObject({ status: 201 })
  const thanks = { value: 10, reason: "Great talk", tags: ["teamwork"] }
  expect(await ana.post("/transaction/bruno/", thanks)).toMatchObject({ status: 201 })
  server.clock.advance(31 * 86_400_000)
  await (await server.as(bruno)).post("/transaction/carla/", { value: 4 })
  return { ana, bruno, carla, admin: await server.admin() }
}

test("participation lists every month, even those without recognition, and does not count budgets", async () => {
  await using server = await startTestServer(withTags)
  const { admin } = await thanked(server)
  const month = (month: string, people: number, value: number) => ({
    month,
    senders: people,
    receivers: people,
    count: people,
    value,
  })

  expect(await admin.get("/api/v1/insights/participation?from=2025-12-15&to=2026-02-05")).toEqual(
    ok({
      from: "2025-12-15",
      to: "2026-02-05",
      items: [month("2025-12", 0, 0), month("2026-01", 1, 10), month("2026-02", 1, 4)],
    }),
  )
  expect(await admin.get("/api/v1/insights/participation")).toMatchObject({
    body: { from: "2025-03-01", to: "2026-02-05", items: { length: 12 } },
  })
})

test("people without thanks for 30 days are listed, longest first, and everybody's remaining points are shown", async () => {
  await using server = await startTestServer(withTags)
  const { admin } = await thanked(server)

  expect(await admin.get("/api/v1/insights/overlooked")).toEqual(
    ok({
      from: "2026-01-07",
      to: "2026-02-05",
      items: [
        { ...face("Ana"), last_thanked: null },
        { ...face("Bruno"), last_thanked: "2026-01-05" },
      ],
    }),
  )
  expect(await admin.get("/api/v1/insights/budgets")).toMatchObject({
    body: {
      items: [
        { ...face("Ana"), value: 20, given: 0 },
        { ...face("Bruno"), value: 0, given: 4 },
        { ...face("Carla", "support"), value: 0, given: 0 },
      ],
    },
  })
})

test("insights show which department thanks which, and which tags were used", async () => {
  await using server = await startTestServer(withTags)
  const { admin } = await thanked(server)

  expect(await admin.get("/api/v1/insights/departments")).toMatchObject({
    body: {
      items: [
        { from: "sales", to: "sales", count: 1, value: 10 },
        { from: "sales", to: "support", count: 1, value: 4 },
      ],
    },
  })
  expect(await admin.get("/api/v1/insights/tags")).toMatchObject({
    body: { items: [{ month: "2026-01", tag: "teamwork", count: 1, value: 10 }] },
  })
})

test("each insight can be downloaded with the same columns, and the audit log records who did", async () => {
  await using server = await startTestServer(withTags)
  const { admin } = await thanked(server)

  expect(await admin.get("/api/v1/insights/overlooked.csv?separator=;")).toEqual({
    status: 200,
    body: "username;name;dept;avatar;last_thanked\r\nana;Ana;sales;;\r\nbruno;Bruno;sales;;2026-01-05\r\n",
  })
  expect(await admin.get("/api/v1/insights/tags.csv?from=2026-01-01")).toMatchObject({
    body: "month,tag,count,value\r\n2026-01,teamwork,1,10\r\n",
  })
  const [newest] = (await server.app.store.audit.list({ action: "exported", limit: 1 })).slice(-1)
  expect(newest).toMatchObject({ who: "admin", detail: "insights: tags" })
})

test("invalid days are refused", async () => {
  await using server = await startTestServer(withTags)
  const admin = await server.admin()
  for (const [query, detail] of [
    ["from=2026-02-30", "from: a day, YYYY-MM-DD"],
    ["to=yesterday", "to: a day, YYYY-MM-DD"],
    ["from=2026-01-02&to=2026-01-01", "to: a day that is not before from"],
    ["from=1969-12-31", "from: a day from 1970-01-01 on"],
    ["from=1980-01-01", "from: a day at most ten years before to"],
  ])
    expect(await admin.get(`/api/v1/insights/tags?${query}`)).toEqual(refused(422, detail ?? ""))
  const ana = await server.person("Ana")
  expect(await ana.get("/api/v1/insights/tags?to=yesterday")).toEqual(refused(403, "Not a super user"))
})
