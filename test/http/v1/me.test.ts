import { expect, spyOn, test } from "bun:test"
import { badSession, ok, unauthenticated } from "../../support/answers.ts"
import { startTestServer } from "../../support/server.ts"

test("everybody sees the own account whole, and the balance", async () => {
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
    role: "member",
    balance: 25,
    initial_password: false,
  }

  await ana.patch("/user/ana/", { bio: "Hello" })
  expect(await ana.get("/api/v1/me")).toEqual(ok(own))
  expect(await (await server.withSession(ana)).get("/api/v1/me/")).toEqual(ok(own))
  expect(await (await server.admin()).get("/api/v1/me")).toMatchObject({ body: { role: "superuser", balance: -25 } })
})

test("strangers are refused as everywhere", async () => {
  await using server = await startTestServer()
  const unknown = { headers: { cookie: "session_id=0123456789abcdef0123456789abcdef" } }

  expect(await server.anybody.get("/api/v1/me")).toEqual(unauthenticated)
  expect(await server.anybody.call("GET", "/api/v1/me", unknown)).toEqual(badSession)
})

test("admin is told that the password is still the initial one, until it is changed", async () => {
  for (const initial of ["admin", "another first password"]) {
    await using server = await startTestServer({ settings: { "security.admin_password": initial } })
    const admin = await server.as({ username: "admin", password: initial })
    const change = (password: string) => admin.post("/user/admin/password/", { password, password_confirm: password })

    expect(await admin.get("/api/v1/me")).toMatchObject({ body: { initial_password: true } })
    await change("a password of my own")
    expect(await admin.get("/api/v1/me")).toMatchObject({ body: { initial_password: false } })
    await change("admin")
    expect(await admin.get("/api/v1/me")).toMatchObject({ body: { initial_password: true } })
  }
})

test("it is not hashed anew for each request, nor for anybody but admin", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await admin.get("/api/v1/me")
  const verify = spyOn(Bun.password, "verify")

  for (const caller of [admin, ana, admin]) expect(await caller.get("/api/v1/me")).toMatchObject({ status: 200 })
  expect(verify).not.toHaveBeenCalled()
  verify.mockRestore()
})

test("what is given of the own profile is changed, and the rest stays", async () => {
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

test("a profile that does not fit is refused whole", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const [change, detail] of [
    [{ name: "" }, "name: 1 to 100 visible characters on one line"],
    [{ name: "A\nB", bio: "kept out" }, "name: 1 to 100 visible characters on one line"],
    [{ avatar: "javascript:alert(1)" }, "avatar: an http or https address of at most 2048 characters"],
    [{ avatar: "/api/v1/avatars/../x" }, "avatar: an http or https address of at most 2048 characters"],
    [{ bio: "x".repeat(2001) }, "bio: text of at most 2000 visible characters; line breaks are kept"],
  ] as const)
    expect(await ana.patch("/api/v1/me", change)).toEqual({ status: 422, body: { detail } })
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { name: "Ana", bio: null, avatar: null } })
})
