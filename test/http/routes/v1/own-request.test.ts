import { expect, test } from "bun:test"
import { refused } from "../../../support/answers.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"

/** Nobody decides about what is their own, whatever they may do besides. */

const ownRequest = refused(409, "This concerns yourself; somebody else has to decide")

const give = (admin: Person, { username }: { readonly username: string }, ...duties: readonly string[]) =>
  admin.patch(`/api/v1/users/${username}`, { duties })

/** Somebody with points that can be redeemed. */
async function thank(server: TestServer, person: Person) {
  const colleague = await server.person(`Of-${person.username}`)
  await server.grant(colleague, 100)
  await colleague.post("/api/v1/transactions", { to: person.username, value: 100 })
}

/** Redeems reward 1 and returns the path of the request. */
async function redeem(person: Person): Promise<string> {
  const { status, body } = await person.post<{ id: number }>("/api/v1/rewards/1/redemptions", {})
  expect(status).toBe(201)
  return `/api/v1/redemptions/${body.id}`
}

test("nobody answers their own request, neither with the duty rewards nor as a superuser; somebody else does", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const [ana, rita] = [await server.person("Ana"), await server.person("Rita")]
  const sara = await server.person("Sara", { dept: "management" })
  for (const holder of [ana, rita]) await give(admin, holder, "rewards")
  for (const person of [ana, sara]) await thank(server, person)
  await ana.post("/api/v1/rewards", { name: "Trip", cost: 40 })

  for (const [person, other] of [
    [ana, rita],
    [sara, admin],
  ] as const) {
    const [first, second] = [await redeem(person), await redeem(person)]
    for (const answer of ["fulfilment", "rejection"]) {
      expect(await person.post(`${first}/${answer}`, {})).toEqual(ownRequest)
      expect(await person.post(`${first}/${answer}`, { answer: "x".repeat(501) })).toMatchObject({ status: 422 })
    }
    expect(await other.post(`${first}/fulfilment`, {})).toMatchObject({ status: 200, body: { state: "fulfilled" } })
    expect(await other.post(`${second}/rejection`, {})).toMatchObject({ status: 200, body: { state: "declined" } })
    expect(await person.post(`${first}/fulfilment`, {})).toEqual(ownRequest)
  }
})

const budget = { name: "Budget", value: 5, mode: "add", period: "month", active: false }

test("with the duty programme one runs the programme: its rules, allowances and departments", async () => {
  await using server = await startTestServer()
  const [admin, petra, bruno] = [await server.admin(), await server.person("Petra"), await server.person("Bruno")]
  await server.person("Carla", { dept: "care" })
  const requests = () => [
    () => petra.patch("/api/v1/programme", { reason: "required" }),
    () => petra.post("/api/v1/allowances", { ...budget, audience: { everyone: true } }),
    () => petra.get("/api/v1/allowances"),
    () => petra.get("/api/v1/allowances/1/preview"),
    () => petra.patch("/api/v1/allowances/1", { value: 6 }),
    () => petra.post("/api/v1/allowances/1/run"),
    () => petra.get("/api/v1/allowances/1/runs"),
    () => petra.patch("/api/v1/departments/care", { name: "support" }),
    () => petra.delete("/api/v1/allowances/1"),
  ]
  expect(await petra.patch("/api/v1/programme", { reason: "required" })).toEqual(refused(403, "Not a super user"))
  await give(admin, petra, "programme")

  const statuses: number[] = []
  for (const ask of requests()) statuses.push((await ask()).status)

  expect(statuses).toEqual([200, 201, 200, 200, 200, 201, 200, 200, 200])
  expect((await bruno.get<{ balance: number }>("/api/v1/me")).body.balance).toBe(6) // from admin, not from Petra
  await give(admin, petra, "insights", "rewards", "people")
  for (const ask of requests()) expect((await ask()).status).not.toBeLessThan(403)
})

test("with the duty programme nobody reaches accounts, tokens, webhooks, balances, grants or the log", async () => {
  await using server = await startTestServer()
  const [admin, petra] = [await server.admin(), await server.person("Petra")]
  await server.person("Bruno")
  await give(admin, petra, "programme")
  await admin.post("/api/v1/grants", { value: 30, usernames: ["bruno"] })
  const notSuperuser = refused(403, "Not a super user")

  for (const path of ["users/bruno", "users.csv", "redemptions.csv", "webhooks", "service-tokens", "health", "audit"])
    expect([path, await petra.get(`/api/v1/${path}`)]).toEqual([path, notSuperuser])
  for (const path of ["insights/budgets", "insights/outstanding", "recap/company?period=2026", "events"])
    expect([path, (await petra.get(`/api/v1/${path}`)).status]).toEqual([path, 403])
  expect(await petra.patch("/api/v1/users/bruno", { name: "B" })).toEqual(notSuperuser)
  expect((await petra.post("/api/v1/grants", { value: 1, usernames: ["bruno"] })).status).toBe(400)
  const fill = { ...budget, value: 100, mode: "top_up", audience: { usernames: ["bruno", "petra"] } }
  expect((await petra.post("/api/v1/allowances", fill)).status).toBe(201)
  const items = [
    { username: "petra", name: "Petra", value: null, expired: null },
    { username: "bruno", name: "Bruno", value: null, expired: null },
  ]
  expect(await petra.get("/api/v1/allowances/1/preview")).toMatchObject({ body: { total: 170, items } })
  expect(JSON.stringify((await admin.get("/api/v1/allowances/1/preview")).body)).toContain('"value":70')
})

test("nobody with the duty programme decides about an allowance for nobody but themselves", async () => {
  await using server = await startTestServer()
  const [admin, petra, bruno] = [await server.admin(), await server.person("Petra"), await server.person("Bruno")]
  await admin.patch("/api/v1/users/petra", { dept: "alone" })
  await give(admin, petra, "programme")
  const post = (person: Person, audience: object) => person.post("/api/v1/allowances", { ...budget, audience })

  for (const audience of [{ usernames: ["petra"] }, { usernames: ["petra", "admin"] }, { dept: "alone" }])
    expect([audience, await post(petra, audience)]).toEqual([audience, ownRequest])
  expect((await post(petra, { usernames: ["petra", "bruno"] })).status).toBe(201)
  expect(await petra.patch("/api/v1/allowances/1", { audience: { usernames: ["petra"] } })).toEqual(ownRequest)
  expect(await petra.patch("/api/v1/allowances/1", { audience: { dept: "alone" }, value: 9 })).toEqual(ownRequest)
  // Everybody else has left meanwhile.
  await admin.patch("/api/v1/users/bruno", { active: false })
  expect(await petra.patch("/api/v1/allowances/1", { value: 900 })).toEqual(ownRequest)
  expect(await petra.post("/api/v1/allowances/1/run")).toEqual(ownRequest)
  // One that a superuser made for her.
  expect((await post(admin, { usernames: ["petra"] })).status).toBe(201)
  expect(await petra.patch("/api/v1/allowances/2", { active: true })).toEqual(ownRequest)
  expect(await petra.post("/api/v1/allowances/2/run")).toEqual(ownRequest)
  expect(await petra.patch("/api/v1/allowances/2", { value: -1 })).toMatchObject({ status: 422 })
  // A superuser may, and so may she for others.
  expect((await admin.patch("/api/v1/allowances/2", { value: 2 })).status).toBe(200)
  expect((await petra.delete("/api/v1/allowances/2")).status).toBe(200)
  void bruno
})

test("nobody with the duty programme renames their own department or joins another to it, as allowances follow the name", async () => {
  await using server = await startTestServer()
  const [admin, petra] = [await server.admin(), await server.person("Petra")]
  for (const [name, dept] of [
    ["Bruno", "rich"],
    ["Carla", "poor"],
  ] as const)
    await server.person(name, { dept })
  await give(admin, petra, "programme")
  const rename = (from: string, name: string, query = "") =>
    petra.patch(`/api/v1/departments/${from}${query}`, { name, merge: true })

  for (const query of ["", "?dry_run=true"]) {
    expect(await rename("sales", "rich", query)).toEqual(ownRequest)
    expect(await rename("sales", "new", query)).toEqual(ownRequest)
    expect(await rename("rich", "Sales ", query)).toEqual(ownRequest)
  }
  expect(await rename("poor", "rich")).toMatchObject({ status: 200, body: { joins: 1 } })
  expect(await rename("rich", "management")).toMatchObject({ status: 422 })
  expect((await admin.patch("/api/v1/departments/sales", { name: "trade" })).status).toBe(200)
})
