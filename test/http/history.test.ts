import { expect, test } from "bun:test"
import { noSuchUser, ok, refused, unauthenticated } from "../support/answers.ts"
import { startOfTests } from "../support/app.ts"
import type { Client } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer } from "../support/server.ts"

interface Page {
  readonly items: { id: number; date: string }[]
  readonly total: number
}

/** Admin sends to everybody, then they to each other; ids and what they move are easy to follow in the tests. */
async function startWithHistory() {
  const server = await startTestServer()
  const ana = await server.person("Ana")
  const bruno = await server.person("Bruno")
  const carla = await server.person("Carla")
  const admin = await server.admin()
  const send = async (sender: Client, receiver: string, value: number) => {
    await sender.post(`/transaction/${receiver}/`, { value })
    server.clock.advance(1000)
  }
  await send(admin, "ana", 50) // 1
  await send(admin, "bruno", 20) // 2
  await send(ana, "bruno", 5) // 3
  await send(bruno, "carla", 20) // 4
  await send(carla, "ana", 5) // 5
  await send(ana, "ana", 7) // 6
  return { server, admin, ana, bruno, carla, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const idsOf = async (client: Client, path: string) => {
  const { status, body } = await client.get<Page>(path)
  return { status, ids: body.items.map(({ id }) => id), total: body.total }
}

test("a superuser sees all transactions, each with its names, ids, value and date", async () => {
  await using given = await startWithHistory()
  const entry = (id: number, user: string, from_user: string, value: number, user_id: number, from_id: number) => ({
    id,
    value,
    date: `2026-01-05T09:00:0${id - 1}.000`,
    user,
    from_user,
    user_id,
    from_id,
  })

  expect(await given.admin.get("/transaction/")).toEqual(
    ok({
      items: [
        entry(1, "ana", "admin", 50, 2, 1),
        entry(2, "bruno", "admin", 20, 3, 1),
        entry(3, "bruno", "ana", 5, 3, 2),
        entry(4, "carla", "bruno", 20, 4, 3),
        entry(5, "ana", "carla", 5, 2, 4),
        entry(6, "ana", "ana", 7, 2, 2),
      ],
      total: 6,
      page: 1,
      size: 50,
    }),
  )
})

test("a regular user sees only transactions that this user sent or received", async () => {
  await using given = await startWithHistory()

  expect(await idsOf(given.ana, "/transaction/")).toEqual({ status: 200, ids: [1, 3, 5, 6], total: 4 })
  expect(await idsOf(given.bruno, "/transaction/")).toEqual({ status: 200, ids: [2, 3, 4], total: 3 })
  expect(await idsOf(given.carla, "/transaction/")).toEqual({ status: 200, ids: [4, 5], total: 2 })
})

test("callers without credentials see no transactions", async () => {
  await using given = await startWithHistory()

  expect(await given.server.anybody.get("/transaction/")).toEqual(unauthenticated)
  expect(await given.server.anybody.get("/transaction/ana/")).toEqual(unauthenticated)
})

const filters: [query: string, ofAdmin: number[], ofAna: number[]][] = [
  ["user=bruno", [2, 3], [3]],
  ["from_user=admin", [1, 2], [1]],
  ["user=ana&from_user=admin", [1], [1]],
  ["user=carla&from_user=bruno", [4], []],
  ["user=carla&from_user=admin", [], []],
  ["user=ana", [1, 5, 6], [1, 5, 6]],
  ["from_user=ana", [3, 6], [3, 6]],
  ["user=ana&from_user=ana", [6], [6]],
  ["user=nobody", [], []],
  ["from_user=nobody&user=ana", [], []],
  ["user=", [], []],
  ["user=ANA", [], []],
  ["user=%25", [], []],
  ["user=ana'%20OR%201=1--", [], []],
  ["sender=admin&colour=red", [1, 2, 3, 4, 5, 6], [1, 3, 5, 6]],
]

test("filters combine with AND and never show more to anybody; unknown parameters are ignored", async () => {
  await using given = await startWithHistory()

  for (const [query, ofAdmin, ofAna] of filters) {
    const asked = async (client: Client) => ({ query, ...(await idsOf(client, `/transaction/?${query}`)) })
    expect(await asked(given.admin)).toEqual({ query, status: 200, ids: ofAdmin, total: ofAdmin.length })
    expect(await asked(given.ana)).toEqual({ query, status: 200, ids: ofAna, total: ofAna.length })
  }
})

const orders: [orderBy: string, ids: number[]][] = [
  ["value", [3, 5, 6, 2, 4, 1]],
  ["-value", [1, 4, 2, 6, 5, 3]],
  ["user", [1, 5, 6, 2, 3, 4]],
  ["-user", [4, 3, 2, 6, 5, 1]],
  ["from_user", [1, 2, 3, 6, 4, 5]],
  ["-from_user", [5, 4, 6, 3, 2, 1]],
  ["date", [1, 2, 3, 4, 5, 6]],
  ["-date", [6, 5, 4, 3, 2, 1]],
]

for (const [orderBy, ids] of orders)
  test(`order_by=${orderBy} sorts, ties by id in the same direction`, async () => {
    await using given = await startWithHistory()

    expect(await idsOf(given.admin, `/transaction/?order_by=${orderBy}`)).toEqual({ status: 200, ids, total: 6 })
  })

test("an order_by other than the four fields is refused without repeating it", async () => {
  await using given = await startWithHistory()
  const detail = "order_by: one of from_user, user, value, date, with a leading - for descending"

  for (const orderBy of ["id", "", "-", "--value", "Value", "value,date", "user_id", "value%20desc", "+value", "-id"])
    for (const path of ["/transaction/", "/transaction/ana/"])
      expect(await given.ana.get(`${path}?order_by=${orderBy}`)).toEqual(refused(422, detail))
})

test("pages follow each other without gaps or repetitions", async () => {
  await using given = await startWithHistory()

  expect(await given.admin.get("/transaction/?order_by=-value&page=3&size=2")).toMatchObject({
    status: 200,
    body: { items: [{ id: 5 }, { id: 3 }], total: 6, page: 3, size: 2 },
  })
  expect(await idsOf(given.admin, "/transaction/?page=2&size=4")).toEqual({ status: 200, ids: [5, 6], total: 6 })
})

test("beyond the last page there are no items, and the total is the same", async () => {
  await using given = await startWithHistory()

  for (const page of [2, Number.MAX_SAFE_INTEGER])
    expect(await given.ana.get(`/transaction/?page=${page}&size=100`)).toEqual(
      ok({ items: [], total: 4, page, size: 100 }),
    )
})

test("a page has 50 items by default and at most 100", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  await Promise.all(Array.from({ length: 101 }, () => server.grant(ana, 1)))

  const sizes = await Promise.all(
    ["", "?size=1", "?size=100", "?size=100&page=2"].map(async (query) => {
      const { body } = await admin.get<Page>(`/transaction/${query}`)
      return [body.items.length, body.total]
    }),
  )

  expect(sizes).toEqual([
    [50, 101],
    [1, 101],
    [100, 101],
    [1, 101],
  ])
})

const page = "page: an integer from 1, the default"
const size = "size: an integer from 1 to 100, by default 50"
const badPages: [query: string, detail: string][] = [
  ["page=0", "page: an integer from 1"],
  ["page=-1", page],
  ["page=9007199254740992", "page: an integer from 1"],
  ["page=1.5", page],
  ["page=", page],
  ["page=one", page],
  ["page=true", page],
  ["page=NaN", page],
  ["page=Infinity", page],
  ["size=0", "size: an integer from 1 to 100"],
  ["size=-5", size],
  ["size=101", "size: an integer from 1 to 100"],
  ["size=all", size],
  ["size=", size],
  ["size=10;1", size],
]

test("a page or size outside its range is refused without repeating it", async () => {
  await using given = await startWithHistory()

  for (const [query, detail] of badPages)
    for (const path of ["/transaction/", "/transaction/ana/"])
      expect({ query, ...(await given.ana.get(`${path}?${query}`)) }).toEqual({ query, ...refused(422, detail) })
})

test("a page or size must consist of digits", async () => {
  await using given = await startWithHistory()

  for (const text of ["0x10", "1e1", "%201", "+1", "1.0", "1_0", "%D9%A1"]) {
    const { status } = await given.ana.get(`/transaction/?page=${text}`)
    expect({ text, status }).toEqual({ text, status: 422 })
  }
})

test("GET /transaction/{username}/ shows that user's page and balance to that user and superusers", async () => {
  await using given = await startWithHistory()
  const ofCarla = {
    items: [
      { id: 4, value: 20, date: "2026-01-05T09:00:03.000", user: "carla", from_user: "bruno", user_id: 4, from_id: 3 },
      { id: 5, value: 5, date: "2026-01-05T09:00:04.000", user: "ana", from_user: "carla", user_id: 2, from_id: 4 },
    ],
    total: 2,
    page: 1,
    size: 50,
    balance: 15,
  }

  for (const reader of [given.carla, given.admin])
    for (const path of ["/transaction/carla/", "/transaction/carla"])
      expect(await reader.get(path)).toEqual(ok(ofCarla))
})

test("GET /transaction/{username}/ accepts the same query parameters", async () => {
  await using given = await startWithHistory()

  expect(await given.admin.get("/transaction/ana/?from_user=ana&order_by=-value&page=2&size=1")).toEqual(
    ok({
      items: [
        { id: 3, value: 5, date: "2026-01-05T09:00:02.000", user: "bruno", from_user: "ana", user_id: 3, from_id: 2 },
      ],
      total: 2,
      page: 2,
      size: 1,
      balance: 50,
    }),
  )
  expect(await given.admin.get("/transaction/ana/?from_user=bruno")).toEqual(
    ok({ items: [], total: 0, page: 1, size: 50, balance: 50 }),
  )
})

test("a user who never sent or received has an empty page and balance 0", async () => {
  await using server = await startTestServer()
  const dora = await server.person("Dora")

  expect(await dora.get("/transaction/dora/")).toEqual(ok({ items: [], total: 0, page: 1, size: 50, balance: 0 }))
})

test("a regular user cannot read other users' transactions; an unknown user is reported first", async () => {
  await using given = await startWithHistory()

  expect(await given.ana.get("/transaction/bruno/")).toEqual(refused(403, "You can only see your own transactions"))
  expect(await given.ana.get("/transaction/nobody/?page=0")).toEqual(noSuchUser)
  expect(await given.ana.get("/transaction/bruno/?page=0")).toEqual(
    refused(403, "You can only see your own transactions"),
  )
})

test("a transfer between two reads is in the second one", async () => {
  await using server = await startTestServer()
  const [ana, admin] = [await server.person("Ana"), await server.admin()]
  expect(await idsOf(ana, "/transaction/")).toEqual({ status: 200, ids: [], total: 0 })

  await admin.post("/transaction/ana/", { value: 3 })

  expect(await ana.get("/transaction/")).toEqual(
    ok({
      items: [{ id: 1, value: 3, date: startOfTests, user: "ana", from_user: "admin", user_id: 2, from_id: 1 }],
      total: 1,
      page: 1,
      size: 50,
    }),
  )
})

test("the history with ?fresh=true requires a fresh token", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const { body } = await server.anybody.post<{ access_token: string }>("/refresh_token", {
    refresh_token: ana.refreshToken,
  })
  const renewed = { headers: bearer(body.access_token) }

  for (const path of ["/transaction/", "/transaction/ana/"]) {
    expect(await server.anybody.call("GET", `${path}?fresh=true`, renewed)).toEqual(unauthenticated)
    expect((await server.anybody.call("GET", path, renewed)).status).toBe(200)
    expect((await ana.get(`${path}?fresh=true`)).status).toBe(200)
  }
})
