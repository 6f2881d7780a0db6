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

/** Imports this file; `?dry_run=true` behind it changes nothing. */
async function importing(server: TestServer) {
  const admin = await server.admin()
  return (rows: readonly string[], query = "") =>
    admin.call("POST", `/api/v1/users/import${query}`, {
      body: ["username,name,email,dept,Supervisor,active", ...rows].join("\n"),
      headers: { "content-type": "text/csv" },
    })
}

const managersIn = async ({ app: { store } }: TestServer) => {
  const all = await store.users.list()
  const nameOf = (userId: number | null) => all.find(({ id }) => id === userId)?.username ?? null
  return Object.fromEntries(all.slice(1).map(({ username, managerId }) => [username, nameOf(managerId)]))
}

test("a file names managers by username or address, also people whom it creates, below them too; an export has them", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const imports = await importing(server)
  const file = [
    "bruno,Bruno,bruno@example.com,sales,carla,",
    "carla,Carla,carla@example.com,sales, ANA@example.com ,",
    "dora,Dora,dora@example.com,sales,Carla@Example.com,",
    "eva,Eva,eva@example.com,sales,,",
  ]

  expect(await imports(file)).toMatchObject({ status: 200, body: { created: 4 } })
  expect(await managersIn(server)).toEqual({ ana: null, bruno: "carla", carla: "ana", dora: "carla", eva: null })
  expect(await imports(file)).toMatchObject({ body: { unchanged: 4, updated: 0 } })
  expect((await changesIn(server)).map(([, ...change]) => change)).toEqual([
    ["bruno", managerChange(null, "carla")],
    ["carla", managerChange(null, "ana")],
    ["dora", managerChange(null, "carla")],
  ])

  const { body } = await (await server.admin()).get("/api/v1/users.csv")
  const exported = String(body)
  expect(
    exported
      .split("\r\n")
      .slice(1, -1)
      .map((line) => line.split(",").at(9)),
  ).toEqual([...["", "", "carla", "ana", "carla", ""]])
  const admin = await server.admin()
  const again = { body: exported, headers: { "content-type": "text/csv" } }
  expect(await admin.call("POST", "/api/v1/users/import", again)).toMatchObject({ body: { unchanged: 6 } })
  expect(await imports(["dora,,,,eva@example.com,", "bruno,,,,,"])).toMatchObject({
    body: { updated: 1, unchanged: 1 },
  })
  expect(await managersIn(server)).toMatchObject({ bruno: "carla", dora: "eva" })
})

test("a dry run names the rows whose manager is unknown, has left, or would report to the person", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  for (const name of ["Ana", "Bruno", "Carla", "Dora"]) await server.person(name)
  await admin.patch("/api/v1/users/bruno", { manager: "ana" })
  await admin.patch("/api/v1/users/dora", { active: false })
  const imports = await importing(server)
  const file = [
    "carla,,,,nobody@example.com,",
    "ana,,,,bruno,",
    "eva,Eva,eva@example.com,sales,eva,",
    "fred,Fred,fred@example.com,sales,gil,",
    "gil,Gil,gil@example.com,sales,fred,",
    "hugo,Hugo,hugo@example.com,sales,dora,",
    "iris,Iris,iris@example.com,sales,gil,",
    `bruno,,,,${"x".repeat(5000)},`,
  ]
  const circle = "manager: nobody can report to themselves or to somebody who reports to them"
  const faults = [
    [2, "invalid", "manager: nobody has this username, e-mail address or name"],
    [3, "manager_cycle", circle],
    [4, "manager_cycle", circle],
    [5, "manager_cycle", circle],
    [6, "manager_cycle", circle],
    [7, "invalid", "manager: this person has left"],
    [9, "invalid", "manager: nobody has this username, e-mail address or name"],
  ] as const

  expect(await imports(file, "?dry_run=true")).toMatchObject({
    status: 200,
    body: { errors: faults.map(([row, code, detail]) => ({ row, column: "manager", code, detail })) },
  })
  expect(await imports(file)).toMatchObject({ status: 422 })
  expect(await managersIn(server)).toMatchObject({ ana: null, bruno: "ana", carla: null })
  expect(await imports(["dora,,,,,yes", "carla,,,,dora,"])).toMatchObject({ status: 200, body: { updated: 2 } })
  expect(await imports(["ana,,,,bruno,", "bruno,,,,carla,"])).toMatchObject({ status: 200, body: { updated: 2 } })
  expect(await managersIn(server)).toMatchObject({ ana: "bruno", bruno: "carla", carla: "dora" })
})

test("a file that deactivates managers hands their reports over, and takes whom it names instead", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  await imports([
    "ana,Ana,ana@example.com,sales,,",
    "bruno,Bruno,bruno@example.com,sales,ana,",
    "carla,Carla,carla@example.com,sales,bruno,",
    "dora,Dora,dora@example.com,sales,carla,",
    "eva,Eva,eva@example.com,sales,carla,",
  ])

  expect(await imports(["carla,,,,,no", "bruno,,,,,no", "dora,Dora Dias,,,carla,", "eva,,,,dora,"])).toMatchObject({
    status: 200,
    body: { updated: 4 },
  })

  expect(await managersIn(server)).toEqual({ ana: null, bruno: "ana", carla: "ana", dora: "ana", eva: "dora" })
  expect(await imports(["dora,,,,bruno,", "ana,,,,,no"])).toMatchObject(
    refused(422, "row 2, manager: this person has left"),
  )
})

/** Hugo has the duty `people` and leads Bea, who leads Carl; Dora reports to nobody. */
async function holderWithTeam() {
  const server = await startTestServer()
  const admin = await server.admin()
  const [hugo, bea, carl, dora] = await Promise.all(["Hugo", "Bea", "Carl", "Dora"].map((name) => server.person(name)))
  if (!hugo || !bea || !carl || !dora) throw new Error("somebody is missing")
  await admin.patch("/api/v1/users/hugo", { duties: ["people"] })
  await admin.patch("/api/v1/users/bea", { manager: "hugo" })
  await admin.patch("/api/v1/users/carl", { manager: "bea" })
  const managerOf = async (username: string) =>
    (await admin.get<{ manager: string | null }>(`/api/v1/users/${username}`)).body.manager
  const importing = (text: string) =>
    hugo.call("POST", "/api/v1/users/import", { body: text, headers: { "content-type": "text/csv" } })
  return { server, admin, hugo, managerOf, importing, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test("with the duty people nobody becomes a manager, neither directly nor through their reports nor by an import", async () => {
  await using given = await holderWithTeam()
  const { hugo, managerOf, importing } = given

  for (const manager of ["hugo", "bea", "carl"]) {
    const answer = await hugo.patch("/api/v1/users/dora", { manager, name: "Dora" })
    expect([manager, answer]).toEqual([manager, refused(403, "Not a super user")])
    expect(await importing(`username,manager\ndora,${manager}`)).toMatchObject({ status: 422 })
  }
  expect(await importing("username,manager\ndora,hugo@example.com")).toMatchObject({ status: 422 })
  expect(await importing("username,manager\ncarl,hugo")).toMatchObject({ status: 422 })
  expect(await importing("username,name,email,dept,manager\neva,Eva,eva@example.com,sales,bea")).toMatchObject({
    status: 422,
  })
  // Through somebody who would report to Hugo only after the import.
  expect(
    await importing("username,name,email,dept,manager\neva,Eva,eva@example.com,sales,hugo\ndora,,,,eva"),
  ).toMatchObject({ status: 422 })
  expect([await managerOf("dora"), await managerOf("carl"), await managerOf("bea")]).toEqual([null, "bea", "hugo"])

  expect(await hugo.patch("/api/v1/users/carl", { manager: "dora" })).toMatchObject({ status: 200 })
  expect(await importing("username,manager\ndora,bea")).toMatchObject({ status: 422 })
  expect(await importing("username,manager\nbea,dora")).toMatchObject({ status: 200 })
  expect(await managerOf("bea")).toBe("dora")
})

test("with the duty people nobody hands a team to an account that is known to be their own", async () => {
  await using given = await holderWithTeam()
  const { hugo, importing, managerOf } = given
  const account = { name: "Other", email: "hugo+2@example.com", dept: "sales", invite: false }
  await hugo.post("/api/v1/users", account)
  await hugo.post("/api/v1/users", { ...account, name: "ＨＵＧＯ", email: "h@example.org", username: "h2" })

  for (const manager of ["other", "h2"]) {
    expect(await hugo.patch("/api/v1/users/dora", { manager })).toEqual(refused(403, "Not a super user"))
    expect(await importing(`username,manager\ndora,${manager}`)).toMatchObject({ status: 422 })
  }
  const table = "username,name,email,dept,manager\nh3,Hugo,h3@example.com,sales,\ndora,,,,h3"
  expect(await importing(table)).toMatchObject({ status: 422 })
  expect(await managerOf("dora")).toBeNull()
})

test("whoever deactivates one of their reports by the duty people does not get that person's team", async () => {
  for (const leave of ["patch", "patch with points", "import"]) {
    await using given = await holderWithTeam()
    const { server, admin, hugo, importing, managerOf } = given
    if (leave === "patch with points") {
      await admin.patch("/api/v1/users/hugo", { manager: "dora" })
      await server.grant({ username: "bea" }, 5)
    }

    const answer =
      leave === "import"
        ? await importing("username,active\nbea,no")
        : await hugo.patch("/api/v1/users/bea", { active: false, return_points: leave !== "patch" })

    expect([leave, answer.status]).toEqual([leave, 200])
    const heir = leave === "patch with points" ? "dora" : null
    expect([leave, await managerOf("carl")]).toEqual([leave, heir])
    const entries = await server.app.store.audit.list({ action: "manager_changed", user: "carl", limit: 1 })
    expect(entries.map(({ detail }) => detail)).toEqual([`bea -> ${heir ?? "(nobody)"}`])
  }
})

test("a superuser who deactivates a report leads that person's team from then on", async () => {
  await using given = await holderWithTeam()
  const { admin, hugo, managerOf } = given
  await admin.patch("/api/v1/users/hugo", { dept: "management" })

  expect(await hugo.patch("/api/v1/users/bea", { active: false })).toMatchObject({ status: 200 })

  expect(await managerOf("carl")).toBe("hugo")
})
