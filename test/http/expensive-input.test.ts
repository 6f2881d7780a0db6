import { expect, spyOn, test } from "bun:test"
import { maxLengths } from "../../src/domain/people/fields.ts"
import type { Answer } from "../support/client.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"
import { createTickMeter } from "../support/ticks.ts"

/** Normalization may shorten a text to a quarter: what is longer than this exceeds the limit of every normalized field. */
const maxNormalized = 4 * maxLengths.name
/** Texts that one request may normalize: those of its fields, and a tag more than there are. */
const maxTexts = 20
/** The host of an address is normalized when the address is parsed. */
const maxAddress = 2 * maxLengths.avatar
/** Marks in the wrong order: to normalize them, Unicode sorts them, one exchange at a time. */
const marks = (bytes: number) => `a${"\u0301".repeat(bytes / 4)}${"\u0316".repeat(bytes / 4)}`
const body = marks(60_000)
const inPath = encodeURIComponent(marks(5_000))

interface Callers {
  readonly server: TestServer
  readonly ana: Person
  readonly admin: Person
}

const inputs: Record<string, (callers: Callers) => Promise<Answer>> = {
  "a username at /token": ({ server }) => server.anybody.call("POST", "/token", form(`username=${body}`)),
  "a username at /login": ({ server }) => server.anybody.call("POST", "/login", form(`username=${body}`)),
  "a tag": ({ ana }) => ana.post("/transaction/admin/", { value: 1, tags: [body] }),
  "tags without end": ({ ana }) => ana.post("/transaction/admin/", { value: 1, tags: Array(15_000).fill("a") }),
  "a reason": ({ ana }) => ana.post("/transaction/admin/", { value: 1, reason: body }),
  "a receiver of a grant": ({ ana }) => ana.post("/api/v1/grants", { value: 1, usernames: [body] }),
  "numbers for receivers": ({ ana }) => ana.post("/api/v1/grants", { value: 1, usernames: Array(30_000).fill(0) }),
  "a new username": ({ admin }) => admin.post("/user/", { ...newcomer, username: body }),
  "a new name": ({ admin }) => admin.post("/user/", { ...newcomer, name: body }),
  "a new name of blanks": ({ admin }) => admin.post("/user/", { ...newcomer, name: `a${" ".repeat(60_000)}b` }),
  "a new address": ({ admin }) => admin.post("/user/", { ...newcomer, email: `${body}@example.com` }),
  "a new department": ({ admin }) => admin.patch("/api/v1/users/ana", { dept: body }),
  "the host of a picture": ({ ana }) => ana.patch("/api/v1/me", { avatar: `http://${body}` }),
  "the host of a picture, percent-encoded": ({ ana }) =>
    ana.patch("/api/v1/me", { avatar: `http://${encodeURIComponent(marks(20_000))}` }),
  "a bio": ({ ana }) => ana.patch("/api/v1/me", { bio: body }),
  "an address to reset": ({ server }) => server.anybody.post("/user/pwd_reset_token/", { email: body }),
  "deep JSON": ({ ana }) => ana.call("PATCH", "/api/v1/me", json(`{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`)),
  "wide JSON": ({ ana }) => ana.patch("/api/v1/me", { bio: Array(30_000).fill(0) }),
  "a form of many fields": ({ server }) => server.anybody.call("POST", "/token", form("a=&".repeat(20_000))),
  "a cookie of many": ({ server }) =>
    server.anybody.call("GET", "/api/v1/me", { headers: { cookie: "a=1;".repeat(3_500) } }),
  "a query of many": ({ ana }) => ana.get(`/api/v1/me?${"fresh=&".repeat(2_000)}`),
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
    ].map((path) => [path, ({ admin }: Callers) => admin.get(path.replace("X", inPath))]),
  ),
}

const newcomer = { name: "Zoe", email: "zoe@example.com", dept: "sales", password: "a password" }
const form = (text: string) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: `password=b&${text}`,
})
const json = (text: string) => ({ headers: { "content-type": "application/json" }, body: text })

test.each(Object.keys(inputs))(
  "%s: no text longer than its limit is normalized, and the answer is no longer than the request",
  async (name) => {
    await using server = await startTestServer({ settings: { "recognition.tags": "care,team" } })
    const callers = { server, ana: await server.person("Ana"), admin: await server.admin() }
    const texts: number[] = []
    const addresses: number[] = []
    const { normalize } = String.prototype
    const { parse, canParse } = URL
    using _ = spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form?: string) {
      texts.push(this.length)
      return normalize.call(this, form)
    })
    using __ = spyOn(URL, "parse").mockImplementation((address, base) => {
      addresses.push(String(address).length)
      return parse(address, base)
    })
    using ___ = spyOn(URL, "canParse").mockImplementation((address, base) => {
      addresses.push(String(address).length)
      return canParse(address, base)
    })
    const answer = await inputs[name]?.(callers)

    expect(Math.max(0, ...texts)).toBeLessThanOrEqual(maxNormalized)
    expect(Math.max(0, ...addresses)).toBeLessThanOrEqual(maxAddress)
    expect(texts.length).toBeLessThanOrEqual(maxTexts)
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(Buffer.byteLength(body))
  },
)

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
}, 120_000)
