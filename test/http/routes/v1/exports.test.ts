import { expect, test } from "bun:test"
import { parse } from "csv-parse/sync"
import type { ExportedTransaction } from "../../../../src/domain/exports/exports.ts"
import { noSuchUser, nothingImported, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { operator, passwordOf } from "../../../support/app.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

const bom = "\uFEFF"

/** The bytes as they come: `text` would take the BOM away. */
const downloaded = async (caller: Pick<Person, "request">, path: string) => {
  const response = await caller.request("GET", path)
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, lines: text.split("\r\n") }
}

test("a transaction file opens in a spreadsheet: byte order mark, column names, numbers as numbers", async () => {
  await using server = await startTestServer()
  const [admin, zoe] = [await server.admin(), await server.person("Zoé")]
  await admin.post("/transaction/zoé/", { value: 25 })
  await zoe.post("/transaction/admin/", { value: 5 })

  const { status, headers, lines } = await downloaded(admin, "/api/v1/transactions.csv")

  expect(status).toBe(200)
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present")
  expect(headers.get("content-disposition")).toBe('attachment; filename="transactions-2026-01-05.csv"')
  expect(headers.get("x-request-id")).not.toBeNull()
  expect(lines).toEqual([
    `${bom}id,date,time_zone,kind,from_user,from_name,from_dept,user,name,dept,value,reason,tags,group,reference,adds_to`,
    "1,2026-01-05 09:00:00,UTC,transfer,admin,Admin,management,zoé,Zoé,sales,25,,,,,",
    "2,2026-01-05 09:00:00,UTC,transfer,zoé,Zoé,sales,admin,Admin,management,5,,,,,",
    "",
  ])
})

test("superusers get all transactions, others their own; user, from_user and username filter", async () => {
  await using server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 30)
  await server.grant(bruno, 40)
  await ana.post("/transaction/bruno/", { value: 7 })
  const values = async (caller: Person, query: string) =>
    (await downloaded(caller, `/api/v1/transactions.csv${query}`)).lines.slice(1, -1).map((line) => line.split(",")[10])

  expect(await values(admin, "")).toEqual(["30", "40", "7"])
  expect(await values(ana, "")).toEqual(["30", "7"])
  expect(await values(ana, "?username=ana")).toEqual(["30", "7"])
  expect(await values(ana, "?user=bruno")).toEqual(["7"])
  expect(await values(ana, "?from_user=admin&user=bruno")).toEqual([])
  expect(await values(admin, "?username=bruno")).toEqual(["40", "7"])
  expect(await values(admin, "?username=bruno&from_user=admin")).toEqual(["40"])
  expect(await values(admin, "?from_user=nobody")).toEqual([])
  expect(await values(admin, "?kind=grant")).toEqual([])
  expect(await values(admin, "?from=2026-01-05&to=2026-01-05")).toEqual(["30", "40", "7"])
  expect(await values(admin, "?from=2026-01-06")).toEqual([])
  expect(await ana.get("/api/v1/transactions.csv?to=2026-02-30")).toMatchObject({ status: 422 })
  expect(await bruno.get("/api/v1/transactions.csv?username=ana")).toEqual(
    refused(403, "You can only see your own transactions"),
  )
  expect(await bruno.get("/api/v1/transactions.csv?username=nobody")).toEqual(noSuchUser)
})

test("a transfer at midnight belongs to the day that begins then", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await server.grant(ana, 30)
  server.clock.advance(15 * 3_600_000) // from nine in the morning
  await server.grant(ana, 50)
  const admin = await server.admin()
  const datesOf = async (query: string) =>
    (await downloaded(admin, `/api/v1/transactions.csv${query}`)).lines.slice(1, -1).map((line) => line.split(",")[1])

  expect(await datesOf("?from=2026-01-06")).toEqual(["2026-01-06 00:00:00"])
  expect(await datesOf("?to=2026-01-05")).toEqual(["2026-01-05 09:00:00"])
})

test("reasons and tags are exported; only sender and receiver get a private reason", async () => {
  await using server = await startTestServer({ settings: { "recognition.tags": "team" } })
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 30)
  await ana.post("/transaction/bruno/", { value: 7, reason: "=For the fair", tags: ["team"] })
  await ana.post("/transaction/bruno/", { value: 8, reason: "Just us", private: true, tags: ["team"] })
  const said = async (caller: Person) =>
    (await downloaded(caller, "/api/v1/transactions.csv")).lines
      .slice(-3, -1)
      .map((line) => line.split(",").slice(10, 13).join())

  expect(await said(admin)).toEqual(["7,'=For the fair,team", "8,,team"])
  expect(await said(ana)).toEqual(["7,'=For the fair,team", "8,Just us,team"])
  expect(await said(bruno)).toEqual(["7,'=For the fair,team", "8,Just us,team"])

  const kept = async (caller: Person, query: string) =>
    (await downloaded(caller, `/api/v1/transactions.csv?${query}`)).lines.length - 2
  expect(await kept(admin, "tag=team")).toBe(2)
  expect(await kept(admin, "q=FAIR")).toBe(1)
  expect(await kept(ana, "q=just")).toBe(1)
  expect(await kept(admin, "q=just")).toBe(0)
})

const hostile = [
  { username: "eq", name: "=1+1", bio: "@SUM(A1:A9)" },
  { username: "plus", name: "+55 11", bio: "Cells:\n;=1+1;\r\n'=2+2" },
  { username: "minus", name: "-5", bio: "\n=3+3" },
  { username: "quote", name: 'The "quoted", one', bio: "Two\r\nlines; and more" },
  { username: "mark", name: "'=1+1", bio: "''@x" },
  { username: "wide", name: "＝1+1", bio: "'just an apostrophe" },
  { username: "other", name: "Zoe;=1+1;", bio: 'a;"=1+1";b,@c,-d' },
  { username: "a;=1+1;b", name: "In a username", bio: ";'=4+4" },
]

test("no text from users becomes a formula, and an import restores the exported text", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  for (const { username, name, bio } of hostile) {
    const email = `${/\w+/.exec(username)}@example.com`
    await server.app.users.create(operator, { username, name, bio, email, dept: "=dept", password: passwordOf(name) })
  }
  await server.grant({ username: "eq" }, 3)

  const { lines } = await downloaded(admin, "/api/v1/users.csv")
  expect(lines.slice(0, 3)).toEqual([
    `${bom}username,name,email,dept,currency,avatar,bio,birthday,joined,manager,active,balance`,
    "admin,Admin,admin@localhost,management,USD,,,,,,yes,-3",
    "eq,'=1+1,eq@example.com,'=dept,USD,,'@SUM(A1:A9),,,,yes,3",
  ])

  const again = (file: string) =>
    admin.call("POST", "/api/v1/users/import", { body: file, headers: { "content-type": "text/csv" } })
  expect(await again(lines.join("\r\n"))).toEqual(ok({ ...nothingImported, unchanged: 9 }))

  await using other = await startTestServer()
  const there = await other.admin()
  await there.call("POST", "/api/v1/users/import", {
    body: lines.join("\r\n"),
    headers: { "content-type": "text/csv" },
  })
  const users = await other.app.store.users.list()
  expect(users.slice(1).map(({ username, name, bio }) => ({ username, name, bio }))).toEqual(hostile)
})

test.each([",", ";"])(
  "no cell is a formula for any separator that a spreadsheet assumes, in a file with %s",
  async (separator) => {
    await using server = await startTestServer()
    const admin = await server.admin()
    for (const [index, { username, name, bio }] of hostile.entries()) {
      const email = `${index}@example.com`
      await server.app.users.create(operator, { username, name, bio, email, dept: 'a"=1', password: passwordOf(name) })
      await admin.post(`/transaction/${encodeURIComponent(username)}/`, { value: 1, reason: bio })
    }

    for (const path of ["users", "transactions"]) {
      const { lines } = await downloaded(admin, `/api/v1/${path}.csv?separator=${encodeURIComponent(separator)}`)
      for (const delimiter of [",", ";", "\t"]) {
        const rows: string[][] = parse(lines.join("\r\n"), { delimiter, relax_quotes: true, relax_column_count: true })
        // Balances are numbers.
        const formulas = rows.flat().filter((cell) => /^[=+\-@＝＋－＠]/.test(cell.trim()) && !/^-?\d+$/.test(cell))
        expect(formulas).toEqual([])
      }
    }
  },
)

test("cells can be separated by semicolons, for languages with a decimal comma; an import accepts that too", async () => {
  await using server = await startTestServer()
  const [admin, zoe] = [await server.admin(), await server.person("Zoé")]
  await server.grant(zoe, 25)

  const { lines } = await downloaded(zoe, "/api/v1/transactions.csv?separator=;")
  expect(lines).toEqual([
    `${bom}id;date;time_zone;kind;from_user;from_name;from_dept;user;name;dept;value;reason;tags;group;reference;adds_to`,
    "1;2026-01-05 09:00:00;UTC;transfer;admin;Admin;management;zoé;Zoé;sales;25;;;;;",
    "",
  ])
  const users = await downloaded(admin, "/api/v1/users.csv?separator=%3B")
  expect(users.lines[0]).toBe(
    `${bom}username;name;email;dept;currency;avatar;bio;birthday;joined;manager;active;balance`,
  )
  const sent = { body: users.lines.join("\r\n"), headers: { "content-type": "text/csv" } }
  expect(await admin.call("POST", "/api/v1/users/import", sent)).toEqual(ok({ ...nothingImported, unchanged: 2 }))
  for (const path of ["/api/v1/users.csv?separator=|", "/api/v1/transactions.csv?separator=;;"])
    expect(await admin.get(path)).toEqual(
      refused(422, "separator: a comma, the default, or a semicolon between the cells"),
    )
})

test("only superusers can download all users", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  expect(await ana.get("/api/v1/users.csv")).toEqual(refused(403, "Not a super user"))
  expect(await server.anybody.get("/api/v1/users.csv")).toEqual(unauthenticated)
  expect(await server.anybody.get("/api/v1/transactions.csv")).toEqual(unauthenticated)
})

test("with the duty insights files hold what it is for: no words about requests, and no days that others do not see", async () => {
  await using server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]
  const days = { birthday: "03-14", joined: "2020-02-29" }
  await admin.patch("/api/v1/users/bruno", days)
  await admin.post("/api/v1/rewards", { name: "Mug", cost: 5 })
  await server.grant(ana, 5)
  await ana.post("/api/v1/transactions", { to: "bruno", value: 5 })
  await bruno.post("/api/v1/rewards/1/redemptions", { comment: "Lindenweg 1" })
  const [redemption] = (await admin.get<{ items: { id: number }[] }>("/api/v1/redemptions")).body.items
  await admin.post(`/api/v1/redemptions/${redemption?.id}/fulfilment`, { answer: "Sent to Lindenweg 1" })
  const files = async (...duties: string[]) => {
    await admin.patch("/api/v1/users/ana", { duties })
    const [redemptions, users] = [
      (await ana.get("/api/v1/redemptions.csv")).body,
      (await ana.get("/api/v1/users.csv")).body,
    ]
    return JSON.stringify([redemptions, users])
  }
  const seen = (text: string) => ["Lindenweg", "Mug", "03-14", "2020-02-29"].map((word) => text.includes(word))

  expect(seen(await files("insights"))).toEqual([false, true, false, true])
  await bruno.patch("/api/v1/me", { celebrates: false })
  expect(seen(await files("insights"))).toEqual([false, true, false, false])
  await bruno.patch("/api/v1/me", { celebrates: true })
  expect(seen(await files("insights"))).toEqual([false, true, true, true])
  await bruno.patch("/api/v1/me", { celebrates: false })
  expect(seen(await files("insights", "people"))).toEqual([false, true, true, true])
  expect(seen(await files("insights", "rewards"))).toEqual([true, true, false, false])
})

test("exporting more than one's own data leaves an entry in the audit log", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]

  await downloaded(ana, "/api/v1/transactions.csv")
  await downloaded(admin, "/api/v1/transactions.csv?username=ana")
  await downloaded(admin, "/api/v1/transactions.csv")
  await downloaded(admin, "/api/v1/users.csv")

  const entries = await server.app.store.audit.list({ action: "exported", limit: 10 })
  expect(entries.map(({ who, whom, detail }) => [who, whom, detail])).toEqual([
    ["admin", "ana", "transactions"],
    ["admin", null, "transactions"],
    ["admin", null, "users"],
  ])
})

test("an export is read only as fast as the client reads, and stops if the client disconnects", async () => {
  const most = 4000
  let read = 0
  const ended = Promise.withResolvers<void>()
  async function* slices(): AsyncGenerator<ExportedTransaction[], void> {
    const name = "x".repeat(64)
    const ids = { id: 1, senderId: 1, receiverId: 2, senderUsername: name, receiverUsername: name }
    const people = { sender: { name, dept: "sales" }, receiver: { name, dept: "sales" } }
    const row = {
      ...ids,
      ...people,
      kind: "transfer" as const,
      value: 1,
      date: 0,
      group: null,
      addsTo: null,
      reference: null,
    }
    try {
      for (; read < most; read += 1) yield Array<ExportedTransaction>(500).fill(row)
    } finally {
      ended.resolve()
    }
  }
  await using server = await startTestServer({
    replace: ({ exports }) => ({ exports: { ...exports, transactions: async () => slices() } }),
  })
  const client = new AbortController()
  const { credentials } = await server.admin()
  const response = await fetch(`${server.url}/api/v1/transactions.csv`, { headers: credentials, signal: client.signal })
  expect(response.status).toBe(200)

  for (let before = -1; before !== read; await Bun.sleep(100)) before = read
  expect(read).toBeLessThan(most / 4)

  client.abort()
  await ended.promise
  expect(read).toBeLessThan(most / 4)
})

const files = ["/api/v1/users.csv", "/api/v1/transactions.csv", "/api/v1/users.csv/"]
const listed = "https://app.example.com"

test("a download can be started from a page of this site, the address bar or a program", async () => {
  await using server = await startTestServer({ settings: { "cors.origins": listed } })
  const admin = await server.withSession(await server.admin())

  for (const path of files)
    for (const headers of [
      {},
      { "sec-fetch-site": "same-origin", "sec-fetch-dest": "document" },
      { "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" },
      { "sec-fetch-site": "none", "sec-fetch-dest": "document" },
      { "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty", origin: listed },
    ] as Record<string, string>[]) {
      const response = await admin.request("GET", path, { headers })
      expect(response.status).toBe(200)
      await response.arrayBuffer() // one user may run only two downloads at once
    }
})

test("another site's picture, frame or page cannot start a download, and none is recorded", async () => {
  await using server = await startTestServer({ settings: { "cors.origins": listed } })
  const admin = await server.withSession(await server.admin())
  const recorded = async () => (await server.app.store.audit.list({ limit: 100 })).length
  const before = await recorded()
  const download = refused(403, "This file is for download only")
  const foreign = refused(403, "Requests from other sites are not accepted")

  for (const path of files) {
    for (const destination of ["image", "iframe", "frame", "embed", "object", "script", "style", "video", "report", ""])
      expect(
        await admin.call("GET", path, {
          headers: { "sec-fetch-site": "same-origin", "sec-fetch-dest": destination },
        }),
      ).toEqual(download)
    for (const headers of [
      { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" },
      { "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty", origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[])
      expect(await admin.call("GET", path, { headers })).toEqual(foreign)
  }
  expect(await recorded()).toBe(before)
})

test("one user can run two downloads at once, all users sixteen; the end of a download frees its slot", async () => {
  const { promise: rest, resolve: finish } = Promise.withResolvers<void>()
  const held = async function* () {
    yield []
    await rest
  }
  await using server = await startTestServer({
    replace: ({ exports }) => ({ exports: { ...exports, transactions: async () => held() } }),
  })
  const people = await Promise.all(Array.from({ length: 9 }, (_, index) => server.person(`Person${index}`)))
  const [first, last] = [people[0], people.at(-1)]
  if (!first || !last) throw new Error("nobody is there")
  const path = "/api/v1/transactions.csv"
  const begin = async (person: Person) => {
    const abort = new AbortController()
    const response = await fetch(server.url + path, { headers: person.credentials, signal: abort.signal })
    return { response, abort }
  }

  const downloads = []
  for (const person of people.slice(0, 8)) downloads.push(await begin(person), await begin(person))
  expect(downloads.map(({ response }) => response.status)).toEqual(downloads.map(() => 200))
  const own = refused(429, "Your other downloads are still running; try again when one of them is done")
  expect(await first.get(path)).toEqual({ ...own, headers: { "retry-after": "5" } })
  expect(await last.get(path)).toEqual({
    ...refused(503, "The server is overloaded; try again in a moment"),
    headers: { "retry-after": "5" },
  })

  downloads[0]?.abort.abort()
  const untilTaken = async (person: Person) => {
    for (;;) {
      const { response, abort } = await begin(person)
      if (response.status === 200) return abort.abort()
      await Bun.sleep(5)
    }
  }
  await untilTaken(last)
  await untilTaken(first)
  finish()
  for (const { response } of downloads.slice(1)) await response.text()
  for (const method of ["HEAD", "HEAD", "HEAD", "GET", "GET", "GET"])
    expect((await first.request(method, path)).status).toBe(200)
})

test("a download that cannot start takes no slot", async () => {
  await using server = await startTestServer({
    replace: ({ exports }) => ({ exports: { ...exports, users: () => Promise.reject(new Error("a bug")) } }),
  })
  const admin = await server.admin()

  for (let count = 0; count < 3; count += 1) expect((await admin.request("GET", "/api/v1/users.csv")).status).toBe(500)
})
