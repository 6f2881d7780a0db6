import { expect, test } from "bun:test"
import { noSuchUser, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer } from "../../../support/server.ts"

const notSuperuser = refused(403, "Not a super user")

const account = {
  username: "ana",
  name: "Ana",
  email: "ana@example.com",
  dept: "sales",
  currency: "USD",
  avatar: null,
  bio: null,
  birthday: null,
  joined: null,
  celebrates: null,
  role: "member",
  manager: null,
  manager_name: null,
  manager_avatar: null,
  balance: 25,
  active: true,
  duties: [],
  second_factor: false,
  deactivated_at: null,
  erased: false,
  has_logged_in: true,
}

test("a superuser sees a user's account with e-mail address and balance", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.grant(ana, 25)

  expect(await admin.get("/api/v1/users/ana")).toEqual(ok(account))
})

test("a superuser moves a user to another department, effective at the next request and recorded in the audit log", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.grant(ana, 25)

  expect(await admin.patch("/api/v1/users/ana", { dept: "management" })).toEqual(
    ok({ ...account, dept: "management", role: "superuser" }),
  )
  expect(await ana.get("/api/v1/users/admin")).toMatchObject({ status: 200 })
  expect((await server.app.store.audit.list({ limit: 1 }))[0]).toMatchObject({
    who: "admin",
    action: "dept_changed",
    whom: "ana",
    detail: "sales -> management",
  })
})

test("a superuser sets birthday and first day, which the audit log names without their values", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  await server.person("Ana")
  const days = { birthday: "05-14", joined: "2027-01-04" }

  expect(await admin.patch("/api/v1/users/ana", days)).toMatchObject(ok({ ...days, celebrates: null }))
  for (const [correction, detail] of [
    [{ birthday: "02-30" }, "birthday: a day of the year, MM-DD"],
    [{ joined: "2026-02-29" }, "joined: a day such as 2026-12-31"],
    [{ joined: "0026-02-28" }, "joined: a day such as 2026-12-31"],
    [{ name: "Anna", joined: "14.5.2026" }, "joined: a day such as 2026-12-31"],
  ] as const)
    expect(await admin.patch("/api/v1/users/ana", correction)).toEqual(refused(422, detail))
  expect(await admin.patch("/api/v1/users/ana", { birthday: null })).toMatchObject({
    body: { name: "Ana", birthday: null, joined: "2027-01-04" },
  })
  expect(await server.app.store.audit.list({ limit: 2 })).toMatchObject([
    { action: "profile_changed", whom: "ana", detail: "birthday, joined" },
    { action: "profile_changed", whom: "ana", detail: "birthday" },
  ])
})

test("an invalid department is refused, and admin stays in management", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  await server.person("Ana")

  expect(await admin.patch("/api/v1/users/ana", { dept: " " })).toEqual(
    refused(422, "dept: 1 to 100 visible characters on one line"),
  )
  expect(await admin.patch("/api/v1/users/admin", { dept: "sales" })).toEqual(
    refused(422, "dept: admin stays in management"),
  )
})

test("other callers are refused before the body is read; an unknown user is 404", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const nonsense = { body: "{", headers: { "content-type": "application/json" } }

  expect(await server.anybody.get("/api/v1/users/ana")).toEqual(unauthenticated)
  expect(await ana.get("/api/v1/users/ana")).toEqual(notSuperuser)
  expect(await ana.get("/api/v1/users/nobody")).toEqual(noSuchUser)
  expect(await ana.call("PATCH", "/api/v1/users/ana", nonsense)).toEqual(notSuperuser)
})
