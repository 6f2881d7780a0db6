import { expect, test } from "bun:test"
import { maxImportBytes } from "../../../../src/domain/people/imports.ts"
import { nothingImported, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

const path = "/api/v1/users/import"

/** Calls with this file as the body. */
async function superuserOf(server: TestServer) {
  const admin = await server.admin()
  return (file: string | Uint8Array<ArrayBuffer>, query = "") =>
    admin.call("POST", path + query, { body: file, headers: { "content-type": "text/csv; charset=utf-8" } })
}

const usersOf = async ({ app }: TestServer) =>
  (await app.store.users.list()).map(({ username, name, email, dept, currency, avatar, bio }) =>
    [username, name, email, dept, currency, avatar, bio].join("|"),
  )

test("people are created and changed by their usernames, and blank cells change nothing", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const imports = await superuserOf(server)

  const file = `username,name,email,dept,currency,bio
ana,,,support,,Likes tea
,Bruno Lima,bruno@example.com,sales,EUR,"Two
lines, and a ""quote"""
`
  expect(await imports(file)).toEqual(ok({ ...nothingImported, created: 1, updated: 1, new_departments: ["support"] }))
  expect(await imports(file)).toEqual(ok({ ...nothingImported, unchanged: 2 }))

  expect((await usersOf(server)).slice(1)).toEqual([
    "ana|Ana|ana@example.com|support|USD||Likes tea",
    'bruno-lima|Bruno Lima|bruno@example.com|sales|EUR||Two\nlines, and a "quote"',
  ])
})

test("birthdays and first days are imported under their usual names; blank cells and what people said stay", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await ana.patch("/api/v1/me", { birthday: "05-14", celebrates: true })
  const imports = await superuserOf(server)
  const daysOf = async () =>
    (await server.app.store.users.list())
      .slice(1)
      .map(({ birthday, joined, celebrates }) => [birthday, joined, celebrates])

  const file = "username,name,email,dept,Geburtstag,Hire date\nana,,,,,2024-02-29\n,Bruno,bruno@example.com,hr,02-29,\n"
  expect(await imports(file)).toMatchObject({ body: { created: 1, updated: 1 } })
  expect(await imports(file)).toMatchObject({ body: { unchanged: 2 } })
  expect(await daysOf()).toEqual([
    ["05-14", "2024-02-29", true],
    ["02-29", null, null],
  ])

  expect(await imports("username,birthday,joined\nana,1990-05-32,\nbruno,,30.2.2026\n")).toMatchObject(
    refused(422, "row 2, birthday: a day of the year, MM-DD; row 3, joined: a day such as 2026-12-31"),
  )
})

test("a dry run shows the counts and changes nothing", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const imports = await superuserOf(server)
  const before = await usersOf(server)

  const file = "name,email,dept\nAna,ana@example.com,support\nBruno,bruno@example.com,sales\n"
  expect(await imports(file, "?dry_run=true")).toEqual(
    ok({
      ...{ ...nothingImported, created: 1, updated: 1, new_departments: ["support"] },
      ...{ encoding: "UTF-8", separator: ",", dates: null, unknown: [], left_out: 0, faults: [] },
      columns: [
        { header: "name", means: "name", examples: ["Ana", "Bruno"] },
        { header: "email", means: "email", examples: ["ana@example.com", "bruno@example.com"] },
        { header: "dept", means: "dept", examples: ["support", "sales"] },
      ],
    }),
  )

  expect(await usersOf(server)).toEqual(before)
})

test("every invalid row is reported with row and column, and nothing is done", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const imports = await superuserOf(server)
  const before = await usersOf(server)
  const file = `username,name,email,dept
carla,Carla,carla@example.com,sales

,,nobody@example.com,sales
davi,Davi,not an address,
eva,Eva,ANA@example.com,sales
carla,Carla Dias,carla@example.com,sales,too much
Carla,Carla,CARLA@example.com,sales
admin,,,sales
carla,Carla,other@example.com,sales
`
  const errors = [
    { row: 4, column: "username", detail: "username: 1 to 64 characters" },
    { row: 4, column: "name", detail: "name: 1 to 100 visible characters on one line" },
    { row: 5, column: "email", detail: "email: one plain address of at most 254 characters" },
    { row: 5, column: "dept", detail: "dept: 1 to 100 visible characters on one line" },
    { row: 6, column: "email", detail: "email: somebody else has this address" },
    { row: 7, column: null, detail: "more cells than the header has columns" },
    { row: 8, column: "email", detail: "email: the same as in row 2" },
    { row: 9, column: "dept", detail: "dept: admin stays in management" },
    { row: 10, column: "username", detail: "username: the same as in row 2" },
  ]

  const faults = errors.map(({ row, ...fault }) => ({ ...fault, code: "invalid", rows: [row] }))
  expect(await imports(file, "?dry_run=true")).toMatchObject(
    ok({ ...nothingImported, created: 1, errors: errors.map((error) => ({ ...error, code: "invalid" })), faults }),
  )
  expect(await imports(file)).toEqual(refused(422, errors.map(({ row, detail }) => `row ${row}, ${detail}`).join("; ")))

  expect(await usersOf(server)).toEqual(before)
})

const noHeader = "row 1, the header must name the columns, with username, name, or first and last name among them"
const cure = "leave out what nobody knows with ignore_unknown=true, or say with columns what it means"

for (const [what, file, detail] of [
  ["no rows at all", "", noHeader],
  ["no names of columns", "Ana,ana@example.com\n", noHeader],
  [
    "passwords",
    "name,Password\nAna,secret\n",
    'row 1, column 2, "Password": passwords are not imported; invite new users instead',
  ],
  ["a column twice", "name,NAME\n", 'row 1, columns 1, "name", and 2, "NAME": both mean name; leave one of them out'],
  [
    "two names of one column",
    "Mail,Name, E-Mail-Adresse \n",
    'row 1, columns 1, "Mail", and 3, "E-Mail-Adresse": both mean email; leave one of them out',
  ],
  ["an unknown column", "Name,Position\n", `unknown column "Position": ${cure}`],
  ["unknown columns", "Team lead,Shoe,Name,Hat\n", `unknown columns "Shoe", "Hat": ${cure}`],
  ["an unknown column that nobody can read", "name,pi\u202eta\n", `unknown column "?": ${cure}`],
  ["a column of a long name", `name,${"x".repeat(50)}\n`, `unknown column "${"x".repeat(40)}…": ${cure}`],
  [
    "a column without a name",
    "name,,dept\nAna,?,sales",
    `unknown column "column 2": ${cure}; row 2, email: new people need this, and no column says it`,
  ],
  ["too many columns", `name${",x".repeat(256)}\n`, `unknown column "x": ${cure}; row 1, at most 256 columns`],
  ["nobody's column", "email,dept\n", noHeader],
  ["an open quote", 'name,email\n"Ana,ana@example.com\n', "row 2: a quote is never closed"],
  [
    "a quote within",
    'name,email\nA"na,ana@example.com\n',
    "row 2: a quote inside a cell must be doubled, and the cell quoted",
  ],
] as const)
  test(`a file with ${what} is refused`, async () => {
    await using server = await startTestServer()
    const imports = await superuserOf(server)

    expect(await imports(file)).toEqual(refused(422, detail))
  })

test("a row without username whose name matches a user changes that user only if the e-mail address matches too", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const imports = await superuserOf(server)
  const detail = "row 2, username: the one made from this name is taken; give another, or theirs"

  expect(await imports("name,email,dept\nAna,ana.second@example.com,sales\n")).toEqual(refused(422, detail))
  expect(await imports("name,dept\nAna,support\n")).toEqual(refused(422, detail))
  expect(await imports("name,email,dept\nAna,ANA@example.com,support\n")).toEqual(
    ok({ ...nothingImported, updated: 1, new_departments: ["support"] }),
  )
})

test("spreadsheet files are accepted: byte order mark, semicolons, CRLF, blank lines, padded column names", async () => {
  await using server = await startTestServer()
  const imports = await superuserOf(server)

  expect(
    await imports('\uFEFFName; E-Mail ;Dept\r\n"Zoé; the second";zoe@example.com;Vendas, São Paulo\r\n\r\n'),
  ).toEqual(ok({ ...nothingImported, created: 1, new_departments: ["Vendas, São Paulo"] }))

  expect((await usersOf(server)).at(-1)).toBe("zoé;-the-second|Zoé; the second|zoe@example.com|Vendas, São Paulo|USD||")
})

for (const header of [
  "Username,Full name,E-mail address,Department,Active",
  "Nome de usuário,Nome completo,E-mail,Departamento,Ativo",
  "Usuario,Nombre y apellidos,Correo electrónico,Área,Activo",
  "Benutzername,Name,E-Mail-Adresse,Abteilung,Aktiv",
  "Nom d'utilisateur,NOM COMPLET,Adresse e-mail,Département,Actif",
])
  test(`the columns are known by the names that people use: ${header}`, async () => {
    await using server = await startTestServer()
    const imports = await superuserOf(server)
    const yes = header.startsWith("Nome") ? "Sim" : header.startsWith("Usuario") ? "Sí" : "yes"

    expect(await imports(`${header}\nzoe,Zoé Lima,zoe@example.com,sales,${yes}\n`)).toEqual(
      ok({ ...nothingImported, created: 1, new_departments: ["sales"] }),
    )
    expect((await usersOf(server)).at(-1)).toBe("zoe|Zoé Lima|zoe@example.com|sales|USD||")
  })

test("an import changes no password, ends no session, and takes effect at the next request", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const imports = await superuserOf(server)

  await imports("username,dept,email,name\nana,management,ana.souza@example.com,Ana Souza\n")

  expect(await ana.get("/user/?show_balance=true")).toMatchObject({ body: [{ balance: 0 }, { balance: 0 }] })
  await ana.post("/transaction/admin/", { value: 1 })
  expect(await server.app.store.ledger.after(0, 1)).toMatchObject([{ senderName: "Ana Souza" }])
  expect((await server.as(ana)).accessToken).not.toBe("")
})

test("new users have no password; with invite they get a mail with a link to set one, valid for a week", async () => {
  await using server = await startTestServer()
  const imports = await superuserOf(server)
  await imports("name,email,dept\nAna,ana@example.com,sales\n")
  await imports("name,email,dept\nAna,ana@example.com,support\nBruno,bruno@example.com,sales\n", "?invite=true")

  server.clock.advance(3000)
  server.app.worker.wake()
  while (server.mails.length < 1) await Bun.sleep(1)
  const [mail] = server.mails
  expect(server.mails).toHaveLength(1)
  expect(mail).toMatchObject({ to: "bruno@example.com", subject: "Your account at Rewards" })
  expect(mail?.text).toStartWith(
    "Hello Bruno,\n\nYou now have an account at Rewards. Admin has invited you. Your user name is bruno.\n",
  )
  expect(mail?.text).toContain("The link expires in 7 days.")

  const token = /pwd_reset_token=(\S+)/.exec(mail?.text ?? "")?.[1]
  server.clock.advance(7 * 24 * 3_600_000 - 10_000)
  const chosen = { password: "a secret", password_confirm: "a secret" }
  for (const status of [200, 403])
    expect((await server.anybody.post(`/user/bruno/password/?pwd_reset_token=${token}`, chosen)).status).toBe(status)
  expect((await server.anybody.submit("/token", { username: "bruno", password: "a secret" })).status).toBe(200)
})

test("a corrected e-mail address ends only the earlier links and refresh tokens", async () => {
  await using server = await startTestServer()
  const imports = await superuserOf(server)
  const ana = await server.person("Ana")
  const bruno = await server.person("Bruno")
  const session = await server.withSession(ana)
  const resetTokens = [await server.resetToken(ana), await server.resetToken(bruno)]
  const invited = await server.app.tokens.signInvitation(await server.app.access.toUser("ana"))

  const file = "username,name,email\nana,Ana,ana.souza@example.com\nbruno,Bruno B,bruno@example.com\n"
  expect(await imports(file)).toEqual(ok({ ...nothingImported, updated: 2 }))

  const change = (username: string, token = "") =>
    server.anybody.post(`/user/${username}/password/?pwd_reset_token=${token}`, {
      password: "stolen",
      password_confirm: "stolen",
    })
  const notAllowed = refused(403, "You are not allowed to change this user's password")
  for (const token of [resetTokens[0], invited]) expect(await change("ana", token)).toEqual(notAllowed)
  expect(await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).toEqual(unauthenticated)
  for (const caller of [session, ana]) expect((await caller.get("/api/v1/me")).status).toBe(200)

  expect((await server.anybody.post("/refresh_token", { refresh_token: bruno.refreshToken })).status).toBe(200)
  expect((await change("bruno", resetTokens[1])).status).toBe(200)
  expect((await change("ana", await server.resetToken({ email: "ana.souza@example.com" }))).status).toBe(200)
})

test("the audit log names the importer, the created users, and changed departments and profiles", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const imports = await superuserOf(server)

  await imports("username,name,email,dept,bio\nana,,,support,Tea\nbruno,Bruno,bruno@example.com,sales,\n")

  const entries = await server.app.store.audit.list({ limit: 4 })
  expect(entries.map(({ who, action, whom, detail }) => [who, action, whom, detail])).toEqual([
    ["admin", "users_imported", null, "1 created, 1 updated, 0 unchanged"],
    ["admin", "user_created", "bruno", "sales"],
    ["admin", "profile_changed", "ana", "bio"],
    ["admin", "dept_changed", "ana", "sales -> support"],
  ])
})

test("10,000 people are imported in one commit", async () => {
  await using server = await startTestServer()
  const imports = await superuserOf(server)
  const lines = Array.from({ length: 10_000 }, (_, n) => `Person ${n},person${n}@example.com,dept ${n % 50}`)
  const file = ["name,email,dept", ...lines].join("\n")

  expect(await imports(file)).toEqual(
    ok({ ...nothingImported, created: 10_000, new_departments: Array.from({ length: 50 }, (_, n) => `dept ${n}`) }),
  )
  expect(await imports(file)).toEqual(ok({ ...nothingImported, unchanged: 10_000 }))
  expect(await imports(["name,email,dept", ...lines, ...lines, "x,x@example.com,x"].join("\n"))).toEqual(
    refused(422, "row 20002, at most 20000 rows below the header"),
  )
}, 120_000)

test("a file larger than the limit, or of another type, is refused", async () => {
  await using server = await startTestServer()
  const [imports, admin] = [await superuserOf(server), await server.admin()]

  expect(await imports("x".repeat(maxImportBytes + 1))).toEqual(refused(413, "The body is too large"))
  expect(await admin.call("POST", path, { body: "name\n", headers: { "content-type": "text/plain" } })).toEqual(
    refused(415, "This Content-Type is not accepted here"),
  )
})

test("only superusers can import; others are refused before the file is read", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const sent = { body: "?", headers: { "content-type": "text/plain" } }

  expect(await server.anybody.call("POST", path, sent)).toEqual(unauthenticated)
  expect(await ana.call("POST", path, sent)).toEqual(refused(403, "Not a super user"))
})

test("departments in a file take the existing spelling, the same in every row, ignoring white space around them", async () => {
  await using server = await startTestServer()
  await server.person("Ana", { dept: "sales" })
  const imports = await superuserOf(server)
  const file = `name,email,dept
Ana,ana@example.com,Sales
Bruno,bruno@example.com,SALES
Carla, carla@example.com ,Ops 
Dora,dora@example.com,ops
Eva,eva@example.com,Management
`
  expect(await imports(file)).toEqual(
    ok({ ...nothingImported, created: 4, unchanged: 1, new_departments: ["Ops", "Management"] }),
  )
  const people = await server.app.store.users.list()
  expect(people.map(({ dept }) => dept)).toEqual(["management", "sales", "sales", "Ops", "Ops", "Management"])
})

test("the column active deactivates and reactivates people, and invalid changes are refused", async () => {
  await using server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  const imports = (file: string) =>
    admin.call("POST", "/api/v1/users/import", { body: file, headers: { "content-type": "text/csv" } })

  expect(await imports("username,active\nana,NO\nbruno,yes\n")).toEqual(
    ok({ ...nothingImported, updated: 1, unchanged: 1, deactivated: [{ username: "ana", name: "Ana" }] }),
  )
  expect(await ana.get("/api/v1/me")).toMatchObject({ status: 401 })
  expect(await bruno.get("/api/v1/me")).toMatchObject({ status: 200 })
  expect(await admin.get("/api/v1/users/ana")).toMatchObject({ body: { active: false } })
  expect(await server.app.store.audit.list({ user: "ana", action: "user_deactivated", limit: 5 })).toHaveLength(1)

  const wrong = "username,name,email,dept,active\nadmin,,,,no\nbruno,,,,perhaps\n,Dora,dora@example.com,sales,no\n"
  expect(await imports(wrong)).toEqual(
    refused(
      422,
      "row 2, active: admin stays active; row 3, active: yes or no, or a word such as Active or Terminated; change these cells, or leave the column out; row 4, active: a new account is active; leave the row out",
    ),
  )
  expect(await imports("username,active\nana,true\n")).toMatchObject({
    body: { updated: 1, deactivated: [], reactivated: [{ username: "ana", name: "Ana" }] },
  })
  expect(await (await server.as(ana)).get("/api/v1/me")).toMatchObject({ status: 200 })
})
