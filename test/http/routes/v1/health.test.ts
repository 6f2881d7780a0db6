import { expect, test } from "bun:test"
import { version } from "../../../../package.json" with { type: "json" }
import { ok, refused, unauthenticated } from "../../../support/answers.ts"
import { startTestServer } from "../../../support/server.ts"

const path = "/api/v1/health"
const wholeNumber = expect.any(Number)

test("a superuser can see the health of the server", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.grant(ana, 25)

  expect(await admin.get(path)).toEqual(
    ok({
      version,
      started_at: "2026-01-05T09:00:00.000Z",
      ready: true,
      checks: {
        database: { ok: true, reason: "accepts writes" },
        mail: { ok: true, reason: "none is refused" },
        worker: { ok: true, reason: expect.stringMatching(/^looked for jobs \d+ s ago$/) },
        disk: { ok: true, reason: expect.stringContaining("MB free") },
        backup: { ok: true, reason: "no schedule" },
      },
      backup: { every_hours: 0, last_at: null, failed_at: null },
      people: 2,
      transactions: 1,
      database_bytes: wholeNumber,
      free_bytes: wholeNumber,
      waiting_mails: 0,
      discarded_jobs: { count: 0, newest: null },
      sends_mail: false,
    }),
  )
})

test("problems are reported by part, and waiting mail is counted", async () => {
  await using server = await startTestServer({
    settings: { "health.disk_floor_mb": "1000000", "backup.every_hours": "24" },
  })
  const admin = await server.admin()
  await server.anybody.post("/user/pwd_reset_token/", { email: "nobody@example.com" })

  expect(await admin.get(path)).toMatchObject({
    body: {
      ready: false,
      checks: { disk: { ok: false, reason: expect.stringContaining("less than the 1000000") } },
      backup: { every_hours: 24, last_at: null },
      waiting_mails: 1,
    },
  })
})

test("discarded mail is counted, with the reason of the newest", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const { jobs } = server.app.store
  const at = server.clock.now()
  const job = { kind: "invitation", payload: {}, maxAttempts: 1, retryUntil: at, runAt: at, createdAt: at }
  const { id } = await jobs.enqueue(job)
  await jobs.claim("w1", at, 1000, "invitations")
  await jobs.endAttempt(id, "w1", { state: "discarded", error: "550 ana@example.com is unknown" }, at)

  expect(await admin.get(path)).toMatchObject({
    body: {
      discarded_jobs: {
        count: 1,
        newest: { kind: "invitation", at: "2026-01-05T09:00:00.000Z", error: "550 …@… is unknown" },
      },
    },
  })
})

test("nobody but superusers can see the health", async () => {
  await using server = await startTestServer()
  expect(await server.anybody.get(path)).toEqual(unauthenticated)
  expect(await (await server.person("Ana")).get(path)).toEqual(refused(403, "Not a super user"))
})
