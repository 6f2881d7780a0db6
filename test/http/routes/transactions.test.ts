import { expect, test } from "bun:test"
import { noSuchUser, ok, refused, unauthenticated } from "../../support/answers.ts"
import { startOfTests } from "../../support/app.ts"
import { type Person, startTestServer, type TestServer } from "../../support/server.ts"

const added = { status: 201, body: { message: "Transaction added" } }
const insufficient = refused(400, "Insufficient balance")
const largest = Number.MAX_SAFE_INTEGER

test("points move from the authenticated user to the user in the path", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 30)

  expect(await ana.post("/transaction/bruno/", { value: 12 })).toEqual(added)

  expect(await balances(server, ana, bruno)).toEqual([18, 12])
  expect(await bruno.get("/transaction/")).toEqual(
    ok({
      items: [{ id: 2, value: 12, date: startOfTests, user: "bruno", from_user: "ana", user_id: 3, from_id: 2 }],
      total: 1,
      page: 1,
      size: 50,
    }),
  )
})

test("a superuser can send any amount, even into a negative balance", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]

  expect(await admin.post("/transaction/ana/", { value: largest })).toEqual(added)

  expect(await balances(server, admin, ana)).toEqual([-largest, largest])
})

test("a regular user cannot send more than the balance; nothing is recorded", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)

  expect(await ana.post("/transaction/bruno/", { value: 11 })).toEqual(insufficient)

  expect(await balances(server, ana, bruno)).toEqual([10, 0])
  expect(await bruno.get("/transaction/")).toEqual(ok({ items: [], total: 0, page: 1, size: 50 }))
})

test("a regular user can send the whole balance, and not one point more", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)

  expect(await ana.post("/transaction/bruno/", { value: 10 })).toEqual(added)
  expect(await ana.post("/transaction/bruno/", { value: 1 })).toEqual(insufficient)

  expect(await balances(server, ana, bruno)).toEqual([0, 10])
})

test("a user without a balance row cannot send anything", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  expect(await ana.post("/transaction/admin/", { value: 1 })).toEqual(insufficient)
})

test("of 20 simultaneous transfers, only as many are recorded as the balance covers", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 50)

  const answers = await Promise.all(Array.from({ length: 20 }, () => ana.post("/transaction/bruno/", { value: 10 })))

  expect(answers.filter(({ status }) => status === 201)).toEqual(Array(5).fill(added))
  expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(15).fill(insufficient))
  expect(await balances(server, ana, bruno)).toEqual([0, 50])
})

test("a transfer to oneself is recorded, leaves the balance unchanged and must be covered", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await server.grant(ana, 10)

  expect(await ana.post("/transaction/ana/", { value: 10 })).toEqual(added)
  expect(await ana.post("/transaction/ana/", { value: 11 })).toEqual(insufficient)

  expect(await balances(server, ana)).toEqual([10])
  expect(await ana.get("/transaction/?from_user=ana")).toEqual(
    ok({
      items: [{ id: 2, value: 10, date: startOfTests, user: "ana", from_user: "ana", user_id: 2, from_id: 2 }],
      total: 1,
      page: 1,
      size: 50,
    }),
  )
})

test("a transfer that would push a balance beyond 2^53-1 is refused; nothing is recorded", async () => {
  await using server = await startTestServer()
  const [admin, ana, carla] = [await server.admin(), await server.person("Ana"), await managerCarla(server)]
  await admin.post("/transaction/ana/", { value: largest })
  const beyond = refused(422, "The transfer would carry a balance beyond the largest exact integer")

  expect(await carla.post("/transaction/ana/", { value: 1 })).toEqual(beyond)
  expect(await admin.post("/transaction/carla/", { value: 1 })).toEqual(beyond)

  expect(await balances(server, admin, ana, carla)).toEqual([-largest, largest, 0])
})

test("the date is the current UTC time, without zone", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  await admin.post("/transaction/admin/", { value: 1 })
  server.clock.advance(61_007)
  await admin.post("/transaction/admin/", { value: 1, date: "1999-01-01T00:00:00" })

  const { body } = await admin.get<{ items: { date: string }[] }>("/transaction/")

  expect(body.items.map(({ date }) => date)).toEqual(["2026-01-05T09:00:00.000", "2026-01-05T09:01:01.007"])
})

test("an unknown receiver is reported before the value is checked", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  expect(await ana.post("/transaction/nobody/", { value: 1 })).toEqual(noSuchUser)
  expect(await ana.post("/transaction/nobody/", { value: -1 })).toEqual(noSuchUser)
})

test("without credentials nothing can be sent", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  expect(await server.anybody.post("/transaction/ana/", { value: 1 })).toEqual(unauthenticated)

  expect(await balances(server, ana)).toEqual([0])
})

test("a session cookie can send too", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)
  const session = await server.withSession(ana)

  expect(await session.post("/transaction/bruno/", { value: 10 })).toEqual(added)

  expect(await balances(server, ana, bruno)).toEqual([0, 10])
})

test("a trailing slash and the Unicode form of an accented name make no difference", async () => {
  await using server = await startTestServer()
  const [admin, zoe] = [await server.admin(), await server.person("Zoé")]

  for (const path of ["/transaction/zoé", "/transaction/zoé/", `/transaction/${"zoé".normalize("NFD")}/`])
    expect(await admin.post(path, { value: 1 })).toEqual(added)

  expect(await balances(server, zoe)).toEqual([3])
})

const badValues = [
  "0",
  "-1",
  "-9007199254740991",
  "9007199254740992",
  "1e300",
  "5.5",
  "1e400",
  '"5"',
  "true",
  "null",
  "[5]",
  "{}",
]

for (const text of badValues)
  test(`the value ${text} is refused, for superusers too; nothing is recorded`, async () => {
    await using server = await startTestServer()
    const [admin, ana] = [await server.admin(), await server.person("Ana")]
    await server.grant(ana, 10)

    for (const sender of [admin, ana])
      expect(await sendJson(sender, `{"value": ${text}}`)).toEqual(
        refused(422, "value: an integer from 1 to 9007199254740991"),
      )

    expect(await balances(server, admin, ana)).toEqual([-10, 10])
  })

test("a whole number counts as an integer in any JSON notation", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]

  for (const text of ["5", "5.0", "5e0", "0.5e1"]) expect(await sendJson(admin, `{"value": ${text}}`)).toEqual(added)

  expect(await balances(server, ana)).toEqual([20])
})

test("unknown fields are ignored and cannot change sender, receiver or prototype", async () => {
  await using server = await startTestServer()
  const [admin, ana, bruno] = [await server.admin(), await server.person("Ana"), await server.person("Bruno")]

  expect(
    await sendJson(admin, '{"value": 5, "from_id": 3, "user_id": 3, "username": "bruno", "__proto__": {"value": 9}}'),
  ).toEqual(added)
  expect((await sendJson(admin, '{"__proto__": {"value": 9}}')).status).toBe(422)

  expect(await balances(server, admin, ana, bruno)).toEqual([-5, 5, 0])
})

for (const method of ["DELETE", "PUT", "PATCH"])
  test(`a transaction cannot be modified or deleted: ${method} is not allowed`, async () => {
    await using server = await startTestServer()
    const admin = await server.admin()
    await admin.post("/transaction/admin/", { value: 5 })

    const notAllowed = refused(405, "Method Not Allowed")
    expect(await admin.call(method, "/transaction/")).toEqual({ ...notAllowed, headers: { allow: "HEAD, GET" } })
    expect(await admin.call(method, "/transaction/1/")).toEqual({
      ...notAllowed,
      headers: { allow: "HEAD, POST, GET" },
    })

    const { body } = await admin.get<{ total: number }>("/transaction/")
    expect(body.total).toBe(1)
  })

/** Sends to Ana with a body that JSON.stringify would not write. */
const sendJson = (sender: Person, body: string) =>
  sender.call("POST", "/transaction/ana/", { body, headers: { "content-type": "application/json" } })

const managerCarla = (server: TestServer) => server.person("Carla", { dept: "management" })

/** Of each of them, as admin sees it. */
async function balances(server: TestServer, ...people: Person[]): Promise<number[]> {
  const { body } = await (await server.admin()).get<{ username: string; balance: number }[]>("/user/?show_balance=true")
  return people.map(({ username }) => body.find((user) => user.username === username)?.balance ?? Number.NaN)
}
