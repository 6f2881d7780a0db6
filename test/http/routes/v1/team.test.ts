import { expect, test } from "bun:test"
import { ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

/** Ana leads Bruno and Carla, and Carla leads Dora; Eva reports to nobody. */
async function staffed(server: TestServer) {
  const people = new Map<string, Awaited<ReturnType<TestServer["person"]>>>()
  for (const name of ["Ana", "Bruno", "Carla", "Dora", "Eva"]) people.set(name, await server.person(name))
  const admin = await server.admin()
  await admin.post("/api/v1/grants", { usernames: ["ana", "bruno", "carla", "dora", "eva"], value: 100 })
  for (const [username, manager] of [
    ["bruno", "ana"],
    ["carla", "ana"],
    ["dora", "carla"],
  ])
    await admin.patch(`/api/v1/users/${username}`, { manager })
  const as = async (name: string) => {
    const person = people.get(name)
    if (!person) throw new Error(`${name} is missing`)
    return server.as(person)
  }
  return { as }
}

const dayMs = 86_400_000

const member = (name: string, more: object = {}) => ({
  ...{ username: name.toLowerCase(), name, dept: "sales", joined: null, received: 0, given: 0 },
  ...{ last_thanked: null, last_gave: null, manager: "ana", received_count: 0, given_count: 0, avatar: null },
  ...{ manager_name: "Ana", manager_avatar: null },
  ...more,
})

test("a manager sees the recognition of 30 days of those who report, longest without thanks first", async () => {
  await using server = await startTestServer()
  const { as } = await staffed(server)
  await (await server.admin()).patch("/api/v1/users/bruno", { joined: "2025-02-28" })
  await (await as("Eva")).post("/transaction/bruno/", { value: 5, reason: "Secret", private: true })
  await (await as("Carla")).post("/transaction/eva/", { value: 7 })
  server.clock.advance(29 * dayMs)
  await (await as("Dora")).post("/transaction/carla/", { value: 3 })
  await (await as("Dora")).post("/transaction/carla/", { value: 4 })
  await (await server.admin()).post("/api/v1/grants", { usernames: ["dora"], value: 9 })

  const bruno = member("Bruno", { joined: "2025-02-28", last_thanked: "2026-01-05" })
  const carla = member("Carla", { last_thanked: "2026-02-03", last_gave: "2026-01-05", received: 7, received_count: 2 })
  const dora = member("Dora", {
    given: 7,
    given_count: 2,
    last_gave: "2026-02-03",
    manager: "carla",
    manager_name: "Carla",
  })
  const ana = await as("Ana")
  expect(await ana.get("/api/v1/team")).toEqual(
    ok({
      items: [
        { ...bruno, received: 5, received_count: 1 },
        { ...carla, given: 7, given_count: 1 },
      ],
    }),
  )
  expect(await ana.get("/api/v1/team?depth=direct")).toEqual(await ana.get("/api/v1/team"))
  expect(await ana.get("/api/v1/team?depth=all")).toMatchObject({
    body: { items: [dora, { username: "bruno" }, { username: "carla" }] },
  })
  expect(await (await as("Carla")).get("/api/v1/team")).toEqual(ok({ items: [dora] }))

  server.clock.advance(dayMs)
  expect(await (await as("Ana")).get("/api/v1/team")).toEqual(ok({ items: [bruno, carla] }))
})

test("the fields come in the order of the interface, and none is a balance or a reason", async () => {
  await using server = await startTestServer()
  const { as } = await staffed(server)
  await (await as("Eva")).post("/transaction/bruno/", { value: 5, reason: "Secret", private: true })

  const { body } = await (await as("Ana")).get<{ items: readonly object[] }>("/api/v1/team")

  expect(Object.keys(body.items[0] ?? {}).slice(0, 9)).toEqual(
    "username name dept joined received given last_thanked last_gave manager".split(" "),
  )
  expect(JSON.stringify(body)).not.toMatch(/balance|redeemable|Secret|100/)
})

test("whoever has no team gets an empty list, and `me` has the number of reports, without those who left", async () => {
  await using server = await startTestServer()
  const { as } = await staffed(server)
  const reports = async (name: string) => (await (await as(name)).get<{ reports: number }>("/api/v1/me")).body.reports

  for (const depth of ["", "?depth=direct", "?depth=all"])
    expect(await (await as("Eva")).get(`/api/v1/team${depth}`)).toEqual(ok({ items: [] }))
  expect(await Promise.all(["Ana", "Carla", "Eva"].map(reports))).toEqual([2, 1, 0])

  await (await server.admin()).patch("/api/v1/users/bruno", { active: false })
  expect(await reports("Ana")).toBe(1)
  await (await server.admin()).patch("/api/v1/users/carla", { active: false })
  expect(await (await as("Ana")).get("/api/v1/team")).toEqual(ok({ items: [member("Dora")] }))
})

test("amounts are hidden from managers where members see only their own, but not how often", async () => {
  await using server = await startTestServer()
  const { as } = await staffed(server)
  const admin = await server.admin()
  await (await as("Eva")).post("/transaction/bruno/", { value: 5 })
  await admin.patch("/api/v1/users/eva", { manager: "admin" })
  await admin.patch("/api/v1/programme", { amounts_shown: "concerned" })

  const hidden = { received: null, given: null }
  const last = { last_thanked: "2026-01-05", received_count: 1 }
  expect(await (await as("Ana")).get("/api/v1/team")).toEqual(
    ok({ items: [member("Carla", hidden), member("Bruno", { ...hidden, ...last })] }),
  )
  expect(await admin.get("/api/v1/team")).toMatchObject({ body: { items: [{ username: "eva", given: 5 }] } })
})

test("a wrong depth and a missing log-in are refused; every answer names the manager by username, with name and picture beside it", async () => {
  await using server = await startTestServer()
  const { as } = await staffed(server)
  const ana = await as("Ana")

  for (const depth of ["ALL", "", "2", "direct,all"])
    expect(await ana.get(`/api/v1/team?depth=${depth}`)).toEqual(refused(422, "depth: direct or all"))
  expect(await server.anybody.get("/api/v1/team")).toEqual(unauthenticated)
  await (await as("Carla")).patch("/api/v1/me", { avatar: "https://pictures.example.com/carla.png" })
  const [admin, dora] = [await server.admin(), await as("Dora")]
  const carla = {
    manager: "carla",
    manager_name: "Carla",
    manager_avatar: "https://pictures.example.com/carla.png",
  }
  for (const answer of [
    await ana.get("/api/v1/people/dora"),
    await admin.get("/api/v1/users/dora"),
    await dora.get("/api/v1/me"),
    await dora.get("/api/v1/session"),
  ])
    expect(answer).toMatchObject(ok(carla))
  expect(await ana.get("/api/v1/team?depth=all")).toMatchObject({
    body: { items: expect.arrayContaining([expect.objectContaining({ username: "dora", ...carla })]) },
  })
  const nobody = { manager: null, manager_name: null, manager_avatar: null }
  for (const answer of [
    await dora.get("/api/v1/people/ana"),
    await admin.get("/api/v1/users/ana"),
    await ana.get("/api/v1/me"),
    await ana.get("/api/v1/session"),
  ])
    expect(answer).toMatchObject(ok(nobody))
})
