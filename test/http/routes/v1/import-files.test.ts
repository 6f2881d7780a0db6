import { expect, test } from "bun:test"
import { ok, refused } from "../../../support/answers.ts"
import { operator } from "../../../support/app.ts"
import { startTestServer, type TestServer } from "../../../support/server.ts"

/** The files that spreadsheets, directories and personnel systems write, without an edit. */

async function importing(server: TestServer) {
  const admin = await server.admin()
  return (file: string, query: Record<string, string> = {}) =>
    admin.call("POST", `/api/v1/users/import?${new URLSearchParams(query)}`, {
      body: file,
      headers: { "content-type": "text/csv" },
    })
}

const peopleOf = async ({ app }: TestServer) => {
  const all = await app.store.users.list()
  const nameOf = new Map(all.map(({ id, name }) => [id, name]))
  return all
    .filter(({ username }) => username !== "admin")
    .map(({ name, email, dept, joined, managerId }) =>
      [name, email, dept, joined, managerId && nameOf.get(managerId)].map((part) => part ?? "").join("|"),
    )
}

interface System {
  readonly preset?: string
  readonly header: string
  readonly rows: readonly string[]
  readonly unknown: readonly string[]
  readonly people: readonly string[]
}

const ana = "Ana Souza|ana@example.com|Sales||"
const jörg = "Jörg Müller|joerg@example.com|Vertrieb|2024-03-01|"

const systems: Readonly<Record<string, System>> = {
  "BambooHR with an empty last column": {
    header: "First name,Last name,Work email,Department,Job title,Start date,Line manager,",
    rows: [
      "Ana,Souza,ana@example.com,Sales,Clerk,2024-03-01,Ben Costa,",
      "Ben,Costa,ben@example.com,Sales,Head of sales,2023-01-15,,",
    ],
    unknown: ["Job title"],
    people: ["Ana Souza|ana@example.com|Sales|2024-03-01|Ben Costa", "Ben Costa|ben@example.com|Sales|2023-01-15|"],
  },
  BambooHR: {
    preset: "bamboohr",
    header:
      'Employee #,"Last Name, First Name",Work Email,Home Email,Department,Hire Date,Reporting to,Status,Employment Status',
    rows: [
      '1,"Souza, Ana",ana@example.com,ana@home.example,Sales,01 Mar 2024,"Costa, Ben",Active,Full-Time',
      '2,"Costa, Ben",ben@example.com,,Sales,15 Jan 2023,,Active,Part-Time',
      '3,"Left, Lea",,,Sales,15 Jan 2020,"Costa, Ben",Inactive,Terminated',
    ],
    unknown: ["Employee #", "Home Email", "Employment Status"],
    people: ["Ana Souza|ana@example.com|Sales|2024-03-01|Ben Costa", "Ben Costa|ben@example.com|Sales|2023-01-15|"],
  },
  "BambooHR in German": {
    preset: "bamboohr",
    header: "Vorname;Nachname;Geschäftliche E-Mail;Abteilung;Stellenbezeichnung;Einstellungsdatum;Vorgesetzter;Status",
    rows: ["Jörg;Müller;joerg@example.com;Vertrieb;Leitung;01.03.2024;;Aktiv"],
    unknown: ["Stellenbezeichnung"],
    people: [jörg],
  },
  "a list in German with one column for names": {
    header: 'E-Mail;"Name, Vorname";Abt.;Eintritt',
    rows: ["joerg@example.com;Müller, Jörg;Vertrieb;01.03.2024"],
    unknown: [],
    people: [jörg],
  },
  "a list in French with one column for names": {
    header: "Courriel;Nom Prénom;Service;Date d’entrée",
    rows: ["joerg@example.com;Müller, Jörg;Vertrieb;1er mars 2024"],
    unknown: [],
    people: [jörg],
  },
  "Personio in German": {
    header: "Vorname,Nachname,E-Mail,Abteilung,Position,Einstellungsdatum",
    rows: ["Jörg,Müller,joerg@example.com,Vertrieb,Leitung,01.03.2024"],
    unknown: ["Position"],
    people: [jörg],
  },
  "Personio in German with all columns": {
    preset: "personio",
    header:
      "ID;Nachname;Vorname;E-Mail;Status;Team;Abteilung;Einstellungsdatum;Geburtsdatum;Vorgesetzte(r);Vertragsende",
    rows: [
      "1;Müller;Jörg;joerg@example.com;Aktiv;Nord;Vertrieb;1.3.2024;14.05.1990;;",
      "2;Weg;Wim;wim@example.com;Inaktiv;Nord;Vertrieb;1.3.2020;;Jörg Müller;31.12.2021",
    ],
    unknown: ["ID", "Team", "Vertragsende"],
    people: [jörg],
  },
  Personio: {
    preset: "personio",
    header: "First name,Last name,Email,Status,Department,Hire date,Supervisor,Position",
    rows: [
      "Ana,Souza,ana@example.com,Active,Sales,2024-03-01,Ben Costa,Clerk",
      "Ben,Costa,ben@example.com,Onboarding,Sales,2023-01-15,,Head",
    ],
    unknown: ["Position"],
    people: ["Ana Souza|ana@example.com|Sales|2024-03-01|Ben Costa", "Ben Costa|ben@example.com|Sales|2023-01-15|"],
  },
  Entra: {
    header: "displayName,userPrincipalName,mail,department,jobTitle,accountEnabled",
    rows: ["Ana Souza,ana@corp.example,ana@example.com,Sales,Clerk,True", "Old,old@corp.example,,,,False"],
    unknown: ["userPrincipalName", "jobTitle"],
    people: [ana],
  },
  "Entra, whose addresses are the log-ins": {
    preset: "entra",
    header: "userPrincipalName,displayName,surname,givenName,department,accountEnabled,createdDateTime",
    rows: ["ana@example.com,Ana Souza,Souza,Ana,Sales,TRUE,2024-03-01T10:00:00Z"],
    unknown: ["createdDateTime"],
    people: [ana],
  },
  "Entra's template": {
    preset: "entra",
    header:
      "Name [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required," +
      "Block sign in (Yes/No) [accountEnabled] Required,First name [givenName],Last name [surname],Department [department]",
    rows: ["Ana Souza,ana@example.com,,No,Ana,Souza,Sales", "Old,old@example.com,,Yes,,,"],
    unknown: ["Initial password [passwordProfile] Required"],
    people: [ana],
  },
  "Microsoft 365": {
    preset: "microsoft365",
    header: "Block credential,Department,Display name,First name,Last name,Licenses,User principal name,When created",
    rows: [
      "False,Sales,Ana Souza,Ana,Souza,E3,ana@example.com,2024-03-01",
      "True,Sales,Old One,Old,One,,old@example.com,",
    ],
    unknown: ["Licenses", "When created"],
    people: [ana],
  },
  "Microsoft 365 in German": {
    preset: "microsoft365",
    header: "Anmeldeinformationen blockieren;Abteilung;Anzeigename;Vorname;Nachname;Benutzerprinzipalname;Lizenzen",
    rows: ["Falsch;Vertrieb;Jörg Müller;Jörg;Müller;joerg@example.com;E3"],
    unknown: ["Lizenzen"],
    people: ["Jörg Müller|joerg@example.com|Vertrieb||"],
  },
  "Microsoft 365's template": {
    preset: "microsoft365",
    header: "Username,First name,Last name,Display name,Job title,Department",
    rows: ["ana@example.com,Ana,Souza,Ana Souza,Clerk,Sales"],
    unknown: ["Job title"],
    people: [ana],
  },
  "Google Workspace": {
    preset: "google",
    header:
      "First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Org Unit Path [Required]," +
      "Status [READ ONLY],Recovery Email,Manager Email,Department,Recovery Phone [MUST BE IN THE E.164 FORMAT]",
    rows: [
      "Ana,Souza,ana@example.com,****,/,Active,a@home.example,ben@example.com,Sales,",
      "Ben,Costa,ben@example.com,****,/,Active,,,Sales,",
      "Old,One,old@example.com,****,/,Suspended,,,Sales,",
    ],
    unknown: [
      "Password [Required]",
      "Org Unit Path [Required]",
      "Recovery Email",
      "Recovery Phone [MUST BE IN THE E.164 FORMAT]",
    ],
    people: ["Ana Souza|ana@example.com|Sales||Ben Costa", "Ben Costa|ben@example.com|Sales||"],
  },
  "Google Workspace in German": {
    preset: "google",
    header:
      "Vorname [Erforderlich],Nachname [Erforderlich],E-Mail-Adresse [Erforderlich],Abteilung,Status [SCHREIBGESCHÜTZT]",
    rows: ["Jörg,Müller,joerg@example.com,Vertrieb,Aktiv"],
    unknown: [],
    people: ["Jörg Müller|joerg@example.com|Vertrieb||"],
  },
  Okta: {
    preset: "okta",
    header: "login,firstName,lastName,email,title,displayName,department,manager,status,employeeNumber",
    rows: [
      "ana@corp.example,Ana,Souza,ana@example.com,,,Sales,Ben Costa,ACTIVE,1",
      "ben@corp.example,Ben,Costa,ben@example.com,,,Sales,,PASSWORD_EXPIRED,2",
      "old@corp.example,Old,One,old@example.com,,,Sales,,DEPROVISIONED,3",
    ],
    unknown: ["login", "title", "employeeNumber"],
    people: ["Ana Souza|ana@example.com|Sales||Ben Costa", "Ben Costa|ben@example.com|Sales||"],
  },
  "Okta without a preset": {
    header: "user.login,user.firstName,user.lastName,user.email,user.department",
    rows: ["ana@corp.example,Ana,Souza,ana@example.com,Sales"],
    unknown: ["user.login"],
    people: [ana],
  },
  HiBob: {
    preset: "hibob",
    header:
      "Display name,First name,Last name,Email,Department,Start date,Reports to,Reports to email,Lifecycle status,Site",
    rows: [
      "Ana Souza,Ana,Souza,ana@example.com,Sales,03/25/2024,Ben Costa,ben@example.com,Employed,Lisbon",
      "Ben Costa,Ben,Costa,ben@example.com,Sales,01/02/2023,,,Hired,Lisbon",
      "Old One,Old,One,old@example.com,Sales,01/02/2020,,,Terminated,Lisbon",
    ],
    unknown: ["Reports to", "Site"],
    people: ["Ana Souza|ana@example.com|Sales|2024-03-25|Ben Costa", "Ben Costa|ben@example.com|Sales|2023-01-02|"],
  },
  "HiBob by the paths of its fields": {
    header: "root.firstName,root.surname,root.email,work.department,work.startDate,work.title",
    rows: ["Ana,Souza,ana@example.com,Sales,2024-03-01,Clerk"],
    unknown: ["work.title"],
    people: ["Ana Souza|ana@example.com|Sales|2024-03-01|"],
  },
  "HiBob in German": {
    preset: "hibob",
    header: "Anzeigename;E-Mail;Abteilung;Startdatum;Berichtet an;Titel",
    rows: ["Jörg Müller;joerg@example.com;Vertrieb;1. März 2024;;Leitung"],
    unknown: ["Titel"],
    people: [jörg],
  },
  Slack: {
    preset: "slack",
    header: "username,email,status,billing-active,fullname,displayname,dept",
    rows: ["ana,ana@example.com,Member,1,Ana Souza,Ana,Sales", "old,old@example.com,Deactivated,0,Old One,Old,Sales"],
    unknown: ["billing-active", "displayname"],
    people: ["Ana Souza|ana@example.com|Sales||"],
  },
  "a German list": {
    header: "Name;Vorname;E-Mail;Bereich",
    rows: ["Müller;Jörg;joerg@example.com;Vertrieb", "Anna Berg;Anna;anna@example.com;Vertrieb"],
    unknown: [],
    people: ["Jörg Müller|joerg@example.com|Vertrieb||", "Anna Berg|anna@example.com|Vertrieb||"],
  },
  "a Spanish list": {
    header: "Nombre;Apellidos;Correo electrónico;Departamento",
    rows: ["Ana;Souza Lima;ana@example.com;Ventas"],
    unknown: [],
    people: ["Ana Souza Lima|ana@example.com|Ventas||"],
  },
  "a list with a title above": {
    header: "All staff,,\n\nFirst name,Last name,Email,Department",
    rows: ["Ana,Souza,ana@example.com,Sales"],
    unknown: [],
    people: [ana],
  },
  "a list with an empty column of the same name": {
    header: "Email,Name,Email,Dept",
    rows: [",Ana Souza,ana@example.com,Sales"],
    unknown: [],
    people: [ana],
  },
}

for (const [name, { preset, header, rows, unknown, people }] of Object.entries(systems))
  test(`the file of ${name} is imported, once its unknown columns are ignored`, async () => {
    await using server = await startTestServer()
    const imports = await importing(server)
    const file = `${[header, ...rows].join("\r\n")}\r\n`
    const query = { ...(preset !== undefined && { preset }) }

    const checked = await imports(file, { ...query, dry_run: "1" })
    expect(checked).toMatchObject({ status: 200, body: { unknown } })
    const { faults } = checked.body as { faults: { column: string; rows: number[] }[] }
    expect(faults.map(({ column }) => column)).toEqual([...unknown])

    const ignoring = { ...query, ignore_unknown: "true" }
    expect(await imports(file, ignoring)).toMatchObject({ body: { created: people.length } })
    expect(await peopleOf(server)).toEqual([...people])
    expect(await imports(file, ignoring)).toMatchObject({
      body: { created: 0, updated: 0, unchanged: people.length },
    })
  })

test("columns say what headers mean, and what is left out; they win over the preset", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  const file = "Who,Address,Squad,Shoe size\nAna Souza,ana@example.com,Sales,38\n"
  const columns = JSON.stringify({ Who: "name", Address: "email", Squad: "dept", "Shoe size": null })

  expect(await imports(file, { columns, dry_run: "1" })).toMatchObject({
    body: {
      created: 1,
      unknown: [],
      columns: [{ means: "name" }, { means: "email" }, { means: "dept" }, { means: null }],
    },
  })
  expect(await imports(file, { columns, preset: "personio" })).toMatchObject({ body: { created: 1 } })
  expect(await peopleOf(server)).toEqual(["Ana Souza|ana@example.com|Sales||"])

  const rule = "a JSON object of headers, each with null or one of username"
  for (const wrong of ["{", "[]", "null", '{"Who": "soul"}', '{"Who": 1}'])
    expect(await imports(file, { columns: wrong })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(`columns: ${rule}`) },
    })
  expect(await imports(file, { columns: '{"Whom": "name"}' })).toMatchObject(
    refused(422, 'columns: the file has no column "Whom"'),
  )
  expect(await imports(file, { preset: "sap" })).toMatchObject(
    refused(422, "preset: one of microsoft365, entra, google, okta, bamboohr, personio, hibob, slack"),
  )
  expect(await imports(file, { dates: "ymd" })).toMatchObject(refused(422, "dates: one of dmy, mdy"))
})

test("what somebody is called, and where they sit, follows the address when the file has no usernames", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  await imports("Vorname;Nachname;E-Mail;Abteilung\nJörg;Müller;joerg@example.com;Vertrieb\n")

  expect(await imports("Vorname;Nachname;E-Mail;Abteilung\nJörg;Berg;JOERG@example.com;Einkauf\n")).toMatchObject({
    body: { created: 0, updated: 1 },
  })
  const [, user] = await server.app.store.users.list()
  expect(user).toMatchObject({ username: "jörg-müller", name: "Jörg Berg", dept: "Einkauf" })
})

test("slashed dates are read as the file shows them; where it does not, one fault for the column asks", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  const rows = (days: readonly string[]) =>
    `name,email,dept,joined\n${days.map((day, at) => `P${at},p${at}@example.com,Sales,${day}`).join("\n")}\n`
  const unclear = Array.from({ length: 12 }, (_, month) => `4/${month + 1}/2020`)
  const detail = "joined: it can begin with the day or the month; say which with dates, dmy or mdy"

  expect(await imports(rows(unclear), { dry_run: "1" })).toMatchObject({
    body: { dates: "unclear", faults: [{ column: "joined", detail, rows: [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13] }] },
  })
  expect(await imports(rows(unclear))).toMatchObject(refused(422, `rows 2, 3, 4, 6, 7 and 6 more, ${detail}`))
  expect(await imports(rows(["4/1/2020", "4/13/2020"]), { dry_run: "1" })).toMatchObject({
    body: { dates: "mdy", created: 2 },
  })
  expect(await imports(rows(["4/1/2020", "13/4/2020"]), { dry_run: "1" })).toMatchObject({
    body: { dates: "dmy", created: 2 },
  })
  expect(await imports(rows(["4/1/2020", "13/4/2020", "4/13/2020"]), { dry_run: "1" })).toMatchObject({
    body: { dates: "unclear", faults: [{ detail, rows: [2] }] },
  })
  expect(await imports(rows(unclear), { dates: "mdy" })).toMatchObject({ body: { created: 12 } })
  expect((await peopleOf(server)).slice(0, 2)).toEqual([
    "P0|p0@example.com|Sales|2020-04-01|",
    "P1|p1@example.com|Sales|2020-04-02|",
  ])
  expect(await imports(rows(["13/4/2020"]), { dates: "mdy" })).toMatchObject(
    refused(422, "row 2, joined: a day such as 2026-12-31"),
  )
})

test("managers are found by a name that one person has", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  await imports(
    "name,username,email,dept\nBen Costa,ben,ben@example.com,x\nEva Lee,eva,eva@example.com,x\nEva Lee,eva2,eva2@example.com,x\n",
  )
  const withManager = (...managers: string[]) =>
    `name,email,dept,manager\n${managers.map((who, at) => `P${at},p${at}@example.com,x,"${who}"`).join("\n")}\n`

  const several = "manager: several people have this name; give the username or e-mail address"
  const nobody = "manager: nobody has this username, e-mail address or name"
  expect(await imports(withManager("Eva Lee", "Lee, Eva", "Nobody", "Ben  Costa"))).toMatchObject(
    refused(422, `rows 2, 3, ${several}; row 4, ${nobody}`),
  )
  await imports("username,active\neva2,no\n")
  expect(await imports(withManager("Ben Costa", "Costa, Ben", "Ben  Costa", "Eva Lee", "P0"))).toMatchObject({
    body: { created: 5 },
  })
  const managers = (await peopleOf(server)).slice(3).map((one) => one.split("|").at(-1))
  expect(managers).toEqual(["Ben Costa", "Ben Costa", "Ben Costa", "Eva Lee", "P0"])
})

test("a status deactivates who is here and passes over who never was; a word that nobody knows is one fault", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  await server.person("Ana")
  const file = (word: string) =>
    `name,email,dept,Status\nAna,ana@example.com,sales,${word}\nOld,old@example.com,sales,${word}\n`

  expect(await imports(file("Perhaps"))).toMatchObject(
    refused(
      422,
      "rows 2, 3, active: yes or no, or a word such as Active or Terminated; change these cells, or leave the column out",
    ),
  )
  expect(await imports(file("Terminated"), { dry_run: "1" })).toMatchObject({
    body: { created: 0, updated: 1, left_out: 1, deactivated: [{ username: "ana" }], faults: [] },
  })
  expect(await imports(file("Terminated"))).toMatchObject({ body: { created: 0, updated: 1 } })
  expect(await imports(file("Inactive"))).toMatchObject({ body: { unchanged: 1 } })
  expect(await imports(file("Active (parental leave)"))).toMatchObject({ body: { created: 1, updated: 1 } })
  expect(await imports(file("Terminated - voluntary"))).toMatchObject({ body: { updated: 2 } })
  expect(await imports(file("In Elternzeit"))).toMatchObject({ body: { updated: 2 } })
  expect(await imports(file("Not active"))).toMatchObject({ body: { updated: 2 } })
  expect(await imports(file("Leave of absence"))).toMatchObject({ body: { updated: 2 } })
  expect(await imports("username,Suspended\nana,TRUE\n")).toMatchObject({
    body: { deactivated: [{ username: "ana" }] },
  })
})

test("a manager whom the file lists among those who left is named as one of them", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  const rows = ["Eva Lee,eva@example.com,x,,Terminated", "Ben Costa,ben@example.com,x,Eva Lee,Active"]
  expect(await imports(`name,email,dept,manager,status\n${rows.join("\n")}\n`)).toMatchObject(
    refused(422, "row 3, manager: this person has left"),
  )
  const here = ["Eva Lee,eva2@example.com,x,,Active", "Eva Costa,eva@example.com,x,eva2@example.com,Active"]
  expect(await imports(`name,email,dept,manager,status\n${[...rows, ...here].join("\n")}\n`)).toMatchObject({
    body: { created: 3 },
  })
})

test("a former username is named with its owner, once, for a row and for a manager", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  await server.person("Ana")
  const { email } = await server.app.access.toUser("ana")
  for (const [from, to] of [
    ["ana", "former"],
    ["former", "ana-costa"],
  ] as const)
    await server.app.users.correct(operator, await server.app.access.toUser(from), { username: to })
  const former = "had this one until less than a year ago; give theirs, or another"
  expect(await imports(`username,name,email,dept\nformer,Ana,${email},sales\n`)).toMatchObject(
    refused(422, `row 2, username: ana-costa ${former}`),
  )
  expect(await imports("name,email,dept,manager\nBen,ben@example.com,sales,former\n")).toMatchObject(
    refused(422, "row 2, manager: ana-costa had this username before; give the present one"),
  )
})

test("blanks around usernames and names say nothing, unless somebody has them", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  await server.person("Ana")
  const padded = { name: " Eva ", email: "eva@example.com", dept: "sales", username: " eva " }
  await server.app.users.createWithoutPassword(operator, padded)
  const rows = ["ana ,Ana ,,", "\u00A0ben, Ben Costa\u00A0,ben@example.com,sales", " eva , Eva ,,"]
  expect(await imports(`username,name,email,dept\n${rows.join("\n")}\n`)).toMatchObject({
    body: { created: 1, updated: 0, unchanged: 2 },
  })
  expect(await server.app.access.toUser("ben")).toMatchObject({ name: "Ben Costa" })
  expect(await server.app.access.toUser(" eva ")).toMatchObject({ name: " Eva " })
})

test("a letter that another program lost is a fault", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  const lost = "name: letters were lost before this file was written (\uFFFD); export it again, as “CSV UTF-8”"
  expect(await imports("name,email,dept\nJ\uFFFDrg,j@example.com,x\n")).toMatchObject(
    refused(422, expect.stringContaining(lost)),
  )
})

test("a formula that failed is a fault, and what only looks like one is none", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  const file = (...depts: string[]) =>
    `name,email,dept\n${depts.map((dept, at) => `P${at},p${at}@example.com,${dept}`).join("\n")}\n`
  expect(await imports(file("#N/A", "#NV", "#REF!", "#¡VALOR!", "#NAME?", "#DIV/0!"))).toMatchObject(
    refused(
      422,
      "rows 2, 3, 4, 5, 6 and 1 more, dept: a formula failed in the spreadsheet; mend it, or empty the cell",
    ),
  )
  expect(await imports(file("#TEAM", "#1", "N/A"))).toMatchObject({ body: { created: 3 } })
})

test("people of the same name, and two columns of the same name, are refused with what to do in the file", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  const namesakes = ["Eva Lee,eva@example.com,x", "Eva Lee,eva2@example.com,x"]
  const what = "made from the same name; add a column username, with another one here"
  expect(await imports(`name,email,dept\n${namesakes.join("\n")}\n`)).toMatchObject(
    refused(422, `row 3, username: the same as in row 2, ${what}`),
  )
  expect(await imports(`name,email,dept\n${[...namesakes, ...namesakes].join("\n")}\n`)).toMatchObject(
    refused(
      422,
      `rows 3, 4, 5, username: the same as in an earlier row, ${what}; ` +
        "rows 4, 5, email: the same as in an earlier row",
    ),
  )
  expect(await imports("name,email,dept\nEva / Lee,eva@example.com,x\n")).toMatchObject(
    refused(422, "row 2, username: none can be made from this name; add a column username, with one here"),
  )
  expect(await imports("name,email,email,dept\nEva,eva@example.com,eva@example.com,x\n")).toMatchObject(
    refused(422, 'row 1, columns 2, "email", and 3, "email": both mean email; delete one of them in the file'),
  )
})

test("a column that nobody knows is one fault, beside those of the rows", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)

  const file = "name,email,dept,Shoe,Shoe\nAna,x,sales,38,38\nBen,y,sales,,\n"
  expect(await imports(file, { dry_run: "1" })).toMatchObject({
    body: {
      unknown: ["Shoe"],
      faults: [
        {
          column: "Shoe",
          is_unknown: true,
          rows: [1],
          detail: 'column 4, "Shoe": not known; say what it means, or leave it out',
        },
        { column: "email", is_unknown: false, rows: [2, 3] },
      ],
    },
  })
})

test("what new people need and no column says is one fault; nobody else needs it", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  await server.person("Ana")

  expect(await imports("username,First name,Email\nben,Ben,ben@example.com\ncleo,Cleo,c@example.com\n")).toMatchObject(
    refused(422, "rows 2, 3, dept: new people need this, and no column says it"),
  )
  expect(await imports("username,active\nana,yes\n")).toMatchObject({ body: { unchanged: 1 } })
})

test("the same fault in many rows is one sentence, and a repeated cell names no single row", async () => {
  await using server = await startTestServer()
  const imports = await importing(server)
  const rows = Array.from({ length: 9 }, (_, at) => `P${at},p@example.com,`)

  expect(await imports(["name,email,dept", ...rows].join("\n"))).toMatchObject(
    refused(
      422,
      "rows 2, 3, 4, 5, 6 and 4 more, dept: 1 to 100 visible characters on one line; " +
        "rows 3, 4, 5, 6, 7 and 3 more, email: the same as in an earlier row",
    ),
  )
  expect(await imports("name,email,dept\n", { dry_run: "1" })).toMatchObject(ok({ created: 0, faults: [] }))
})
