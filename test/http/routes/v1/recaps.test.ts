import { describe, expect, test } from "bun:test"
import { dayMs } from "../../../../src/domain/calendar.ts"
import { pixelsOf } from "../../../formats/pictures/pixels.ts"
import { refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

const withTags = { settings: { "recognition.tags": "teamwork,care" } }

const party = (name: string) => ({ username: name.toLowerCase(), name, avatar: null })
const face = (name: string, dept = "sales") => ({ ...party(name), dept })
const none = { points: 0, count: 0 }

/**
 * On Monday, 2026-01-05, Ana thanks Bruno twice, once in private, and Carla of support once. In February, Carla thanks Bruno, and
 * Bruno thanks Ana; Ana's thanks to Carla are taken back.
 */
async function quarter(server: TestServer) {
  const [ana, bruno, carla] = [
    await server.person("Ana"),
    await server.person("Bruno"),
    await server.person("Carla", { dept: "support" }),
  ]
  for (const person of [ana, bruno, carla]) await server.grant(person, 100)
  await ana.post("/api/v1/transactions", { to: "bruno", value: 10, reason: "Great talk", tags: ["teamwork"] })
  await ana.post("/api/v1/transactions", {
    ...{ to: "bruno", value: 5, reason: "A long word about something that stays between us", private: true },
    tags: ["care"],
  })
  const { body } = await ana.post<{ id: number }>("/api/v1/transactions", { to: "carla", value: 7, reason: "Oops" })
  server.clock.advance(31 * dayMs)
  const as = async (person: typeof ana) => server.as(person)
  await (await as(carla)).post("/api/v1/transactions", {
    ...{ to: "bruno", value: 20, reason: "You stayed until it worked" },
    tags: ["teamwork"],
  })
  await (await as(bruno)).post("/api/v1/transactions", { to: "ana", value: 3 })
  await (await server.admin()).post(`/api/v1/transactions/${body.id}/reversal`, { reason: "By mistake" })
  return { ana: await as(ana), bruno: await as(bruno), carla: await as(carla), admin: await server.admin() }
}

test("a look back shows what somebody received and gave, by whom, with which words, and never private ones", async () => {
  await using server = await startTestServer(withTags)
  const { bruno } = await quarter(server)

  const { status, body } = await bruno.get<Record<string, unknown>>("/api/v1/recap?period=2026-Q1")

  expect(status).toBe(200)
  expect(body).toMatchObject({
    ...{ period: "2026-Q1", unit: "quarter", from: "2026-01-01", to: "2026-03-31", ended: false },
    received: { points: 135, count: 4, people: 3 },
    given: { points: 3, count: 1, people: 1 },
    months: [
      { month: "2026-01", received: 3, given: 0 },
      { month: "2026-02", received: 1, given: 1 },
      { month: "2026-03", received: 0, given: 0 },
    ],
    most_active_month: "2026-01",
    tags: [
      { tag: "teamwork", count: 2 },
      { tag: "care", count: 1 },
    ],
    people: [
      { ...face("Ana"), received: 2, given: 1 },
      { username: "admin", received: 1, given: 0 },
      { ...face("Carla", "support"), received: 1, given: 0 },
    ],
    words: [
      { text: "You stayed until it worked", from: party("Carla"), to: party("Bruno") },
      { text: "Great talk", from: party("Ana") },
    ],
    longest: { text: "You stayed until it worked" },
    first: { from: { username: "admin" }, to: party("Bruno"), date: "2026-01-05T09:00:00.000Z" },
    last: { from: party("Bruno"), to: party("Ana") },
  })
  expect(JSON.stringify(body)).not.toContain("between us")
})

test("words that colleagues responded to come first", async () => {
  await using server = await startTestServer(withTags)
  const { ana, bruno } = await quarter(server)
  const { body } = await bruno.get<{ words: { recognition: number }[] }>("/api/v1/recap?period=2026")
  await ana.put(`/api/v1/recognitions/${body.words[1]?.recognition}/reactions/👏`)

  expect(await bruno.get("/api/v1/recap?period=2026")).toMatchObject({
    body: { words: [{ text: "Great talk" }, { text: "You stayed until it worked" }] },
  })
})

test("months and years are looked back at too, the present quarter by default", async () => {
  await using server = await startTestServer(withTags)
  const { bruno } = await quarter(server)

  expect(await bruno.get("/api/v1/recap")).toEqual(await bruno.get("/api/v1/recap?period=2026-Q1"))
  expect(await bruno.get("/api/v1/recap?period=2026-02")).toMatchObject({
    body: { unit: "month", from: "2026-02-01", to: "2026-02-28", received: { points: 20, count: 1, people: 1 } },
  })
  expect(await bruno.get("/api/v1/recap?period=2026")).toMatchObject({
    body: { unit: "year", months: { length: 12 }, received: { count: 4 } },
  })
  expect(await bruno.get("/api/v1/recap?period=2025-12")).toMatchObject({
    body: {
      ...{ ended: true, received: { ...none, people: 0 }, given: { ...none, people: 0 }, most_active_month: null },
      ...{ tags: [], people: [], words: [], longest: null, first: null, last: null },
    },
  })
})

test("the company looks back at everybody, with departments, for superusers and the duty insights", async () => {
  await using server = await startTestServer(withTags)
  const { admin, ana, bruno } = await quarter(server)

  expect(await admin.get("/api/v1/recap/company?period=2026-Q1")).toMatchObject({
    status: 200,
    body: {
      received: { points: 338, count: 7, people: 3 },
      given: { points: 338, count: 7, people: 4 },
      months: [{ received: 5, given: 5 }, { received: 2, given: 2 }, {}],
      people: [
        { ...face("Bruno"), received: 4, given: 1 },
        { ...face("Ana"), received: 2, given: 2 },
        { ...face("Carla", "support"), received: 1, given: 1 },
      ],
      words: [{ text: "You stayed until it worked" }, { text: "Great talk" }],
      departments: [
        { name: "sales", received: { points: 238, count: 6 }, given: { points: 18, count: 3 } },
        { name: "support", received: { points: 100, count: 1 }, given: { points: 20, count: 1 } },
        { name: "management", received: none, given: { points: 300, count: 3 } },
      ],
    },
  })
  expect(await ana.get("/api/v1/recap/company?period=nonsense")).toEqual(refused(403, "Not a super user"))
  await admin.patch("/api/v1/users/bruno", { duties: ["insights"] })
  expect(await bruno.get("/api/v1/recap/company?period=2026-Q1")).toMatchObject({ status: 200 })
})

test("the company's look back ranks nobody for whom the leaderboard is hidden", async () => {
  await using server = await startTestServer(withTags)
  const { admin, bruno } = await quarter(server)
  await admin.patch("/api/v1/users/bruno", { duties: ["insights"] })
  const ranked = async (person: typeof bruno) =>
    (await person.get<{ people: unknown[] }>("/api/v1/recap/company")).body.people.length

  await admin.patch("/api/v1/programme", { leaderboard: "superusers" })
  expect([await ranked(bruno), await ranked(admin)]).toEqual([0, 3])
  await admin.patch("/api/v1/programme", { leaderboard: "off" })
  expect([await ranked(bruno), await ranked(admin)]).toEqual([0, 0])
})

test("whoever sees only their own recognition sees nobody's words in the company's look back", async () => {
  await using server = await startTestServer({ settings: { ...withTags.settings, "recognition.feed": "own" } })
  const { admin, bruno } = await quarter(server)
  await admin.patch("/api/v1/users/bruno", { duties: ["insights"] })

  expect(await bruno.get("/api/v1/recap/company")).toMatchObject({
    body: { received: { count: 7 }, words: [], longest: null, first: null, last: null },
  })
  expect(await bruno.get("/api/v1/recap")).toMatchObject({ body: { words: [{}, {}] } })
  expect(await admin.get("/api/v1/recap/company")).toMatchObject({ body: { words: [{}, {}] } })
})

test("only periods that have begun can be looked back at", async () => {
  await using server = await startTestServer(withTags)
  const ana = await server.person("Ana")
  const detail = "period: a year, quarter or month that has begun: 2026, 2026-Q4 or 2026-11"

  for (const period of [
    "2026-Q2",
    "2026-02",
    "2027",
    "2026-Q0",
    "2026-Q5",
    "2026-13",
    "2026-1",
    "26",
    "1969",
    "0026",
    "x",
    "",
  ])
    expect([period, await ana.get(`/api/v1/recap?period=${period}`)]).toEqual([period, refused(422, detail)])
  expect(await server.anybody.get("/api/v1/recap")).toEqual(unauthenticated)
})

test("a period begins and ends at midnight in the time zone of the service", async () => {
  await using server = await startTestServer({ settings: { "service.time_zone": "Pacific/Auckland" } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)
  // 2026-01-31T11:30Z is 00:30 on the first of February in Auckland.
  server.clock.advance(Date.parse("2026-01-31T11:30:00Z") - server.clock.now())
  await (await server.as(ana)).post("/api/v1/transactions", { to: "bruno", value: 4, reason: "After midnight" })

  const asBruno = await server.as(bruno)
  expect(await asBruno.get("/api/v1/recap?period=2026-01")).toMatchObject({
    body: { received: { count: 0 }, words: [] },
  })
  expect(await asBruno.get("/api/v1/recap?period=2026-02")).toMatchObject({
    body: { received: { count: 1 }, words: [{ text: "After midnight" }] },
  })
})

describe("as a picture", () => {
  const pictureOf = async (
    server: TestServer,
    { credentials }: { credentials: Record<string, string> },
    path: string,
    more = {},
  ) => {
    const answer = await fetch(server.url + path, { headers: { ...credentials, ...more } })
    return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() }
  }

  test("one's own and the company's are PNGs of 1200 by 630 pixels, each its own, in the language that was asked for", async () => {
    await using server = await startTestServer(withTags)
    const { admin, bruno } = await quarter(server)

    const own = await pictureOf(server, bruno, "/api/v1/recap.png?period=2026-Q1")
    expect(own.status).toBe(200)
    expect(Object.fromEntries(own.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": 'attachment; filename="recap-2026-Q1.png"',
      "cache-control": "no-store",
    })
    const pixels = pixelsOf(own.bytes)
    expect([pixels.width, pixels.height]).toEqual([1200, 630])
    expect(pixels.painted([255, 255, 255], { left: 180, top: 40, right: 1136, bottom: 170 })).toBeGreaterThan(1000)

    const again = await pictureOf(server, bruno, "/api/v1/recap.png?period=2026-Q1&language=en")
    expect(again.bytes).toEqual(own.bytes)
    const pictures = [
      own,
      await pictureOf(server, bruno, "/api/v1/recap.png?period=2026-Q1&language=pt"),
      await pictureOf(server, bruno, "/api/v1/recap.png?period=2026-02"),
      await pictureOf(server, admin, "/api/v1/recap/company.png?period=2026-Q1"),
    ]
    expect(new Set(pictures.map(({ bytes }) => Bun.hash(bytes))).size).toBe(4)
    await bruno.patch("/api/v1/me", { language: "pt" })
    expect((await pictureOf(server, bruno, "/api/v1/recap.png?period=2026-Q1")).bytes).toEqual(
      pictures[1]?.bytes ?? new Uint8Array(),
    )
  })

  test("points have the name that the programme gives them", async () => {
    await using server = await startTestServer(withTags)
    const { admin, bruno } = await quarter(server)
    const before = await pictureOf(server, bruno, "/api/v1/recap.png")
    await admin.patch("/api/v1/programme", { points_name: { one: "star", many: "stars" } })
    expect((await pictureOf(server, bruno, "/api/v1/recap.png")).bytes).not.toEqual(before.bytes)
  })

  test("it is refused like the look back itself, in an unknown language, and to pages of other sites", async () => {
    await using server = await startTestServer(withTags)
    const ana = await server.person("Ana")
    const path = "/api/v1/recap.png?period=2026"

    expect(await server.anybody.get(path)).toEqual(unauthenticated)
    expect(await ana.get("/api/v1/recap/company.png")).toEqual(refused(403, "Not a super user"))
    expect(await ana.get("/api/v1/recap.png?period=2027")).toMatchObject({ status: 422 })
    expect(await ana.get(`${path}&language=xx`)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^language: one of /) },
    })
    const elsewhere = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" }
    expect((await pictureOf(server, ana, path, elsewhere)).status).toBe(403)
    expect((await pictureOf(server, ana, path, { "sec-fetch-dest": "image" })).status).toBe(403)
  })
})

test("words of the beginning of a long period are looked back at, of the company, of a person and in a portrait", async () => {
  await using server = await startTestServer({ settings: { "limits.transfers_per_minute": "0" } })
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  const early = "Long ago you sat down with me for a whole evening, and explained everything twice"
  await admin.post("/api/v1/transactions", { to: "ana", value: 1, reason: early })
  const liked = await admin.post<{ id: number }>("/api/v1/transactions", { to: "ana", value: 1, reason: "Early" })
  await bruno.put(`/api/v1/recognitions/${liked.body.id}/reactions/👏`)
  await server.grant(bruno, 100)
  await bruno.post("/api/v1/transactions", { to: "ana", value: 1, reason: "Thank you" })
  const { users, ledger } = server.app.store
  const [from, to] = [await users.byUsername("admin"), await users.byUsername("ana")]
  const note = { reason: "Thanks", tags: [], isPrivate: false }
  const transfer = { kind: "transfer", senderId: from?.id ?? 0, receiverId: to?.id ?? 0, value: 1, note } as const
  await Promise.all(
    Array.from({ length: 1500 }, () => ledger.post({ ...transfer, date: server.clock.now() }, () => {})),
  )

  const best = { words: [{ text: "Early" }, { text: early }, { text: "Thank you" }] }
  expect(await admin.get("/api/v1/recap/company")).toMatchObject({ body: { ...best, longest: { text: early } } })
  expect(await ana.get("/api/v1/recap")).toMatchObject({ body: { ...best, longest: { text: early } } })
  expect(await ana.get("/api/v1/people/ana")).toMatchObject({ body: { thanked: { ...best, people: 2 } } })
  expect(await ana.get("/api/v1/leaderboard?period=all")).toMatchObject({ body: { own: { people: 2 } } })
})
