import { expect, spyOn, test } from "bun:test"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"
import { createTickMeter } from "../support/ticks.ts"

/** Processor time that one line of the table may take. The quadratic normalization took seconds for most of them. */
const mostCpuMs = 500
/** Processor time between two turns of the event loop. The files below took 17 s and 28 s, and the list 0.2 s. */
const mostHoldMs = 120

/** Marks in the wrong order: to normalize them, Unicode sorts them, one exchange at a time. */
const marks = (bytes: number) => `a${"\u0301".repeat(bytes / 4)}${"\u0316".repeat(bytes / 4)}`
const body = marks(60_000)
const inPath = encodeURIComponent(marks(5_000))

interface Callers {
  readonly server: TestServer
  readonly ana: Person
  readonly admin: Person
}

/** Each is sent so often that together they would take seconds, if one took more than it should. */
const inputs: Record<string, readonly [times: number, send: (callers: Callers) => Promise<unknown>]> = {
  "a username at /token": [1, ({ server }) => server.anybody.call("POST", "/token", form(`username=${body}`))],
  "a username at /login": [1, ({ server }) => server.anybody.call("POST", "/login", form(`username=${body}`))],
  "a tag": [1, ({ ana }) => ana.post("/transaction/admin/", { value: 1, tags: [body] })],
  "tags without end": [20, ({ ana }) => ana.post("/transaction/admin/", { value: 1, tags: Array(15_000).fill("a") })],
  "a reason": [5, ({ ana }) => ana.post("/transaction/admin/", { value: 1, reason: body })],
  "a receiver of a grant": [1, ({ ana }) => ana.post("/api/v1/grants", { value: 1, usernames: [body] })],
  "numbers for receivers": [5, ({ ana }) => ana.post("/api/v1/grants", { value: 1, usernames: Array(30_000).fill(0) })],
  "a new username": [1, ({ admin }) => admin.post("/user/", { ...newcomer, username: body })],
  "a new name": [1, ({ admin }) => admin.post("/user/", { ...newcomer, name: body })],
  "a new name of blanks": [5, ({ admin }) => admin.post("/user/", { ...newcomer, name: `a${" ".repeat(60_000)}b` })],
  "a new address": [5, ({ admin }) => admin.post("/user/", { ...newcomer, email: `${body}@example.com` })],
  "a new department": [5, ({ admin }) => admin.patch("/api/v1/users/ana", { dept: body })],
  "the host of a picture": [1, ({ ana }) => ana.patch("/api/v1/me", { avatar: `http://${body}` })],
  "the host of a picture, percent-encoded": [
    10,
    ({ ana }) => ana.patch("/api/v1/me", { avatar: `http://${encodeURIComponent(marks(20_000))}` }),
  ],
  "a bio": [5, ({ ana }) => ana.patch("/api/v1/me", { bio: body })],
  "an address to reset": [5, ({ server }) => server.anybody.post("/user/pwd_reset_token/", { email: body })],
  "deep JSON": [
    5,
    ({ ana }) => ana.call("PATCH", "/api/v1/me", json(`{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`)),
  ],
  "wide JSON": [5, ({ ana }) => ana.patch("/api/v1/me", { bio: Array(30_000).fill(0) })],
  "a form of many fields": [5, ({ server }) => server.anybody.call("POST", "/token", form("a=&".repeat(20_000)))],
  "a cookie of many": [
    20,
    ({ server }) => server.anybody.call("GET", "/api/v1/me", { headers: { cookie: "a=1;".repeat(3_500) } }),
  ],
  "a query of many": [20, ({ ana }) => ana.get(`/api/v1/me?${"fresh=&".repeat(2_000)}`)],
  ...Object.fromEntries(
    [
      "/user/X/",
      "/transaction/X/",
      "/transaction/?user=X",
      "/transaction/?from_user=X",
      "/api/v1/people/X",
      "/api/v1/people?q=X",
      "/api/v1/people?department=X",
      "/api/v1/feed?username=X",
      "/api/v1/stats?username=X",
      "/api/v1/transactions.csv?username=X",
      "/api/v1/transactions.csv?user=X",
    ].map((path) => [path, [80, ({ admin }: Callers) => admin.get(path.replace("X", inPath))]]),
  ),
}

const newcomer = { name: "Zoe", email: "zoe@example.com", dept: "sales", password: "a password" }
const form = (text: string) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: `password=b&${text}`,
})
const json = (text: string) => ({ headers: { "content-type": "application/json" }, body: text })

test("no input costs more than its size: text is measured before it is normalized, wherever it enters", async () => {
  await using server = await startTestServer({ settings: { "recognition.tags": "care,team" } })
  const callers = { server, ana: await server.person("Ana"), admin: await server.admin() }
  const expensive: string[] = []
  for (const [name, [times, send]] of Object.entries(inputs)) {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time += 1) await send(callers)
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1000
    if (ms > mostCpuMs) expensive.push(`${name}: ${Math.round(ms)} ms for ${times}`)
  }

  expect(expensive).toEqual([])
}, 300_000)

const files: Record<string, string> = {
  "cells of marks": `name,email,dept\n${`${marks(60_000)},a@example.com,sales\n`.repeat(150)}`,
  "cells of marks, each near its limit": `name,username\n${`${marks(750)},${marks(500)}\n`.repeat(7_000)}`,
  "columns without end": ",".repeat(9_000_000),
  "a column again and again": `name${",name".repeat(1_800_000)}`,
  "rows without end": `name\n${"\n".repeat(9_000_000)}`,
  "cells without end": `name\n${`${",".repeat(450)}\n`.repeat(20_000)}`,
  "one long cell": `name\n${"a".repeat(9_000_000)}`,
  "one long cell of quotes": `name\n"${'""'.repeat(4_500_000)}"`,
  "a fault in every cell": `name,email,dept\n${`,x,${" ".repeat(10)}\n`.repeat(19_999)}`,
}

test.each(Object.keys(files))(
  "an import keeps nobody waiting: %s",
  async (name) => {
    await using server = await startTestServer()
    const admin = await server.admin()
    const hold = watchHold()
    const { status } = await admin.call("POST", "/api/v1/users/import?dry_run=true", {
      headers: { "content-type": "text/csv" },
      body: files[name] ?? "",
    })

    expect([200, 422]).toContain(status)
    expect(hold.longestMs()).toBeLessThan(mostHoldMs)
  },
  120_000,
)

test("people are imported while others are served: reading and planning give way", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const rows = Array.from({ length: 20_000 }, (_, i) => `Person ${i},p${i}@example.com,sales,${"x".repeat(300)}\n`)
  const hold = watchHold()
  const { body } = await admin.call("POST", "/api/v1/users/import?dry_run=true", {
    headers: { "content-type": "text/csv" },
    body: `name,email,dept,bio\n${rows.join("")}`,
  })

  expect(body).toEqual({ created: 20_000, updated: 0, unchanged: 0, errors: [] })
  expect(hold.longestMs()).toBeLessThan(mostHoldMs)
}, 60_000)

test("the list of all users is written in time slices", async () => {
  await using server = await startTestServer()
  const people = Array.from({ length: 20_000 }, (_, i) => ({
    username: `person-${i}`,
    name: `Person ${i}`,
    email: `p${i}@example.com`,
    dept: "sales",
    currency: "USD",
    avatar: null,
    bio: "x".repeat(2_000),
    password: "$2b$04$".padEnd(60, "x"),
  }))
  await server.app.store.users.merge({ create: people, update: [], entries: [], jobs: [] })
  const written = createTickMeter()
  const stringify = JSON.stringify
  using _ = spyOn(JSON, "stringify").mockImplementation((...given: unknown[]) => {
    const text = Reflect.apply(stringify, JSON, given)
    written.add(text?.length ?? 0)
    return text
  })
  let length = 0
  const { body } = await server.anybody.request("GET", "/user/")
  for await (const chunk of body ?? []) length += chunk.length

  expect(length).toBeGreaterThan(40_000_000)
  expect(written.most()).toBeWithin(1, length / 20)
}, 60_000)

/** Measures the most processor time between two turns of the event loop: what other programs take does not count. */
function watchHold() {
  let before = process.cpuUsage()
  let longest = 0
  const look = () => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.cpuUsage()
  }
  const timer = setInterval(look, 2)
  return {
    longestMs() {
      clearInterval(timer)
      look()
      return longest
    },
  }
}
