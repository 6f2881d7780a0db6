import { expect, test } from "bun:test"
import { watch } from "../../../stream/watching.ts"
import { noSuchUser, ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startOfTests } from "../../../support/app.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

const path = "/api/v1/transactions"
const badReceivers = refused(422, "to: 1 to 50 different usernames, without your own")

interface Entry {
  readonly id: number
  readonly reason: string | null
  readonly reversed: number
  readonly receivers: readonly { readonly username: string; readonly reversed: number }[]
}

interface Page {
  readonly items: readonly Entry[]
  readonly next: number | null
}

/** Ana of design with 200 points (transaction 1), Bruno and Carla of sales, Davi of support. */
async function company(settings: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ settings: { "recognition.tags": "care", ...settings } })
  const ana = await server.person("Ana", { dept: "design" })
  const [bruno, carla] = [await server.person("Bruno"), await server.person("Carla")]
  const davi = await server.person("Davi", { dept: "support" })
  await server.grant(ana, 200)
  server.clock.advance(1)
  return { server, ana, bruno, carla, davi, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const thanks = { to: ["bruno", "carla", "davi"], value: 25, reason: "the fair" }
const balanceOf = async (person: Person) => (await person.get<{ balance: number }>("/api/v1/me")).body.balance
const feedOf = async (person: Person, query = "") => (await person.get<Page>(`/api/v1/feed${query}`)).body
const idsOf = async (person: Person, query = "") => (await feedOf(person, query)).items.map(({ id }) => id)
const receiversOf = (entry: Entry | undefined) => entry?.receivers.map(({ username }) => username)

test("each receiver gets the value as a transfer, and each transfer names its group", async () => {
  await using here = await company()
  const { ana, bruno } = here
  const item = (id: number, username: string, name: string) => ({
    id,
    kind: "transfer",
    date: `${startOfTests.slice(0, -1)}1Z`,
    value: 25,
    from: { username: "ana", name: "Ana" },
    to: { username, name },
    reason: "the fair",
    tags: ["care"],
    private: false,
    reverses: null,
    reversed: 0,
    group: 2,
    adds_to: null,
    reference: null,
  })

  expect(await ana.post(path, { ...thanks, tags: ["care"] })).toEqual({
    status: 201,
    body: {
      items: [item(2, "bruno", "Bruno"), item(3, "carla", "Carla"), item(4, "davi", "Davi")],
      group: 2,
      replayed: false,
    },
  })
  expect(await ana.post(path, { to: ["bruno"], value: 1 })).toMatchObject({
    status: 201,
    body: { items: [{ id: 5, group: 5 }], group: 5 },
  })
  expect(await ana.post(path, { to: "bruno", value: 1 })).toMatchObject({ status: 201, body: { id: 6, group: null } })

  expect(await balanceOf(ana)).toBe(123)
  expect(await bruno.get(path)).toMatchObject({
    body: { items: [{ id: 6, group: null }, { id: 5, group: 5 }, item(2, "bruno", "Bruno")] },
  })
  expect(await bruno.get("/transaction/?order_by=-date")).toMatchObject({
    body: { total: 3, items: [{}, {}, { id: 2 }] },
  })
})

test("a request that does not fit is refused, and moves nothing", async () => {
  await using here = await company()
  const { server, ana, bruno } = here
  const admin = await server.admin()
  await admin.patch("/api/v1/users/davi", { active: false })

  expect(await server.anybody.post(path, { to: ["nobody"], value: "?" })).toEqual(unauthenticated)
  for (const to of [
    ["bruno", "nobody"],
    ["bruno", "davi"],
    ["ana", "nobody"],
  ])
    expect(await ana.post(path, { to, value: 0 })).toEqual(noSuchUser)
  for (const to of [[], ["bruno", "bruno"], ["ana"], ["bruno", "ana"], Array(51).fill("nobody")])
    expect(await ana.post(path, { to, value: 1 })).toEqual(badReceivers)
  expect(await ana.post(path, { to: ["bruno", "carla"], value: 0 })).toMatchObject({ status: 422 })
  expect(await ana.post(path, { to: ["bruno", "carla"], value: 101, tags: ["?"] })).toMatchObject({ status: 422 })
  expect(await ana.post(path, { to: ["bruno", "carla"], value: 101 })).toEqual(refused(400, "Insufficient balance"))
  expect(await bruno.post(path, { to: ["carla"], value: 1 })).toEqual(refused(400, "Insufficient balance"))
  expect(await admin.post(path, { to: ["bruno", "carla"], value: Number.MAX_SAFE_INTEGER })).toMatchObject({
    status: 422,
  })

  expect(await ana.post(path, { to: ["bruno", "carla"], value: 100 })).toMatchObject({
    status: 201,
    body: { group: 2 },
  })
  expect(await Promise.all([ana, bruno, here.carla].map(balanceOf))).toEqual([0, 100, 100])
})

test("fifty people can be thanked at once", async () => {
  await using here = await company()
  const { server, ana } = here
  const to = Array.from({ length: 50 }, (_, index) => `person-${index}`)
  const admin = await server.admin()
  for (const [index, name] of to.entries())
    await admin.post("/user/", {
      name,
      email: `p${index}@example.com`,
      dept: "sales",
      password: "a password of theirs",
    })

  expect(await ana.post(path, { to, value: 4 })).toMatchObject({ status: 201, body: { group: 2 } })
  expect(await ana.post(path, { to: [...to, "bruno"], value: 4 })).toEqual(badReceivers)

  const [entry] = (await feedOf(ana)).items
  expect(receiversOf(entry)).toEqual(to)
  expect(await balanceOf(ana)).toBe(0)
})

test("under one Idempotency-Key everybody is thanked once; the key belongs to this list in this order", async () => {
  await using here = await company()
  const { ana, bruno, server } = here
  const headers = { "idempotency-key": "fair" }
  const post = (json: object) => ana.call("POST", path, { json, headers })
  const first = await post(thanks)
  const admin = await server.admin()
  await admin.post(`${path}/3/reversal`, { value: 5, reason: "too much" })

  const again = await post(thanks)

  expect(first).toMatchObject({ status: 201, body: { group: 2, replayed: false } })
  expect(again).toMatchObject({
    status: 201,
    body: {
      items: [
        { id: 2, reversed: 0 },
        { id: 3, reversed: 5 },
        { id: 4, reversed: 0 },
      ],
      group: 2,
      replayed: true,
    },
  })
  for (const other of [
    { ...thanks, to: ["carla", "bruno", "davi"] },
    { ...thanks, to: ["bruno"] },
    { ...thanks, to: "bruno" },
  ])
    expect(await post(other)).toMatchObject({ status: 409 })
  expect(await balanceOf(bruno)).toBe(25)
})

test("the transfer limit counts one request", async () => {
  await using here = await company({ "limits.transfers_per_minute": "2" })
  const { ana } = here

  expect(await ana.post(path, thanks)).toMatchObject({ status: 201 })
  expect(await ana.post(path, thanks)).toMatchObject({ status: 201 })
  expect(await ana.post(path, thanks)).toMatchObject({ status: 429 })
})

test("the feed shows one entry with all receivers, and each transfer of the group leads to it", async () => {
  await using here = await company()
  const { ana, davi } = here
  await ana.patch("/user/ana/", { avatar: "https://example.com/a.png" })
  await ana.post(path, thanks)
  const entry = {
    id: 2,
    date: `${startOfTests.slice(0, -1)}1Z`,
    value: 25,
    total: 75,
    from_username: "ana",
    from_name: "Ana",
    from_avatar: "https://example.com/a.png",
    to_username: "bruno",
    to_name: "Bruno",
    to_avatar: null,
    receivers: [
      { username: "bruno", name: "Bruno", avatar: null, reversed: 0, taken_back: false },
      { username: "carla", name: "Carla", avatar: null, reversed: 0, taken_back: false },
      { username: "davi", name: "Davi", avatar: null, reversed: 0, taken_back: false },
    ],
    reason: "the fair",
    tags: [],
    private: false,
    reversed: 0,
    taken_back: false,
    occasion: null,
    added: { value: 0, count: 0, own: false },
    reactions: [],
    replies: 0,
  }

  expect((await feedOf(davi)).items[0]).toEqual(entry as never)
  for (const id of [2, 3, 4])
    expect(await davi.get(`/api/v1/recognitions/${id}`)).toEqual(ok({ ...entry, replies_list: [] }))
  for (const query of [
    "?username=ana",
    "?username=bruno",
    "?username=davi",
    "?department=support",
    "?department=sales",
  ])
    expect((await idsOf(ana, query))[0]).toBe(2)
  expect(await idsOf(davi, "?about=me")).toEqual([2])
  expect(await idsOf(davi, "?about=me&username=carla")).toEqual([2])
  expect(await idsOf(davi, "?about=me&username=carla&department=design")).toEqual([2])
  expect(await idsOf(davi, "?q=FAIR")).toEqual([2])
  expect(await idsOf(davi, "?department=nobody")).toEqual([])
})

test("a page never splits or doubles a group", async () => {
  await using here = await company()
  const { ana } = here
  for (let round = 0; round < 4; round += 1) {
    await ana.post(path, { to: ["bruno", "carla", "davi"], value: 1 })
    await ana.post(path, { to: "bruno", value: 1 })
  }
  const all = [17, 14, 13, 10, 9, 6, 5, 2]

  for (const query of ["department=sales", "username=bruno", "username=ana", "about=me"])
    for (const size of [1, 2, 3, 5]) {
      const seen: number[] = []
      for (let next: number | null | undefined; next !== null; ) {
        const page = await feedOf(ana, `?size=${size}&${query}${next === undefined ? "" : `&before=${next}`}`)
        seen.push(...page.items.map(({ id }) => id))
        next = page.next
      }
      expect({ query, size, seen: seen.filter((id) => id > 1) }).toEqual({ query, size, seen: all })
    }
  for (const before of [14, 15, 16]) expect(await idsOf(ana, `?size=2&before=${before}`)).toEqual([13, 10])
})

test("reactions and replies belong to the entry, whichever transfer they name; sender and receivers are told", async () => {
  await using here = await company()
  const { ana, bruno, carla, davi } = here
  await ana.post(path, thanks)

  await bruno.put("/api/v1/recognitions/3/reactions/👏")
  expect(await carla.put("/api/v1/recognitions/2/reactions/👏")).toMatchObject({
    body: { id: 2, reactions: [{ emoji: "👏", count: 2, own: true }] },
  })
  expect(await davi.delete("/api/v1/recognitions/4/reactions/👏")).toMatchObject({
    body: { reactions: [{ count: 2 }] },
  })
  await carla.post("/api/v1/recognitions/4/replies", { text: "With pleasure" })

  expect(await ana.get("/api/v1/recognitions/3")).toMatchObject({
    body: { id: 2, replies: 1, replies_list: [{ username: "carla", text: "With pleasure" }] },
  })
  const told = async (person: Person) =>
    (await person.get<{ items: { type: string; recognition: Entry }[] }>("/api/v1/notifications")).body.items.map(
      ({ type, recognition }) => [type, recognition.id, recognition.receivers.length],
    )
  const [received, replied] = [
    ["recognition", 2, 3],
    ["reply", 2, 3],
  ]
  expect(await told(ana)).toEqual([replied, ["recognition", 1, 1]])
  expect(await told(bruno)).toEqual([replied, received])
  expect(await told(carla)).toEqual([received])
  expect(await told(davi)).toEqual([replied, received])
})

test("a notification that was seen stays seen, for every receiver", async () => {
  await using here = await company()
  const { ana, davi } = here
  await ana.post(path, thanks)
  const { items } = (await davi.get<{ items: { id: number }[] }>("/api/v1/notifications")).body

  expect(await davi.get("/api/v1/notifications")).toMatchObject({ body: { unread: 1 } })
  expect(await davi.post("/api/v1/notifications/seen", { through: items[0]?.id })).toEqual(ok({ unread: 0 }))
  expect(await davi.get("/api/v1/notifications")).toMatchObject({ body: { items: [{ seen: true }], unread: 0 } })
})

test("each receiver is counted, and can redeem what they got", async () => {
  await using here = await company()
  const { ana, davi } = here
  await ana.post(path, thanks)

  expect(await davi.get("/api/v1/me")).toMatchObject({ body: { redeemable: 25 } })
  expect(await davi.get("/api/v1/leaderboard?by=received")).toMatchObject({
    body: { items: [{ username: "ana" }, { username: "bruno", points: 25 }, { points: 25 }, { points: 25 }] },
  })
  expect(await ana.get("/api/v1/leaderboard?by=sent")).toMatchObject({ body: { own: { points: 75, count: 3 } } })
})

test("a private reason is for the sender and every receiver", async () => {
  await using here = await company()
  const { server, ana, bruno, carla, davi } = here
  const admin = await server.admin()
  await ana.post(path, { ...thanks, to: ["bruno", "carla"], private: true })

  for (const reader of [ana, bruno, carla]) {
    expect((await feedOf(reader)).items[0]).toMatchObject({ id: 2, reason: "the fair", private: true })
    expect((await idsOf(reader, "?q=fair"))[0]).toBe(2)
    expect(await reader.get("/api/v1/recognitions/3")).toMatchObject({ status: 200, body: { reason: "the fair" } })
  }
  for (const other of [davi, admin]) {
    expect((await feedOf(other)).items[0]).toMatchObject({ id: 2, reason: null, private: true })
    expect(await idsOf(other, "?q=fair")).toEqual([])
    expect(await other.get("/api/v1/recognitions/3")).toMatchObject({ status: 404 })
  }
})

test("members who see only their own recognitions see the groups in which they are", async () => {
  await using here = await company({ "recognition.feed": "own", "stream.access": "auth" })
  const { ana, bruno, carla, davi } = here
  await ana.post(path, { ...thanks, to: ["bruno", "carla"] })

  expect(await idsOf(carla)).toEqual([2])
  expect(await idsOf(carla, "?username=bruno")).toEqual([2])
  expect(await idsOf(bruno, "?username=davi")).toEqual([])
  expect(await idsOf(davi)).toEqual([])
  expect(await davi.get("/api/v1/recognitions/3")).toMatchObject({ status: 404 })
})

test("points can be taken back from one of the receivers, and the entry says so", async () => {
  await using here = await company()
  const { server, ana, bruno, carla } = here
  const admin = await server.admin()
  await ana.post(path, thanks)

  expect(await admin.post(`${path}/3/reversal`, { reason: "not at the fair" })).toMatchObject({
    status: 201,
    body: { reverses: 3, value: 25, group: null },
  })

  expect(await Promise.all([ana, bruno, carla].map(balanceOf))).toEqual([150, 25, 0])
  expect((await feedOf(bruno)).items[0]).toMatchObject({
    id: 2,
    value: 25,
    total: 75,
    reversed: 25,
    receivers: [
      { username: "bruno", reversed: 0 },
      { username: "carla", reversed: 25 },
      { username: "davi", reversed: 0 },
    ],
  })
  const onTheWall = async () => (await bruno.get<Page>("/api/v1/wall")).body.items.map(({ id }) => id)
  expect(await onTheWall()).toEqual([2, 1])
  for (const id of [2, 4]) await admin.post(`${path}/${id}/reversal`, { reason: "no fair" })
  expect(await onTheWall()).toEqual([1])
})

test("the wall and the stream of the feed show a group once, also resumed; the contract's stream shows each transfer", async () => {
  for (const settings of [{}, { "recognition.feed": "own", "stream.access": "auth" }]) {
    await using here = await company({ "stream.poll_interval_seconds": "0.05", ...settings })
    const { server, ana, davi } = here
    const stream = (query: string) => watch(`${server.url.replace("http", "ws")}${query}`, davi.credentials)
    const live = stream("/api/v1/stream?after=1")
    await live.opened
    await ana.post(path, thanks)
    await ana.post(path, { to: "davi", value: 1 })
    const until = async ({ frames }: ReturnType<typeof stream>, isLast: (frame: object) => boolean) => {
      while (!frames.some((frame) => isLast(frame as object))) await Bun.sleep(1)
      return (frames as { id?: number }[]).filter((frame) => !("through" in frame))
    }
    const isFive = (frame: object) => "id" in frame && frame.id === 5

    const entries = [
      { id: 2, total: 75, receivers: [{ username: "bruno" }, {}, {}] },
      { id: 5, total: 1 },
    ]
    expect(await until(live, isFive)).toMatchObject(entries)
    expect(await until(stream("/api/v1/stream?after=1"), isFive)).toMatchObject(entries)
    for (const after of [2, 3, 4])
      expect(await until(stream(`/api/v1/stream?after=${after}`), isFive)).toMatchObject([{ id: 5 }])
    expect(await until(stream("/transaction/ws?only=recognition&after=1"), isFive)).toMatchObject([
      { id: 2, to: "Bruno", receivers: ["Bruno", "Carla", "Davi"] },
      { id: 5, receivers: ["Davi"] },
    ])
    const each = await until(stream("/transaction/ws?after=1"), isFive)
    expect(each.map(({ id }) => id)).toEqual("stream.access" in settings ? [4, 5] : [2, 3, 4, 5])
    expect((await davi.get<Page>("/api/v1/wall")).body.items.map(({ id }) => id)).toContain(2)
  }
})

test("files and events name the group of each transfer", async () => {
  await using here = await company()
  const { server, ana } = here
  const admin = await server.admin()
  await ana.post(path, { ...thanks, to: ["bruno", "carla"] })

  const { body } = await admin.get<string>("/api/v1/transactions.csv")
  expect(
    body
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",").at(-3)),
  ).toEqual(["group", "", "2", "2"])
  await server.app.events.record()
  expect(await admin.get("/api/v1/events?types=transaction.created")).toMatchObject({
    body: { items: [{ data: { id: 1, group: null } }, { data: { id: 2, group: 2 } }, { data: { id: 3, group: 2 } }] },
  })
})
