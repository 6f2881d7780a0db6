import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { noSuchUser, refused } from "../support/answers.ts"
import { operator, passwordOf } from "../support/app.ts"
import { createClient } from "../support/client.ts"
import { bearer, cookie } from "../support/credentials.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"
import { claimsOf, forge } from "../support/tokens.ts"
import { until } from "../support/until.ts"

const yearMs = 365 * 86_400_000

let server: TestServer
let admin: Person
let made = 0
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.admin()
})
afterAll(() => server[Symbol.asyncDispose]())

const taken = refused(409, "Username already taken")

/** Somebody with a username of their own. */
const somebody = () => {
  made += 1
  return server.person(`Person${String.fromCharCode(97 + made)}`)
}
const rename = (username: string, to: string, by = admin) => by.patch(`/api/v1/users/${username}`, { username: to })
const idOf = async (username: string) => (await server.app.access.toUser(username)).id

describe("a rename", () => {
  test("needs a superuser or the duty people; admin keeps its username; taken, similar and wrong ones are refused", async () => {
    const [ana, bruno, clerk] = [await somebody(), await somebody(), await somebody()]
    await admin.patch(`/api/v1/users/${clerk.username}`, { duties: ["people"] })

    expect(await rename(ana.username, "x", bruno)).toEqual(refused(403, "Not a super user"))
    expect(await rename(ana.username, "x", ana)).toEqual(refused(403, "Not a super user"))
    expect(await rename(clerk.username, "x", clerk)).toEqual(refused(403, "Not a super user"))
    expect(await rename("admin", "root")).toMatchObject(refused(422, "username: admin keeps this username"))
    expect(await rename(ana.username, bruno.username)).toMatchObject(taken)
    expect(await rename(ana.username, "admin")).toMatchObject(taken)
    expect(await rename(ana.username, bruno.username.toUpperCase())).toMatchObject(
      refused(409, "Username looks like one that is already taken"),
    )
    for (const wrong of ["", " ", "a/b", "ws", "a\u202Eb", "x".repeat(65)])
      expect([wrong, await rename(ana.username, wrong)]).toMatchObject([
        ...[wrong, { status: 422, body: { detail: expect.stringMatching(/^username: /) } }],
      ])
    expect(await rename(ana.username, ana.username)).toMatchObject({ status: 200 })
    expect(await server.app.store.audit.list({ action: "user_renamed", limit: 9 })).toEqual([])

    const before = ana.username
    expect(await rename(before, "by-clerk", clerk)).toMatchObject({ status: 200, body: { username: "by-clerk" } })
    expect(await rename("by-clerk", "By-Clerk")).toMatchObject({ status: 200, body: { username: "By-Clerk" } })
    const entries = await server.app.store.audit.list({ action: "user_renamed", limit: 9 })
    expect(entries).toMatchObject([
      { who: clerk.username, whom: "by-clerk", detail: `${before} -> by-clerk`, before: { username: before } },
      { who: "admin", whom: "By-Clerk", after: { username: "By-Clerk" } },
    ])
  })

  test("with another change in the request is made with it, or not at all", async () => {
    const [ana, bruno] = [await somebody(), await somebody()]
    const both = { username: "both-at-once", email: bruno.email, name: "Both" }
    expect((await admin.patch(`/api/v1/users/${ana.username}`, both)).status).toBe(409)
    expect((await server.anybody.get(`/user/${ana.username}/`)).body).toMatchObject({ name: ana.name })
    expect(await admin.patch(`/api/v1/users/${ana.username}`, { ...both, email: "both@example.com" })).toMatchObject({
      body: { ...both, email: "both@example.com" },
    })
  })
})

test("sessions, tokens, API tokens and links go on under the new username; log-ins know only the present one", async () => {
  const ana = await somebody()
  const session = await server.withSession(ana)
  const api = (await ana.post<{ token: string }>("/api/v1/tokens", { name: "Script", scopes: ["read"] })).body.token
  const reset = await server.resetToken(ana)
  const contract = { sub: ana.username, exp: claimsOf(ana.accessToken).exp, scope: "access_token", fresh: true }
  const ofContract = createClient(server.url, bearer(forge(contract)))
  await rename(ana.username, "goes-on")

  expect(await session.get("/api/v1/session")).toMatchObject({ body: { former_usernames: [ana.username] } })
  const clients = [ana, session, createClient(server.url, bearer(api)), ofContract]
  for (const client of clients)
    expect(await client.get("/api/v1/me")).toMatchObject({ status: 200, body: { username: "goes-on" } })
  expect(await session.get("/api/v1/me/sessions")).toMatchObject({ status: 200, body: { items: [{ current: true }] } })
  const pair = await server.anybody.post<{ access_token: string }>("/refresh_token", {
    refresh_token: ana.refreshToken,
  })
  expect(claimsOf(pair.body.access_token).sub).toBe("goes-on")
  for (const path of ["/token", "/login"]) {
    const { status } = await server.anybody.submit(path, { username: ana.username, password: ana.password })
    expect([path, status]).toEqual([path, 401])
    expect((await server.anybody.submit(path, { username: "goes-on", password: ana.password })).status).toBe(200)
  }

  const password = { password: "a new password", password_confirm: "a new password" }
  const path = (username: string, token: string) => `/user/${username}/password/?pwd_reset_token=${token}`
  expect(await server.anybody.post(path(ana.username, `${reset}x`), password)).toEqual(noSuchUser)
  expect(await server.anybody.post(path("nobody-else", reset), password)).toEqual(noSuchUser)
  expect(await server.anybody.post(path(ana.username, reset), password)).toMatchObject({
    ...{ status: 200, body: { username: "goes-on" } },
  })
  expect((await ana.get("/api/v1/me")).status).toBe(401)
})

test("a token with the contract's claims alone knows its user by a former username for a year", async () => {
  const ana = await somebody()
  await rename(ana.username, "after-a-year")
  const token = () =>
    forge({ sub: ana.username, exp: Math.ceil(server.clock.now() / 1000) + 60, scope: "access_token", fresh: true })
  const status = async () => (await createClient(server.url, bearer(token())).get("/api/v1/me")).status
  expect(await status()).toBe(200)
  server.clock.advance(yearMs - 1)
  expect(await status()).toBe(200)
  server.clock.advance(1)
  expect(await status()).toBe(401)
  admin = await server.admin()
})

test("the former username is 404 in the contract's paths, leads to the person for a year, and is nobody else's until then", async () => {
  const [ana, bruno] = [await somebody(), await somebody()]
  const former = ana.username
  await server.grant(bruno, 10)
  await rename(former, "for-a-year")
  admin = await server.admin()

  for (const [client, method, path, body] of [
    [server.anybody, "GET", `/user/${former}/`],
    [admin, "PATCH", `/user/${former}/`, {}],
    [admin, "POST", `/user/${former}/password/`, { password: "x", password_confirm: "x" }],
    [bruno, "POST", `/transaction/${former}/`, { value: 1 }],
    [admin, "GET", `/transaction/${former}/`],
    [admin, "GET", `/api/v1/users/${former}`],
    [bruno, "POST", "/api/v1/transactions", { to: former, value: 1 }],
    [bruno, "GET", `/api/v1/people/${former}x`],
  ] as const) {
    const { status } = await client.call(method, path, body ? { json: body } : {})
    expect([method, path, status]).toEqual([method, path, 404])
  }
  const redirected = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers: bruno.credentials, redirect: "manual" })
    return [answer.status, answer.headers.get("location")]
  }
  expect(await redirected(`/api/v1/people/${former}?fresh=true`)).toEqual([308, "/api/v1/people/for-a-year?fresh=true"])
  expect((await server.anybody.get(`/api/v1/people/${former}`)).status).toBe(401)
  const followed = await fetch(`${server.url}/api/v1/people/${former}`, { headers: bruno.credentials })
  expect(await followed.json()).toMatchObject({ username: "for-a-year" })

  const person = (username: string) => ({ name: "New", email: `${made}@new.example.com`, dept: "sales", username })
  for (const name of [former, former.toUpperCase()]) {
    const withPassword = { ...person(name), password: "a password" }
    expect(await admin.post("/user/", withPassword)).toEqual(taken)
    expect(await admin.post("/api/v1/users", person(name))).toMatchObject(taken)
    expect(await rename(bruno.username, name)).toMatchObject(taken)
  }
  expect(await admin.post("/user/", { ...person(""), username: null, name: former, password: "p" })).toEqual(taken)
  const csv = `name,email,dept,username\nNew,${made}@new.example.com,sales,${former}\n`
  const imported = await admin.call("POST", "/api/v1/users/import", {
    body: csv,
    headers: { "content-type": "text/csv" },
  })
  expect(imported).toMatchObject({
    status: 422,
    body: { detail: "row 2, username: for-a-year had this one until less than a year ago; give theirs, or another" },
  })

  expect(await rename("for-a-year", former)).toMatchObject({ status: 200 }) // its former owner may have it back
  expect(await rename(former, "for-a-year")).toMatchObject({ status: 200 })
  server.clock.advance(yearMs)
  admin = await server.admin()
  expect((await admin.get(`/api/v1/people/${former}`)).status).toBe(404)
  expect(await rename(bruno.username, former)).toMatchObject({ status: 200 })
})

test("managers, allowances, duties and what was given follow, because they name people by id", async () => {
  const [ana, bruno] = [await somebody(), await somebody()]
  await server.grant(ana, 10)
  await admin.patch(`/api/v1/users/${bruno.username}`, { manager: ana.username })
  await admin.patch(`/api/v1/users/${ana.username}`, { duties: ["insights"] })
  const allowance = { name: "Team", value: 1, mode: "add", period: "week", day: 1, time: "09:00" }
  const audience = { usernames: [ana.username] }
  const added = await admin.post<{ id: number }>("/api/v1/allowances", { ...allowance, audience })
  await ana.post("/api/v1/transactions", { to: bruno.username, value: 3, reason: "Thank you" })
  await rename(ana.username, "followed")

  expect(await admin.get(`/api/v1/users/${bruno.username}`)).toMatchObject({ body: { manager: "followed" } })
  expect(await admin.get("/api/v1/users/followed")).toMatchObject({ body: { duties: ["insights"], balance: 7 } })
  expect(await admin.get(`/api/v1/allowances/${added.body.id}`)).toMatchObject({
    body: { audience: { usernames: ["followed"] } },
  })
  expect(await ana.get("/transaction/?order_by=-date&size=1")).toMatchObject({
    body: { items: [{ from_user: "followed" }] },
  })
  expect(await admin.request("GET", "/api/v1/transactions.csv").then((answer) => answer.text())).toContain("followed")
  expect(await ana.get("/transaction/followed/")).toMatchObject({ status: 200, body: { balance: 7 } })
})

test("an event tells programs of it, with both usernames, until the person is erased", async () => {
  const ana = await somebody()
  await rename(ana.username, "told")
  await rename("told", "told-again")
  const told = async () =>
    (await admin.get<{ items: { data: object }[] }>("/api/v1/events?types=user.renamed&limit=1000")).body.items.slice(
      -2,
    )
  expect((await told()).map(({ data }) => data)).toMatchObject([
    { former: ana.username, username: "told-again", email: ana.email },
    { former: "told", username: "told-again" },
  ])
  await admin.patch("/api/v1/users/told-again", { active: false })
  await admin.post("/api/v1/users/told-again/erasure", { reasons: "none" })
  expect(JSON.stringify(await told())).not.toContain("told")
})

test("the audit log finds what somebody did under former usernames; exports and erasures know whose each was", async () => {
  const [ana, bruno] = [await somebody(), await somebody()]
  const shared = ana.username
  await rename(shared, "had-it-first")
  server.clock.advance(yearMs)
  admin = await server.admin()
  await rename(bruno.username, shared)
  const second = await server.as({ username: shared, password: passwordOf(bruno.name) })
  await second.patch("/api/v1/me", { bio: "of the second" })
  const entries = (username: string) => server.app.store.audit.list({ user: username, limit: 100 })
  const bios = (all: object) => JSON.stringify(all).includes("of the second")
  expect((await entries("had-it-first")).map(({ action }) => action)).toContain("login")

  const data = async (username: string) =>
    (await admin.get<{ audit: object[]; renames: object[] }>(`/api/v1/users/${username}/data`)).body
  const [ofFirst, ofSecond] = [await data("had-it-first"), await data(shared)]
  expect(ofFirst.renames).toMatchObject([{ username: shared }])
  expect([bios(ofFirst.audit), bios(ofSecond.audit)]).toEqual([false, true])
  expect(JSON.stringify(ofFirst.audit)).toContain('"action":"login"')
  expect(JSON.stringify(ofSecond.audit)).not.toContain("had-it-first")

  await admin.patch("/api/v1/users/had-it-first", { active: false })
  await admin.post("/api/v1/users/had-it-first/erasure", { reasons: "none" })
  expect(bios(await entries(shared))).toBe(true)
  const all = JSON.stringify(await server.app.store.audit.list({ limit: 100_000 }))
  expect(all).not.toContain("had-it-first")
  // An erasure ends all former names.
  expect((await admin.get("/api/v1/people/had-it-first")).status).toBe(404)
})

test("an idempotent repetition and a waiting mail survive a rename", async () => {
  const [ana, bruno] = [await somebody(), await somebody()]
  await server.grant(ana, 10)
  const headers = { "idempotency-key": "before-the-rename" }
  const send = () => ana.call("POST", `/transaction/${bruno.username}/`, { json: { value: 2 }, headers })
  expect((await send()).status).toBe(201)
  const id = await idOf(ana.username)
  await rename(ana.username, "sent-it")
  expect((await send()).status).toBe(201)
  expect(await server.app.store.users.balanceOf(id)).toBe(8)

  // So does one of the receiver, where the request names a key; without one it is nobody's name.
  const keyed = (to: unknown, value = 1) =>
    ana.call<{ id: number; group: number; replayed: boolean }>("POST", "/api/v1/transactions", {
      ...{ json: { to, value, reason: "Thank you" }, headers: { "idempotency-key": JSON.stringify(to) } },
    })
  const [carla, davi] = [await somebody(), await somebody()]
  const sent = [await keyed(carla.username), await keyed([carla.username, davi.username])]
  await rename(carla.username, "keyed-carla")
  for (const [index, to] of [carla.username, [carla.username, davi.username]].entries()) {
    const { id, group } = sent[index]?.body ?? {}
    expect(await keyed(to)).toMatchObject({ status: 201, body: { ...(id ? { id } : { group }), replayed: true } })
    expect(await keyed(to, 2)).toMatchObject({ status: 409 })
    expect(await ana.post("/api/v1/transactions", { to, value: 1, reason: "Thank you" })).toEqual(
      expect.objectContaining({ status: 404 }),
    )
  }

  // The receiver too: the path names them as before, which no new request can.
  const again = (value: number, key: string) =>
    ana.call("POST", `/transaction/${bruno.username}/`, { json: { value }, headers: { "idempotency-key": key } })
  expect((await again(1, "receiver")).status).toBe(201)
  const left = await server.app.store.users.balanceOf(id)
  const former = bruno.username
  await rename(former, "renamed-receiver")
  expect(await again(1, "receiver")).toEqual({ status: 201, body: { message: "Transaction added" } })
  expect((await again(2, "receiver")).status).toBe(409)
  expect(await again(1, "another")).toEqual(noSuchUser)
  expect(await server.app.store.users.balanceOf(id)).toBe(left)
  await rename("renamed-receiver", former)

  // A reference and a grant are looked up as they were sent, so that they answer as the first time after the receiver's rename.
  const thanks = { to: bruno.username, value: 1, reason: "Thank you", reference: "ref-1" }
  const first = await ana.post("/api/v1/transactions", thanks)
  const grant = { json: { value: 1, usernames: [bruno.username] }, headers }
  expect((await admin.call("POST", "/api/v1/grants", grant)).status).toBe(201)
  await rename(bruno.username, "received-it")
  expect(await ana.post("/api/v1/transactions", thanks)).toMatchObject({
    ...{ status: 201, body: { id: (first.body as { id: number }).id, replayed: true } },
  })
  expect(await admin.call("POST", "/api/v1/grants", grant)).toMatchObject({ status: 201, body: { replayed: true } })
  expect(await ana.post("/api/v1/transactions", { ...thanks, to: "received-it" })).toMatchObject({ status: 409 })

  const expected = server.mails.length + 1
  await server.anybody.post("/user/pwd_reset_token/", { email: ana.email })
  await rename("sent-it", "sent-it-2")
  server.clock.advance(3000)
  server.app.worker.wake()
  await until(() => server.mails.length === expected)
  const [, token = ""] = /pwd_reset_token=([\w.-]+)/.exec(server.mails.at(-1)?.text ?? "") ?? []
  expect(claimsOf(token).sub).toBe("sent-it-2")
})

test("two people cannot get the same username at the same moment", async () => {
  const people = await Promise.all([somebody(), somebody(), somebody()])
  const answers = await Promise.all(people.map(({ username }) => rename(username, "the-only-one")))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

test("another process knows a new username at once, in sessions too", async () => {
  await using other = await startTestServer({ beside: server })
  const ana = await somebody()
  const { sessionId } = await server.withSession(ana)
  const there = createClient(other.url, cookie(sessionId))
  expect((await there.get("/api/v1/me")).body).toMatchObject({ username: ana.username })
  await server.app.users.correct(operator, await server.app.access.toUser(ana.username), { username: "elsewhere" })
  expect((await there.get("/api/v1/me")).body).toMatchObject({ username: "elsewhere" })
  expect((await other.anybody.get(`/user/${ana.username}/`)).status).toBe(404)
})
