import { expect, test } from "bun:test"
import { type ProbeReport, probeHeader, probePath, signProbe } from "../../src/http/probe.ts"
import { refused } from "../support/answers.ts"
import { secret } from "../support/executable.ts"
import { startTestServer } from "../support/server.ts"

const sent = (header: string) => ({ headers: { [probeHeader]: header } })
const unknown = refused(404, "Not Found")

test("a caller with the secret learns how its request arrived and which process answered", async () => {
  await using server = await startTestServer()
  await using other = await startTestServer()
  const now = server.clock.now()
  const headers = { [probeHeader]: signProbe(secret, now) }
  const forwarded = { ...headers, "x-forwarded-for": "203.0.113.7" }

  const direct = await server.anybody.call<ProbeReport>("GET", probePath, { headers: headers })
  expect(direct).toEqual({
    status: 200,
    body: {
      instance: expect.any(String),
      peer: "127.0.0.1",
      forwardedFor: null,
      now,
      logMs: Array(5).fill(expect.any(Number)),
    },
  })
  expect(await server.anybody.call("GET", probePath, { headers: forwarded })).toEqual({
    status: 200,
    body: { ...direct.body, forwardedFor: "203.0.113.7", logMs: Array(5).fill(expect.any(Number)) },
  })
  const { body } = await other.anybody.call<ProbeReport>("GET", probePath, { headers: forwarded })
  expect(body.instance).not.toBe(direct.body.instance)
})

test("for all other callers the path does not exist", async () => {
  await using server = await startTestServer()
  const now = server.clock.now()
  const admin = await server.admin()
  const sign = signProbe(secret, now)

  for (const header of [
    undefined,
    "",
    ".",
    "x",
    sign.slice(0, -1),
    `${now + 1}${sign.slice(String(now).length)}`,
    signProbe("another secret, 32 bytes and more to it", now),
    signProbe(secret, now - 60_001),
    signProbe(secret, now + 60_001),
    admin.accessToken,
  ])
    expect([header, await admin.call("GET", probePath, header === undefined ? {} : sent(header))]).toEqual([
      header,
      unknown,
    ])
  expect(await server.anybody.call("GET", probePath, sent(signProbe(secret, now - 60_000)))).toMatchObject({
    status: 200,
  })
})

test("the path is not on the API page", async () => {
  await using server = await startTestServer()
  const { body } = await server.anybody.get<{ paths: object }>("/openapi.json")

  expect(Object.keys(body.paths)).not.toContain(probePath)
})
