import { expect, test } from "bun:test"
import { createMessages } from "../../../../src/integrations/webhooks/chat-messages.ts"
import { watch } from "../../../stream/watching.ts"
import { refused } from "../../../support/answers.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

interface Item {
  readonly id: number
  readonly value: number
  readonly to: { readonly username: string }
  readonly adds_to: number | null
}

interface Sent {
  readonly items: readonly Item[]
  readonly replayed: boolean
}

interface Entry {
  readonly id: number
  readonly added: { readonly value: number; readonly count: number; readonly own: boolean }
}

interface Page {
  readonly items: readonly Entry[]
}

/** Ana thanked Bruno (transaction 4) and Carla with Davi (5 and 6); Bruno, Elena and Ana have points to give. */
async function company(settings: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ settings: { "recognition.tags": "care", ...settings } })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const [carla, davi, elena] = [await server.person("Carla"), await server.person("Davi"), await server.person("Elena")]
  const admin = await server.admin()
  for (const person of [ana, bruno, elena]) await server.grant(person, 200)
  server.clock.advance(1)
  await ana.post("/api/v1/transactions", { to: "bruno", value: 10, reason: "the fair", tags: ["care"] })
  await ana.post("/api/v1/transactions", { to: ["carla", "davi"], value: 10, reason: "the stand" })
  server.clock.advance(1)
  return { server, admin, ana, bruno, carla, davi, elena, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const add = (person: Person, id: number, body: object) => person.post<Sent>(`/api/v1/recognitions/${id}/points`, body)
const keyed = (person: Person, id: number, key: string, json: object) =>
  person.call("POST", `/api/v1/recognitions/${id}/points`, { headers: { "idempotency-key": key }, json })
const balanceOf = async (person: Person) => (await person.get<{ balance: number }>("/api/v1/me")).body.balance
const entry = async (person: Person, id: number) => (await person.get<Entry>(`/api/v1/recognitions/${id}`)).body
const addedTo = async (person: Person, id: number) => (await entry(person, id)).added
const feedOf = async (person: Person, query = "") => (await person.get<Page>(`/api/v1/feed${query}`)).body.items

test("each receiver of the entry gets the points as a transfer that names the entry", async () => {
  await using here = await company()
  const { elena, carla, davi } = here

  const { status, body } = await add(elena, 6, { value: 5 })

  expect(status).toBe(201)
  expect(body).toMatchObject({
    items: [
      { id: 7, kind: "transfer", value: 5, from: { username: "elena" }, to: { username: "carla" }, adds_to: 5 },
      { id: 8, kind: "transfer", value: 5, from: { username: "elena" }, to: { username: "davi" }, adds_to: 5 },
    ],
    replayed: false,
  })
  expect(body.items[0]).toMatchObject({ reason: null, tags: [], private: false, group: null, reversed: 0 })
  expect(await Promise.all([elena, carla, davi].map(balanceOf))).toEqual([190, 15, 15])
  expect((await carla.get<{ redeemable: number }>("/api/v1/me")).body.redeemable).toBe(15)
})

test("the entry says how much was added, by how many people, and whether by the reader; it stays one entry", async () => {
  await using here = await company()
  const { ana, bruno, carla, davi, elena } = here
  await add(elena, 5, { value: 5 })
  await add(bruno, 5, { value: 20 })
  await add(elena, 5, { value: 1 })

  const added = { value: 26, count: 2 }
  expect(await addedTo(elena, 5)).toEqual({ ...added, own: true })
  for (const person of [ana, carla, davi]) expect(await addedTo(person, 5)).toEqual({ ...added, own: false })
  // Any transaction finds the entry, also one that added to it.
  for (const id of [6, 7, 9, 12]) expect(await entry(bruno, id)).toMatchObject({ id: 5, value: 10, added })
  expect((await feedOf(bruno)).map(({ id, added }) => [id, added.value])).toEqual([
    [5, 26],
    [4, 0],
    [3, 0],
    [2, 0],
    [1, 0],
  ])
  const shown: Record<string, number[]> = { "?username=elena": [3], "?username=carla": [5], "?about=me": [3] }
  for (const [query, ids] of Object.entries(shown))
    expect((await feedOf(elena, query)).map(({ id }) => id)).toEqual(ids)
  expect((await bruno.get<Page>("/api/v1/wall")).body.items[0]).toMatchObject({
    id: 5,
    added: { ...added, own: false },
  })
  expect(await elena.call("PUT", `/api/v1/recognitions/5/reactions/${encodeURIComponent("👏")}`)).toMatchObject({
    body: { added: { ...added, own: true } },
  })
})

test("nobody adds to a private recognition, to one's own, or to one that was taken back", async () => {
  await using here = await company()
  const { server, admin, ana, bruno, elena, davi } = here
  await ana.post("/api/v1/transactions", { to: "bruno", value: 1, reason: "between us", private: true })
  await ana.post("/api/v1/transactions", { to: "davi", value: 3 })
  await admin.post("/api/v1/transactions/8/reversal", { reason: "a mistake" })
  const before = await server.app.store.ledger.lastId()
  const unknown = refused(404, "Recognition not found")
  const refusalOf = async (person: Person, id: number, body: object = { value: 5 }) => {
    const headers = { ...person.credentials, "content-type": "application/json" }
    const sent = { method: "POST", headers, body: JSON.stringify(body) }
    const { status, headers: answered } = await fetch(`${server.url}/api/v1/recognitions/${id}/points`, sent)
    return [status, answered.get("error-code")]
  }

  for (const id of [7, 99, 9]) expect(await add(elena, id, { value: 5 })).toMatchObject(unknown)
  for (const person of [ana, bruno]) expect(await refusalOf(person, 7)).toEqual([422, "private"])
  expect(await refusalOf(bruno, 4)).toEqual([422, "own_recognition"])
  expect(await refusalOf(davi, 5)).toEqual([422, "own_recognition"])
  expect(await refusalOf(elena, 8)).toEqual([409, "taken_back"])
  for (const value of [0, -1, 1.5, "5", null]) expect(await refusalOf(elena, 4, { value })).toEqual([422, "invalid"])
  expect(await refusalOf(elena, 4, {})).toEqual([422, "invalid"])
  expect(await refusalOf(elena, 4, { value: 201 })).toEqual([400, "insufficient_balance"])
  expect(await refusalOf(elena, 5, { value: 101 })).toEqual([400, "insufficient_balance"])
  expect(await server.app.store.ledger.lastId()).toBe(before)
  expect(await addedTo(elena, 4)).toEqual({ value: 0, count: 0, own: false })
})

test("whoever has left, or from whom everything was taken back, gets nothing more; the others do", async () => {
  await using here = await company()
  const { admin, ana, elena } = here
  await ana.post("/api/v1/transactions", { to: ["bruno", "carla", "davi"], value: 2 })
  await admin.post("/api/v1/transactions/7/reversal", { reason: "not at the fair" })
  await admin.patch("/api/v1/users/davi", { active: false })

  expect(await add(elena, 7, { value: 5 })).toMatchObject({
    status: 201,
    body: { items: [{ to: { username: "carla" } }] },
  })
  expect(await addedTo(elena, 7)).toEqual({ value: 5, count: 1, own: true })
  await admin.patch("/api/v1/users/carla", { active: false })
  expect(await add(elena, 7, { value: 5 })).toMatchObject(refused(404, "User not found"))
})

test("the same request is made once, under a key or a reference; another one is refused", async () => {
  await using here = await company()
  const { admin, elena } = here
  const first = await keyed(elena, 4, "one", { value: 5 })
  expect(first).toMatchObject({ status: 201, body: { replayed: false } })
  const named = await add(elena, 4, { value: 7, reference: "fair-7" })
  expect(named).toMatchObject({ body: { items: [{ reference: "fair-7" }] } })

  expect(await keyed(elena, 4, "one", { value: 5 })).toMatchObject({
    status: 201,
    body: { items: [{ id: 7 }], replayed: true },
  })
  expect(await keyed(elena, 4, "one", { value: 6 })).toMatchObject(
    refused(409, "This Idempotency-Key was used for another request"),
  )
  expect(await keyed(elena, 5, "one", { value: 5 })).toMatchObject(
    refused(409, "This Idempotency-Key was used for another request"),
  )
  expect(await add(elena, 4, { value: 8, reference: "fair-7" })).toMatchObject(
    refused(409, "This reference was used for another request"),
  )
  expect(await elena.post("/api/v1/transactions", { to: "bruno", value: 7, reference: "fair-7" })).toMatchObject({
    status: 409,
  })
  // Even when nobody is left who could get more.
  await admin.patch("/api/v1/users/bruno", { active: false })
  expect(await keyed(elena, 4, "one", { value: 5 })).toMatchObject({
    status: 201,
    body: { items: [{ id: 7 }], replayed: true },
  })
  expect(await add(elena, 4, { value: 7, reference: "fair-7" })).toMatchObject({
    status: 201,
    body: { items: [{ id: 8 }], replayed: true },
  })
  expect(await balanceOf(elena)).toBe(188)
})

test("ten requests at once under one key add once", async () => {
  await using here = await company()
  const { elena, carla } = here

  const answers = await Promise.all(Array.from({ length: 10 }, () => keyed(elena, 5, "one", { value: 5 })))

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ body }) => (body as Sent).replayed)).toHaveLength(9)
  expect([await balanceOf(elena), await balanceOf(carla)]).toEqual([190, 15])
})

test("points that are added while the entry is taken back are refused, or stay", async () => {
  await using here = await company()
  const { admin, ana, bruno, elena } = here
  for (let round = 0; round < 5; round += 1) {
    const { body } = await ana.post<{ id: number }>("/api/v1/transactions", { to: "bruno", value: 1 })
    const before = await balanceOf(bruno)
    const [reversal, added] = await Promise.all([
      admin.post(`/api/v1/transactions/${body.id}/reversal`, { reason: "a mistake" }),
      add(elena, body.id, { value: 5 }),
    ])
    expect(reversal.status).toBe(201)
    expect([201, 409]).toContain(added.status)
    expect(await balanceOf(bruno)).toBe(before - 1 + (added.status === 201 ? 5 : 0))
    expect(await add(elena, body.id, { value: 5 })).toMatchObject(refused(409, "This recognition was taken back"))
  }
})

test("what was added can be taken back by itself; the entry keeps what others added", async () => {
  await using here = await company()
  const { admin, bruno, carla, elena } = here
  await add(elena, 5, { value: 5 })
  await add(bruno, 5, { value: 2 })

  const reverse = (id: number, value?: number) =>
    admin.post(`/api/v1/transactions/${id}/reversal`, { reason: "a mistake", ...(value !== undefined && { value }) })
  expect(await reverse(7, 3)).toMatchObject({ status: 201 })
  expect(await addedTo(elena, 5)).toEqual({ value: 7, count: 2, own: true }) // Davi has all of it
  await reverse(7)
  await reverse(8)
  expect(await addedTo(elena, 5)).toEqual({ value: 2, count: 1, own: false })
  expect(await balanceOf(carla)).toBe(12)
  // Taking back the entry leaves what others gave.
  await reverse(5)
  await reverse(6)
  expect(await entry(elena, 5)).toMatchObject({ reversed: 20, added: { value: 2, count: 1 } })
  expect(await balanceOf(carla)).toBe(2)
})

test("each receiver gets one notification, which names who added; nobody else gets one", async () => {
  await using here = await company()
  const { ana, carla, elena } = here
  await carla.post("/api/v1/notifications/seen", { through: Number.MAX_SAFE_INTEGER })
  await add(elena, 5, { value: 5 })

  const { body } = await carla.get<{ items: object[]; unread: number }>("/api/v1/notifications")
  expect(body).toMatchObject({
    items: [
      {
        type: "addition",
        seen: false,
        addition: { username: "elena", name: "Elena", avatar: null, value: 5 },
        recognition: { id: 5, from_username: "ana", reason: "the stand", added: { value: 5, count: 1, own: false } },
        reply: null,
      },
      { type: "recognition", seen: true, addition: null, recognition: { id: 5 } },
    ],
    unread: 1,
  })
  expect(body.items).toHaveLength(2)
  expect((await ana.get<{ items: object[] }>("/api/v1/notifications")).body.items).toHaveLength(1)
})

test("added points count like any recognition", async () => {
  await using here = await company()
  const { carla, elena } = here
  await add(elena, 5, { value: 5 })

  const { body } = await carla.get<{ items: { username: string; points: number }[] }>(
    "/api/v1/leaderboard?by=received&period=week",
  )
  expect(body.items.find(({ username }) => username === "carla")).toMatchObject({ points: 15 })
  expect(await carla.get("/api/v1/people/elena")).toMatchObject({ body: { sent: { count: 2, points: 10 } } })
})

test("the stream tells everybody of what was added, in one message, also when it is resumed", async () => {
  await using here = await company({ "stream.poll_interval_seconds": "0.05" })
  const { server, ana, elena } = here
  const stream = async (person: Person, query: string) => {
    const watcher = watch(`${server.url.replace("http", "ws")}${query}`, person.credentials)
    await watcher.opened
    return watcher
  }
  const live = await stream(ana, "/api/v1/stream?after=6")
  const own = await stream(elena, "/api/v1/stream?after=6")
  await add(elena, 5, { value: 5 })
  await ana.post("/api/v1/transactions", { to: "davi", value: 1 })

  const until = async ({ frames }: typeof live) => {
    while (!frames.some((frame) => (frame as { id?: number }).id === 9)) await Bun.sleep(1)
    return frames.filter((frame) => "id" in (frame as object) || "changed" in (frame as object))
  }
  const changed = (isOwn: boolean) => [
    { through: 8, changed: { id: 5, reason: "the stand", added: { value: 5, count: 1, own: isOwn } } },
    { id: 9 },
  ]
  expect(await until(live)).toMatchObject(changed(false))
  expect(await until(own)).toMatchObject(changed(true))
  expect(await until(await stream(ana, "/api/v1/stream?after=7"))).toMatchObject(changed(false))
  expect(await until(await stream(elena, "/transaction/ws?only=recognition&after=6"))).toMatchObject([{ id: 9 }])
})

test("members who see only their own recognitions are told of points that were added to these", async () => {
  await using here = await company({ "recognition.feed": "own", "stream.poll_interval_seconds": "0.05" })
  const { server, admin, carla, elena } = here
  const live = watch(`${server.url.replace("http", "ws")}/api/v1/stream?after=6`, carla.credentials)
  await live.opened

  expect(await add(elena, 5, { value: 5 })).toMatchObject(refused(404, "Recognition not found"))
  expect(await add(admin, 5, { value: 5 })).toMatchObject({ status: 201 })
  const isChange = (frame: unknown) => "changed" in (frame as object)
  while (!live.frames.some(isChange)) await Bun.sleep(1)
  expect(live.frames.find(isChange)).toMatchObject({
    changed: { id: 5, added: { value: 5, count: 1, own: false } },
  })
})

test("files, events and the history name the entry; chats say nothing", async () => {
  await using here = await company()
  const { server, admin, elena } = here
  await add(elena, 5, { value: 5 })

  const { body } = await elena.get<string>("/api/v1/transactions.csv")
  expect(
    body
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(",").at(-1)),
  ).toEqual(["adds_to", "", "5", "5"])
  await server.app.events.record()
  expect(await admin.get("/api/v1/events?types=transaction.created&after=12")).toMatchObject({
    body: { items: [{ data: { id: 7, adds_to: 5, group: null } }, { data: { id: 8, adds_to: 5 } }] },
  })
  const [event] = (await server.app.events.page({ after: 12 })).items
  const messages = createMessages({
    service: { name: "Rewards", language: "en" },
    address: { url: server.url },
    programme: server.app.programme.current,
  })
  expect(event && (await messages.compose("slack", event))).toBeNull()
  expect((await elena.get<{ items: Item[] }>("/api/v1/transactions")).body.items.map(({ adds_to }) => adds_to)).toEqual(
    [5, 5, null],
  )
})

test("an erased person stays one of those who added", async () => {
  await using here = await company()
  const { admin, carla, elena } = here
  await add(elena, 5, { value: 5 })
  await admin.patch("/api/v1/users/elena", { active: false })
  await admin.post("/api/v1/users/elena/erasure", { reasons: "all" })

  expect(await addedTo(carla, 5)).toEqual({ value: 5, count: 1, own: false })
  const { body } = await carla.get<{ items: { addition: { username: string; name: string } | null }[] }>(
    "/api/v1/notifications",
  )
  expect(body.items[0]?.addition?.username).toMatch(/^erased-/)
  expect(JSON.stringify(body)).not.toContain("Elena")
})
