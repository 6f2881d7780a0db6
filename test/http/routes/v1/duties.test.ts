import { expect, test } from "bun:test"
import { refused } from "../../../support/answers.ts"
import { createClient } from "../../../support/client.ts"
import { bearer } from "../../../support/credentials.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"
import { until } from "../../../support/until.ts"

const notSuperuser = refused(403, "Not a super user")
const inUse = refused(403, "Only superusers change the e-mail address of an account that is in use")

interface Refusal {
  readonly detail: string
}

interface Account {
  readonly username: string
  readonly email: string
  readonly dept: string
  readonly role: string
  readonly active: boolean
  readonly duties: readonly string[]
}

/** A server with Ana, who has these duties, and Bruno, who has none. */
async function serverWith(...duties: readonly string[]) {
  const server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  await give(admin, ana, ...duties)
  return { server, admin, ana, bruno, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const give = (admin: Person, { username }: { readonly username: string }, ...duties: readonly string[]) =>
  admin.patch<Account>(`/api/v1/users/${username}`, { duties })

const importing = <T>(person: Person, text: string, query = "") =>
  person.call<T>("POST", `/api/v1/users/import${query}`, { body: text, headers: { "content-type": "text/csv" } })

async function audited({ app }: TestServer, action: "duties_changed" | "user_created" | "user_deactivated") {
  const entries = await app.store.audit.list({ action, limit: 100 })
  return entries.map(({ who, whom, detail }) => [who, whom, detail])
}

/** Lets the worker send what waits, until this is so. */
async function sendMail({ app, clock }: TestServer, isSent: () => boolean) {
  clock.advance(app.config.email.debug_delay_seconds * 1000)
  app.worker.wake()
  await until(isSent)
}

/** Davi, whom Ana has invited and who has not set a password yet. */
const inviteDavi = (ana: Person) =>
  ana.post<Account>("/api/v1/users", { name: "Davi", email: "davi@example.com", dept: "sales" })

test("duties hold from the next request on, for sessions and tokens from before, and are in the audit log", async () => {
  await using given = await serverWith()
  const { server, admin, ana } = given
  const inBrowser = await server.withSession(ana)
  expect(await ana.get("/api/v1/insights/tags")).toEqual(notSuperuser)

  const account = await give(admin, ana, "people", "insights", "people")

  expect([account.status, account.body.duties]).toEqual([200, ["insights", "people"]])
  for (const client of [ana, inBrowser]) {
    expect((await client.get<Account>("/api/v1/me")).body.duties).toEqual(["insights", "people"])
    expect((await client.get("/api/v1/insights/tags")).status).toBe(200)
  }
  expect((await inBrowser.get("/api/v1/session")).body).toMatchObject({ duties: ["insights", "people"] })
  await give(admin, ana)
  for (const client of [ana, inBrowser]) expect(await client.get("/api/v1/insights/tags")).toEqual(notSuperuser)
  expect(await audited(server, "duties_changed")).toEqual([
    ["admin", "ana", "none -> insights, people"],
    ["admin", "ana", "insights, people -> none"],
  ])
})

test("unknown duties, duties for superusers and duties for somebody who has left are refused", async () => {
  await using given = await serverWith()
  const { admin, ana } = given
  await admin.patch("/api/v1/users/bruno", { active: false })

  for (const [username, duties] of [
    ["ana", ["finance"]],
    ["ana", ["People"]],
    ["ana", "people"],
    ["ana", [["people"]]],
    ["ana", [null]],
    ["ana", null],
    ["admin", ["people"]],
    ["bruno", ["people"]],
  ] as const) {
    const { status, body } = await admin.patch<Refusal>(`/api/v1/users/${username}`, { duties })
    expect([username, duties, status]).toEqual([username, duties, 422])
    expect(body.detail).toStartWith("duties")
  }
  expect((await ana.get<Account>("/api/v1/me")).body.duties).toEqual([])
  expect(await admin.patch("/api/v1/users/admin", { duties: [] })).toMatchObject({ status: 200 })
})

test("nobody with a duty gives duties or makes a superuser, in any way", async () => {
  await using given = await serverWith("insights", "rewards", "people")
  const { admin, ana, bruno } = given
  const before = (await admin.get<Account>("/api/v1/users/bruno")).body

  for (const body of [
    { duties: ["people"] },
    { duties: [] },
    { name: "Bruno Lima", duties: ["insights"] },
    { dept: "management" },
    { dept: " Management " },
    { name: "Bruno Lima", dept: "management" },
    { dept: "management", active: true },
  ])
    expect([body, await ana.patch("/api/v1/users/bruno", body)]).toEqual([body, notSuperuser])
  for (const dept of ["management", "MANAGEMENT"])
    expect(await ana.post("/api/v1/users", { name: "Eva", email: "eva@example.com", dept })).toEqual(notSuperuser)
  expect(await ana.patch("/api/v1/departments/sales", { name: "management" })).toEqual(notSuperuser)
  expect((await importing(ana, "username,dept\nbruno,management")).status).toBe(422)
  expect((await importing(ana, "name,email,dept\nEva,eva@example.com,management")).status).toBe(422)
  expect((await importing(ana, "username,duties\nbruno,people")).status).toBe(422)
  expect((await ana.post("/api/v1/tokens", { name: "t", scopes: ["admin"] })).status).toBe(422)

  expect((await admin.get<Account>("/api/v1/users/bruno")).body).toEqual(before)
  expect((await bruno.get<Account>("/api/v1/me")).body).toMatchObject({ role: "member", duties: [] })
})

test("the duty people reaches neither superusers nor the holder's own account", async () => {
  await using given = await serverWith("people")
  const { server, admin, ana } = given
  await server.person("Sara", { dept: "management" })

  for (const username of ["admin", "sara", "ana"]) {
    expect(await ana.get(`/api/v1/users/${username}`)).toEqual(notSuperuser)
    for (const body of [
      { name: "X" },
      { email: "x@example.com" },
      { dept: "growth" },
      { active: false },
      { manager: null },
      {},
    ])
      expect([username, body, await ana.patch(`/api/v1/users/${username}`, body)]).toEqual([
        username,
        body,
        notSuperuser,
      ])
    for (const row of [
      "name\n%,Other",
      "dept\n%,growth",
      "email\n%,x@example.com",
      "active\n%,no",
      "manager\n%,bruno",
    ]) {
      const { status, body } = await importing<Refusal>(ana, `username,${row.replace("%", username)}`)
      expect([status, body.detail]).toEqual([422, expect.stringContaining("row 2, Not a super user")])
    }
  }
  await admin.patch("/api/v1/users/sara", { active: false })
  expect(await ana.patch("/api/v1/users/sara", { active: true })).toEqual(notSuperuser)
  expect(await ana.get("/api/v1/users/nobody")).toEqual(refused(404, "User not found"))
})

test("an import by somebody with the duty people may name superusers as long as it changes nothing of theirs", async () => {
  await using given = await serverWith("people")
  const { ana } = given
  const text = "username,name,dept\nadmin,Admin,management\nana,Ana,sales\nbruno,Bruno Lima,sales\n"

  expect(await importing(ana, text)).toMatchObject({ status: 200, body: { updated: 1, unchanged: 2 } })

  const dry = await importing<{ errors: object[] }>(
    ana,
    "username,name,email\nadmin,Chief,admin@localhost\nbruno,Bruno,elsewhere@example.com\n",
    "?dry_run=true",
  )
  expect(dry.body.errors).toEqual([
    { row: 2, column: null, code: "not_superuser", detail: "Not a super user" },
    {
      row: 3,
      column: "email",
      code: "address_fixed",
      detail: "email: Only superusers change the e-mail address of an account that is in use",
    },
  ])
})

test("with the duty people one creates, invites, corrects, imports, deactivates and reactivates", async () => {
  await using given = await serverWith("people")
  const { server, ana } = given

  expect(await inviteDavi(ana)).toMatchObject({
    status: 201,
    body: { username: "davi", role: "member", duties: [], active: true },
  })
  const moved = await ana.patch("/api/v1/users/davi", {
    name: "Davi Reis",
    dept: "growth",
    email: "davi.reis@example.com",
  })
  expect(moved).toMatchObject({
    status: 200,
    body: { name: "Davi Reis", dept: "growth", email: "davi.reis@example.com" },
  })
  expect(await ana.patch("/api/v1/users/bruno", { active: false })).toMatchObject({ body: { active: false } })
  const left = await ana.get<{ items: Account[] }>("/api/v1/people?active=false")
  expect(left.body.items.map(({ username }) => username)).toEqual(["bruno"])
  expect((await ana.get<{ items: object[] }>("/api/v1/departments?active=false")).body.items).toEqual([
    { name: "sales", people: 1 },
  ])
  expect(await ana.patch("/api/v1/users/bruno", { active: true })).toMatchObject({ body: { active: true } })
  expect(await importing(ana, "name,email,dept\nEva,eva@example.com,sales", "?invite=true")).toMatchObject({
    body: { created: 1 },
  })
  expect(await audited(server, "user_created")).toEqual(
    expect.arrayContaining([
      ["ana", "davi", "sales"],
      ["ana", "eva", "sales"],
    ]),
  )
})

test("an invited account has no password; the mail brings a link to set one, unless it is not wanted", async () => {
  await using given = await serverWith("people")
  const { server, ana } = given
  const mailsTo = (address: string) => server.mails.filter(({ to }) => to === address).length
  await ana.post("/api/v1/users", { name: "Eva", email: "eva@example.com", dept: "sales", invite: false })
  await inviteDavi(ana)

  await sendMail(server, () => mailsTo("davi@example.com") > 0)

  expect([mailsTo("davi@example.com"), mailsTo("eva@example.com")]).toEqual([1, 0])
  const link = /pwd_reset_token=(\S+)/.exec(server.mails.at(-1)?.text ?? "")?.[1]
  const chosen = { password: "his own password", password_confirm: "his own password" }
  expect((await server.anybody.post(`/user/davi/password/?pwd_reset_token=${link}`, chosen)).status).toBe(200)
})

test("an account is created by the same rules as elsewhere, and refused by name", async () => {
  await using given = await serverWith("people")
  const { server, ana } = given
  const davi = { name: "Davi", email: "davi@example.com", dept: "sales" }
  const faults = [
    [{ ...davi, email: "bruno@example.com" }, 409, "email_taken"],
    [{ ...davi, username: "bruno" }, 409, "username_taken"],
    [{ ...davi, username: "Bruno" }, 409, "username_lookalike"],
    [{ ...davi, email: "no address" }, 422, "invalid"],
    [{ ...davi, name: " " }, 422, "invalid"],
    [{ ...davi, dept: "" }, 422, "invalid"],
    [{ ...davi, invite: "no" }, 422, "invalid"],
    [{ email: "davi@example.com" }, 422, "invalid"],
  ] as const

  for (const [body, status, code] of faults) {
    const headers = { ...bearer(ana.accessToken), "content-type": "application/json" }
    const answer = await fetch(`${server.url}/api/v1/users`, { method: "POST", headers, body: JSON.stringify(body) })
    const { code: named } = (await answer.json()) as { code: string }
    expect([body, answer.status, named]).toEqual([body, status, code])
  }
  expect((await ana.post("/api/v1/users", { ...davi, password: "ignored", duties: ["people"] })).body).toMatchObject({
    username: "davi",
    duties: [],
  })
})

test("with the duty people nobody sets a password, ends second factors, erases or exports what is stored about others", async () => {
  await using given = await serverWith("people")
  const { ana } = given
  const chosen = { password: "another password", password_confirm: "another password" }

  expect(await ana.post("/user/bruno/password/", chosen)).toEqual(
    refused(403, "You are not allowed to change this user's password"),
  )
  const user = { name: "Eva", email: "eva@example.com", dept: "sales", password: "a password" }
  expect(await ana.post("/user/", user)).toEqual(notSuperuser)
  expect((await importing(ana, "username,password\nbruno,a password")).status).toBe(422)
  expect(await ana.call("DELETE", "/api/v1/users/bruno/second-factors")).toEqual(notSuperuser)
  expect(await ana.post("/api/v1/users/bruno/erasure", { reasons: "none" })).toEqual(notSuperuser)
  expect(await ana.get("/api/v1/users/bruno/data")).toEqual(refused(403, "You can only see your own data"))
  expect(await ana.patch("/user/bruno/", { bio: "x" })).toEqual(refused(403, "You can only update your own profile"))
})

test("the e-mail address of an account that is in use is fixed, so that nobody sends its reset link elsewhere", async () => {
  await using given = await serverWith("people")
  const { server, admin, ana, bruno } = given
  await inviteDavi(ana)
  const change = (username: string, email = "mine@example.com") => ana.patch(`/api/v1/users/${username}`, { email })

  expect(await change("bruno")).toEqual(inUse) // has a password
  expect(await ana.patch("/api/v1/users/bruno", { name: "Other", email: "mine@example.com" })).toEqual(inUse)
  expect((await change("bruno", bruno.email)).status).toBe(200) // the same address
  expect((await change("davi", "dave@example.com")).status).toBe(200)

  await admin.post("/api/v1/grants", { value: 5, usernames: ["davi"] }) // a budget is no thanks of a colleague
  expect((await change("davi", "davi@example.com")).status).toBe(200)
  await server.grant(bruno, 5)
  await bruno.post("/api/v1/transactions", { to: "davi", value: 5, reason: "Between us", private: true })
  expect(await change("davi")).toEqual(inUse)
  expect((await admin.patch("/api/v1/users/davi", { email: "dave@example.com" })).status).toBe(200)

  await ana.post("/api/v1/users", { name: "Eva", email: "eva@example.com", dept: "sales" })
  await give(admin, { username: "eva" }, "insights")
  expect(await change("eva")).toEqual(inUse)

  await ana.post("/api/v1/users", { name: "Fred", email: "fred@example.com", dept: "sales" })
  const [fred] = await server.app.store.users.matching({ usernames: ["fred"], emails: [] })
  const linked = { issuer: "https://id.example.com", subject: "fred", userId: fred?.id ?? 0, linkedAt: 0 }
  await server.app.store.identities.link(linked, { ...nobody, whom: "fred" })
  expect(await change("fred")).toEqual(inUse)
})

const nobody = {
  at: 0,
  action: "identity_linked" as const,
  who: null,
  way: "http" as const,
  address: null,
  count: 1,
  detail: null,
  before: null,
  after: null,
}

test("a deactivation ends duties, in every way, and a reactivation gives none back", async () => {
  await using given = await serverWith("insights", "people")
  const { server, admin, ana } = given
  const sara = await server.person("Sara")
  await give(admin, sara, "people")
  const dutiesOf = async (username: string) => (await admin.get<Account>(`/api/v1/users/${username}`)).body.duties
  const ways = {
    "the account": () => admin.patch("/api/v1/users/ana", { active: false }),
    "the account, with its points": () => admin.patch("/api/v1/users/ana", { active: false, return_points: true }),
    "an import": () => importing(admin, "username,active\nana,no"),
    "the duty people": () => sara.patch("/api/v1/users/ana", { active: false }),
  }

  for (const [way, deactivate] of Object.entries(ways)) {
    await server.grant(ana, 5)
    await give(admin, ana, "insights", "people")
    expect([way, (await deactivate()).status]).toEqual([way, 200])
    expect([way, await dutiesOf("ana")]).toEqual([way, []])
    // Whoever has the duty may reactivate, and must not give duties in this way.
    expect((await sara.patch("/api/v1/users/ana", { active: true })).status).toBe(200)
    expect([way, await dutiesOf("ana")]).toEqual([way, []])
  }

  const entries = await audited(server, "user_deactivated")
  expect(entries.map(([, , detail]) => detail)).toEqual([
    "ended duties: insights, people",
    expect.stringContaining("returned to admin; ended duties: insights, people"),
    null,
    "ended duties: insights, people",
  ])
})

test("whoever becomes a superuser has no duties, and none after that", async () => {
  await using given = await serverWith("people")
  const { server, admin, ana } = given

  expect(await admin.patch("/api/v1/users/ana", { dept: "management" })).toMatchObject({ body: { duties: [] } })
  expect(await admin.patch("/api/v1/users/ana", { dept: "sales" })).toMatchObject({ body: { duties: [] } })
  await give(admin, ana, "rewards")
  await importing(admin, "username,dept\nana,management")
  expect(await importing(admin, "username,dept\nana,sales")).toMatchObject({ status: 200 })
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { role: "member", duties: [] } })
  expect(await admin.patch("/api/v1/users/ana", { dept: "management", duties: ["people"] })).toMatchObject({
    status: 422,
  })
  await admin.patch("/api/v1/users/ana", { dept: "management" })
  server.clock.advance(60_000)
  expect(await admin.patch("/api/v1/users/ana", { dept: "sales", duties: ["people"] })).toMatchObject({
    body: { role: "member", duties: ["people"] },
  })
  expect((await audited(server, "duties_changed")).map(([, , detail]) => detail)).toEqual([
    "none -> people",
    "people -> none",
    "none -> rewards",
    "rewards -> none",
    "none -> people",
  ])
})

test("a directory neither gives duties nor changes the e-mail address of somebody who has some", async () => {
  await using given = await serverWith("people")
  const { server, admin } = given
  const { body } = await admin.post<{ token: string }>("/api/v1/tokens", { name: "scim", scopes: ["admin"] })
  const scim = createClient(server.url, { ...bearer(body.token), "content-type": "application/scim+json" })
  const [ana] = await server.app.store.users.matching({ usernames: ["ana"], emails: [] })
  const change = (json: object) =>
    scim.call("PUT", `/scim/v2/Users/${ana?.id}`, { json: { userName: "ana", displayName: "Ana", ...json } })

  await change({ emails: [{ value: "elsewhere@example.com", primary: true }], active: true, duties: ["insights"] })
  expect((await admin.get<Account>("/api/v1/users/ana")).body).toMatchObject({
    email: "ana@example.com",
    duties: ["people"],
  })
  await change({ emails: [{ value: "ana@example.com" }], active: false })
  await change({ emails: [{ value: "ana@example.com" }], active: true })
  expect((await admin.get<Account>("/api/v1/users/ana")).body).toMatchObject({ active: true, duties: [] })
})

test("an API token has the duties of its account only if it can do nothing but read", async () => {
  await using given = await serverWith("insights", "rewards", "people")
  const { server, admin, ana, bruno } = given
  const withToken = async (path: string, owner: Person, more: object) => {
    const { body } = await owner.post<{ token: string }>(path, { name: "report", ...more })
    return createClient(server.url, bearer(body.token))
  }
  const reading = await withToken("/api/v1/tokens", ana, { scopes: ["read"] })
  const service = await withToken("/api/v1/service-tokens", admin, { scopes: ["read"], username: "ana" })
  const giving = await withToken("/api/v1/tokens", ana, { scopes: ["give"] })
  const both = await withToken("/api/v1/tokens", ana, { scopes: ["read", "give"] })
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 5, active: false })
  await admin.patch("/api/v1/users/bruno", { active: false })
  void bruno

  for (const client of [reading, service]) {
    for (const path of ["insights/tags", "insights/tags.csv", "users.csv", "redemptions.csv", "users/bruno"])
      expect([path, (await client.get(`/api/v1/${path}`)).status]).toEqual([path, 200])
    expect((await client.get<{ items: object[] }>("/api/v1/rewards")).body.items).toHaveLength(1)
    expect((await client.get<{ items: object[] }>("/api/v1/people?active=false")).body.items).toHaveLength(1)
    const changes = [
      await client.post("/api/v1/rewards", { name: "Cup", cost: 5 }),
      await client.post("/api/v1/users", { name: "Eva", email: "eva@example.com", dept: "sales" }),
      await client.patch("/api/v1/users/bruno", { active: true }),
    ]
    for (const answer of changes) expect(answer).toEqual(refused(403, "This token may not do that"))
  }
  for (const client of [giving, both]) {
    for (const path of ["insights/tags", "insights/tags.csv", "users.csv", "redemptions.csv", "users/bruno"])
      expect([path, await client.get(`/api/v1/${path}`)]).toEqual([path, notSuperuser])
    expect((await client.get<{ items: object[] }>("/api/v1/rewards")).body.items).toHaveLength(0)
    expect((await client.get<{ items: object[] }>("/api/v1/people?active=false")).body.items).toHaveLength(2)
  }
})

test("with duties nobody gives more than the balance, grants for others, or sees private reasons of others", async () => {
  await using given = await serverWith("insights", "rewards", "people")
  const { server, admin, ana, bruno } = given
  const carla = await server.person("Carla")
  await server.grant(bruno, 100)
  const secret = "a secret between two"
  await bruno.post("/api/v1/transactions", { to: "carla", value: 20, reason: secret, private: true })
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 5 })
  await carla.post("/api/v1/rewards/1/redemptions", { comment: "Blue" })

  expect(await ana.post("/transaction/bruno/", { value: 1 })).toEqual(refused(400, "Insufficient balance"))
  expect((await ana.post("/api/v1/grants", { value: 1, usernames: ["bruno"] })).status).toBe(400)
  expect(await ana.post("/api/v1/transactions/1/reversal", { reason: "x" })).toEqual(notSuperuser)
  expect(await ana.get("/api/v1/allowances")).toEqual(notSuperuser)
  const paths = ["users.csv", "redemptions.csv", "redemptions", "users/carla", "people", "rewards"]
  const insights = ["participation", "overlooked", "budgets", "departments", "tags"].map((name) => `insights/${name}`)
  for (const path of [...paths, ...insights, ...insights.map((one) => `${one}.csv`)]) {
    const { status, body } = await ana.get(`/api/v1/${path}`)
    expect([path, status]).toEqual([path, 200])
    expect(JSON.stringify(body)).not.toContain(secret)
  }
  expect(await ana.get("/transaction/carla/")).toEqual(refused(403, "You can only see your own transactions"))
  expect((await ana.get<{ items: object[] }>("/api/v1/transactions")).body.items).toEqual([])
})

test("with the duty rewards one keeps the catalogue, answers requests, and gets mail about them", async () => {
  await using given = await serverWith("rewards")
  const { server, admin, ana, bruno } = given
  await server.person("Sara", { dept: "management" })
  const carla = await server.person("Carla")
  await server.grant(bruno, 100)
  await bruno.post("/api/v1/transactions", { to: "carla", value: 20 })

  const mug = await ana.post<{ id: number }>("/api/v1/rewards", { name: "Mug", cost: 5 })
  expect(mug.status).toBe(201)
  expect(await ana.patch("/api/v1/rewards/1", { cost: 6 })).toMatchObject({ body: { cost: 6 } })
  await carla.post("/api/v1/rewards/1/redemptions", {})
  const open = await ana.get<{ items: { id: number; username: string }[] }>("/api/v1/redemptions?username=carla")
  expect(open.body.items).toMatchObject([{ username: "carla", state: "requested" }])
  await sendMail(server, () => server.mails.some(({ to, subject }) => to === ana.email && subject.includes("Carla")))
  const fulfilled = await ana.post(`/api/v1/redemptions/${open.body.items[0]?.id}/fulfilment`, { answer: "Here" })
  expect(fulfilled).toMatchObject({ status: 200, body: { state: "fulfilled" } })

  await give(admin, ana)
  expect(await ana.patch("/api/v1/rewards/1", { cost: 1 })).toEqual(notSuperuser)
  expect(await ana.get("/api/v1/redemptions?username=carla")).toEqual(
    refused(403, "You can only see your own redemptions"),
  )
})

test("the stored data about a person names the duties", async () => {
  await using given = await serverWith("people")
  const { body } = await given.ana.get<{ account: { duties: string }[] }>("/api/v1/users/ana/data")

  expect(body.account[0]?.duties).toBe("people")
})
