import { describe, expect, spyOn, test } from "bun:test"
import { badSession, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer } from "../../../support/server.ts"

test("users see their own complete account, with the balance", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await server.grant(ana, 25)
  const own = {
    username: "ana",
    name: "Ana",
    email: "ana@example.com",
    dept: "sales",
    currency: "USD",
    avatar: null,
    bio: "Hello",
    birthday: null,
    joined: null,
    celebrates: null,
    role: "member",
    ...{ manager: null, manager_name: null, manager_avatar: null },
    balance: 25,
    active: true,
    duties: [],
    deactivated_at: null,
    to_give: 25,
    received: 25,
    budget: 0,
    redeemable: 25,
    reports: 0,
    unread: 1,
    occasion: null,
    granted_this_month: null,
    next_allowance: null,
    mail: "daily",
    language: null,
    initial_password: false,
    default_password: false,
  }

  await ana.patch("/user/ana/", { bio: "Hello" })
  expect(await ana.get("/api/v1/me")).toEqual(ok(own))
  expect(await (await server.withSession(ana)).get("/api/v1/me/")).toEqual(ok(own))
  expect(await (await server.admin()).get("/api/v1/me")).toMatchObject({ body: { role: "superuser", balance: -25 } })
})

test("budget points can be given but not redeemed; superusers see what was granted this month", async () => {
  await using server = await startTestServer()
  const [ana, bruno, admin] = [await server.person("Ana"), await server.person("Bruno"), await server.admin()]
  await admin.post("/api/v1/grants", { value: 100, usernames: ["ana", "bruno"] })
  await ana.post("/api/v1/transactions", { to: "bruno", value: 30 })

  expect(await bruno.get("/api/v1/me")).toMatchObject({ body: { to_give: 130, received: 30, redeemable: 30 } })
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { to_give: 70, received: 0, redeemable: 0 } })
  expect(await admin.get("/api/v1/me")).toMatchObject({
    body: { to_give: -200, granted_this_month: 200, redeemable: 0 },
  })

  await bruno.post("/api/v1/transactions", { to: "ana", value: 110 })
  expect(await bruno.get("/api/v1/me")).toMatchObject({ body: { to_give: 20, received: 30, redeemable: 20 } })
  await admin.post("/api/v1/transactions/1/reversal", { value: 40, reason: "too many" })
  expect(await admin.get("/api/v1/me")).toMatchObject({ body: { granted_this_month: 160 } })
})

test("without valid credentials the account is refused", async () => {
  await using server = await startTestServer()
  const unknown = { headers: { cookie: "session_id=0123456789abcdef0123456789abcdef" } }

  expect(await server.anybody.get("/api/v1/me")).toEqual(unauthenticated)
  expect(await server.anybody.call("GET", "/api/v1/me", unknown)).toEqual(badSession)
})

test("admin's account shows that the password is still the initial one, until it is changed", async () => {
  for (const [initial, isDefault] of [
    ["admin", true],
    ["another first password", false],
  ] as const) {
    await using server = await startTestServer({ settings: { "security.admin_password": initial } })
    const admin = await server.as({ username: "admin", password: initial })
    const change = (password: string) => admin.post("/user/admin/password/", { password, password_confirm: password })

    expect(await admin.get("/api/v1/me")).toMatchObject({
      body: { initial_password: true, default_password: isDefault },
    })
    await change("a password of my own")
    expect(await admin.get("/api/v1/me")).toMatchObject({
      body: { initial_password: false, default_password: false },
    })
    await change("admin")
    expect(await admin.get("/api/v1/me")).toMatchObject({ body: { initial_password: true, default_password: true } })
  }
})

test("the check for the initial password does not hash at each request, and runs only for admin", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await admin.get("/api/v1/me")
  const verify = spyOn(Bun.password, "verify")

  for (const caller of [admin, ana, admin]) expect(await caller.get("/api/v1/me")).toMatchObject({ status: 200 })
  expect(verify).not.toHaveBeenCalled()
  verify.mockRestore()
})

test("given fields of one's own profile are changed, the others stay", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await ana.patch("/api/v1/me", { bio: "Hello", avatar: "https://example.com/ana.png" })
  await bruno.post("/transaction/bruno/", { value: 1 })
  await server.grant(ana, 5)
  expect(await server.app.store.ledger.after(0, 1)).toMatchObject([{ receiverName: "Ana" }])

  expect(await ana.patch("/api/v1/me", { name: "Ana Souza", unknown: 1 })).toMatchObject(
    ok({ username: "ana", name: "Ana Souza", bio: "Hello", avatar: "https://example.com/ana.png", balance: 5 }),
  )
  expect(await ana.patch("/api/v1/me", { bio: null })).toMatchObject({ body: { bio: null, name: "Ana Souza" } })
  expect(await ana.patch("/api/v1/me", {})).toMatchObject({ status: 200, body: { name: "Ana Souza" } })

  expect(await server.app.store.ledger.after(0, 1)).toMatchObject([{ receiverName: "Ana Souza" }])
  expect(await bruno.get("/api/v1/people?q=souza")).toMatchObject({ body: { items: [{ name: "Ana Souza" }] } })
  expect(await bruno.get("/user/bruno/")).toMatchObject({ body: { name: "Bruno", bio: null } })
})

test("others see a birthday only of somebody who wants to be celebrated, and a first day unless the person does not", async () => {
  await using server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  await admin.patch("/api/v1/users/ana", { joined: "2024-02-29" })
  const shown = async () => (await bruno.get("/api/v1/people/ana")).body

  expect(await ana.patch("/api/v1/me", { birthday: "02-29" })).toMatchObject(
    ok({ birthday: "02-29", joined: "2024-02-29", celebrates: null }),
  )
  expect(await shown()).toMatchObject({ birthday: null, joined: "2024-02-29" })
  expect(await ana.patch("/api/v1/me", { celebrates: true })).toMatchObject({ body: { celebrates: true } })
  expect(await shown()).toMatchObject({ birthday: "02-29", joined: "2024-02-29" })
  expect(await ana.patch("/api/v1/me", { celebrates: false })).toMatchObject({ body: { celebrates: false } })
  expect(await shown()).toMatchObject({ birthday: null, joined: null })
  expect(await ana.patch("/api/v1/me", { birthday: null, celebrates: null, joined: "2020-01-01" })).toMatchObject(
    ok({ birthday: null, joined: "2024-02-29", celebrates: null }),
  )
})

test("a profile with an invalid field is refused completely", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const [change, detail] of [
    [{ name: "" }, "name: 1 to 100 visible characters on one line"],
    [{ name: "A\nB", bio: "kept out" }, "name: 1 to 100 visible characters on one line"],
    [{ avatar: "javascript:alert(1)" }, "avatar: an http or https address of at most 2048 characters"],
    [{ avatar: "/api/v1/avatars/../x" }, "avatar: an http or https address of at most 2048 characters"],
    [{ birthday: "02-30" }, "birthday: a day of the year, MM-DD"],
    [{ birthday: "13-01" }, "birthday: a day of the year, MM-DD"],
    [{ birthday: "1990-05-14" }, "birthday: a day of the year, MM-DD"],
    [{ birthday: "" }, "birthday: a day of the year, MM-DD"],
    [{ bio: "x".repeat(2001) }, "bio: text of at most 2000 visible characters; line breaks are kept"],
  ] as const)
    expect(await ana.patch("/api/v1/me", change)).toEqual({ status: 422, body: { detail } })
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { name: "Ana", bio: null, avatar: null } })
})

test("a name that looks like another user's is refused, but a superuser can create people with the same name", async () => {
  await using server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  const taken = refused(409, "Name looks like another person's")

  // Case, Cyrillic letters, wide letters, blanks.
  for (const name of ["Ana", "ANA", "Аnа", "Ａｎａ", "Ana ", "admin"])
    expect(await bruno.patch("/api/v1/me", { name, bio: "kept out" })).toEqual(taken)
  expect(await bruno.get("/api/v1/me")).toMatchObject({ body: { name: "Bruno", bio: null } })

  // The own name in another spelling, and one that is free again.
  expect(await ana.patch("/api/v1/me", { name: "ANA" })).toMatchObject({ status: 200 })
  expect(await ana.patch("/api/v1/me", { name: "Anna" })).toMatchObject({ status: 200 })
  expect(await bruno.patch("/api/v1/me", { name: "Ana" })).toMatchObject({ status: 200 })

  const namesake = { name: "Anna", username: "anna-2", email: "anna-2@example.com", dept: "sales", password: "x" }
  expect(await admin.post("/user/", namesake)).toMatchObject({ status: 201 })
  const second = await server.as(namesake)
  expect(await second.patch("/api/v1/me", { name: "Anna", bio: "Hi" })).toMatchObject({ status: 200 })
  expect(await second.patch("/api/v1/me", { name: "ANNA" })).toEqual(taken)
  expect(await admin.patch("/api/v1/me", { name: "Anna" })).toMatchObject({ status: 200 })

  const renamings = (await server.app.store.audit.list({ action: "profile_changed", limit: 100 })).map(
    ({ who, detail }) => [who, detail],
  )
  expect(renamings).toEqual([
    ["ana", "name: Ana -> ANA"],
    ["ana", "name: ANA -> Anna"],
    ["bruno", "name: Bruno -> Ana"],
    ["anna-2", null],
    ["admin", "name: Admin -> Anna"],
  ])
})

test("after a superuser changes a name by import, the new name is taken and the old one free", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.person("Bruno")
  const sent = { body: "username,name\nbruno,Bruno Lima\n", headers: { "content-type": "text/csv" } }
  expect(await admin.call("POST", "/api/v1/users/import", sent)).toMatchObject({ status: 200 })

  expect(await ana.patch("/api/v1/me", { name: "bruno lima" })).toMatchObject({ status: 409 })
  expect(await ana.patch("/api/v1/me", { name: "Bruno" })).toMatchObject({ status: 200 })
  expect(await server.app.store.audit.list({ action: "profile_changed", limit: 1, user: "bruno" })).toMatchObject([
    { who: "admin", detail: "name: Bruno -> Bruno Lima" },
  ])
})

describe("changing one's own password", () => {
  const formOf = ({ username, password }: { username: string; password: string }) => ({ username, password })
  const changed = (current: string, password = "a new one", password_confirm = password) => ({
    current_password: current,
    password,
    password_confirm,
  })

  test("the present one must be given; others' sessions and refresh tokens end, and the caller's credential stays", async () => {
    await using server = await startTestServer()
    const ana = await server.person("Ana")
    const { body: earlier } = await server.anybody.submit<{ refresh_token: string }>("/token", formOf(ana))

    expect(await ana.post("/api/v1/me/password", changed("a guess"))).toEqual(
      refused(400, "current_password: not your present password"),
    )
    expect(await ana.post("/api/v1/me/password", { password: "x", password_confirm: "x" })).toMatchObject({
      status: 422,
    })
    expect(await ana.post("/api/v1/me/password", changed(ana.password, ""))).toEqual(
      refused(422, "password: at least 1 character"),
    )
    expect(await ana.post("/api/v1/me/password", changed(ana.password, "one", "other"))).toEqual(
      refused(400, "Passwords do not match"),
    )
    expect((await server.anybody.submit("/token", formOf(ana))).status).toBe(200)

    expect(await ana.post("/api/v1/me/password", changed(ana.password))).toMatchObject({
      status: 200,
      body: { username: "ana" },
    })
    expect((await server.anybody.submit("/token", { username: "ana", password: "a new one" })).status).toBe(200)
    expect((await server.anybody.submit("/token", formOf(ana))).status).toBe(401)
    expect((await server.anybody.post("/refresh_token", { refresh_token: earlier.refresh_token })).status).toBe(401)
    expect((await ana.get("/api/v1/me")).status).toBe(200)
  })

  test("guesses count as failed log-ins, so they are limited and stand in the audit log", async () => {
    await using server = await startTestServer({ settings: { "limits.login_failures": "2" } })
    const ana = await server.person("Ana")
    for (const guess of ["one", "two"]) expect((await ana.post("/api/v1/me/password", changed(guess))).status).toBe(400)

    expect(await ana.post("/api/v1/me/password", changed(ana.password))).toMatchObject({ status: 429 })
    expect((await server.anybody.submit("/token", formOf(ana))).status).toBe(429)
  })
})
