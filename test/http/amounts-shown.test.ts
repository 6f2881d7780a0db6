import { afterAll, beforeAll, expect, test } from "bun:test"
import { watch } from "../stream/watching.ts"
import { type Client, createClient } from "../support/client.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

/**
 * Who sees which amounts where the programme shows them only to those whom they concern. Ana thanks Bruno with 4711 points, of
 * which 37 are taken back, and Dora adds 907 to it. Ana thanks Fred and Gina with 613 each. Carla, Bruno's manager, takes no part
 * in any of it, and neither does Eva, who has the duty of the insights.
 */
const amounts = {
  gift: 4711,
  takenBack: 37,
  added: 907,
  each: 613,
  total: 1226,
  sentByAna: 5900,
  receivedByBruno: 5581,
  /** What everybody gave. */
  sum: 6807,
}
type Amount = keyof typeof amounts

const viewers = ["ana", "bruno", "carla", "dora", "eva", "admin"] as const
type Viewer = (typeof viewers)[number]

let server: TestServer
let admin: Person
const people = new Map<string, Person>()

function personNamed(viewer: Viewer): Person {
  const found = people.get(viewer)
  if (!found) throw new Error(`${viewer} is missing`)
  return found
}

const show = (amounts_shown: string) => admin.patch("/api/v1/programme", { amounts_shown })

beforeAll(async () => {
  server = await startTestServer({ settings: { "stream.access": "auth", "stream.wall_key": wallKey } })
  admin = await server.admin()
  people.set("admin", admin)
  for (const name of ["Ana", "Bruno", "Carla", "Dora", "Eva", "Fred", "Gina"])
    people.set(name.toLowerCase(), await server.person(name))
  const [ana, dora] = [personNamed("ana"), personNamed("dora")]
  await admin.patch("/api/v1/users/bruno", { manager: "carla" })
  await admin.patch("/api/v1/users/eva", { duties: ["insights"] })
  await admin.post("/api/v1/grants", { usernames: ["ana", "dora"], value: 10_000 })
  await ana.post("/api/v1/transactions", { to: "bruno", value: amounts.gift })
  await dora.post("/api/v1/recognitions/3/points", { value: amounts.added })
  await ana.post("/api/v1/transactions", { to: ["fred", "gina"], value: amounts.each })
  await admin.post("/api/v1/transactions/3/reversal", { value: amounts.takenBack, reason: "a mistake" })
  await personNamed("carla").post("/api/v1/recognitions/3/replies", { text: "Well deserved" })
  await show("concerned")
})

afterAll(() => server[Symbol.asyncDispose]())

/** Those amounts that are numbers somewhere in an answer. */
function amountsIn(answer: unknown): readonly Amount[] {
  const numbers = new Set(
    JSON.stringify(answer)
      .match(/(?<![\w.])\d+(?![\w.])/g)
      ?.map(Number),
  )
  return (Object.keys(amounts) as Amount[]).filter((amount) => numbers.has(amounts[amount]))
}

const get = (path: string) => async (viewer: Client) => {
  const { status, body } = await viewer.get(path)
  expect(status).toBe(200)
  return body
}

const wallKey = "w".repeat(32)

/** What a stream sends up to the last transaction. */
const stream = (path: string) => (viewer: Pick<Client, "credentials">) => framesOf(server, path, viewer.credentials)

async function framesOf({ url }: TestServer, path: string, headers: Readonly<Record<string, string>>, last = 7) {
  const { opened, frames, close } = watch(`${url.replace("http", "ws")}${path}`, headers)
  await opened
  await until(() => frames.some((frame) => Object(frame).through >= last))
  close()
  return frames
}

const react = async (viewer: Client) =>
  (await viewer.put(`/api/v1/recognitions/3/reactions/${encodeURIComponent("👏")}`)).body

const nobody: Readonly<Record<Viewer, readonly Amount[]>> = {
  ana: [],
  bruno: [],
  carla: [],
  dora: [],
  eva: [],
  admin: [],
}

/** What is in each place, and for whom. What somebody else added does not concern the giver, and the one who added not the gift. */
const places: readonly [string, (viewer: Person) => Promise<unknown>, Partial<Record<Viewer, readonly Amount[]>>][] = [
  [
    "feed",
    get("/api/v1/feed"),
    {
      ana: ["gift", "takenBack", "each", "total"],
      bruno: ["gift", "takenBack", "added"],
      admin: ["gift", "takenBack", "added", "each", "total"],
    },
  ],
  [
    "entry",
    get("/api/v1/recognitions/3"),
    { ana: ["gift", "takenBack"], bruno: ["gift", "takenBack", "added"], admin: ["gift", "takenBack", "added"] },
  ],
  [
    "answer to a reaction",
    react,
    { ana: ["gift", "takenBack"], bruno: ["gift", "takenBack", "added"], admin: ["gift", "takenBack", "added"] },
  ],
  [
    "stream of the feed",
    stream("/api/v1/stream?after=0"),
    {
      ana: ["gift", "takenBack", "each", "total"],
      bruno: ["gift", "takenBack", "added"],
      admin: ["gift", "takenBack", "added", "each", "total"],
    },
  ],
  [
    "stream of transactions",
    stream("/transaction/ws?heartbeat=true"),
    {
      ana: ["gift", "takenBack", "each"],
      bruno: ["gift", "takenBack", "added"],
      dora: ["added"],
      admin: ["gift", "takenBack", "added", "each"],
    },
  ],
  [
    "resumed stream",
    stream("/transaction/ws?heartbeat=true&after=0"),
    {
      ana: ["gift", "takenBack", "each"],
      bruno: ["gift", "takenBack", "added"],
      dora: ["added"],
      admin: ["gift", "takenBack", "added", "each"],
    },
  ],
  [
    "stream of recognitions",
    stream("/transaction/ws?heartbeat=true&only=recognition"),
    { ana: ["gift", "each"], bruno: ["gift"], admin: ["gift", "each"] },
  ],
  ["page of the receiver", get("/api/v1/people/bruno"), { bruno: ["receivedByBruno"], admin: ["receivedByBruno"] }],
  ["page of the giver", get("/api/v1/people/ana"), { ana: ["sentByAna"], admin: ["sentByAna"] }],
  [
    "who received most",
    get("/api/v1/leaderboard?period=all&by=received"),
    { bruno: ["receivedByBruno"], admin: ["each", "receivedByBruno"] },
  ],
  [
    "who gave most",
    get("/api/v1/leaderboard?period=all&by=sent"),
    { ana: ["sentByAna"], dora: ["added"], admin: ["added", "sentByAna"] },
  ],
  ["wall", get("/api/v1/wall"), {}],
  [
    "notifications",
    get("/api/v1/notifications"),
    { ana: ["gift", "takenBack"], bruno: ["gift", "takenBack", "added"] },
  ],
  ["team", get("/api/v1/team"), {}],
  [
    "history",
    get("/api/v1/transactions"),
    {
      ana: ["gift", "takenBack", "each"],
      bruno: ["gift", "takenBack", "added"],
      dora: ["added"],
      admin: ["gift", "takenBack", "added", "each"],
    },
  ],
  [
    "history as a file",
    get("/api/v1/transactions.csv"),
    {
      ana: ["gift", "takenBack", "each"],
      bruno: ["gift", "takenBack", "added"],
      dora: ["added"],
      admin: ["gift", "takenBack", "added", "each"],
    },
  ],
  [
    "figures",
    get("/api/v1/stats"),
    { ana: ["sentByAna"], bruno: ["receivedByBruno"], dora: ["added"], admin: ["sum"] },
  ],
  ["look back", get("/api/v1/recap?period=2026"), { ana: ["sentByAna"], bruno: ["receivedByBruno"], dora: ["added"] }],
  [
    "own data",
    (viewer) => get(`/api/v1/users/${viewer.username}/data`)(viewer),
    {
      ana: ["gift", "takenBack", "each"],
      bruno: ["gift", "takenBack", "added", "receivedByBruno"],
      dora: ["added"],
      admin: ["takenBack"],
    },
  ],
  ["suggestions", get("/api/v1/suggestions"), {}],
  ["search", get("/api/v1/people?q=b"), {}],
  ["directory", get("/user/"), {}],
]

test.each(places)("%s: nobody sees amounts but their own, except superusers", async (_, see, sees) => {
  const seen = new Map<string, readonly Amount[]>()
  for (const viewer of viewers) seen.set(viewer, amountsIn(await see(personNamed(viewer))))
  expect(Object.fromEntries(seen)).toEqual({ ...nobody, ...sees })
})

test("a wall and a stream without a log-in show who thanked whom, and no amounts", async () => {
  const key = { cookie: `wall_key=${wallKey}` }
  const wall = await createClient(server.url, key).get<{ items: { to_name: string }[]; week: object }>("/api/v1/wall")
  const frames = await framesOf(server, "/transaction/ws?heartbeat=true&only=recognition", key)

  expect(wall.body.items.map(({ to_name }) => to_name)).toEqual(["Fred", "Bruno"])
  expect(wall.body.week).toMatchObject({ points: null, count: 4 })
  expect(frames).toMatchObject([
    { to: "Bruno", from: "Ana", value: null },
    { to: "Fred", from: "Ana", value: null, receivers: ["Fred", "Gina"] },
    { through: 7 },
  ])
  expect([amountsIn(wall.body), amountsIn(frames)]).toEqual([[], []])
})

test("messages in chats name no points; events, which only superusers see, have all", async () => {
  await server.app.events.record()
  const { items } = await server.app.events.page({})
  const { webhookSender } = server.app
  for (const format of ["slack", "teams", "discord"] as const) {
    const messages = await Promise.all(items.map((event) => webhookSender.compose({ format, events: [] }, event)))
    const sent = messages.filter((message) => message !== null)
    expect(sent).toHaveLength(2)
    expect(sent.join()).toContain("Bruno")
    expect(sent.join()).not.toMatch(/4674|4711|613|point/)
  }
  expect(amountsIn((await admin.get("/api/v1/events")).body)).toEqual(["gift", "takenBack", "added", "each"])
})

test("the duty of the insights shows figures there, also those of people", async () => {
  const eva = personNamed("eva")
  expect(amountsIn(await get("/api/v1/insights/participation")(eva))).toEqual(["sum"])
  expect(amountsIn(await get("/api/v1/insights/budgets")(eva))).toEqual(["added", "sentByAna"])
})

test("the duty of people shows the balances of accounts, which those who leave return", async () => {
  await admin.patch("/api/v1/users/eva", { duties: ["people"] })
  const account = await personNamed("eva").get("/api/v1/users/bruno")
  await admin.patch("/api/v1/users/eva", { duties: ["insights"] })

  expect(account).toMatchObject({ status: 200, body: { balance: amounts.receivedByBruno } })
})

test("what was taken back completely is known to be so, without its amount", async () => {
  const { body } = await personNamed("ana").post<{ id: number }>("/api/v1/transactions", { to: "bruno", value: 5 })
  await admin.post(`/api/v1/transactions/${body.id}/reversal`, { reason: "a mistake" })

  expect(await personNamed("carla").get(`/api/v1/recognitions/${body.id}`)).toMatchObject({
    body: { value: null, reversed: null, taken_back: true, receivers: [{ reversed: null, taken_back: true }] },
  })
})

test("an open stream follows the programme, and everybody sees all amounts again", async () => {
  const carla = personNamed("carla")
  const { opened, frames, close } = watch(`${server.url.replace("http", "ws")}/api/v1/stream`, carla.credentials)
  await opened
  const sent = async (value: number) => {
    const before = frames.length
    await personNamed("ana").post("/api/v1/transactions", { to: "bruno", value })
    await until(() => frames.slice(before).some((frame) => "value" in Object(frame)))
    return frames.slice(before).find((frame) => "value" in Object(frame))
  }
  expect(await sent(1)).toMatchObject({ value: null })
  await show("everyone")
  expect(await sent(2)).toMatchObject({ value: 2 })
  close()

  for (const path of ["/api/v1/feed", "/api/v1/people/bruno", "/api/v1/wall"])
    expect(await get(path)(carla)).toEqual(await get(path)(admin))
})

test("a feed of one's own hides what others added from the sender, also live", async () => {
  await using own = await startTestServer({ settings: { "recognition.feed": "own" } })
  const [by, ana, bruno] = [await own.admin(), await own.person("Ana"), await own.person("Bruno")]
  await by.post("/api/v1/grants", { usernames: ["ana"], value: 100 })
  await by.patch("/api/v1/programme", { amounts_shown: "concerned" })
  await ana.post("/api/v1/transactions", { to: "bruno", value: 40 })
  await by.post("/api/v1/recognitions/2/points", { value: 7 })

  const entryOf = async (viewer: Person) => {
    const frames = await framesOf(own, "/api/v1/stream?after=0", viewer.credentials, 3)
    return [(await viewer.get("/api/v1/recognitions/2")).body, frames.find((frame) => Object(frame).id === 2)]
  }
  const toSender = { value: 40, added: { value: null, count: 1 } }
  const toReceiver = { value: 40, added: { value: 7, count: 1 } }
  expect(await entryOf(ana)).toMatchObject([toSender, toSender])
  expect(await entryOf(bruno)).toMatchObject([toReceiver, toReceiver])
})
