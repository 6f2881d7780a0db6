import { afterAll, beforeAll, expect, test } from "bun:test"
import { watch } from "../stream/watching.ts"
import type { Client } from "../support/client.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"
import { housekeeping, traces, workedHere } from "./routes/v1/worked-here.ts"

/** What people wrote, and what they are called, is shown nowhere once it has been erased or changed. */

/** Paths that are no answers, or answers with nothing of people in them. */
const notAsked = /^\/(oidc|unsubscribe)|\/stream$|\.png$/

interface Viewer {
  readonly as: string
  readonly client: Client
}

let first: TestServer
/** Another process on the same database. */
let second: TestServer
let admin: Person
let ana: Person
let zoe: Person
let places: readonly string[]
let viewers: readonly Viewer[]

beforeAll(async () => {
  first = await startTestServer({ settings: { "recognition.feed": "all", "limits.transfers_per_minute": "0" } })
  second = await startTestServer({ beside: first })
  const worked = await workedHere(first)
  ;[admin, ana, zoe] = [worked.admin, worked.colleagues[0], worked.zoe]
  const renamed = await first.person("Formername")
  await first.grant(renamed, 100)
  await everythingHappens(renamed)
  for (const server of [first, second]) await housekeeping(server)
  viewers = [first, second].flatMap((server, index) => {
    const name = `process ${index + 1}`
    return [
      { as: `admin at ${name}`, client: clientAt(server, admin) },
      { as: `Ana at ${name}`, client: clientAt(server, ana) },
      { as: `a stranger at ${name}`, client: server.anybody },
    ]
  })
  places = await placesIn(admin)
})

afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await first[Symbol.asyncDispose]()
})

test("a new name is shown everywhere at once, in every process, and the former one nowhere", async () => {
  const before = await placesWith(["formername"])
  for (const place of ["/api/v1/feed", "/api/v1/people", "/api/v1/wall", "/transaction/ws", "/api/v1/stream"])
    expect(before.some((one) => one.startsWith(place))).toBe(true)

  await admin.patch("/api/v1/users/formername", { name: "Latterly Called" })

  // The username stays. The audit log says what the name was, also in the data of who changed it.
  const still = await placesWith(["Formername"], { exactly: true })
  expect(still.filter((place) => !/^\/api\/v1\/(audit|users\/admin\/data)/.test(place))).toEqual([])
  expect((await placesWith(["Latterly Called"], { exactly: true })).length).toBeGreaterThan(before.length / 2)
})

test("a new username is shown everywhere at once, in every process, and the former one only as a former one", async () => {
  const change = { username: "latterly-called", email: "latterly@example.com" }
  expect(await admin.patch("/api/v1/users/formername", change)).toMatchObject({ status: 200, body: change })

  const still = await placesWith(["formername"])
  expect(still.filter((place) => !/^\/api\/v1\/(audit|events|users\/admin\/data)/.test(place))).toEqual([])
  const shown = await placesWith(["latterly-called"])
  for (const place of ["/api/v1/feed", "/api/v1/people", "/api/v1/transactions.csv", "/transaction/", "/api/v1/stream"])
    expect(shown.some((one) => one.startsWith(place))).toBe(true)
})

test("an erased person and their words are shown nowhere, in every process, from the answer on", async () => {
  const before = await placesWith(traces)
  for (const place of [
    ...["/api/v1/feed", "/api/v1/notifications", "/api/v1/recap", "/api/v1/transactions.csv", "/api/v1/events"],
    ...["/api/v1/wall", "/transaction/ws", "/api/v1/stream", "/api/v1/recognitions/", "/transaction/"],
  ])
    expect(before.some((one) => one.startsWith(place))).toBe(true)
  const renamed = { username: "zoëtrope-nadel-again" }
  await admin.patch(`/api/v1/users/${encodeURIComponent(zoe.username)}`, renamed)
  const account = `/api/v1/users/${encodeURIComponent(renamed.username)}`
  await admin.patch(account, { active: false })
  await placesWith(traces)

  expect(await admin.post(`${account}/erasure`, { reasons: "all" })).toMatchObject({ status: 200 })

  expect(await placesWith(traces)).toEqual([])
})

/** What else people do here: each kind of entry, answer and event names somebody. */
async function everythingHappens(renamed: Person) {
  for (const [person, mark] of [
    [zoe, "trace-"],
    [renamed, "kept-"],
  ] as const) {
    const to = ["ana", "bruno"]
    const thanks = { to, value: 1, reason: `${mark}written to several` }
    const { group } = (await person.post<{ group: number }>("/api/v1/transactions", thanks)).body
    await ana.post(`/api/v1/recognitions/${group}/replies`, { text: "Thank you" })
    await person.post(`/api/v1/recognitions/${group}/replies`, { text: `${mark}of-a-reply` })
    for (const sender of [ana, admin])
      await sender.post("/api/v1/transactions", { to: person.username, value: 2, reason: `${mark}received once` })
  }
}

const clientAt = (server: TestServer, person: Person): Client => {
  const { anybody } = server
  const call: Client["call"] = (method, path, sent = {}) =>
    anybody.call(method, path, { ...sent, headers: { ...person.credentials, ...sent.headers } })
  return { ...anybody, call, get: (path) => call("GET", path), credentials: person.credentials }
}

/** Every path that answers GET, with people, ids and periods in it. */
async function placesIn(client: Client): Promise<string[]> {
  const { body } = await client.get<{ paths: Record<string, object> }>("/openapi.json")
  const paths = Object.entries(body.paths).flatMap(([path, methods]) => ("get" in methods ? [path] : []))
  const found = paths.filter((path) => !notAsked.test(path)).flatMap(filled)
  return [...found, "/transaction/?order_by=-date&size=100", "/api/v1/feed?size=100", "/api/v1/events?limit=1000"]
}

function filled(path: string): string[] {
  if (path.includes("{username}")) return ["ana", "bruno", "admin"].map((name) => path.replace("{username}", name))
  if (!path.includes("{id}")) return [path]
  const ids = path.includes("recognitions") ? Array.from({ length: 20 }, (_, index) => index + 1) : [1, 2, 3]
  return ids.map((id) => path.replace("{id}", `${id}`))
}

/** Where somebody reads one of these words. Asks every process as every viewer, and opens every stream. */
async function placesWith(words: readonly string[], { exactly = false } = {}): Promise<string[]> {
  const found: string[] = []
  const look = (place: string, as: string, text: string) => {
    const shown = exactly ? text : text.toLowerCase()
    if (words.some((word) => shown.includes(word))) found.push(`${place} ${as}`)
  }
  for (const { as, client } of viewers) {
    for (const place of places) {
      const response = await client.request("GET", place, { headers: client.credentials })
      look(place, as, await response.text())
    }
    for (const place of ["/transaction/ws", "/transaction/ws?only=recognition", "/api/v1/stream?after=0"]) {
      if (place.startsWith("/api") && as.startsWith("a stranger")) continue
      look(place, as, await streamed(client, place))
    }
  }
  return found
}

/** All that a stream sends from its beginning. */
async function streamed(client: Client, place: string): Promise<string> {
  const server = viewers.find((viewer) => viewer.client === client)?.as.endsWith("1") ? first : second
  const query = place.includes("?") ? `${place}&` : `${place}?after=0&`
  const path = place.startsWith("/api") ? place : `${query}heartbeat=true`
  const stream = watch(server.url.replace("http", "ws") + path, client.credentials)
  await stream.until((frame) => "through" in frame && !("changed" in frame))
  stream.close()
  return JSON.stringify(stream.frames)
}
