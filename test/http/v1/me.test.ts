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
