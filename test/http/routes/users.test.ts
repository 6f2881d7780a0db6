import { expect, test } from "bun:test"
import { noSuchUser, ok, refused, unauthenticated } from "../../support/answers.ts"
import { type Person, startTestServer } from "../../support/server.ts"

const view = (person: Pick<Person, "name" | "username">, more: object = {}) => ({
  name: person.name,
  username: person.username,
  dept: "sales",
  avatar: null,
  bio: null,
  currency: "USD",
  ...more,
})
const admin = { name: "Admin", username: "admin", dept: "management" }
const dora = { name: "Dora Lima", email: "dora@example.com", dept: "sales", password: "Dora's password" }
const created = (body: unknown) => ({ status: 201, body })

test("GET /user/ shows all users to anybody, without balances, e-mail addresses and passwords", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const everybody = ok([view(admin, { dept: "management" }), view(ana)])

  for (const path of ["/user/", "/user", "/user/?show_balance=false", "/user/?colour=red"])
    for (const reader of [server.anybody, ana, await server.admin()]) expect(await reader.get(path)).toEqual(everybody)
})

test("GET /user/?show_balance=true shows balances to superusers; for anyone else it has no effect", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 25)
  const withBalances = ok([
    view(admin, { dept: "management", balance: -25 }),
    view(ana, { balance: 25 }),
    view(bruno, { balance: 0 }),
  ])
  const without = ok([view(admin, { dept: "management" }), view(ana), view(bruno)])

  expect(await (await server.admin()).get("/user/?show_balance=true")).toEqual(withBalances)
  expect(await (await server.withSession(await server.admin())).get("/user/?show_balance=1")).toEqual(withBalances)
  for (const reader of [ana, bruno, server.anybody])
    expect(await reader.get("/user/?show_balance=true")).toEqual(without)
})

test("GET /user/{username}/ shows one user, with the balance if a superuser or that user asks for it", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 25)

  for (const reader of [await server.admin(), ana, await server.withSession(ana)]) {
    expect(await reader.get("/user/ana/?show_balance=true")).toEqual(ok(view(ana, { balance: 25 })))
    expect(await reader.get("/user/ana/")).toEqual(ok(view(ana)))
  }
  for (const reader of [bruno, server.anybody])
    for (const path of ["/user/ana/", "/user/ana", "/user/ana/?show_balance=true"])
      expect(await reader.get(path)).toEqual(ok(view(ana)))
})

test("GET /user/{username}/ of an unknown user is 404 for everybody", async () => {
  await using server = await startTestServer()
  const unknown = ["nobody", "Admin", "admin%20", "a%2Fb", "%00", "constructor", "__proto__", "admin'--", "*"]

  for (const name of unknown)
    for (const reader of [server.anybody, await server.admin()])
      expect({ name, ...(await reader.get(`/user/${name}/?show_balance=true`)) }).toEqual({ name, ...noSuchUser })
})

test("a show_balance that is not a boolean is 422", async () => {
  await using server = await startTestServer()

  for (const path of ["/user/", "/user/admin/"])
    for (const value of ["", "banana", "2", "truefalse"])
      expect(await server.anybody.get(`${path}?show_balance=${value}`)).toEqual(
        refused(422, "show_balance: true or false (also 1, yes, on, 0, no, off)"),
      )
})

test("with ?fresh=true, a token that is not fresh shows no balance", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const { body } = await server.anybody.post<{ access_token: string }>("/refresh_token", {
    refresh_token: ana.refreshToken,
  })
  const renewed = { headers: { authorization: `Bearer ${body.access_token}` } }

  expect(await server.anybody.call("GET", "/user/ana/?show_balance=true&fresh=true", renewed)).toEqual(ok(view(ana)))
})

test("POST /user/ creates a user with the defaults of the contract, who can log in", async () => {
  await using server = await startTestServer()
  const shown = view({ name: "Dora Lima", username: "dora-lima" })

  expect(await (await server.admin()).post("/user/", dora)).toEqual(created(shown))

  expect(await server.anybody.get("/user/dora-lima/")).toEqual(ok(shown))
  const logged = await server.as({ username: "dora-lima", password: dora.password })
  expect(await logged.get("/user/dora-lima/?show_balance=true")).toEqual(ok({ ...shown, balance: 0 }))
})

test("POST /user/ takes every field of UserRequest", async () => {
  await using server = await startTestServer()
  const more = {
    username: "Dora!",
    currency: "BRL",
    avatar: "https://example.com/dora.png",
    bio: "Hello.\nI paint. 👩🏽‍💻",
  }

  expect(await (await server.admin()).post("/user", { ...dora, ...more })).toEqual(
    created({ name: "Dora Lima", dept: "sales", ...more }),
  )
})

test("a null username, avatar or bio counts as omitted", async () => {
  await using server = await startTestServer()

  expect(await (await server.admin()).post("/user/", { ...dora, username: null, avatar: null, bio: null })).toEqual(
    created(view({ name: "Dora Lima", username: "dora-lima" })),
  )
})

test("unknown fields are ignored and make nobody a superuser", async () => {
  await using server = await startTestServer()
  const body = `{"superuser":true,"balance":100,"id":1,"__proto__":{"dept":"management"},"constructor":1,${JSON.stringify(dora).slice(1)}`

  const answer = await (await server.admin()).call("POST", "/user/", {
    body,
    headers: { "content-type": "application/json" },
  })

  expect(answer).toEqual(created(view({ name: "Dora Lima", username: "dora-lima" })))
  expect(await (await server.admin()).get("/user/dora-lima/?show_balance=true")).toMatchObject({ body: { balance: 0 } })
})

test("a user created with department management is a superuser", async () => {
  await using server = await startTestServer()
  await (await server.admin()).post("/user/", { ...dora, dept: "management" })
  const logged = await server.as({ username: "dora-lima", password: dora.password })

  const second = { ...dora, name: "Eva", email: "eva@example.com" }
  expect(await logged.post("/user/", second)).toEqual(created(view({ name: "Eva", username: "eva" })))
})

test("a department that only looks like management does not make a superuser", async () => {
  await using server = await startTestServer()
  for (const [index, dept] of ["Management", " management", "management ", "managemеnt"].entries()) {
    const person = await server.person(`Person ${index}`.replace(" ", ""), { dept })
    expect(await person.post("/user/", dora)).toEqual(refused(403, "Not a super user"))
  }
})

test("a username in use, given or generated, is 409", async () => {
  await using server = await startTestServer()
  const manager = await server.admin()
  await server.person("Ana")
  await server.person("Zoé")
  const taken = refused(409, "Username already taken")

  for (const fields of [
    { name: "Ana" },
    { name: "  ANA " },
    { name: "Somebody Else", username: "ana" },
    { name: "Zoé".normalize("NFD") },
    { name: "x", username: "zoé".normalize("NFD") },
    { name: "x", username: "admin" },
    { name: "Ana", email: "ana@example.com" },
  ])
    expect(await manager.post("/user/", { ...dora, ...fields })).toEqual(taken)
})

test("an e-mail address in use, in any case, is 500 Database IntegrityError as JSON, and nobody is created", async () => {
  await using server = await startTestServer()
  const manager = await server.admin()
  await server.person("Ana")

  for (const email of ["ana@example.com", "ANA@Example.COM", "admin@localhost"])
    expect(await manager.post("/user/", { ...dora, email })).toEqual(refused(500, "Database IntegrityError"))
  expect(await server.anybody.get("/user/dora-lima/")).toEqual(noSuchUser)
})

test("one of 20 simultaneous creations of one user succeeds, and 19 report the name as taken", async () => {
  await using server = await startTestServer()
  const manager = await server.admin()

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => manager.post("/user/", { ...dora, email: `dora${n}@example.com` })),
  )

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
})

test("POST /user/ is for superusers: 401 without credentials, 403 for other users", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  expect(await server.anybody.post("/user/", dora)).toEqual(unauthenticated)
  expect(await ana.post("/user/", dora)).toEqual(refused(403, "Not a super user"))

  expect(await server.anybody.get("/user/dora-lima/")).toEqual(noSuchUser)
})

const generated: [name: string, username: string][] = [
  ["Ana  Maria Souza", "ana-maria-souza"],
  ["  Ana Souza ", "ana-souza"],
  ["ANA", "ana"],
  ["Ana\u00a0Souza", "ana-souza"],
  ["José Älgström", "josé-älgström"],
  ["José".normalize("NFD"), "josé"],
  ["O'Neil-Smith Jr.", "o'neil-smith-jr."],
  ["山田 太郎", "山田-太郎"],
  ["İrem", "i̇rem"],
]

for (const [name, username] of generated)
  test(`the username generated from ${JSON.stringify(name)} is ${username}`, async () => {
    await using server = await startTestServer()

    const answer = await (await server.admin()).post<{ username: string }>("/user/", { ...dora, name })

    expect(answer).toEqual(created({ ...view({ name, username: username.normalize("NFC") }) }) as typeof answer)
    expect((await server.anybody.get(`/user/${encodeURIComponent(username.normalize("NFD"))}/`)).status).toBe(200)
  })

const smile = "🙂"
const fits: object[] = [
  { username: "a" },
  { username: smile.repeat(64) },
  { username: "__proto__" },
  { username: "constructor" },
  { username: "..." },
  ...["me", "root", "System", "administrator"].map((username) => ({ username })),
  { username: "ana maria" },
  { username: "it's;ana=1&b+c@d" },
  { name: "x".repeat(100), username: "x" },
  { name: smile.repeat(100), username: "x" },
  { dept: "d".repeat(100) },
  { currency: "c" },
  { currency: "C".repeat(16) },
  { email: `${"e".repeat(242)}@example.com` },
  { email: "dora+tag.x_y'z!#$%&*/=?^`{|}~-@sub.example.com" },
  { email: "dora@localhost" },
  { email: "dóra@exämple.com" },
  { bio: "" },
  { bio: smile.repeat(2000) },
  { avatar: "http://localhost:1/a?b#c" },
  { avatar: `https://example.com/${"a".repeat(2048 - "https://example.com/".length)}` },
  { password: "x" },
  { password: "é".repeat(512) },
  { password: " \t" },
]

for (const fields of fits)
  test(`POST /user/ accepts ${shortened(fields)}; the user logs in and is found`, async () => {
    await using server = await startTestServer()
    const request = { ...dora, ...fields }
    const answer = await (await server.admin()).post<{ username: string }>("/user/", request)
    const { username } = answer.body

    const { password: _, email: _email, ...shown } = request
    expect(answer).toEqual(created(view({ name: dora.name, username }, shown)) as typeof answer)
    expect(await server.anybody.get(`/user/${encodeURIComponent(username)}/`)).toEqual(ok(answer.body))
    const { status } = await server.anybody.submit("/token", { username, password: request.password })
    expect(status).toBe(200)
  })

const lineOf = (field: string, max: number) => `${field}: 1 to ${max} visible characters on one line`
const noSuchName = "username: no invisible characters and none of / ? # % \\"
const reserved = "username: this name is reserved"
const plainAddress = "email: one plain address of at most 254 characters"
const address = "avatar: an http or https address of at most 2048 characters"
const bytes = "password: at most 1024 bytes of well-formed text"

const doesNotFit: [fields: object, detail: string][] = [
  [{ name: "" }, lineOf("name", 100)],
  [{ name: " \t " }, lineOf("name", 100)],
  [{ name: "x".repeat(101), username: "x" }, lineOf("name", 100)],
  [{ name: "a\nb" }, lineOf("name", 100)],
  [{ name: "a\0b" }, lineOf("name", 100)],
  [{ name: "\ud800" }, lineOf("name", 100)],
  [{ name: "x".repeat(65) }, "username: 1 to 64 characters"],
  [{ name: "a/b" }, noSuchName],
  [{ name: "WS" }, reserved],
  [{ dept: "" }, lineOf("dept", 100)],
  [{ dept: "d".repeat(101) }, lineOf("dept", 100)],
  [{ currency: "" }, lineOf("currency", 16)],
  [{ currency: "C".repeat(17) }, lineOf("currency", 16)],
  [{ username: "" }, "username: 1 to 64 characters"],
  [{ username: "  " }, "username: 1 to 64 characters"],
  [{ username: smile.repeat(65) }, "username: 1 to 64 characters"],
  ...["ws", "pwd_reset_token", ".", "..", "WS", "Pwd_Reset_Token", "ｗs"].map((username): [object, string] => [
    { username },
    reserved,
  ]),
  ...[..."/?#%\\\0\n\t\u007f\u0085\u200b\u200d\u200e\u202e\u2066\u2028\ufeff\u00ad"].map(
    (character): [object, string] => [{ username: `ana${character}x` }, noSuchName],
  ),
  ...[
    "",
    "dora",
    "@example.com",
    "dora@",
    "a@b@c",
    "a b@example.com",
    "a@b.c, evil@x.y",
    "a@b.c\r\nBcc: evil@x.y",
    "a@b.c\n",
    " a@b.c",
    "Dora <dora@example.com>",
    '"a b"@example.com',
    "a@example..com",
    "a@.com",
    "a@b.c\0",
    `${"e".repeat(243)}@example.com`,
  ].map((email): [object, string] => [{ email }, plainAddress]),
  ...[
    "",
    "x",
    "//example.com/a.png",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "ftp://example.com/a.png",
    "https://",
    "https://exa mple.com/",
    "https://example.com/a b",
    "https://example.com/\n",
    `https://example.com/${"a".repeat(2048)}`,
  ].map((avatar): [object, string] => [{ avatar }, address]),
  [{ bio: "b".repeat(2001) }, "bio: text of at most 2000 visible characters; line breaks are kept"],
  [{ bio: "a\0b" }, "bio: text of at most 2000 visible characters; line breaks are kept"],
  [{ password: "" }, "password: at least 1 character"],
  [{ password: "é".repeat(513) }, bytes],
  [{ password: "a\ud800" }, bytes],
]

test("an invalid field is 422, with the field and the rule but not the value; nobody is created", async () => {
  await using server = await startTestServer()
  const manager = await server.admin()

  for (const [fields, detail] of doesNotFit) {
    const shown = shortened(fields)
    expect({ shown, ...(await manager.post("/user/", { ...dora, ...fields })) }).toEqual({
      shown,
      ...refused(422, detail),
    })
  }
  expect((await server.anybody.get<unknown[]>("/user/")).body).toHaveLength(1)
})

test("a missing field or one of another type is 422, and its value is never repeated", async () => {
  await using server = await startTestServer()
  const manager = await server.admin()
  const marker = 918_273_645

  for (const field of ["name", "email", "dept", "password", "currency", "username", "avatar", "bio"])
    for (const value of [marker, [String(marker)], { a: marker }, true]) {
      const { status, body } = await manager.post<{ detail: string }>("/user/", { ...dora, [field]: value })
      expect({ field, status, named: body.detail.startsWith(`${field}: `) }).toEqual({
        field,
        status: 422,
        named: true,
      })
      expect(body.detail).not.toContain(String(marker))
    }
  for (const field of ["name", "email", "dept", "password"])
    for (const value of [undefined, null])
      expect((await manager.post("/user/", { ...dora, [field]: value })).status).toBe(422)
})

test("PATCH /user/{username}/ overwrites avatar and bio; an omitted field becomes null", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const avatar = "https://example.com/ana.png"
  const steps: [request: object, shown: object][] = [
    [
      { avatar, bio: "Hello" },
      { avatar, bio: "Hello" },
    ],
    [{ bio: "Only this" }, { avatar: null, bio: "Only this" }],
    [{ avatar }, { avatar, bio: null }],
    [
      { avatar: null, bio: "" },
      { avatar: null, bio: "" },
    ],
    [{}, { avatar: null, bio: null }],
  ]

  for (const [request, shown] of steps) {
    expect(await ana.patch("/user/ana/", request)).toEqual(ok(view(ana, shown)))
    expect(await server.anybody.get("/user/ana")).toEqual(ok(view(ana, shown)))
  }
})

test("PATCH changes avatar and bio only", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const request = {
    name: "X",
    dept: "management",
    currency: "X",
    username: "admin",
    password: "x",
    balance: 9,
    bio: "b",
  }

  expect(await ana.patch("/user/ana", request)).toEqual(ok(view(ana, { bio: "b" })))

  expect(await ana.post("/user/", dora)).toEqual(refused(403, "Not a super user"))
  expect((await server.anybody.submit("/token", { username: "ana", password: ana.password })).status).toBe(200)
})

test("PATCH is for the user and superusers; an unknown user is reported first", async () => {
  await using server = await startTestServer()
  const [ana, bruno, manager] = [await server.person("Ana"), await server.person("Bruno"), await server.admin()]

  expect(await manager.patch("/user/ana/", { bio: "by admin" })).toEqual(ok(view(ana, { bio: "by admin" })))
  expect(await bruno.patch("/user/ana/", { bio: "by Bruno" })).toEqual(
    refused(403, "You can only update your own profile"),
  )
  expect(await bruno.patch("/user/nobody/", {})).toEqual(noSuchUser)
  expect(await server.anybody.patch("/user/ana/", {})).toEqual(unauthenticated)
  expect(await server.anybody.get("/user/ana/")).toEqual(ok(view(ana, { bio: "by admin" })))
})

test("PATCH with an invalid avatar or bio is 422, and the profile is unchanged", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await ana.patch("/user/ana/", { bio: "before" })

  expect(await ana.patch("/user/ana/", { avatar: "javascript:alert(1)" })).toEqual(refused(422, address))
  expect(await ana.patch("/user/ana/", { bio: "b".repeat(2001) })).toEqual(
    refused(422, "bio: text of at most 2000 visible characters; line breaks are kept"),
  )
  expect((await ana.patch("/user/ana/", { bio: 5 })).status).toBe(422)
  expect(await server.anybody.get("/user/ana/")).toEqual(ok(view(ana, { bio: "before" })))
})

test("users cannot be deleted or replaced", async () => {
  await using server = await startTestServer()
  const manager = await server.admin()

  for (const method of ["DELETE", "PUT"])
    expect(await manager.call(method, "/user/admin/")).toEqual({
      ...refused(405, "Method Not Allowed"),
      headers: { allow: "HEAD, GET, PATCH" },
    })
})

function shortened(fields: object): string {
  const text = JSON.stringify(fields)
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length} characters)` : text
}
