import { expect, test } from "bun:test"
import { managerChange } from "../../../../src/domain/people/managers.ts"
import { refused } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

const changesIn = async ({ app: { store } }: TestServer) =>
  (await store.audit.list({ limit: 9, action: "manager_changed" })).map(({ who, whom, detail }) => [who, whom, detail])

test("a superuser says whom somebody reports to, and the audit log keeps each change", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.person("Bruno")
  const change = (manager: unknown) => admin.patch("/api/v1/users/bruno", { manager })

  expect(await change("ana")).toMatchObject({ status: 200, body: { username: "bruno", manager: "ana" } })
  expect(await change("ana")).toMatchObject({ status: 200, body: { manager: "ana" } })
  expect(await admin.get("/api/v1/users/bruno")).toMatchObject({ body: { manager: "ana" } })
  expect(await admin.patch("/api/v1/users/bruno", { name: "Bruno Lima" })).toMatchObject({ body: { manager: "ana" } })
  expect(await ana.patch("/api/v1/users/bruno", { manager: null })).toEqual(refused(403, "Not a super user"))
  expect(await change("admin")).toMatchObject({ body: { manager: "admin" } })
  expect(await change(null)).toMatchObject({ status: 200, body: { manager: null } })

  expect(await changesIn(server)).toEqual([
    ["admin", "bruno", managerChange(null, "ana")],
    ["admin", "bruno", managerChange("ana", "admin")],
    ["admin", "bruno", managerChange("admin", null)],
  ])
})

test("an unknown manager, one who has left, and a circle are refused in words that name the field", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  for (const name of ["Ana", "Bruno", "Carla", "Dora"]) await server.person(name)
  const change = (username: string, manager: unknown, more = {}) =>
    admin.patch(`/api/v1/users/${username}`, { manager, ...more })
  await change("bruno", "ana")
  await change("carla", "bruno")
  await admin.patch("/api/v1/users/dora", { active: false })
  const circle = "manager: nobody can report to themselves or to somebody who reports to them"

  for (const manager of ["ana", "bruno", "carla"])
    expect(await change("ana", manager, { dept: "support" })).toEqual(refused(422, circle))
  for (const manager of ["nobody", "", " ", "ANA", "ana@example.com", "a\0", "x".repeat(10_000)])
    expect(await change("ana", manager)).toEqual(refused(422, "manager: nobody has this username"))
  expect(await change("ana", "dora")).toEqual(refused(422, "manager: this person has left"))
  for (const manager of [5, true, ["ana"], {}]) expect(await change("bruno", manager)).toMatchObject({ status: 422 })

  expect(await admin.get("/api/v1/users/ana")).toMatchObject({ body: { manager: null, dept: "sales" } })
  const response = await fetch(`${server.url}/api/v1/users/ana`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${admin.accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({ manager: "carla" }),
  })
  expect(response.headers.get("error-code")).toBe("manager_cycle")
  expect(await response.json()).toMatchObject({ code: "manager_cycle", field: "manager" })
})

test("when a manager leaves, their reports report to the manager above, whichever way the account is deactivated", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  for (const name of ["Ana", "Bruno", "Carla"]) await server.person(name)
  await server.grant({ username: "bruno" }, 10)
  await admin.patch("/api/v1/users/bruno", { manager: "ana" })
  await admin.patch("/api/v1/users/carla", { manager: "bruno" })

  await admin.patch("/api/v1/users/bruno", { active: false, return_points: true })

  expect(await admin.get("/api/v1/users/carla")).toMatchObject({ body: { manager: "ana" } })
  expect((await changesIn(server)).at(-1)).toEqual(["admin", "carla", "bruno -> ana"])
  expect(await admin.get("/api/v1/users/bruno")).toMatchObject({ body: { manager: "ana" } })

  await admin.post("/api/v1/users/bruno/erasure", { reasons: "none" })
  expect(await admin.get("/api/v1/users/erased-3")).toMatchObject({ body: { manager: null } })
  expect((await changesIn(server)).map(([, whom, detail]) => [whom, detail])).toEqual([
    ["erased-3", null],
    ["carla", null],
    ["carla", null],
  ])
})
