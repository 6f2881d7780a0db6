import { expect, spyOn, test } from "bun:test"
import type { Flags } from "../../../../src/config/sources.ts"
import { maxReceivers } from "../../../../src/domain/ledger/grants.ts"
import { ok, refused, unauthenticated } from "../../../support/answers.ts"
import { operator } from "../../../support/app.ts"
import { query } from "../../../support/database.ts"
import { type Person, startTestServer, type TestServer } from "../../../support/server.ts"

const largest = Number.MAX_SAFE_INTEGER
const insufficient = refused(400, "Insufficient balance")

/** Ana of sales with 100 points, Bruno and Carla of sales, Davi of support. */
async function company(settings: Flags = {}) {
  const server = await startTestServer({ settings })
  const [ana, bruno, carla] = [await server.person("Ana"), await server.person("Bruno"), await server.person("Carla")]
  const davi = await server.person("Davi", { dept: "support" })
  await server.grant(ana, 100)
  return { server, ana, bruno, carla, davi, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test("every named person and every member of the department gets the value, in consecutive transactions", async () => {
  await using here = await company()
  const { server, ana, bruno, carla, davi } = here

  expect(await ana.post("/api/v1/grants", { value: 10, usernames: ["davi"], dept: "sales" })).toEqual({
    status: 201,
    body: {
      receivers: [davi, bruno, carla].map(shown),
      value: 10,
      total: 30,
      left: 70,
      ids: [2, 3, 4],
      replayed: false,
      against: [],
      refusals: [],
    },
  })

  expect(await balances(server, ana, bruno, carla, davi)).toEqual([70, 10, 10, 10])
  const { body } = await ana.get<{ items: { user: string }[] }>("/transaction/?from_user=ana")
  expect(body.items.map(({ user }) => user)).toEqual(["davi", "bruno", "carla"])
})

test("several departments can get a grant; each must have somebody, and their number is limited", async () => {
  await using here = await company()
  const { server, ana, bruno, carla, davi } = here

  expect(await ana.post("/api/v1/grants", { value: 10, depts: ["support", "sales"] })).toMatchObject({
    status: 201,
    body: { receivers: [davi, bruno, carla].map(shown), total: 30, left: 70 },
  })
  expect(await ana.post("/api/v1/grants", { value: 1, depts: ["sales", "sales"] })).toMatchObject({
    status: 201,
    body: { total: 2 },
  })
  expect(await ana.post("/api/v1/grants", { value: 1, depts: ["sales", "nobody's", "x"] })).toEqual(
    refused(422, "depts: nobody else is in number 2, 3"),
  )
  expect(await ana.post("/api/v1/grants", { value: 1, depts: Array(101).fill("sales") })).toEqual(
    refused(422, "depts: at most 100"),
  )

  expect(await balances(server, ana, bruno, carla, davi)).toEqual([68, 11, 11, 10])
})

test("a dry run gives the same answer and changes nothing", async () => {
  await using here = await company()
  const { server, ana, bruno, carla } = here
  const asked = { value: 10, usernames: ["carla"], dept: "sales" }

  expect(await ana.post("/api/v1/grants?dry_run=true", asked)).toEqual(
    ok({
      receivers: [carla, bruno].map(shown),
      value: 10,
      total: 20,
      left: 80,
      ids: [],
      replayed: false,
      against: [],
      refusals: [],
    }),
  )

  expect(await balances(server, ana, bruno, carla)).toEqual([100, 0, 0])
})

test("a dry run reports every error and the receivers", async () => {
  await using here = await company()
  const { ana, bruno } = here

  expect(await ana.post("/api/v1/grants?dry_run=true", { value: 101, usernames: ["eva", "bruno", "fred"] })).toEqual(
    ok({
      receivers: [shown(bruno)],
      value: 101,
      total: 101,
      left: -1,
      ids: [],
      replayed: false,
      against: ["User not found: eva, fred", "Insufficient balance"],
      refusals: [
        { code: "user_not_found", detail: "User not found: eva, fred", field: "usernames" },
        { code: "insufficient_balance", detail: "Insufficient balance" },
      ],
    }),
  )
})

test("the balance must cover the sum, not only each part; nothing is recorded otherwise", async () => {
  await using here = await company()
  const { server, ana, bruno, carla, davi } = here
  const usernames = ["bruno", "carla", "davi"]

  expect(await ana.post("/api/v1/grants", { value: 34, usernames })).toEqual(insufficient)
  expect(await balances(server, ana, bruno, carla, davi)).toEqual([100, 0, 0, 0])

  expect(await ana.post("/api/v1/grants", { value: 33, usernames })).toMatchObject({ status: 201, body: { left: 1 } })
  expect(await balances(server, ana, bruno, carla, davi)).toEqual([1, 33, 33, 33])
})

test("a superuser needs no cover, but no balance goes beyond 2^53-1", async () => {
  await using here = await company()
  const { server, ana, bruno, carla } = here
  const admin = await server.admin()
  const beyond = refused(422, "The transfer would carry a balance beyond the largest exact integer")
  const half = (largest - 1) / 2

  expect(await admin.post("/api/v1/grants", { value: largest, usernames: ["bruno", "carla"] })).toEqual(beyond)
  expect(await admin.post("/api/v1/grants", { value: largest, usernames: ["ana"] })).toEqual(beyond)
  expect(await admin.post("/api/v1/grants", { value: half - 50, usernames: ["bruno", "carla"] })).toMatchObject({
    status: 201,
    body: { left: 100 - largest + 1 - 100 },
  })

  expect(await balances(server, ana, bruno, carla)).toEqual([100, half - 50, half - 50])
})

test("a total above 2^53 is compared exactly, and the transfers of the same moment are made", async () => {
  await using here = await company()
  const { server, ana, bruno, carla } = here
  const boss = await server.person("Boss", { dept: "management" })
  await server.grant(boss, 1)

  const [granted, sent] = await Promise.all([
    // Three times this is 2^53 + 1.
    boss.post("/api/v1/grants", { value: 3_002_399_751_580_331, usernames: ["ana", "bruno", "carla"] }),
    ana.post("/transaction/bruno/", { value: 1 }),
  ])

  expect(granted).toEqual(refused(422, "The transfer would carry a balance beyond the largest exact integer"))
  expect(sent).toMatchObject({ status: 201 })
  expect(await balances(server, ana, bruno, carla, boss)).toEqual([99, 1, 0, 1])
})

test("a user who is named twice, in another Unicode form, or also by department gets the value once", async () => {
  await using here = await company()
  const { server, ana } = here
  const zoe = await server.person("Zoé")
  const usernames = ["zoé", "zoé".normalize("NFD"), "zoé"]

  const { body } = await ana.post<{ total: number }>("/api/v1/grants", { value: 5, usernames, dept: "sales" })

  expect(body.total).toBe(15)
  expect(await balances(server, ana, zoe)).toEqual([85, 5])
})

test("a department grant skips the sender; a sender who is named gets a covered transfer to oneself", async () => {
  await using here = await company()
  const { server, ana, davi } = here
  const named = { value: 50, usernames: ["ana", "bruno"] }

  expect(await davi.post("/api/v1/grants", { value: 1, dept: "support" })).toEqual(
    refused(422, "dept: nobody else is in this department"),
  )
  expect(await ana.post("/api/v1/grants?dry_run=1", named)).toMatchObject({
    body: { total: 100, left: 50, against: [] },
  })
  expect(await ana.post("/api/v1/grants", named)).toMatchObject({ status: 201, body: { total: 100, left: 50 } })
  expect(await ana.post("/api/v1/grants", named)).toEqual(insufficient)

  expect(await balances(server, ana)).toEqual([50])
})

test("all unknown names are reported, and nobody gets anything", async () => {
  await using here = await company()
  const { server, ana, bruno } = here

  expect(await ana.post("/api/v1/grants", { value: 1, usernames: ["eva", "bruno", "fred", "eva"] })).toEqual(
    refused(404, "User not found: eva, fred"),
  )

  expect(await balances(server, ana, bruno)).toEqual([100, 0])
})

test("a grant without receivers, or with more than the limit, is refused", async () => {
  await using here = await company()
  const { ana } = here
  const tooFew = refused(422, "usernames: at least one receiver, here or by department")
  const tooMany = refused(422, `usernames: at most ${maxReceivers} receivers, members of the departments included`)

  expect(await ana.post("/api/v1/grants", { value: 1 })).toEqual(tooFew)
  expect(await ana.post("/api/v1/grants", { value: 1, usernames: [] })).toEqual(tooFew)
  expect(await ana.post("/api/v1/grants", { value: 1, dept: "nobody's" })).toEqual(
    refused(422, "dept: nobody else is in this department"),
  )
  expect(await ana.post("/api/v1/grants", { value: 1, usernames: Array(maxReceivers + 1).fill("bruno") })).toEqual(
    tooMany,
  )
})

for (const [sent, detail] of [
  [{ value: 0, usernames: ["bruno"] }, "value: an integer from 1 to 9007199254740991"],
  [{ value: "5", usernames: ["bruno"] }, "value: an integer from 1 to 9007199254740991"],
  [{ usernames: ["bruno"] }, "value: missing"],
  [{ value: 5, usernames: "bruno" }, "usernames: a list"],
  [{ value: 5, usernames: [7] }, "usernames.0: a text"],
  [{ value: 5, dept: 7 }, "dept: a text"],
] as const)
  test(`an invalid grant is refused, in a dry run too: ${JSON.stringify(sent)}`, async () => {
    await using here = await company()
    const { server, ana } = here

    expect(await ana.post("/api/v1/grants", sent)).toEqual(refused(422, detail))
    expect(await ana.post("/api/v1/grants?dry_run=true", sent)).toEqual(refused(422, detail))

    expect(await balances(server, ana)).toEqual([100])
  })

test("if the balance covers only one of two simultaneous grants, exactly one is done completely", async () => {
  await using here = await company()
  const { server, ana, bruno, carla, davi } = here
  const usernames = ["bruno", "carla", "davi"]

  const answers = await Promise.all([30, 20].map((value) => ana.post("/api/v1/grants", { value, usernames })))

  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
  const given = answers[0]?.status === 201 ? 30 : 20
  expect(await balances(server, ana, bruno, carla, davi)).toEqual([100 - 3 * given, given, given, given])
})

test("reason and tags are stored with each transaction; invalid ones are refused, in a dry run too", async () => {
  await using here = await company({ "recognition.tags": "teamwork" })
  const { server, ana } = here
  const asked = { value: 1, usernames: ["bruno", "davi"], reason: "For the fair", tags: ["teamwork"] }
  const unknown = refused(422, "tags: each at most once, of teamwork")

  expect(await ana.post("/api/v1/grants", { ...asked, tags: ["unheard-of"] })).toEqual(unknown)
  expect(await ana.post("/api/v1/grants?dry_run=true", { ...asked, tags: ["unheard-of"] })).toEqual(unknown)
  expect((await ana.post("/api/v1/grants", asked)).status).toBe(201)

  expect(await notesOf(server)).toEqual([
    { transaction_id: 2, reason: "For the fair", tags: "teamwork", private: 0 },
    { transaction_id: 3, reason: "For the fair", tags: "teamwork", private: 0 },
  ])
})

test("under the same Idempotency-Key a grant is done once, and repetitions get the first answer", async () => {
  await using here = await company({ "limits.transfers_per_minute": "2" })
  const { server, ana, bruno, carla } = here
  const give = (json: object) => ana.call("POST", "/api/v1/grants", { json, headers: { "idempotency-key": "k" } })
  const first = await give({ value: 10, dept: "sales" })
  const again = { status: first.status, body: { ...Object(first.body), replayed: true } }
  expect(first.body).toMatchObject({ left: 80, ids: [2, 3], replayed: false })

  await server.grant(ana, 5)
  await server.person("Eva")
  expect(await give({ value: 10, dept: "sales" })).toEqual(again)
  // Nobody else is in the department any more.
  await server.app.users.correct(operator, await server.app.access.toUser("bruno"), { dept: "support" })
  await server.app.users.correct(operator, await server.app.access.toUser("carla"), { dept: "support" })
  await server.app.users.correct(operator, await server.app.access.toUser("eva"), { dept: "support" })
  expect(await give({ value: 10, dept: "sales" })).toEqual(again)
  expect(await give({ value: 10, depts: ["sales"] })).toEqual(again)
  expect(await give({ value: 11, dept: "sales" })).toEqual(
    refused(409, "This Idempotency-Key was used for another request"),
  )

  expect(await balances(server, ana, bruno, carla)).toEqual([85, 10, 10])
})

test("missing credentials are reported before the body is read", async () => {
  await using server = await startTestServer()

  expect(await server.anybody.post("/api/v1/grants", { value: "?" })).toEqual(unauthenticated)
})

const notesOf = ({ app }: TestServer) => query(app.config.db, "SELECT transaction_id, reason, tags, private FROM notes")

const shown = ({ name, username }: Person) => ({ name, username })

const balances = (server: TestServer, ...people: Person[]): Promise<number[]> =>
  Promise.all(
    people.map(async ({ username }) => {
      const user = await server.app.access.toUser(username)
      return server.app.store.users.balanceOf(user.id)
    }),
  )

test("a grant that the balance cannot cover reads ids alone, and takes no lock; one to a department never reads whole people", async () => {
  await using here = await company()
  const { server, ana } = here
  const { ledger, people, users } = server.app.store
  const [whole, members, names, balances, posted] = [
    spyOn(users, "byIds"),
    spyOn(users, "inDept"),
    spyOn(people, "summaries"),
    spyOn(users, "balancesOf"),
    spyOn(ledger, "postAll"),
  ]

  expect(await ana.post("/api/v1/grants", { value: 51, dept: "sales" })).toEqual(insufficient)
  for (const read of [names, balances, posted]) expect(read).not.toHaveBeenCalled()

  expect((await ana.post("/api/v1/grants?dry_run=1", { value: 51, dept: "sales" })).status).toBe(200)
  expect((await ana.post("/api/v1/grants", { value: 50, dept: "sales" })).status).toBe(201)
  expect(whole).not.toHaveBeenCalled()
  expect((await ana.get("/api/v1/suggestions")).status).toBe(200)
  expect(members).not.toHaveBeenCalled()
})
