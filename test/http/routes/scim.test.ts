import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Answer, createClient } from "../../support/client.ts"
import { bearer } from "../../support/credentials.ts"
import { startTestServer, type TestServer } from "../../support/server.ts"

const core = "urn:ietf:params:scim:schemas:core:2.0:User"
const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
const patchOp = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
const scimType = "application/scim+json"

interface Resource {
  readonly id: string
  readonly userName: string
  readonly active: boolean
  readonly displayName: string
  readonly externalId?: string
  readonly emails: readonly { readonly value: string }[]
}

interface Schema {
  readonly id: string
  readonly attributes: readonly { readonly name: string; readonly required: boolean }[]
}

interface List {
  readonly totalResults: number
  readonly startIndex: number
  readonly itemsPerPage: number
  readonly Resources: readonly Resource[]
}

let server: TestServer
let token: string
/** The directory, with a service token of scope admin. */
let call: <T = Resource>(method: string, path: string, body?: unknown) => Promise<Answer<T>>

beforeAll(async () => {
  server = await startTestServer()
  const admin = await server.admin()
  const request = { name: "Directory", scopes: ["admin"], username: "admin" }
  token = (await admin.post<{ token: string }>("/api/v1/service-tokens", request)).body.token
  const client = createClient(server.url, bearer(token))
  call = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": scimType } }
    const { status, body: text } = await client.call<unknown>(method, `/scim/v2${path}`, sent)
    return { status, body: typeof text === "string" && text !== "" ? JSON.parse(text) : text } as never
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const refused = (status: number, detail: unknown, type?: string) => ({
  status,
  body: {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: String(status),
    ...(type !== undefined && { scimType: type }),
    detail,
  },
})

const found = async (filter: string) => (await call<List>("GET", `/Users?filter=${encodeURIComponent(filter)}`)).body
const patch = (id: string, ...Operations: object[]) => call("PATCH", `/Users/${id}`, { schemas: [patchOp], Operations })

const created = async (userName: string, more: object = {}) =>
  (
    await call("POST", "/Users", {
      schemas: [core],
      userName,
      displayName: userName,
      emails: [{ value: `${userName}@example.com`, type: "work", primary: true }],
      ...more,
    })
  ).body

test("the requests in Okta's documentation work: look up, create, read, replace, deactivate, import", async () => {
  const lookUp = await call<List>(
    "GET",
    "/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100",
  )
  expect(lookUp.body).toMatchObject({ totalResults: 0, Resources: [] })

  const request = {
    schemas: [core],
    userName: "test.user@okta.local",
    name: { givenName: "Test", familyName: "User" },
    emails: [{ primary: true, value: "test.user@okta.local", type: "work" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    password: "1mz050nq",
    active: true,
  }
  const { status, body } = await call("POST", "/Users", request)
  expect(status).toBe(201)
  expect(body).toEqual({
    schemas: [core, enterprise],
    id: body.id,
    externalId: "00ujl29u0le5T6Aj10h7",
    meta: { resourceType: "User", location: `${server.url}/scim/v2/Users/${body.id}` },
    userName: "test.user@okta.local",
    name: { formatted: "Test User", givenName: "Test", familyName: "User" },
    displayName: "Test User",
    active: true,
    emails: [{ value: "test.user@okta.local", type: "work", primary: true }],
    [enterprise]: { department: "unassigned" },
  } as never)
  expect(
    (await server.anybody.submit("/token", { username: request.userName, password: request.password })).status,
  ).toBe(401)
  expect(server.mails).toEqual([])
  expect(await call("GET", `/Users/${body.id}`)).toEqual({ status: 200, body })

  const name = { givenName: "Another", familyName: "User" }
  const replaced = await call("PUT", `/Users/${body.id}`, {
    ...request,
    id: body.id,
    displayName: "Another User",
    name,
  })
  expect(replaced).toMatchObject({ status: 200, body: { displayName: "Another User", externalId: request.externalId } })

  expect(await patch(body.id, { op: "replace", value: { active: false } })).toMatchObject({
    status: 200,
    body: { active: false },
  })
  expect((await found('userName eq "test.user@okta.local"')).Resources).toMatchObject([{ active: false }])
  expect(await call("PUT", `/Users/${body.id}`, { ...request, active: true })).toMatchObject({ body: { active: true } })
  expect((await call<List>("GET", "/Users?startIndex=1&count=100")).body.Resources.map(({ id }) => id)).toContain(
    body.id,
  )
})

test("the checks of Okta's test suite for providers pass", async () => {
  const isFilled = { id: expect.stringMatching(/./), userName: expect.stringMatching(/./), active: true }
  const name = { familyName: expect.stringMatching(/./), givenName: expect.stringMatching(/./) }
  const first = await call<List>("GET", "/Users?count=1&startIndex=1")
  const id = first.body.Resources[0]?.id
  expect(first).toMatchObject({
    status: 200,
    body: { itemsPerPage: 1, startIndex: 1, Resources: [{ ...isFilled, name }] },
  } as never)
  expect(await call("GET", `/Users/${id}`)).toMatchObject({
    body: { ...isFilled, name },
  } as never)
  expect(await found('userName eq "abcdefgh@atko.com"')).toMatchObject({ totalResults: 0 })
  for (const id of ["010101001010101011001010101011", "00919288221112222"])
    expect(await call("GET", `/Users/${id}`)).toEqual(refused(404, "User not found") as never)

  const runscope = {
    schemas: [core],
    userName: "Runscope300Tobias3@atko.com",
    name: { givenName: "Runscope", familyName: "Tobias" },
    emails: [{ primary: true, value: "Runscope300Tobias3@atko.com", type: "work" }],
    displayName: "Runscope Tobias",
    active: true,
  }
  const { status, body } = await call("POST", "/Users", runscope)
  const stored = { userName: runscope.userName, active: true, name: runscope.name }
  expect([status, body]).toMatchObject([201, stored])
  expect(await call("GET", `/Users/${body.id}`)).toMatchObject({ status: 200, body: stored } as never)
  expect((await call("POST", "/Users", runscope)).status).toBe(409)
  expect((await found('userName eq "RUNSCOPE300TOBIAS3@ATKO.COM"')).totalResults).toBe(1)
  const withoutToken = await fetch(`${server.url}/scim/v2/Users`, { headers: { authorization: "non-token" } })
  expect(await withoutToken.json()).toMatchObject({ status: "401", detail: expect.stringMatching(/./) })

  // A part that is patched alone does not mix with one that was guessed.
  expect(await patch(body.id, { op: "replace", path: "name.givenName", value: "Rita" })).toMatchObject({
    body: { displayName: "Runscope Tobias" },
  })
})

test("the requests in Microsoft Entra's documentation work, including its form of a patch", async () => {
  expect((await found('userName eq "non-existent user"')).totalResults).toBe(0)
  const { status, body } = await call("POST", "/Users", {
    schemas: [core, enterprise],
    externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    userName: "Test_User_ab6490ee-1e48-479e",
    active: true,
    emails: [{ primary: true, type: "work", value: "Test_User_fd0ea19b@testuser.com" }],
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
    [enterprise]: { department: "Sales" },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ displayName: "givenName familyName", [enterprise]: { department: "Sales" } } as never)
  expect((await found('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).Resources).toEqual([body])
  expect((await found('userName eq "TEST_USER_AB6490EE-1e48-479e"')).Resources).toEqual([body])
  const address = "updatedEmail@microsoft.com"

  const updated = await patch(
    body.id,
    { op: "Replace", path: 'emails[type eq "work"].value', value: address },
    { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
    { op: "Add", path: "title", value: "Engineer" },
    { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "555" },
    { op: "Add", path: `${enterprise}:department`, value: "Support" },
    { op: "Replace", path: "displayName", value: "Updated" },
  )
  expect(updated).toMatchObject({
    status: 200,
    body: { displayName: "Updated", emails: [{ value: address }], [enterprise]: { department: "Support" } },
  } as never)
  expect((await found(`emails[type eq "work"].value eq "${address.toUpperCase()}"`)).Resources).toHaveLength(1)

  const withoutPath = {
    displayName: "Whole",
    "name.formatted": "Whole",
    nickName: "W",
    [`${enterprise}:department`]: "Ops",
  }
  expect(await patch(body.id, { op: "Add", value: withoutPath })).toMatchObject({
    body: { displayName: "Whole", [enterprise]: { department: "Ops" } },
  } as never)

  const extension = { op: "Replace", value: { [enterprise]: { department: "Lab" } } }
  expect(await patch(body.id, extension)).toMatchObject({ body: { [enterprise]: { department: "Lab" } } } as never)
  const replacement = { op: "Replace", value: { emails: [{ type: "home", value: "home@example.com", primary: true }] } }
  expect(await patch(body.id, replacement)).toMatchObject({ body: { emails: [{ value: "home@example.com" }] } })

  expect(await patch(body.id, { op: "Replace", path: "active", value: "False" })).toMatchObject({
    body: { active: false },
  })
  expect(await patch(body.id, { op: "Replace", path: "active", value: "True" })).toMatchObject({
    body: { active: true },
  })
  expect((await call("DELETE", `/Users/${body.id}`)).status).toBe(204)
  expect((await call("GET", `/Users/${body.id}`)).body.active).toBe(false)
})

test("deactivating a person by SCIM ends their access at once and erases nothing", async () => {
  const ana = await server.person("Ana")
  const session = await server.withSession(ana)
  const [resource] = (await found('userName eq "ana"')).Resources
  expect((await ana.get("/api/v1/me")).status).toBe(200)

  await patch(resource?.id ?? "", { op: "Replace", path: "active", value: "False" })

  expect((await ana.get("/api/v1/me")).status).toBe(401)
  expect((await session.get("/api/v1/me")).status).toBe(401)
  expect((await server.anybody.submit("/login", { username: "ana", password: ana.password })).status).toBe(401)
  expect((await call("DELETE", `/Users/${resource?.id}`)).status).toBe(204)
  expect((await found('userName eq "ana" and active eq false')).Resources).toMatchObject([{ displayName: "Ana" }])
})

test("answers have the attributes that a request selects, and an order is ignored", async () => {
  const user = await created("selected", { externalId: "s-1", [enterprise]: { department: "sales" } })
  const { id, schemas } = user as Resource & { readonly schemas: readonly string[] }
  const [formatted, meta] = ["selected", { resourceType: "User", location: `${server.url}/scim/v2/Users/${id}` }]
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(user).filter(([key]) => !names.includes(key)))

  for (const [query, selected] of [
    ["attributes=userName", { id, schemas, userName: "selected" }],
    [`attributes=USERNAME,${core}:externalId,nonsense`, { id, schemas, userName: "selected", externalId: "s-1" }],
    ["attributes=name.formatted,meta", { id, schemas, name: { formatted }, meta }],
    ["attributes=emails.value", { id, schemas, emails: [{ value: "selected@example.com" }] }],
    [`attributes=${enterprise}:department`, { id, schemas, [enterprise]: { department: "sales" } }],
    ["excludedAttributes=id,name,emails,meta", without("name", "emails", "meta")],
    ["excludedAttributes=members,name.formatted", { ...user, name: { givenName: formatted, familyName: formatted } }],
    ["sortBy=userName&sortOrder=ascending", user],
    ["attributes=&excludedAttributes=", user],
  ] as const) {
    expect(await call("GET", `/Users/${id}?${query}`)).toEqual({ status: 200, body: selected } as never)
    const filter = encodeURIComponent('externalId eq "s-1"')
    const { body } = await call<List>("GET", `/Users?filter=${filter}&${query}`)
    expect(body.Resources).toEqual([selected] as never)
  }
  const change = { Operations: [{ op: "replace", path: "displayName", value: "Other" }] }
  const patched = await call("PATCH", `/Users/${id}?attributes=displayName`, change)
  expect(patched).toEqual({ status: 200, body: { id, schemas, displayName: "Other" } } as never)
})

test("names of attributes ignore case, and the schema may stand before them: whoever leaves becomes inactive", async () => {
  const { id } = await created("leaver")
  for (const operation of [
    { op: "replace", path: "ACTIVE", value: false },
    { op: "replace", path: `${core}:active`, value: false },
    { op: "Replace", path: `${core.toUpperCase()}:Active`, value: "False" },
    { OP: "replace", PATH: "active", VALUE: "false" },
    { op: "replace", path: core, value: { active: false } },
    { op: "replace", value: { Active: false } },
    { op: "replace", value: { [core]: { ACTIVE: false } } },
    { op: "add", value: { [`${core}:active`]: false } },
  ]) {
    expect({ operation, ...(await patch(id, operation)) }).toMatchObject({
      operation,
      status: 200,
      body: { active: false },
    })
    expect(await patch(id, { op: "replace", path: "active", value: true })).toMatchObject({ body: { active: true } })
  }
  const operations = [{ op: "replace", path: "active", value: false }]
  expect(await call("PATCH", `/Users/${id}`, { operations })).toMatchObject({ body: { active: false } })
  const whole = { USERNAME: "leaver", displayname: "Leaver", Emails: [{ VALUE: "gone@example.com" }], ACTIVE: true }
  expect(await call("PUT", `/Users/${id}`, whole)).toMatchObject({
    status: 200,
    body: { displayName: "Leaver", active: true, emails: [{ value: "gone@example.com" }] },
  })
  expect((await found('USERNAME EQ "leaver" AND Active eq TRUE')).totalResults).toBe(1)
  expect((await found(`${core}:userName eq "leaver"`)).totalResults).toBe(1)
})

/** Requests that deactivate, and hold something else that is refused, ignored or changed. */
const leaving: readonly (readonly [status: number, method: "PATCH" | "PUT", body: object])[] = [
  ...[
    { op: "Replace", path: "userName", value: "0f1e2d3c4b5a69788796a5b4c3d2e1f0ana@example.com" },
    { op: "Replace", path: "userName", value: "x".repeat(200) },
    { op: "Remove", path: "urn:example:custom:1.0:costs" },
    { op: "Add", path: "urn:example:custom:1.0:User:badge.number", value: 7 },
    { op: "replace", path: "activ", value: true },
    { op: "replace", value: { "urn:example:custom:1.0": { costs: 1 }, nonsense: [] } },
  ].flatMap((other) =>
    [
      { op: "Replace", path: "active", value: "False" },
      { op: "add", value: { Active: [{ value: "false" }] } },
      { OP: "replace", PATH: `${core}:ACTIVE`, VALUE: { value: false } },
      { op: "replace", value: { [core]: { active: false } } },
    ].flatMap((off) => [
      [200, "PATCH", { schemas: [patchOp], Operations: [other, off] }] as const,
      [200, "PATCH", { schemas: [patchOp], Operations: [off, other] }] as const,
    ]),
  ),
  ...[
    { op: "copy", path: "displayName", value: "x" },
    { op: "replace", path: "[", value: 1 },
    { op: "replace", path: "id", value: "5" },
    { op: "replace", path: `${enterprise}:manager`, value: "999999" },
    { op: "replace", path: "emails", value: "nonsense" },
    { op: "remove" },
    "nonsense",
  ].map((other) => [400, "PATCH", { Operations: [other, { op: "replace", path: "active", value: false }] }] as const),
  ...[
    { op: "update", path: "active", value: false },
    { path: "active", value: false },
    { op: " Replace ", path: " active ", value: "False" },
    { op: "replace", value: [{ active: false }] },
  ].map((off) => [400, "PATCH", { Operations: [off] }] as const),
  [400, "PATCH", { schemas: ["urn:example"], Operations: [{ op: "add", path: "active", value: "FALSE" }] }],
  [400, "PATCH", { Operations: Array(201).fill({ op: "add", path: "active", value: false }) }],
  [200, "PUT", { userName: "somebody.else@example.com", active: false }],
  [200, "PUT", { ACTIVE: "False", "urn:example:custom:1.0:User": { badge: 1 }, "bad[": 1 }],
  [200, "PUT", { [core]: { active: { value: "False" } } }],
  [400, "PUT", { active: false, emails: 5 }],
  [400, "PUT", { active: false, userName: 5 }],
  [400, "PUT", { schemas: [patchOp], active: "false" }],
]

test("somebody who marries has the new username, name and address, by PATCH and PUT, and in any other case the same", async () => {
  const { id } = await created("ana.souza@example.com", { emails: [{ value: "ana.souza@example.com" }] })
  const shown = { displayName: "Ana Costa", emails: [{ value: "ana.costa@example.com" }] }
  const marriage = await patch(
    id,
    { op: "Replace", path: "userName", value: "ana.costa@example.com" },
    { op: "Replace", path: "displayName", value: "Ana Costa" },
    { op: "Replace", path: 'emails[type eq "work"].value', value: "ana.costa@example.com" },
  )
  expect(marriage).toMatchObject({ status: 200, body: { userName: "ana.costa@example.com", ...shown } } as never)
  expect((await found('userName eq "ana.souza@example.com"')).totalResults).toBe(0)
  expect((await found('userName eq "ana.costa@example.com"')).Resources).toMatchObject([{ id }])
  const same = { op: "replace", path: "userName", value: "ANA.COSTA@example.com" }
  expect(await patch(id, same)).toMatchObject({ status: 200, body: { userName: "ana.costa@example.com" } })
  const whole = { schemas: [core], userName: "ana.c", displayName: "Ana" }
  expect(await call("PUT", `/Users/${id}`, whole)).toMatchObject({
    status: 200,
    body: { userName: "ana.c", ...{ id } },
  })

  const other = await created("married-later")
  const to = (userName: string) => patch(other.id, { op: "replace", value: { userName, displayName: "Changed" } })
  for (const [userName, status, type] of [
    ["ana.c", 409, "uniqueness"],
    ["ana.souza@example.com", 409, "uniqueness"],
    ["\u0430na.c", 409, "uniqueness"],
    ["a/b", 400, "invalidValue"],
    ["x".repeat(65), 400, "invalidValue"],
  ] as const)
    expect({ userName, ...(await to(userName)) }).toEqual({
      userName,
      ...refused(status, expect.any(String), type),
    } as never)
  expect((await call("GET", `/Users/${other.id}`)).body).toEqual(other)
  const [admin] = (await found('userName eq "admin"')).Resources
  expect(await patch(admin?.id ?? "", { op: "replace", path: "userName", value: "root" })).toEqual(
    refused(400, "username: admin keeps this username", "invalidValue") as never,
  )
})

test("whoever leaves is inactive first, whatever else the request holds", async () => {
  const { id } = await created("leaving")
  for (const [status, method, body] of leaving) {
    const answer = await call(method, `/Users/${id}`, body)
    expect({ body, status: answer.status }).toEqual({ body, status })
    const { active, userName } = (await call("GET", `/Users/${id}`)).body
    expect({ body, active, userName }).toEqual({ body, active: false, userName: "leaving" })
    expect((await patch(id, { op: "replace", path: "active", value: true })).body.active).toBe(true)
  }
})

test("a request that says last that somebody stays, or says nothing that means leaving, deactivates nobody", async () => {
  const { id } = await created("staying")
  const off = { op: "replace", path: "active", value: false }
  const on = { ...off, value: "True" }
  const said: readonly object[][] = [
    [off, on],
    [{ op: "remove", path: "active" }],
    [{ op: "replace", path: "active", value: null }],
    [{ op: "replace", path: 'active[value eq "x"]', value: false }],
    [{ op: "replace", path: `${enterprise}:active`, value: false }],
    [{ op: "replace", value: { activ: false, name: { active: false } } }],
  ]
  for (const operations of said)
    expect({ operations, ...(await patch(id, ...operations)) }).toMatchObject({
      ...{ operations, status: 200, body: { active: true } },
    })
  for (const value of ["maybe", 0, [false, false], {}])
    expect(await patch(id, { op: "replace", path: "active", value })).toMatchObject(
      refused(400, "active: true or false", "invalidValue"),
    )
  expect((await call("GET", `/Users/${id}`)).body.active).toBe(true)
})

/** The attributes of a user in RFC 7643, sections 3.1 and 4, but for `id` and `meta`. */
const attributesOfTheRfc = [
  "externalId userName name.formatted name.familyName name.givenName name.middleName name.honorificPrefix",
  "name.honorificSuffix displayName nickName profileUrl title userType preferredLanguage locale timezone active password",
  "emails.value emails.display emails.type emails.primary phoneNumbers ims photos addresses groups entitlements roles",
  "x509Certificates employeeNumber costCenter organization division department manager.value manager.$ref",
  "manager.displayName",
].flatMap((line) => line.split(" "))

test("the attributes that the page lists as not supported are the others of the RFC, and are ignored", async () => {
  const page = await Bun.file("docs/operations/scim.md").text()
  const [, listed = ""] = /not supported:(.*?)Only a path/s.exec(page) ?? []
  const unsupported = [...listed.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)
  const supported = (await declared()).map(({ path }) => path.replace(`${enterprise}:`, ""))
  expect([...unsupported, ...supported.filter((path) => attributesOfTheRfc.includes(path))].toSorted()).toEqual(
    attributesOfTheRfc.filter((name) => name !== "externalId").toSorted(),
  )

  const user = await created("unsupported", { externalId: "u-1" })
  const ofExtension = ["employeeNumber", "costCenter", "organization", "division"]
  const paths = unsupported.map((name) => (ofExtension.includes(name) ? `${enterprise}:${name}` : name))
  const unknown = [...paths, "nonsense", "urn:example:custom:1.0:User:badge", 'own[type eq "x" or y pr].z']
  for (const path of unknown)
    for (const operation of [
      { op: "add", path, value: "x" },
      { op: "Replace", path, value: { any: [1] } },
      { op: "remove", path },
      { op: "add", value: { [path]: "x" } },
    ])
      expect({ operation, ...(await patch(user.id, operation)) }).toEqual({
        operation,
        status: 200,
        body: user,
      } as never)
})

test("what is not stored is ignored, whatever it looks like", async () => {
  const request = {
    roles: [{ value: "admin", type: "WindowsAzureActiveDirectoryRole", primary: "True" }],
    x509Certificates: [{ value: "MIIC", type: "own" }],
    phoneNumbers: [{ value: "555", type: "desk" }, null],
    addresses: [{ type: "somewhere", country: "NLD" }],
    ims: [{ value: "x", type: "own" }],
    photos: "none",
    emails: [null, { value: "roles@example.com", type: "desk", display: "R", own: 1 }],
    name: { formatted: "With Roles", middleName: "M", own: {} },
    meta: "x",
    own: [null],
    "urn:example:own:2.0:User": { own: true },
    [enterprise]: { department: "Lab", manager: [], own: null },
  }
  const user = await created("roles", request)
  const kept = {
    displayName: "roles",
    emails: [{ value: "roles@example.com", type: "work" }],
    [enterprise]: { department: "Lab" },
  }
  expect(user).toMatchObject(kept as never)

  for (const operation of [
    { op: "add", path: "roles", value: [{ value: "x", type: "own" }] },
    { op: "add", path: 'roles[primary eq "True"].value', value: "x" },
    { op: "remove", path: 'phoneNumbers[type pr or (value sw "5")]' },
    { op: "replace", path: "name.own", value: 5 },
    { op: "replace", path: `${enterprise}:manager`, value: { displayName: "Somebody" } },
    { op: "replace", path: `${enterprise}:own`, value: "1" },
    { op: "replace", path: 'emails[type eq "work"].display', value: "R" },
    { op: "replace", value: { roles: null, ims: 5, "name.own": null, schemas: [core], id: user.id } },
  ])
    expect({ operation, ...(await patch(user.id, operation)) }).toEqual({ operation, status: 200, body: user } as never)
})

test("a directory sets, changes and removes whom somebody reports to, in each form that directories send", async () => {
  const [boss, other] = [await created("manager.one"), await created("manager.two")]
  const user = await created("managed", { [enterprise]: { department: "Lab", manager: { value: boss.id } } })
  const shown = ({ id, displayName }: Resource) => ({
    manager: { value: id, $ref: `${server.url}/scim/v2/Users/${id}`, displayName },
  })
  expect(user).toMatchObject({ [enterprise]: { department: "Lab", ...shown(boss) } } as never)
  const extensionOf = async (answer: Promise<Answer<Resource>>) =>
    (await answer).body[enterprise as never] as Record<string, unknown>

  for (const operation of [
    { op: "Add", path: `${enterprise}:manager`, value: other.id },
    { op: "replace", path: `${enterprise}:manager`, value: { value: other.id, displayName: "ignored" } },
    { op: "replace", path: `${enterprise}:manager`, value: [{ $ref: null, value: other.id }] },
    { op: "replace", path: `${enterprise}:manager`, value: shown(other).manager },
    { op: "add", path: `${enterprise}:manager`, value: { $ref: shown(other).manager.$ref } },
    { op: "add", path: `${enterprise}:manager`, value: { $REF: `../Users/${other.id}`, value: null } },
    { op: "replace", path: `${enterprise}:manager.$ref`, value: `Users/${other.id}` },
    { op: "add", value: { [`${enterprise}:manager.$ref`]: `https://other.example.com/scim/v2/users/${other.id}` } },
    { op: "add", path: `${enterprise.toLowerCase()}:MANAGER.value`, value: other.id },
    { op: "replace", path: enterprise, value: { manager: { value: other.id } } },
    { op: "replace", value: { [`${enterprise}:manager`]: other.id } },
    { op: "replace", value: { [enterprise]: { manager: { value: other.id } } } },
  ]) {
    await patch(user.id, { op: "replace", path: `${enterprise}:manager`, value: boss.id })
    expect({ operation, ...(await extensionOf(patch(user.id, operation))) }).toEqual({
      ...{ operation, department: "Lab", ...shown(other) },
    })
  }
  for (const operation of [
    { op: "remove", path: `${enterprise}:manager` },
    { op: "remove", path: `${enterprise}:manager.value` },
    { op: "remove", path: `${enterprise}:manager.$ref` },
    { op: "replace", path: `${enterprise}:manager`, value: { $ref: "" } },
    { op: "replace", path: `${enterprise}:manager`, value: "" },
    { op: "replace", path: `${enterprise}:manager`, value: { value: null } },
    { op: "replace", value: { [enterprise]: { manager: null } } },
    { op: "replace", path: `${enterprise}:manager`, value: [] },
  ]) {
    await patch(user.id, { op: "replace", path: `${enterprise}:manager`, value: boss.id })
    expect({ operation, ...(await extensionOf(patch(user.id, operation))) }).toEqual({
      ...{ operation, department: "Lab" },
    } as never)
  }

  const whole = { userName: "managed", displayName: "managed" }
  const put = (extension: unknown) =>
    extensionOf(call("PUT", `/Users/${user.id}`, { ...whole, [enterprise]: extension }))
  expect(await put({ department: "Lab", manager: { value: boss.id } })).toMatchObject(shown(boss))
  expect(await put({ department: "Ops" })).toEqual({ department: "Ops", ...shown(boss) })
  for (const [asked, count] of [
    [boss.id, 1],
    [other.id, 0],
  ] as const) {
    expect((await found(`id eq "${user.id}" and manager eq "${asked}"`)).totalResults).toBe(count)
    expect((await found(`id eq "${user.id}" and ${enterprise}:manager.value eq "${asked}"`)).totalResults).toBe(count)
  }
  const { body } = await call("GET", `/Users/${user.id}?attributes=${enterprise}:manager.value`)
  expect(body).toEqual({ schemas: [core, enterprise], id: user.id, [enterprise]: shown(boss) } as never)
  expect(await put(null)).toEqual({ department: "unassigned" })
})

test("a manager whom nobody knows, two managers and a circle are refused, and one who has left changes nothing", async () => {
  const [boss, leaver] = [await created("top"), await created("manager.left")]
  const user = await created("below", { [enterprise]: { manager: { value: boss.id } } })
  await call("DELETE", `/Users/${leaver.id}`)
  const setTo = (id: string, value: unknown) => patch(id, { op: "replace", path: `${enterprise}:manager`, value })

  for (const unknown of ["999999", "top", "0", "1e3", "-1", "x".repeat(2000)])
    expect(await setTo(user.id, unknown)).toEqual(refused(400, "manager: nobody has this id", "invalidValue") as never)
  for (const id of [boss.id, user.id])
    expect(await setTo(boss.id, id)).toEqual(
      refused(
        400,
        "manager: nobody can report to themselves or to somebody who reports to them",
        "invalidValue",
      ) as never,
    )
  expect(await setTo(user.id, [{ value: boss.id }, { value: boss.id }])).toMatchObject({ status: 400 })
  for (const value of [{ value: 5 }, { $ref: 5 }, { $ref: {} }, 5, true, [[]], [{ $ref: [] }]])
    expect(await setTo(user.id, value)).toMatchObject(refused(400, expect.any(String), "invalidValue") as never)
  for (const $ref of ["top", "https://example.com", `${server.url}/scim/v2/Users/`, `/Groups/${boss.id}`])
    expect(await setTo(user.id, { $ref })).toEqual(
      refused(400, "manager.$ref: the address of a user", "invalidValue") as never,
    )
  expect(await setTo(user.id, { $ref: "/scim/v2/Users/999999" })).toEqual(
    refused(400, "manager: nobody has this id", "invalidValue") as never,
  )
  expect(await setTo(user.id, { value: boss.id, $ref: `Users/${user.id}` })).toEqual(
    refused(400, "manager: value and $ref name two users", "invalidValue") as never,
  )
  expect(await call("POST", "/Users", { userName: "new@example.com", [enterprise]: { manager: "999999" } })).toEqual(
    refused(400, "manager: nobody has this id", "invalidValue") as never,
  )
  expect((await found('userName eq "new@example.com"')).totalResults).toBe(0)

  expect(await setTo(user.id, leaver.id)).toMatchObject({
    status: 200,
    body: { [enterprise]: { manager: { value: boss.id } } },
  })
  expect(
    await call("POST", "/Users", { userName: "under@example.com", [enterprise]: { manager: leaver.id } }),
  ).toMatchObject({ status: 201, body: { [enterprise]: { department: "unassigned" } } })
})

test("null and an empty text mean that a value is unassigned; a removed department is `unassigned`", async () => {
  const empty = { displayName: null, name: null, externalId: "", active: null, [enterprise]: null }
  const user = await created("nobody@example.com", { ...empty, emails: null })
  const unassigned = { [enterprise]: { department: "unassigned" } }
  expect(user).toMatchObject({ displayName: "nobody@example.com", active: true, ...unassigned } as never)
  expect(user.emails).toMatchObject([{ value: "nobody@example.com" }])
  expect(user.externalId).toBeUndefined()

  const filled = { externalId: "n-1", displayName: "Nora", [enterprise]: { department: "Lab" } }
  for (const operation of [
    { op: "remove", path: `${enterprise}:department` },
    { op: "remove", path: enterprise },
    { op: "Remove", path: enterprise.toLowerCase() },
    { op: "replace", path: `${enterprise}:department`, value: null },
    { op: "replace", path: enterprise, value: { department: "" } },
    { op: "replace", value: { [enterprise]: null } },
  ]) {
    expect(await patch(user.id, { op: "replace", value: filled })).toMatchObject({ body: filled } as never)
    expect({ operation, ...(await patch(user.id, operation)) }).toMatchObject({
      status: 200,
      body: unassigned,
    } as never)
  }
  const keeps = { displayName: "Nora", active: true, emails: [{ value: "nobody@example.com" }] }
  const removals = ["displayName", "name", "name.formatted", "emails", 'emails[type eq "work"]', "active", "externalId"]
  const removed = await patch(user.id, ...removals.map((path) => ({ op: "remove", path })))
  expect(removed).toMatchObject({ status: 200, body: keeps } as never)
  expect(removed.body.externalId).toBeUndefined()

  await patch(user.id, { op: "replace", value: filled })
  const whole = { schemas: [core], userName: user.userName, displayName: "Nora" }
  expect(await call("PUT", `/Users/${user.id}`, whole)).toMatchObject({
    body: { [enterprise]: { department: "Lab" } },
  } as never)
  const cleared = { ...whole, [enterprise]: { department: null } }
  expect(await call("PUT", `/Users/${user.id}`, cleared)).toMatchObject({ body: unassigned } as never)
})

test("a name that is sent again stays, although its parts say something else", async () => {
  const { id } = await created("named")
  for (const name of [
    { formatted: "Dr. Ana Souza", givenName: "Ana", familyName: "Souza" },
    { formatted: "Ana de Souza", givenName: "Ana", familyName: "Souza" },
  ])
    for (const _ of [1, 2, 3])
      for (const value of [{ name }, { displayName: name.formatted, name: { ...name, formatted: null } }])
        expect(await patch(id, { op: "replace", value })).toMatchObject({ body: { displayName: name.formatted } })
  const parts = { givenName: "Rita", familyName: "Lima" }
  expect(await patch(id, { op: "replace", path: "name", value: parts })).toMatchObject({
    body: { displayName: "Rita Lima" },
  })
})

test("of several addresses the primary one counts, else the one of type work", async () => {
  const user = await created("post", { emails: [{ value: "a@post.com" }, { value: "b@post.com", type: "WORK" }] })
  const address = async (...operations: object[]) => (await patch(user.id, ...operations)).body.emails[0]?.value
  const home = { value: "h@post.com", type: "home" }

  expect(await address({ op: "add", path: "emails", value: [home] })).toBe("a@post.com")
  expect(await address({ op: "add", path: "emails", value: { ...home, primary: "True" } })).toBe("h@post.com")
  const secondary = 'emails[type eq "other" and primary eq false].value'
  expect(await address({ op: "add", path: secondary, value: "o@post.com" })).toBe("h@post.com")
  expect(await address({ op: "replace", path: "emails.value", value: "p@post.com" })).toBe("p@post.com")
  expect(
    await address({
      op: "replace",
      path: 'emails[Primary eq "true" and type eq "Work"]',
      value: { value: "q@post.com" },
    }),
  ).toBe("q@post.com")
  expect(
    await address(
      { op: "remove", path: 'emails[type eq "work"]' },
      { op: "add", path: 'EMAILS[type eq "home"].value', value: "r@post.com" },
    ),
  ).toBe("r@post.com")
})

test("the one address answers to the type that the directory gives it, and of several types to work", async () => {
  const user = await created("corp", { emails: [{ value: "a@corp.com", type: "corp", primary: true }] })
  const address = async (...operations: object[]) => (await patch(user.id, ...operations)).body.emails[0]?.value
  const to = (type: string, value: string, op = "replace") => ({ op, path: `emails[type eq "${type}"].value`, value })

  expect(await address(to("corp", "b@corp.com"))).toBe("b@corp.com")
  expect(await address(to("home", "c@corp.com", "Add"))).toBe("c@corp.com")
  expect(await address({ ...to("corp", ""), path: 'emails[type eq "corp"]', value: { value: "d@corp.com" } })).toBe(
    "d@corp.com",
  )
  expect(await address(to("work", "e@corp.com"), to("home", "f@corp.com"))).toBe("e@corp.com")
  expect(await address(to("home", "f@corp.com"), to("work", "g@corp.com"))).toBe("g@corp.com")
  const ofNobody = { op: "replace", path: 'emails[value eq "x@corp.com"].value', value: "y@corp.com" }
  expect(await patch(user.id, ofNobody)).toMatchObject({ status: 400, body: { scimType: "noTarget" } } as never)
})

test("no request, however odd, is answered with 500", async () => {
  const { id } = await created("odd")
  const text = fc.constantFrom(
    "",
    "x",
    "\0",
    "\ud800",
    "True",
    "odd",
    "odd@example.com",
    "a\u0301".repeat(600),
    core,
    enterprise,
  )
  const names = [
    "schemas",
    "userName",
    "externalId",
    "displayName",
    "name",
    "formatted",
    "givenName",
    "emails",
    "value",
    "type",
  ]
  const more = [
    "primary",
    "active",
    "department",
    "roles",
    "x509Certificates",
    "Operations",
    "op",
    "path",
    "toString",
    "__proto__",
  ]
  const paths = [
    ...names,
    ...more,
    core,
    enterprise,
    `${core}:active`,
    `${enterprise}:department`,
    "name.formatted",
    "emails.value",
  ]
  const name = fc.constantFrom(...paths, ...paths.map((path) => path.toUpperCase()))
  const filter = fc.constantFrom(
    'type eq "work"',
    'value eq "\\u0000"',
    "primary eq true",
    "type pr",
    'x eq "',
    "[",
    "]",
    "",
  )
  const path = fc.oneof(
    name,
    fc.tuple(name, filter, name).map(([list, inside, part]) => `${list}[${inside}].${part}`),
    text,
  )
  const json = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      text,
      path,
      fc.boolean(),
      fc.integer(),
      fc.constant(null),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("any"), { maxLength: 3 }),
    object: fc.array(fc.tuple(path, tie("any")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  }))
  const op = fc.oneof(fc.constantFrom("add", "replace", "Remove"), json.any)
  const operation = fc.record({ op, path: fc.oneof(path, json.any), value: json.any }, { requiredKeys: ["op"] })
  const request = fc.oneof(
    fc.tuple(fc.constant("POST"), fc.constant("/Users"), json.object),
    fc.tuple(fc.constant("PUT"), fc.constant(`/Users/${id}`), json.object),
    fc.tuple(
      fc.constant("PATCH"),
      fc.constant(`/Users/${id}`),
      fc.record({ Operations: fc.array(operation, { maxLength: 4 }) }),
    ),
    fc.tuple(
      fc.constant("GET"),
      path.map((filter) => `/Users?filter=${encodeURIComponent(filter.toWellFormed())}`),
      fc.constant(undefined),
    ),
  )
  await fc.assert(
    fc.asyncProperty(request, async ([method, path, body]) => {
      const { status, body: answer } = await call<{ readonly schemas: readonly string[] }>(method, path, body)
      expect([200, 201, 400, 409]).toContain(status)
      expect(answer.schemas).not.toBeEmpty()
    }),
    { numRuns: 1000 },
  )
}, 60_000)

test("texts in filters are JSON, with its escapes", async () => {
  const emails = [{ value: "quoted@example.com", type: "work" }]
  const quoted = await created('quo"ted', { externalId: "a\\b", emails })
  const accented = await created("caf\u00e9", { externalId: "#0" })

  for (const [filter, user] of [
    ['userName eq "quo\\"ted"', quoted],
    ['userName eq "quo\\u0022ted" and active eq true', quoted],
    ['externalId eq "a\\\\b"', quoted],
    ['emails[type eq "w\\u006frk" and value eq "quoted\\u0040example.com"]', quoted],
    ['userName eq "caf\\u00e9" and externalId eq "#0"', accented],
  ] as const)
    expect({ filter, found: (await found(filter)).Resources }).toEqual({ filter, found: [user] })
  for (const text of ["\\\\u00e9", "\\u0000", "\\ud800"])
    expect(await found(`userName eq "${text}"`)).toMatchObject({ totalResults: 0 })
})

test("lists are paged", async () => {
  const users = [await created("page-1"), await created("page-2"), await created("page-3")]
  const { body: all } = await call<List>("GET", "/Users?count=200")
  const first = all.Resources.findIndex(({ id }) => id === users[0]?.id) + 1

  const page = async (query: string) => (await call<List>("GET", `/Users?${query}`)).body
  expect(await page(`startIndex=${first}&count=2`)).toMatchObject({
    totalResults: all.totalResults,
    startIndex: first,
    itemsPerPage: 2,
    Resources: [{ userName: "page-1" }, { userName: "page-2" }],
  })
  expect(await page(`startIndex=${first + 2}`)).toMatchObject({ itemsPerPage: 1, Resources: [{ userName: "page-3" }] })
  expect(await page("count=0")).toMatchObject({ totalResults: all.totalResults, itemsPerPage: 0, Resources: [] })
  expect(await page("startIndex=999")).toMatchObject({ totalResults: all.totalResults, Resources: [] })
  expect(await page("startIndex=-5&count=1")).toMatchObject({ startIndex: 1, itemsPerPage: 1 })
  expect(await call("GET", "/Users?count=many")).toEqual(refused(400, "count: an integer", "invalidValue") as never)
})

test("a taken username, address or external id is refused with uniqueness, in any case, and nothing is created", async () => {
  const one = await created("taken", { externalId: "taken-1" })
  const { totalResults } = await found('userName eq "taken"')
  const emails = (value: string) => [{ value, primary: true }]

  for (const [request, detail] of [
    [{ userName: "Taken", emails: emails("x1@example.com") }, "Username already taken"],
    [{ userName: "free-1", emails: emails("TAKEN@example.com") }, "E-mail address already taken"],
    [{ userName: "free-2", emails: emails("x2@example.com"), externalId: "taken-1" }, "External id already taken"],
  ] as const)
    expect(await call("POST", "/Users", { schemas: [core], displayName: "X", ...request })).toEqual(
      refused(409, detail, "uniqueness") as never,
    )
  expect(totalResults).toBe(1)
  expect((await found('userName eq "free-1"')).totalResults).toBe(0)

  const other = await created("other")
  for (const operation of [
    { op: "replace", path: "externalId", value: "taken-1" },
    { op: "replace", value: { emails: emails("taken@example.com") } },
  ])
    expect((await patch(other.id, operation)).status).toBe(409)
  expect((await call("GET", `/Users/${one.id}`)).body).toEqual(one)
})

test("a superuser's address cannot be changed, because links for a new password go there", async () => {
  const chief = await created("chief")
  const admin = await server.admin()
  await admin.patch("/api/v1/users/chief", { dept: "management" })
  const elsewhere = [{ value: "attacker@example.com", type: "work", primary: true }]
  const kept = { status: 200, body: { displayName: "Chief", emails: [{ value: "chief@example.com" }] } }
  const operations = [{ op: "replace", value: { emails: elsewhere, displayName: "Chief" } }]
  expect(await patch(chief.id, ...operations)).toMatchObject(kept as never)
  const whole = { schemas: [core], userName: "chief", displayName: "Chief", emails: elsewhere }
  expect(await call("PUT", `/Users/${chief.id}`, whole)).toMatchObject(kept as never)
})

test("superusers and admin can be neither made nor moved", async () => {
  const boss = await created("boss", { [enterprise]: { department: "Management" } })
  expect(boss).toMatchObject({ [enterprise]: { department: "unassigned" } } as never)
  await patch(boss.id, { op: "Replace", path: `${enterprise}:department`, value: "management" })
  expect((await call("GET", `/Users/${boss.id}`)).body).toEqual(boss)

  const [admin] = (await found('userName eq "admin"')).Resources
  expect(
    await patch(admin?.id ?? "", { op: "Replace", path: `${enterprise}:department`, value: "sales" }),
  ).toMatchObject({
    status: 200,
    body: { [enterprise]: { department: "management" } },
  } as never)
  expect((await call("DELETE", `/Users/${admin?.id}`)).status).toBe(400)
})

describe("errors have SCIM's format", () => {
  const any = expect.any(String)
  test("for invalid requests", async () => {
    const { id } = await created("errors")
    const operation = (...given: unknown[]) => ({ schemas: [patchOp], Operations: given })
    const alternatives = Array(28).fill('(userName eq "a" or id eq "b")').join(" and ")
    const filtered = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}`
    for (const [method, path, body, status, type] of [
      ["GET", "/Users/0", undefined, 404, undefined],
      ["GET", "/Users/none", undefined, 404, undefined],
      ["GET", "/Groups", undefined, 404, undefined],
      ["POST", "/Schemas", {}, 405, undefined],
      ["GET", "/Users?filter=userName", undefined, 400, "invalidFilter"],
      ["GET", "/Users?filter=userName%20sw%20%22a%22", undefined, 400, "invalidFilter"],
      ["GET", "/Users?filter=active%20eq%20true", undefined, 400, "invalidFilter"],
      ["GET", filtered('emails[type eq "home" and value eq "a@b.c"]'), undefined, 400, "invalidFilter"],
      ["GET", filtered('emails[display eq "A" and value eq "a@b.c"]'), undefined, 400, "invalidFilter"],
      ["GET", `/Users?filter=${"(".repeat(2000)}`, undefined, 400, "invalidFilter"],
      ["GET", filtered('userName eq "a" or id eq "1"'), undefined, 400, "invalidFilter"],
      ["GET", filtered('userName eq "\\x"'), undefined, 400, "invalidFilter"],
      ["GET", filtered('userName eq "\\u00e"'), undefined, 400, "invalidFilter"],
      ["GET", filtered('userName eq "a\tb"'), undefined, 400, "invalidFilter"],
      ["GET", filtered('userName eq "a\\"'), undefined, 400, "invalidFilter"],
      ["GET", filtered('id eq "1" and userName eq #0'), undefined, 400, "invalidFilter"],
      ["GET", filtered(alternatives), undefined, 400, "invalidFilter"],
      ["GET", filtered(`userName eq "${"\\".repeat(980)}`), undefined, 400, "invalidFilter"],
      [
        "PATCH",
        `/Users/${id}`,
        operation({ op: "replace", path: `emails[${alternatives.slice(0, 900)}]`, value: {} }),
        400,
        "invalidPath",
      ],
      ["POST", "/Users", { schemas: [core] }, 400, "invalidValue"],
      ["POST", "/Users", { schemas: [core], userName: "no-address" }, 400, "invalidValue"],
      ["POST", "/Users", { schemas: [core], userName: 5 }, 400, "invalidValue"],
      ["POST", "/Users", [], 400, "invalidSyntax"],
      ["POST", "/Users", { schemas: [core], userName: "a/b", emails: [{ value: "a@b.c" }] }, 400, "invalidValue"],
      ["PATCH", `/Users/${id}`, {}, 400, "invalidSyntax"],
      ["PATCH", `/Users/${id}`, operation({ op: "copy", path: "active" }), 400, "invalidSyntax"],
      ["PATCH", `/Users/${id}`, operation({ op: "replace", path: "[nonsense", value: 1 }), 400, "invalidPath"],
      ["PATCH", `/Users/${id}`, operation({ op: "replace", path: "active", value: "maybe" }), 400, "invalidValue"],
      ["PATCH", `/Users/${id}`, operation(null), 400, "invalidSyntax"],
      ["PATCH", `/Users/${id}`, { Operations: [], schemas: [{}] }, 400, "invalidSyntax"],
      ["PATCH", `/Users/${id}`, operation(), 400, "invalidSyntax"],
      ["PATCH", `/Users/${id}`, { Operations: [] }, 400, "invalidSyntax"],
      ...([{}, "", patchOp, 5, [], [{}], [null], [core], [patchOp, 5]] as const).map(
        (schemas) =>
          ["PATCH", `/Users/${id}`, { ...operation({ op: "add", value: {} }), schemas }, 400, "invalidSyntax"] as const,
      ),
      ...([{}, "", core, 5, [], [{}], [null], [enterprise], [core, {}]] as const).flatMap((schemas) => [
        ["POST", "/Users", { schemas, userName: "s@example.com" }, 400, "invalidSyntax"] as const,
        ["PUT", `/Users/${id}`, { schemas, userName: "errors" }, 400, "invalidSyntax"] as const,
      ]),
      ["PATCH", `/Users/${id}`, operation({ op: "replace", path: "id", value: "5" }), 400, "mutability"],
      ["PATCH", `/Users/${id}`, operation({ op: "remove", path: "meta.location" }), 400, "mutability"],
      ["PATCH", "/Users/0", operation({ op: "replace", path: "active", value: false }), 404, undefined],
      [
        "PATCH",
        `/Users/${id}`,
        operation(...Array(201).fill({ op: "add", path: "active", value: true })),
        400,
        "invalidValue",
      ],
      [
        "POST",
        "/Users",
        { schemas: [core], userName: "b", emails: Array(21).fill({ value: "b@b.c" }) },
        400,
        "invalidValue",
      ],
      [
        "PATCH",
        `/Users/${id}`,
        operation(...Array(3).fill({ op: "add", path: "emails", value: Array(10).fill({ type: "home" }) })),
        400,
        "invalidValue",
      ],
      ["PATCH", `/Users/${id}`, operation({ op: "remove" }), 400, "noTarget"],
      ["PATCH", `/Users/${id}`, operation({ op: "add", path: "active" }), 400, "invalidValue"],
      ["PATCH", `/Users/${id}`, operation({ op: "add", path: 5, value: 1 }), 400, "invalidPath"],
      ["PATCH", `/Users/${id}`, operation({ op: "add", path: "name", value: "Ana" }), 400, "invalidValue"],
      ["PATCH", `/Users/${id}`, operation({ op: { toString: 1 }, path: "active" }), 400, "invalidSyntax"],
    ] as const)
      expect({ path, ...(await call(method, path, body)) }).toEqual({ path, ...refused(status, any, type) } as never)
  })

  test("for credentials, bodies and media types", async () => {
    const bruno = await server.person("Bruno")
    const admin = await server.admin()
    const own = (await admin.post<{ token: string }>("/api/v1/tokens", { name: "Script", scopes: ["give"] })).body
    const at = async (credentials: Readonly<Record<string, string>>, init: RequestInit = {}) => {
      const headers = { ...credentials, ...(init.headers as Record<string, string>) }
      const response = await fetch(`${server.url}/scim/v2/Users`, { ...init, headers })
      expect(response.headers.get("content-type")).toBe(scimType)
      return { status: response.status, body: await response.json() }
    }
    const directory = bearer(token)
    const json = { "content-type": "application/json" }

    for (const credentials of [{}, bearer("rwd_x"), bearer(bruno.accessToken), bearer(admin.accessToken)])
      expect(await at(credentials)).toEqual(refused(401, "Could not validate credentials"))
    expect(await at(bearer(own.token))).toEqual(refused(403, "This token may not do that"))
    expect(await at(directory, { method: "POST", body: "{", headers: json })).toMatchObject({
      status: 400,
      body: { scimType: "invalidSyntax" },
    })
    const plain = { "content-type": "text/plain" }
    expect((await at(directory, { method: "POST", body: "{}", headers: plain })).status).toBe(415)
    expect((await at(directory, { method: "POST", body: " ".repeat(70_000), headers: json })).status).toBe(413)
  })
})

test("the service describes itself", async () => {
  expect((await call("GET", "/ServiceProviderConfig")).body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true, maxResults: 200 },
    ...{ bulk: { supported: false }, sort: { supported: false }, etag: { supported: false } },
    changePassword: { supported: false },
  } as never)
  expect((await call<List>("GET", "/ResourceTypes")).body).toMatchObject({
    totalResults: 1,
    Resources: [{ id: "User", endpoint: "/Users", schema: core }],
  } as never)
  expect((await call<List>("GET", "/Schemas")).body.Resources.map(({ id }) => id)).toEqual([core, enterprise])
  const { id, attributes } = (await call<Schema>("GET", `/Schemas/${core}`)).body
  expect(id).toBe(core)
  expect(attributes.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    "userName",
    "displayName",
    "name",
    "emails",
    "active",
  ])
  const extension = (await call<Schema>("GET", `/Schemas/${enterprise.toUpperCase()}`)).body
  expect(extension.id).toBe(enterprise)
  expect(extension.attributes).toMatchObject([
    { name: "department" },
    {
      ...{ name: "manager", type: "complex", required: false, mutability: "readWrite" },
      subAttributes: [
        { name: "value", mutability: "readWrite" },
        { name: "$ref", mutability: "readWrite" },
        { name: "displayName", mutability: "readOnly" },
      ],
    },
  ] as never)
  expect((await call("GET", "/ResourceTypes/Group")).status).toBe(404)
  expect((await call("GET", "/Groups")).status).toBe(404)
})

interface Attribute {
  readonly name: string
  readonly type: string
  readonly multiValued: boolean
  readonly mutability: string
  readonly returned: string
  readonly canonicalValues?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

/** Each attribute of the schemas that the service publishes, with its path, such as `name.formatted`. */
async function declared() {
  const { Resources } = (await call<List>("GET", "/Schemas")).body
  const all = Resources as unknown as readonly { readonly id: string; readonly attributes: readonly Attribute[] }[]
  return all.flatMap(({ id, attributes }) =>
    attributes.flatMap((attribute) => {
      const path = id === core ? attribute.name : `${id}:${attribute.name}`
      const parts = attribute.subAttributes ?? []
      return [
        { path, attribute, isPart: false },
        ...parts.map((part) => ({ path: `${path}.${part.name}`, attribute: part, isPart: true })),
      ]
    }),
  )
}

/** What a resource has at a path; of a list, its first value. */
function valueAt(resource: object, path: string): unknown {
  const inExtension = path.startsWith(`${enterprise}:`)
  const names = (inExtension ? path.slice(enterprise.length + 1) : path).split(".")
  return [...(inExtension ? [enterprise] : []), ...names].reduce<unknown>((value, name) => {
    const one = Array.isArray(value) ? value[0] : value
    return (one as Readonly<Record<string, unknown>> | undefined)?.[name]
  }, resource)
}

test("what the schemas publish is how the service behaves: types, what is returned, and what can be changed", async () => {
  const boss = await created("schema.boss")
  const other = await created("schema.other")
  const whole = await created("schema.whole", {
    externalId: "schema-1",
    [enterprise]: { department: "Lab", manager: { $ref: `${server.url}/scim/v2/Users/${boss.id}` } },
  })
  const attributes = await declared()
  expect(attributes.length).toBeGreaterThan(13)

  const typeOf = (value: unknown) => (typeof value === "object" ? "complex" : typeof value)
  for (const { path, attribute } of attributes) {
    const value = valueAt(whole, path)
    const [one] = attribute.multiValued ? (value as readonly unknown[]) : [value]
    expect([path, Array.isArray(value), typeOf(one)]).toEqual([
      path,
      attribute.multiValued,
      attribute.type === "reference" ? "string" : attribute.type,
    ])
    if (attribute.canonicalValues) expect(attribute.canonicalValues).toContain(value as string)
    // Both in the answer to `attributes`, and not in the one to `excludedAttributes`.
    expect(attribute.returned).toBe("default")
    const selected = (await call("GET", `/Users/${whole.id}?attributes=${path}`)).body
    expect([path, valueAt(selected, path)]).toEqual([path, value])
    const without = (await call("GET", `/Users/${whole.id}?excludedAttributes=${path}`)).body
    expect([path, valueAt(without, path)]).toEqual([path, undefined])
  }
  // Nothing else is returned, but for what every resource has.
  const { [enterprise as never]: extension, ...ofCore } = whole as Resource & Readonly<Record<string, object>>
  const returned = [...Object.keys(ofCore), ...Object.keys(extension as object).map((name) => `${enterprise}:${name}`)]
  const common = ["schemas", "id", "externalId", "meta"]
  expect(returned.filter((name) => !common.includes(name)).toSorted()).toEqual(
    attributes.flatMap(({ path, isPart }) => (isPart ? [] : [path])).toSorted(),
  )

  const changes: Readonly<Record<string, unknown>> = {
    userName: "schema.renamed",
    displayName: "One",
    name: { formatted: "Two", familyName: "Two", givenName: "Two" },
    "name.formatted": "Three",
    emails: [{ value: "four@example.com", type: "work", primary: true }],
    "emails.value": "five@example.com",
    "emails.type": "work",
    "emails.primary": true,
    active: true,
    [`${enterprise}:department`]: "Six",
    [`${enterprise}:manager`]: {
      ...{ value: other.id, $ref: `${server.url}/scim/v2/Users/${other.id}`, displayName: "schema.other" },
    },
    [`${enterprise}:manager.value`]: boss.id,
    [`${enterprise}:manager.$ref`]: `${server.url}/scim/v2/Users/${other.id}`,
  }
  // Only the whole name is stored: its parts count when a directory states both and nothing else.
  const parts = ["name.familyName", "name.givenName"]
  for (const { path, attribute } of attributes) {
    for (const op of ["add", "replace"] as const) {
      const answer = await patch(whole.id, { op, path, value: changes[path] ?? "changed" })
      if (attribute.mutability === "readWrite") {
        expect([path, op, answer.status]).toEqual([path, op, 200])
        if (!parts.includes(path)) expect([path, valueAt(answer.body, path)]).toEqual([path, changes[path]])
      } else expect([path, op, answer]).toMatchObject([path, op, refused(400, expect.any(String), "mutability")])
    }
  }
})

test("changes are in the audit log under the name of the token's account", async () => {
  const { id } = await created("audited")
  await patch(id, { op: "replace", value: { active: false } })

  const entries = await server.app.store.audit.list({ user: "audited", limit: 5 })
  expect(entries.map(({ action, who, way }) => `${who} ${action} ${way}`)).toEqual([
    "admin user_created http",
    "admin user_deactivated http",
  ])
})
