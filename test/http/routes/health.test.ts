import { expect, test } from "bun:test"
import { probeHeader, signProbe } from "../../../src/http/probe.ts"
import { ok } from "../../support/answers.ts"
import { secret } from "../../support/executable.ts"
import { startTestServer, type TestServer } from "../../support/server.ts"

const room = { ok: true, reason: expect.stringMatching(/^\d+ MB free, at least the 1 of health.disk_floor_mb$/) }

test("/healthz answers while the process runs", async () => {
  await using server = await startTestServer()
  expect(await server.anybody.get("/healthz")).toEqual(ok({ status: "alive" }))
})

const wellChecks = {
  database: { ok: true, reason: "accepts writes" },
  worker: { ok: true, reason: expect.stringMatching(/^looked for jobs \d+ s ago$/) },
  mail: { ok: true, reason: "none is refused" },
  disk: room,
  backup: { ok: true, reason: "no schedule" },
}
const settings = { "health.disk_floor_mb": "1" }
const signed = ({ clock }: TestServer, by = secret) => ({ headers: { [probeHeader]: signProbe(by, clock.now()) } })

test("/readyz is 200 if every part works, and 503 if one does not", async () => {
  await using server = await startTestServer({ settings })
  expect(await server.anybody.get("/readyz")).toEqual(ok({ status: "ready" }))
  await server.app.worker.stop(0)
  server.clock.advance(1000) // the parts are looked at once a second
  expect(await server.anybody.get("/readyz")).toEqual({ status: 503, body: { status: "not ready" } })
})

test("superusers and callers with the server's secret get the reasons", async () => {
  await using server = await startTestServer({ settings })
  const admin = await server.admin()
  const ready = ok({ status: "ready", checks: wellChecks })
  expect(await admin.get("/readyz")).toEqual(ready)
  expect(await (await server.withSession(admin)).get("/readyz")).toEqual(ready)
  expect(await server.anybody.call("GET", "/readyz", signed(server))).toEqual(ready)

  await server.app.worker.stop(0)
  server.clock.advance(1000)
  const checks = { ...wellChecks, worker: { ok: false, reason: "does not run" } }
  expect(await admin.get("/readyz")).toEqual({ status: 503, body: { status: "not ready", checks } })
})

test("no other caller gets the reasons: no credentials, members, other secrets, old signatures, bad credentials", async () => {
  await using server = await startTestServer({ settings })
  const ana = await server.person("Ana")
  const old = signed(server)
  const ready = ok({ status: "ready" })

  expect(await ana.get("/readyz")).toEqual(ready)
  expect(await (await server.withSession(ana)).get("/readyz")).toEqual(ready)
  expect(await server.anybody.call("GET", "/readyz", signed(server, "another secret"))).toEqual(ready)
  for (const headers of [{ cookie: "session_id=x" }, { authorization: "Bearer x" }, { [probeHeader]: "" }] as Record<
    string,
    string
  >[])
    expect(await server.anybody.call("GET", "/readyz", { headers })).toEqual(ready)
  server.clock.advance(61_000)
  expect(await server.anybody.call("GET", "/readyz", old)).toMatchObject({ body: { status: expect.any(String) } })
  expect((await server.anybody.call<object>("GET", "/readyz", old)).body).not.toHaveProperty("checks")
})

test("if the database cannot be read, /readyz still answers, without the reasons", async () => {
  await using server = await startTestServer({
    settings,
    replace: ({ access }) => ({ access: { ...access, callerIfAny: () => Promise.reject(new Error("no database")) } }),
  })
  expect(await (await server.admin()).get("/readyz")).toEqual(ok({ status: "ready" }))
})
