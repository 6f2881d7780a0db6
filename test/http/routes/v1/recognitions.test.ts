import { expect, test } from "bun:test"
import type { Store } from "../../../../src/domain/store.ts"
import { ok, refused } from "../../../support/answers.ts"
import { type Person, startTestServer } from "../../../support/server.ts"

interface Item {
  readonly id: number
  readonly reactions: readonly { readonly emoji: string; readonly count: number; readonly own: boolean }[]
  readonly replies: number
}

interface Reply {
  readonly id: number
  readonly username: string
  readonly text: string
  readonly hidden: boolean
}

type Conversation = Item & { readonly replies_list: Reply[] }

/** Ana, Bruno and Carla with 100 points each (1 to 3); 4 and 5 are of Ana to Bruno, 5 in private. */
async function company(settings: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ settings: { "recognition.tags": "help,care", ...settings } })
  const [ana, bruno, carla] = [
    await server.person("Ana"),
    await server.person("Bruno"),
    await server.person("Carla", { dept: "support" }),
  ]
  for (const person of [ana, bruno, carla]) await server.grant(person, 100)
  await ana.post("/transaction/bruno/", { value: 1, reason: "Thanks for the review", tags: ["help"] })
  await ana.post("/transaction/bruno/", { value: 2, reason: "Between us", tags: ["care"], private: true })
  return { server, ana, bruno, carla, admin: await server.admin(), [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

const reactionPath = (id: number, emoji: string) => `/api/v1/recognitions/${id}/reactions/${encodeURIComponent(emoji)}`
const conversation = async (person: Pick<Person, "get">, id: number) =>
  (await person.get<Conversation>(`/api/v1/recognitions/${id}`)).body
const itemsOf = async (person: Pick<Person, "get">, query = "") =>
  (await person.get<{ items: Item[] }>(`/api/v1/feed${query}`)).body.items
const notFound = refused(404, "Recognition not found")
const noReply = refused(404, "Reply not found")

test("reactions are counted once for each person, in a fixed order, and can be taken back", async () => {
  await using here = await company()
  const { ana, bruno, carla } = here

  await ana.put(reactionPath(4, "🎉"))
  await bruno.put(reactionPath(4, "👏"))
  await carla.put(reactionPath(4, "❤")) // without the selector that asks for a picture
  const answer = await carla.put<Item>(reactionPath(4, "👏"))
  const again = await carla.put<Item>(reactionPath(4, "👏"))

  const reactions = [
    { emoji: "👏", count: 2, own: true },
    { emoji: "❤️", count: 1, own: true },
    { emoji: "🎉", count: 1, own: false },
  ]
  expect(answer).toMatchObject({ status: 200, body: { id: 4, reactions, replies: 0 } })
  expect(again).toEqual(answer)
  expect((await itemsOf(carla)).find(({ id }) => id === 4)?.reactions).toEqual(reactions)
  const { body } = await carla.delete<Item>(reactionPath(4, "👏"))
  expect(body.reactions[0]).toEqual({ emoji: "👏", count: 1, own: false })
})

test("one emoji of any kind is a reaction, the usual ones come first; anything else is refused", async () => {
  await using here = await company()
  const { ana } = here
  for (const emoji of ["🍕", "👩‍💻", "🏳‍🌈", "🎉"]) expect((await ana.put(reactionPath(4, emoji))).status).toBe(200)
  const { reactions } = await conversation(ana, 4)
  expect(reactions.map(({ emoji }) => emoji)).toEqual(["🎉", "🍕", "🏳️‍🌈", "👩‍💻"].toSorted(usualFirst))
  for (const text of ["a", "🍕🍕", "🇧", "1", "🍕 ", "‮🍕", "é", "👏".repeat(500)])
    expect(await ana.put(reactionPath(4, text))).toEqual(refused(422, "emoji: one emoji"))
  expect((await conversation(ana, 4)).reactions).toEqual(reactions)
})

const usualFirst = (one: string, other: string) => (one === "🎉" ? -1 : other === "🎉" ? 1 : one < other ? -1 : 1)

test("a recognition has at most 20 kinds of reactions; another person can still choose one of them", async () => {
  await using here = await company()
  const { ana, bruno } = here
  const kinds = [..."🍎🍐🍊🍋🍌🍉🍇🍓🫐🍈🍒🍑🥭🍍🥥🥝🍅🍆🥑🥦"]
  for (const emoji of kinds) expect((await ana.put(reactionPath(4, emoji))).status).toBe(200)
  const full = refused(409, "There are 20 kinds of reactions already; choose one of them")
  expect(await bruno.put(reactionPath(4, "👏"))).toEqual(full)
  expect((await bruno.put(reactionPath(4, "🥦"))).status).toBe(200)
  await ana.delete(reactionPath(4, "🍎"))
  expect((await bruno.put(reactionPath(4, "👏"))).status).toBe(200)
})

test("the lines of a reply are kept; its author can delete it, and a superuser can hide it from others", async () => {
  await using here = await company()
  const { ana, bruno, carla, admin } = here
  const path = "/api/v1/recognitions/4/replies"

  const { status, body: reply } = await carla.post<Reply>(path, { text: "  Well \r\n\n\n\n done \t 👩‍💻 " })
  const { body: other } = await bruno.post<Reply>(path, { text: "Thank you" })

  expect(status).toBe(201)
  expect(reply).toEqual({
    id: reply.id,
    username: "carla",
    name: "Carla",
    avatar: null,
    text: "Well\n\ndone 👩‍💻",
    date: "2026-01-05T09:00:00.000Z",
    hidden: false,
  } as never)
  expect(await conversation(ana, 4)).toMatchObject({ id: 4, replies: 2, replies_list: [reply, other] })
  expect(await ana.delete(`/api/v1/replies/${reply.id}`)).toEqual(refused(403, "You can only delete your own replies"))
  expect(await ana.patch(`/api/v1/replies/${reply.id}`, { hidden: true })).toEqual(refused(403, "Not a super user"))

  expect(await admin.patch(`/api/v1/replies/${reply.id}`, { hidden: true })).toEqual(ok({ ...reply, hidden: true }))
  expect(await conversation(ana, 4)).toMatchObject({ replies: 1, replies_list: [other] })
  for (const person of [admin, carla])
    expect((await conversation(person, 4)).replies_list).toEqual([{ ...reply, hidden: true }, other])
  expect(await ana.delete(`/api/v1/replies/${reply.id}`)).toEqual(noReply)

  expect(await bruno.delete(`/api/v1/replies/${other.id}`)).toEqual(ok({ message: "Reply deleted" }))
  expect(await bruno.delete(`/api/v1/replies/${other.id}`)).toEqual(noReply)
  expect(await conversation(ana, 4)).toMatchObject({ replies: 0, replies_list: [] })
  expect((await here.server.app.store.audit.list({ action: "reply_hidden", limit: 1 }))[0]).toMatchObject({
    who: "admin",
    whom: "carla",
    detail: `reply ${reply.id} to recognition 4`,
  })
})

test("invalid texts are refused, and nothing is stored", async () => {
  await using here = await company()
  const { ana } = here
  const path = "/api/v1/recognitions/4/replies"

  const rule = refused(422, "text: 1 to 280 visible characters")
  for (const text of ["", " \n ", "x".repeat(281), "a\u202Eb", "x".repeat(60_000)])
    expect(await ana.post(path, { text })).toEqual(rule)
  expect((await ana.post(path, { text: "👏".repeat(280) })).status).toBe(201)
  expect((await ana.post(path, { text: 5 })).status).toBe(422)
  expect((await conversation(ana, 4)).replies).toBe(1)
})

test("for people who may not see its reason, a recognition has no address, reactions or replies", async () => {
  await using here = await company()
  const { ana, bruno, carla, admin } = here
  const { body: reply } = await ana.post<Reply>("/api/v1/recognitions/5/replies", { text: "Between us too" })
  await bruno.put(reactionPath(5, "👏"))

  for (const person of [carla, admin]) {
    expect(await person.get("/api/v1/recognitions/5")).toEqual(notFound)
    expect(await person.put(reactionPath(5, "👏"))).toEqual(notFound)
    expect(await person.delete(reactionPath(5, "🍕"))).toEqual(notFound)
    expect(await person.post("/api/v1/recognitions/5/replies", { text: "" })).toEqual(notFound)
    expect(await person.delete(`/api/v1/replies/${reply.id}`)).toEqual(noReply)
    expect(await person.patch(`/api/v1/replies/${reply.id}`, { hidden: true })).toEqual(noReply)
    expect((await itemsOf(person))[0]).toMatchObject({ id: 5, reactions: [], replies: 0 })
  }
  expect(await conversation(bruno, 5)).toMatchObject({ reactions: [{ count: 1, own: true }], replies_list: [reply] })
  for (const id of ["0", "6", "x", "1e0", "99999999999999999"])
    expect(await ana.get(`/api/v1/recognitions/${id}`)).toEqual(notFound)
})

test("with recognition.feed = own, members find recognitions that they sent or received, and superusers all but private ones", async () => {
  await using here = await company({ "recognition.feed": "own" })
  const { bruno, carla, admin } = here

  expect(await carla.get("/api/v1/recognitions/4")).toEqual(notFound)
  expect(await conversation(bruno, 4)).toMatchObject({ id: 4 })
  expect(await conversation(admin, 4)).toMatchObject({ id: 4 })
  expect(await admin.get("/api/v1/recognitions/5")).toEqual(notFound)
})

test("grants, reversals and points to oneself are not recognitions and have no address", async () => {
  await using here = await company()
  const { ana, admin } = here
  await admin.post("/api/v1/grants", { value: 5, usernames: ["ana"] })
  await ana.post("/transaction/ana/", { value: 1 })
  await admin.post("/api/v1/transactions/4/reversal", { reason: "a mistake" })

  for (const id of [6, 7, 8]) expect(await ana.get(`/api/v1/recognitions/${id}`)).toEqual(notFound)
  expect(await conversation(ana, 4)).toMatchObject({ reversed: 1 })
})

test("the feed can be filtered by person, department, tag and text, also combined; private reasons match only for their readers", async () => {
  await using here = await company()
  const { ana, bruno, carla, admin } = here
  const idsOf = async (person: Person, query: string) => (await itemsOf(person, query)).map(({ id }) => id)

  expect(await idsOf(carla, "?about=me")).toEqual([3])
  expect(await idsOf(ana, "?about=me&username=bruno")).toEqual([5, 4])
  expect(await idsOf(ana, "?department=support")).toEqual([3])
  expect(await idsOf(ana, "?department=nobody")).toEqual([])
  expect(await idsOf(ana, "?department=sales&tag=help")).toEqual([4])
  expect(await idsOf(carla, "?tag=care")).toEqual([5])
  expect(await idsOf(carla, "?q=REVIÉW")).toEqual([4])
  for (const person of [carla, admin]) expect(await idsOf(person, "?q=between")).toEqual([])
  expect(await idsOf(bruno, "?q=between&size=1&before=6")).toEqual([5])
  expect(await ana.get("/api/v1/feed?about=you")).toEqual(refused(422, "about: me"))
  expect(await ana.get(`/api/v1/feed?q=${"x".repeat(101)}`)).toEqual(refused(422, "q: at most 100 characters"))
})

test("nobody can send more than 20 replies or 120 reactions a minute", async () => {
  await using here = await company()
  const { ana, bruno, server } = here
  const reply = (person: Person) => person.post("/api/v1/recognitions/4/replies", { text: "Thanks" })

  for (let sent = 0; sent < 20; sent += 1) expect((await reply(ana)).status).toBe(201)
  expect(await reply(ana)).toMatchObject({
    status: 429,
    body: { detail: "Too many replies in a minute; try again later" },
    headers: { "retry-after": "60" },
  })
  expect((await reply(bruno)).status).toBe(201)
  server.clock.advance(60_000)
  expect((await reply(ana)).status).toBe(201)

  for (let sent = 0; sent < 120; sent += 1) await bruno.put(reactionPath(4, "👏"))
  expect((await bruno.put(reactionPath(4, "👏"))).status).toBe(429)
})

test("all responses of a page are read in one query, and none if the page is empty", async () => {
  await using here = await company()
  const { ana, server } = here
  const { responses } = server.app.store
  const asked: (readonly number[])[] = []
  const original = responses.to
  const counting = responses as { -readonly [name in keyof Store["responses"]]: Store["responses"][name] }
  counting.to = (ids, viewerId) => {
    asked.push(ids)
    return original(ids, viewerId)
  }

  await itemsOf(ana)
  await itemsOf(ana, "?tag=none")

  expect(asked).toEqual([[5, 4, 3, 2, 1]])
})
