import { expect, test } from "bun:test"
import { ok, refused, unauthenticated } from "../../../support/answers.ts"
import { operator } from "../../../support/app.ts"
import type { Client } from "../../../support/client.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"

interface Page {
  readonly items: readonly { readonly username: string; readonly name: string }[]
  readonly next: string | null
}

const team = ["Ana Souza", "Mariana Lima", "João Araújo", "Søren Øst", "Bruno Ananas", "Weiß Müller"]

/** The team; Ana calls. */
async function staffed(server: TestServer) {
  for (const name of team) await server.app.users.create(operator, newcomer(name))
  return server.as({ username: "ana-souza", password: "x" })
}

const newcomer = (name: string, dept = "sales") => ({
  name,
  dept,
  email: `${Bun.hash(name)}@example.com`,
  password: "x",
})

const namesOf = async (ana: Client, query: string) =>
  (await ana.get<Page>(`/api/v1/people?${query}`)).body.items.map(({ name }) => name)

test("an empty search lists everybody by name, including oneself", async () => {
  await using server = await startTestServer()
  const ana = await staffed(server)
  const face = (name: string, username: string) => ({ username, name, dept: "sales", avatar: null })

  expect(await ana.get("/api/v1/people")).toEqual(
    ok({
      items: [
        { ...face("Admin", "admin"), dept: "management" },
        face("Ana Souza", "ana-souza"),
        face("Bruno Ananas", "bruno-ananas"),
        face("João Araújo", "joão-araújo"),
        face("Mariana Lima", "mariana-lima"),
        face("Søren Øst", "søren-øst"),
        face("Weiß Müller", "weiß-müller"),
      ],
      next: null,
    }),
  )
})

test("people are found by any part of a name, matches at the start of a word first; case and accents don't matter", async () => {
  await using server = await startTestServer()
  const ana = await staffed(server)

  for (const [q, names] of [
    ["ana", ["Ana Souza", "Bruno Ananas", "Mariana Lima"]],
    ["ANA", ["Ana Souza", "Bruno Ananas", "Mariana Lima"]],
    ["joao", ["João Araújo"]],
    ["JOÃO ara", ["João Araújo"]],
    ["araujo joao", ["João Araújo"]],
    ["soren", ["Søren Øst"]],
    ["øst", ["Søren Øst"]],
    ["weiss mull", ["Weiß Müller"]],
    ["o-a", ["Bruno Ananas", "João Araújo"]],
    ["ana-s", ["Ana Souza"]],
    ["ana lima", ["Mariana Lima"]],
    ["   ", ["Admin", "Ana Souza", "Bruno Ananas", "João Araújo", "Mariana Lima", "Søren Øst", "Weiß Müller"]],
    ["nobody", []],
    ["\u0001ana", ["Ana Souza", "Bruno Ananas", "Mariana Lima"]],
    ["%", []],
    ["_na", []],
  ] as const)
    expect([q, await namesOf(ana, `q=${encodeURIComponent(q)}`)]).toEqual([q, [...names]])
})

test("pages follow each other by cursor, each user once, even if users are added or changed in between", async () => {
  await using server = await startTestServer()
  const ana = await staffed(server)
  const met: string[] = []
  let next: string | null = ""

  while (next !== null) {
    const after: string = next === "" ? "" : `&after=${next}`
    const { body } = await ana.get<Page>(`/api/v1/people?q=a&size=2${after}`)
    met.push(...body.items.map(({ name }) => name))
    next = body.next
    await server.app.users.create(operator, newcomer(`Aaron ${met.length}`))
  }
  expect(met).toEqual(["Admin", "Ana Souza", "Bruno Ananas", "João Araújo", "Mariana Lima"])
})

test("people can be listed by department, and departments are listed with their sizes", async () => {
  await using server = await startTestServer()
  const ana = await staffed(server)
  await server.app.users.create(operator, newcomer("Élise Ana", "étude"))

  expect(await namesOf(ana, "department=%C3%A9tude")).toEqual(["Élise Ana"])
  expect(await namesOf(ana, "department=sales&q=an")).toEqual(["Ana Souza", "Bruno Ananas", "Mariana Lima"])
  expect(await namesOf(ana, "department=nowhere")).toEqual([])
  expect(await ana.get("/api/v1/departments")).toEqual(
    ok({
      items: [
        { name: "étude", people: 1 },
        { name: "management", people: 1 },
        { name: "sales", people: 6 },
      ],
    }),
  )
})

test("a new or changed user is found at once, with the new picture", async () => {
  await using server = await startTestServer()
  const ana = await staffed(server)
  expect(await namesOf(ana, "q=dora")).toEqual([])
  await server.app.users.create(operator, newcomer("Dora Lima"))
  expect(await namesOf(ana, "q=dora")).toEqual(["Dora Lima"])

  await server.app.users.correct(operator, await server.app.access.toUser("dora-lima"), { dept: "support" })
  await ana.patch("/user/ana-souza/", { avatar: "https://example.com/ana.png" })
  expect(await namesOf(ana, "department=support")).toEqual(["Dora Lima"])
  expect(await ana.get("/api/v1/people?q=souza")).toMatchObject({
    body: { items: [{ avatar: "https://example.com/ana.png" }] },
  })
})

test("invalid parameters are refused", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const size = refused(422, "size: an integer from 1 to 100")

  for (const given of ["0", "101", "9007199254740993"])
    expect(await ana.get(`/api/v1/people?size=${given}`)).toEqual(size)
  for (const given of ["x", "-1", "1e1"])
    expect(await ana.get(`/api/v1/people?size=${given}`)).toEqual(
      refused(422, "size: an integer from 1 to 100, by default 20"),
    )
  for (const given of ["", "x", "2.x", "01", "0x.y"])
    expect(await ana.get(`/api/v1/people?after=${given}`)).toEqual(refused(422, "after: `next` of the page before"))
  const long = refused(422, "q: at most 100 characters in 8 words")
  for (const given of ["a".repeat(101), "a b c d e f g h i"])
    expect(await ana.get(`/api/v1/people?q=${given}`)).toEqual(long)
})

test("only logged-in users can search people", async () => {
  await using server = await startTestServer()

  for (const path of ["/api/v1/people", "/api/v1/people?size=x", "/api/v1/departments"])
    expect(await server.anybody.get(path)).toEqual(unauthenticated)
})

const closed = { "recognition.feed": "own", "stream.access": "auth" }

test("with recognition.feed = own and a closed stream, members see only their own totals, and superusers see all", async () => {
  await using server = await startTestServer({ settings: closed })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)
  await ana.post("/transaction/bruno/", { value: 4 })
  const [received, sent] = [
    { points: 10, count: 1 },
    { points: 4, count: 1 },
  ]
  const totalsOf = async (viewer: Pick<Person, "get">, username: string) => {
    const { body } = await viewer.get<{ received: unknown; sent: unknown }>(`/api/v1/people/${username}`)
    return [body.received, body.sent]
  }

  expect(await totalsOf(ana, "ana")).toEqual([received, sent])
  for (const username of ["bruno", "admin"]) expect(await totalsOf(ana, username)).toEqual([null, null])
  expect(await totalsOf(bruno, "ana")).toEqual([null, null])
  expect(await totalsOf(await server.admin(), "ana")).toEqual([received, sent])
})

test("with recognition.feed = own and a closed stream, the leaderboard shows members only their own rank", async () => {
  await using server = await startTestServer({ settings: closed })
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  await server.grant(ana, 30)
  await ana.post("/transaction/bruno/", { value: 10 })
  const boardOf = async (viewer: Pick<Person, "get">) => (await viewer.get<object>("/api/v1/leaderboard")).body

  expect(await boardOf(bruno)).toMatchObject({
    shows: "own",
    items: [{ username: "bruno", rank: 2, points: 10, count: 1 }],
    own: { rank: 2, points: 10, count: 1 },
  })
  expect(await boardOf(carla)).toMatchObject({ shows: "own", items: [], own: { rank: null, points: 0, count: 0 } })
  expect(await boardOf(await server.admin())).toMatchObject({
    shows: "all",
    items: [{ username: "ana" }, { username: "bruno" }],
  })
})

for (const open of [{ "stream.access": "auth" }, { "recognition.feed": "own" }])
  test(`every member can see all totals with ${JSON.stringify(open)}`, async () => {
    await using server = await startTestServer({ settings: open })
    const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
    await server.grant(ana, 10)

    expect(await bruno.get("/api/v1/people/ana")).toMatchObject(ok({ received: { points: 10, count: 1 } }))
    expect(await bruno.get("/api/v1/leaderboard")).toMatchObject(ok({ shows: "all", items: [{ points: 10 }] }))
  })
