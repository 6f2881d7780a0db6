import { expect, test } from "bun:test"
import { ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

const notSuperuser = refused(403, "Not a super user")
const unknown = refused(404, "Department not found")
const lastAudit = async ({ app }: TestServer) => (await app.store.audit.list({ limit: 1 }))[0]

test("a superuser renames a department, and its people, allowances and lists follow", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.person("Bruno")
  const budget = { name: "Budget", value: 5, mode: "add", period: "month", audience: { dept: "sales" } }
  await admin.post("/api/v1/allowances", budget)
  const renamed = { name: "Growth & Care", people: 2, allowances: 1, joins: null }

  expect(await admin.patch("/api/v1/departments/sales?dry_run=true", { name: " Growth & Care " })).toEqual(ok(renamed))
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { dept: "sales" } })
  expect(await admin.patch("/api/v1/departments/sales", { name: "Growth & Care" })).toEqual(ok(renamed))

  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { dept: "Growth & Care" } })
  expect(await ana.get("/api/v1/departments")).toMatchObject({
    body: {
      items: [
        { name: "Growth & Care", people: 2 },
        { name: "management", people: 1 },
      ],
    },
  })
  expect(await admin.get("/api/v1/allowances/1")).toMatchObject({ body: { audience: { dept: "Growth & Care" } } })
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { next_allowance: { value: 5 } } })
  expect(await lastAudit(server)).toMatchObject({
    who: "admin",
    action: "dept_renamed",
    whom: null,
    detail: "sales -> Growth & Care",
  })
  const { body } = await admin.get<{ items: { type: string }[] }>("/api/v1/events?types=user.updated")
  expect(body.items.map(({ type }) => type)).toEqual(["user.updated", "user.updated"])
  expect(await admin.patch("/api/v1/departments/sales", { name: "x" })).toEqual(unknown)
})

test("a department is merged into another only on request, and its name is found and kept in any case", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.person("Bruno")
  await server.app.store.users.correct((await server.app.access.toUser("bruno")).id, { dept: "Sales" })
  const joined = { name: "sales", people: 1, allowances: 0, joins: 1 }
  const path = "/api/v1/departments/Sales"

  expect(await admin.patch(path, { name: "sales" })).toEqual(
    refused(409, "A department of this name exists already; with merge, both become one"),
  )
  expect(await admin.patch(`${path}?dry_run=1`, { name: "SALES" })).toEqual(ok(joined))
  expect(await admin.patch(path, { name: "SALES", merge: true })).toEqual(ok(joined))
  expect(await lastAudit(server)).toMatchObject({ detail: "Sales -> sales (joined)" })

  const respelled = { name: "Sales", people: 2, allowances: 0, joins: null }
  expect(await admin.patch("/api/v1/departments/SALES", { name: "Sales" })).toEqual(ok(respelled))
  for (const dry of ["?dry_run=true", ""])
    expect(await admin.patch(`${path}${dry}`, { name: "Sales" })).toEqual(ok({ ...respelled, people: 0 }))
  expect(await lastAudit(server)).toMatchObject({ detail: "sales -> Sales" })
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { dept: "Sales" } })
})

test("a department that everybody has left can be renamed, merged and respelled; only superusers find it", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  for (const [name, dept] of [
    ["Bruno", "Labs"],
    ["Carla", "Old Labs"],
  ] as const) {
    const { username } = await server.person(name)
    await admin.patch(`/api/v1/users/${username}`, { dept, active: false })
  }
  const path = "/api/v1/departments/old%20labs"
  const left = async () => (await admin.get("/api/v1/departments?active=false")).body

  expect(await ana.patch(path, { name: "x" })).toEqual(unknown)
  expect(await admin.patch(path, { name: "labs" })).toEqual(
    refused(409, "A department of this name exists already; with merge, both become one"),
  )
  const renamed = { name: "Archive", people: 0, allowances: 0, joins: null }
  expect(await admin.patch(`${path}?dry_run=true`, { name: "Archive" })).toEqual(ok(renamed))
  expect(await admin.patch(path, { name: "Archive" })).toEqual(ok(renamed))
  const departments = [
    { name: "Archive", people: 1 },
    { name: "Labs", people: 1 },
  ]
  expect(await left()).toEqual({ items: departments })

  expect(await admin.patch("/api/v1/departments/sales", { name: "LABS", merge: true })).toEqual(
    ok({ name: "Labs", people: 1, allowances: 0, joins: 0 }),
  )
  await admin.patch(`/api/v1/users/${ana.username}`, { dept: " archive " })
  expect(await ana.get("/api/v1/departments")).toMatchObject({
    body: { items: [{ name: "Archive", people: 1 }, { name: "management" }] },
  })
})

test("a name with a slash or a percent sign can be used in the address", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  await server.person("Ana")
  for (const [from, to] of [
    ["sales", "R&D / 100% Lab?"],
    ["R&D / 100% Lab?", "Ação"],
  ] as const)
    expect(await admin.patch(`/api/v1/departments/${encodeURIComponent(from)}`, { name: to })).toEqual(
      ok({ name: to, people: 1, allowances: 0, joins: null }),
    )
})

test("management can be neither renamed nor merged, so superusers are made one by one", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const ana = await server.person("Ana")
  const stays = refused(422, "name: management makes superusers, so it cannot be renamed or joined")

  for (const dry of ["", "?dry_run=true"]) {
    expect(await admin.patch(`/api/v1/departments/management${dry}`, { name: "Direction" })).toEqual(stays)
    for (const name of ["management", "Management ", "MANAGEMENT"])
      expect(await admin.patch(`/api/v1/departments/sales${dry}`, { name, merge: true })).toEqual(stays)
  }
  expect(await ana.get("/api/v1/users/admin")).toEqual(notSuperuser)
})

test("errors are checked in order: credentials, unknown department, not a superuser, the body", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  const nonsense = { body: "{", headers: { "content-type": "application/json" } }
  const path = "/api/v1/departments/sales"

  expect(await server.anybody.call("PATCH", "/api/v1/departments/none", nonsense)).toEqual(unauthenticated)
  expect(await ana.call("PATCH", "/api/v1/departments/none", nonsense)).toEqual(unknown)
  expect(await ana.call("PATCH", path, nonsense)).toEqual(notSuperuser)
  expect(await admin.call("PATCH", path, nonsense)).toEqual(refused(400, "The body is not valid JSON"))
  for (const name of [" ", "a\nb", "x".repeat(101)])
    expect(await admin.patch(path, { name })).toEqual(refused(422, "name: 1 to 100 visible characters on one line"))
  for (const body of [{}, { name: 5 }, { name: "x", merge: "yes" }])
    expect(await admin.patch(path, body)).toMatchObject({ status: 422 })
  expect(await ana.get("/api/v1/me")).toMatchObject({ body: { dept: "sales" } })
})

test("a superuser can list the departments of people who left; everybody else sees those of active people", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.person("Bruno")
  await admin.patch("/api/v1/users/bruno", { dept: "support", active: false })
  const [management, sales, support] = ["management", "sales", "support"].map((name) => ({ name, people: 1 }))
  const path = "/api/v1/departments"

  expect(await admin.get(path)).toEqual(ok({ items: [management, sales] }))
  expect(await admin.get(`${path}?active=false`)).toEqual(ok({ items: [support] }))
  expect(await admin.get(`${path}?active=all`)).toEqual(ok({ items: [management, sales, support] }))
  expect(await admin.get(`${path}?active=no`)).toEqual(refused(422, "active: true, false or all"))
  expect(await ana.get(`${path}?active=false`)).toEqual(ok({ items: [management, sales] }))
})
