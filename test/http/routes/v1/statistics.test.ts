import { expect, test } from "bun:test"
import { noSuchUser, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

const face = (name: string, dept = "sales") => ({ username: name.toLowerCase(), name, dept, avatar: null })
const reportsTo = (name: string | null) => ({
  manager: name?.toLowerCase() ?? null,
  manager_name: name,
  manager_avatar: null,
})

/** Monday 2026-01-05; Ana has 30 from admin, and gave Bruno 10 of it and Carla 10; Carla gave herself all she has. */
async function staffed(server: TestServer) {
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  await server.grant(ana, 30)
  await ana.post("/transaction/bruno/", { value: 10 })
  await ana.post("/transaction/carla/", { value: 10 })
  await carla.post("/transaction/carla/", { value: 10 })
  return { ana, bruno, carla }
}

test("the leaderboard ranks by the points of the period, with equal ranks for equal points, and shows one's own rank", async () => {
  await using server = await startTestServer({ settings: { "recognition.feed": "own" } })
  const { bruno, carla } = await staffed(server)

  expect(await carla.get("/api/v1/leaderboard?period=week")).toEqual(
    ok({
      period: "week",
      by: "received",
      shows: "all",
      start: "2026-01-05T00:00:00.000Z",
      end: "2026-01-12T00:00:00.000Z",
      items: [
        { rank: 1, points: 30, count: 1, ...face("Ana") },
        { rank: 2, points: 10, count: 1, ...face("Bruno") },
        { rank: 2, points: 10, count: 1, ...face("Carla") },
      ],
      own: { rank: 2, points: 10, count: 1, people: 1 },
    }),
  )
  expect(await bruno.get("/api/v1/leaderboard?period=all&by=sent&size=1")).toEqual(
    ok({
      period: "all",
      by: "sent",
      shows: "all",
      start: null,
      end: null,
      items: [{ rank: 1, points: 30, count: 1, ...face("Admin", "management") }],
      own: { rank: null, points: 0, count: 0, people: 0 },
    }),
  )
})

test("the leaderboard starts again with each period, and the default is this month", async () => {
  await using server = await startTestServer()
  const { bruno, ...all } = await staffed(server)
  expect(await bruno.get("/api/v1/leaderboard")).toMatchObject({ body: { period: "month", own: { points: 10 } } })

  server.clock.advance(27 * 86_400_000)
  const ana = await server.as(all.ana)
  await ana.post("/transaction/bruno/", { value: 1 })

  expect(await ana.get("/api/v1/leaderboard")).toMatchObject({
    body: {
      start: "2026-02-01T00:00:00.000Z",
      end: "2026-03-01T00:00:00.000Z",
      items: [{ points: 1 }],
      own: { rank: null },
    },
  })
  expect(await ana.get("/api/v1/leaderboard?period=quarter")).toMatchObject({
    body: { items: [{ points: 30 }, { points: 11 }, { points: 10 }] },
  })
})

test("a person's page shows points received and sent, without transfers to oneself", async () => {
  await using server = await startTestServer()
  const { bruno } = await staffed(server)
  const sums = (points: number, count: number) => ({ points, count })

  expect(await bruno.get("/api/v1/people/ana")).toEqual(
    ok({
      ...{ ...face("Ana"), bio: null, birthday: null, joined: null, role: "member", active: true, ...reportsTo(null) },
      ...{ received: sums(30, 1), sent: sums(20, 2), thanked: { people: 1, tags: [], words: [] } },
    }),
  )
  expect(await bruno.get("/api/v1/people/carla/")).toMatchObject({ body: { received: sums(10, 1), sent: sums(0, 0) } })
  expect(await bruno.get("/api/v1/people/nobody")).toEqual(noSuchUser)
})

test("one's own entry of a leaderboard counts different people, without what was taken back", async () => {
  await using server = await startTestServer()
  const { ana, bruno, carla: earlier } = await staffed(server)
  const [carla, admin] = [await server.as(earlier), await server.admin()]
  const taken = (await ana.post<{ id: number }>("/transaction/carla/", { value: 1 })).body
  await bruno.post("/transaction/carla/", { value: 1 })
  await admin.post("/transaction/carla/", { value: 3 })

  const people = async (who: Pick<typeof ana, "get">, query = "") =>
    (await who.get<{ own: { people: number } }>(`/api/v1/leaderboard${query}`)).body.own.people
  expect(await people(carla)).toBe(3)
  expect(await people(ana, "?by=sent&period=all")).toBe(2)
  await admin.post(`/api/v1/transactions/${taken.id - 1}/reversal`, { reason: "Twice" })
  expect(await people(carla)).toBe(3)
  server.clock.advance(40 * 86_400_000)
  expect(await people(await server.as(earlier))).toBe(0)
})

test("a person's page says what colleagues thanked for, to whom one reports, and never private words", async () => {
  await using server = await startTestServer({ settings: { "recognition.tags": "care, craft" } })
  await server.person("Ana")
  const [bruno, carla] = [await server.person("Bruno"), await server.person("Carla")]
  const admin = await server.admin()
  await admin.post("/api/v1/grants", { usernames: ["bruno", "carla"], value: 50 })
  await admin.patch("/api/v1/users/ana", { manager: "bruno", joined: "2024-03-01" })
  const thank = async (who: typeof bruno, reason: string, more: object = {}) =>
    (
      await who.post<{ items: { id: number }[]; id: number }>("/api/v1/transactions", {
        ...{ to: "ana", value: 5, reason, tags: ["care"] },
        ...more,
      })
    ).body
  await thank(bruno, "Short")
  await thank(bruno, "Much longer than the others")
  const liked = await thank(carla, "Liked", { to: ["ana", "bruno"], tags: ["care", "craft"] })
  await thank(carla, "A secret", { private: true, tags: [] })
  await thank(bruno, "Fourth one", { tags: [] })
  const id = liked.items[0]?.id
  await bruno.call("PUT", `/api/v1/recognitions/${id}/reactions/${encodeURIComponent("👏")}`)

  expect(await carla.get("/api/v1/people/ana")).toMatchObject({
    body: {
      joined: "2024-03-01",
      ...reportsTo("Bruno"),
      thanked: {
        people: 2,
        tags: [
          { tag: "care", count: 3 },
          { tag: "craft", count: 1 },
        ],
        words: [
          { text: "Liked", recognition: id, username: "carla", name: "Carla", avatar: null },
          { text: "Much longer than the others", username: "bruno" },
          { text: "Fourth one" },
        ],
      },
    },
  })
  server.clock.advance(366 * 86_400_000)
  expect(await (await server.as(carla)).get("/api/v1/people/ana")).toMatchObject({
    body: { thanked: { people: 0, tags: [], words: [] } },
  })
})

test("where members see only their own feed, nobody reads what others were thanked for", async () => {
  await using server = await startTestServer({ settings: { "recognition.feed": "own" } })
  const { ana, bruno } = await staffed(server)
  expect(await bruno.get("/api/v1/people/ana")).toMatchObject({ body: { thanked: null } })
  expect(await ana.get("/api/v1/people/ana")).toMatchObject({ body: { thanked: { people: 1 } } })
})

test("members see their own points by day with the balance, superusers everybody's, including empty days", async () => {
  await using server = await startTestServer()
  const { ana: earlier } = await staffed(server)
  server.clock.advance(2 * 86_400_000)
  const ana = await server.as(earlier)
  await ana.post("/transaction/bruno/", { value: 5 })
  const none = { points: 0, count: 0 }
  const admin = await server.admin()

  expect(await ana.get("/api/v1/stats?days=4")).toEqual(
    ok({
      scope: "own",
      days: [
        { day: "2026-01-04", received: none, sent: none, balance: 0 },
        { day: "2026-01-05", received: { points: 30, count: 1 }, sent: { points: 20, count: 2 }, balance: 10 },
        { day: "2026-01-06", received: none, sent: none, balance: 10 },
        { day: "2026-01-07", received: none, sent: { points: 5, count: 1 }, balance: 5 },
      ],
    }),
  )
  expect(await admin.get("/api/v1/stats?days=3")).toEqual(
    ok({
      scope: "all",
      days: [
        { day: "2026-01-05", points: 50, count: 3 },
        { day: "2026-01-06", ...none },
        { day: "2026-01-07", points: 5, count: 1 },
      ],
    }),
  )
  expect(await admin.get("/api/v1/stats?days=1&scope=own")).toMatchObject({
    body: { scope: "own", days: [{ balance: -30 }] },
  })
  expect(await ana.get("/api/v1/stats?scope=all")).toEqual(refused(403, "Not a super user"))
})

test("only superusers and the user can see the days of a user", async () => {
  await using server = await startTestServer()
  const { ana, bruno } = await staffed(server)
  const admin = await server.admin()

  const days = [{ day: "2026-01-05", received: { points: 10, count: 1 }, sent: { points: 0, count: 0 }, balance: 10 }]
  expect(await admin.get("/api/v1/stats?days=1&username=bruno")).toEqual(ok({ scope: "own", days }))
  expect(await bruno.get("/api/v1/stats?days=1&username=bruno")).toEqual(ok({ scope: "own", days }))
  expect(await ana.get("/api/v1/stats?username=bruno")).toEqual(refused(403, "You can only see your own transactions"))
  expect(await admin.get("/api/v1/stats?username=nobody")).toEqual(noSuchUser)
})

test("the programme decides who sees the leaderboard: everybody, superusers, or nobody", async () => {
  await using server = await startTestServer()
  const { ana } = await staffed(server)
  const admin = await server.admin()
  await admin.patch("/api/v1/users/ana", { duties: ["insights"] })
  const answers = async (leaderboard: string) => {
    await admin.patch("/api/v1/programme", { leaderboard })
    return Promise.all([ana, admin].map((viewer) => viewer.get("/api/v1/leaderboard?period=all")))
  }
  const whole = { status: 200, body: { shows: "all", items: [{ username: "ana" }, {}, {}] } }

  expect(await answers("everyone")).toMatchObject([whole, whole])
  expect(await answers("superusers")).toMatchObject([refused(403, "Not a super user"), whole])
  expect(await answers("off")).toEqual([notThere, notThere])
  expect(await server.anybody.get("/api/v1/leaderboard")).toEqual(unauthenticated)
})

const notThere = refused(404, "There is no leaderboard here")

test("invalid parameters are refused, and missing credentials before them", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const [path, detail] of [
    ["leaderboard?period=day", "period: one of week, month, quarter, year, all"],
    ["leaderboard?by=", "by: one of received, sent"],
    ["leaderboard?size=0", "size: an integer from 1 to 100"],
    ["leaderboard?size=x", "size: an integer from 1 to 100, by default 10"],
    ["stats?days=367", "days: an integer from 1 to 366"],
    ["stats?days=1.5", "days: an integer from 1 to 366, by default 30"],
    ["stats?scope=mine", "scope: one of own, all"],
  ] as const) {
    expect(await ana.get(`/api/v1/${path}`)).toEqual(refused(422, detail))
    expect(await server.anybody.get(`/api/v1/${path}`)).toEqual(unauthenticated)
  }
})
