import { expect, test } from "bun:test"
import { watch } from "../stream/watching.ts"
import { refused, unauthenticated } from "../support/answers.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const key = "a-key-that-nobody-guesses_1"
const settings = { "stream.access": "auth", "stream.wall_key": key, "stream.poll_interval_seconds": "0.05" }
const upgrade = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": "x" }

const accessFor = async ({ anybody }: TestServer, cookie: string) =>
  (await anybody.call<{ stream_access: string }>("GET", "/api/v1/service", { headers: { cookie } })).body.stream_access

const open = ({ anybody }: TestServer, path: string, headers: Readonly<Record<string, string>>) =>
  anybody.call("GET", path, { headers: { ...upgrade, ...headers } })

test("the wall works with its key and without a log-in, and the key does not expire", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const stream = watch(`${server.url.replace("http", "ws")}/transaction/ws`, { cookie: `wall_key=${key}` })
  await stream.opened
  server.clock.advance(365 * 24 * 60 * 60_000)
  await server.grant(ana, 5)

  expect(await stream.seen(1)).toEqual([{ to: "Ana", from: "Admin", value: 5 }])
  expect(await accessFor(server, `wall_key=${key}`)).toBe("public")
})

test("no other key is accepted, and none at all if no key is set", async () => {
  await using server = await startTestServer({ settings })
  await using without = await startTestServer({ settings: { "stream.access": "auth" } })
  const others = ["", key.slice(1), `${key}1`, key.toUpperCase(), "null", "undefined"]

  for (const [at, keys] of [
    [server, others],
    [without, [key, ...others]],
  ] as const)
    for (const one of keys) {
      expect(await open(at, "/transaction/ws", { cookie: `wall_key=${one}` })).toEqual(unauthenticated)
      expect(await accessFor(at, `wall_key=${one}`)).toBe("auth")
    }
})

test("the key gives access to what the wall shows and to nothing else", async () => {
  await using server = await startTestServer({ settings })
  const cookie = `wall_key=${key}`

  expect(await open(server, "/api/v1/stream", { cookie })).toEqual(unauthenticated)
  for (const path of ["/api/v1/feed", "/api/v1/me", "/api/v1/people", "/transaction"])
    expect(await server.anybody.call("GET", path, { headers: { cookie } })).toEqual(unauthenticated)
})

test("another site's page cannot use the key of the browser in which it is shown", async () => {
  await using server = await startTestServer({ settings })
  const headers = { cookie: `wall_key=${key}`, origin: "https://evil.example" }

  expect(await open(server, "/transaction/ws", headers)).toEqual(
    refused(403, "Requests from other sites are not accepted"),
  )
})
