import { expect, test } from "bun:test"
import { badSession, noSuchUser, refused, unauthenticated } from "../support/answers.ts"
import type { Sent } from "../support/client.ts"
import { startTestServer } from "../support/server.ts"

/** Who may not call is told so before the body is looked at: 401, then 404, then 403, then what is wrong with the body. */
interface Protected {
  readonly method: string
  /** With a user who exists and whom Bruno may not touch, if the path names one. */
  readonly path: string
  readonly unknown?: string
  /** What Bruno is told. */
  readonly forbidden?: string
}

const bodied: Protected[] = [
  { method: "POST", path: "/user/", forbidden: "Not a super user" },
  {
    method: "PATCH",
    path: "/user/ana/",
    unknown: "/user/nobody/",
    forbidden: "You can only update your own profile",
  },
  { method: "POST", path: "/transaction/ana/", unknown: "/transaction/nobody/" },
]

const read: Protected[] = [
  { method: "GET", path: "/transaction/" },
  {
    method: "GET",
    path: "/transaction/ana/",
    unknown: "/transaction/nobody/",
    forbidden: "You can only see your own transactions",
  },
]

const json = { "content-type": "application/json" }
const badBodies: [status: number, detail: string, sent: Sent][] = [
  [400, "The body is not valid JSON", { body: "{", headers: json }],
  [413, "The body is too large", { body: `"${"x".repeat(65_536)}"`, headers: json }],
  [415, "This Content-Type is not accepted here", { body: "{}", headers: { "content-type": "text/plain" } }],
  [415, "This Content-Type is not accepted here", { form: { value: "1" } }],
  [422, "body: an object", { json: "text" }],
  [422, "body: an object", {}],
]
const badQuery = "?fresh=banana"

for (const { method, path, unknown, forbidden } of bodied)
  test(`${method} ${path}: 401, 404 and 403 are checked in that order, then the body`, async () => {
    await using server = await startTestServer()
    const [admin, bruno] = [await server.admin(), await server.person("Bruno")]
    await server.person("Ana")

    for (const [status, detail, sent] of badBodies) {
      const wrongCookie = { ...sent, headers: { ...sent.headers, cookie: "session_id=unknown" } }
      for (const query of ["", badQuery]) {
        expect(await server.anybody.call(method, path + query, sent)).toEqual(unauthenticated)
        expect(await bruno.call(method, path + query, wrongCookie)).toEqual(badSession)
        if (unknown !== undefined) {
          expect(await server.anybody.call(method, unknown + query, sent)).toEqual(unauthenticated)
          for (const caller of [bruno, admin])
            expect(await caller.call(method, unknown + query, sent)).toEqual(noSuchUser)
        }
        if (forbidden !== undefined)
          expect(await bruno.call(method, path + query, sent)).toEqual(refused(403, forbidden))
      }
      expect(await admin.call(method, path, sent)).toEqual(refused(status, detail))
    }
  })

for (const { method, path, unknown, forbidden } of read)
  test(`${method} ${path}: 401, 404 and 403 are checked in that order, then the query`, async () => {
    await using server = await startTestServer()
    const [admin, bruno] = [await server.admin(), await server.person("Bruno")]
    await server.person("Ana")

    for (const query of ["?page=0", "?size=101", "?order_by=id", badQuery]) {
      expect(await server.anybody.get(path + query)).toEqual(unauthenticated)
      if (unknown !== undefined) {
        expect(await server.anybody.get(unknown + query)).toEqual(unauthenticated)
        for (const caller of [bruno, admin]) expect(await caller.get(unknown + query)).toEqual(noSuchUser)
      }
      if (forbidden !== undefined) expect(await bruno.get(path + query)).toEqual(refused(403, forbidden))
      expect((await admin.get(path + query)).status).toBe(422)
    }
  })

test("POST /user/{username}/password/: 404 and 403 are checked first, then the body, then whether the passwords match", async () => {
  await using server = await startTestServer()
  const [admin, bruno, ana] = [await server.admin(), await server.person("Bruno"), await server.person("Ana")]
  const notAllowed = refused(403, "You are not allowed to change this user's password")
  const path = "/user/ana/password/"

  for (const [status, detail, sent] of badBodies) {
    for (const caller of [server.anybody, bruno, admin])
      expect(await caller.call("POST", "/user/nobody/password/", sent)).toEqual(noSuchUser)
    for (const caller of [server.anybody, bruno]) {
      expect(await caller.call("POST", path, sent)).toEqual(notAllowed)
      expect(await caller.call("POST", `${path}?pwd_reset_token=x`, sent)).toEqual(notAllowed)
    }
    const resetToken = await server.resetToken(ana)
    expect(await server.anybody.call("POST", `${path}?pwd_reset_token=${resetToken}`, sent)).toEqual(
      refused(status, detail),
    )
    for (const caller of [ana, admin]) expect(await caller.call("POST", path, sent)).toEqual(refused(status, detail))
  }
})

test("public endpoints check the form of the body before its values", async () => {
  await using server = await startTestServer()

  for (const path of ["/refresh_token", "/user/pwd_reset_token/"])
    for (const [status, detail, sent] of badBodies)
      expect(await server.anybody.call("POST", path, sent)).toEqual(refused(status, detail))
})

test("POST /transaction/{username}/: the balance is checked last", async () => {
  await using server = await startTestServer()
  const bruno = await server.person("Bruno")

  expect(await bruno.post("/transaction/nobody/", { value: 5 })).toEqual(noSuchUser)
  expect((await bruno.post("/transaction/admin/", { value: -5 })).status).toBe(422)
  expect((await bruno.post("/transaction/admin/?fresh=banana", { value: 5 })).status).toBe(422)
  expect(await bruno.post("/transaction/admin/", { value: 5 })).toEqual(refused(400, "Insufficient balance"))
})

test("POST /user/: invalid fields are reported before a username or an e-mail address in use", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const taken = { name: "Admin", email: "admin@localhost", dept: "sales", password: "x" }

  expect((await admin.post("/user/", { ...taken, currency: "" })).status).toBe(422)
  expect((await admin.post("/user/", { ...taken, password: "" })).status).toBe(422)
  expect(await admin.post("/user/", taken)).toEqual(refused(409, "Username already taken"))
})
