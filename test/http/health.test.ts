import { expect, test } from "bun:test"
import { ok } from "../support/answers.ts"
import { startTestServer } from "../support/server.ts"

const room = { ok: true, reason: expect.stringMatching(/^\d+ MB free, at least the 1 of health.disk_floor_mb$/) }

test("/healthz answers while the process lives", async () => {
  await using server = await startTestServer()
  expect(await server.anybody.get("/healthz")).toEqual(ok({ status: "alive" }))
})

test("/readyz is 200 while every part is as it must be, with a reason each", async () => {
  await using server = await startTestServer({ settings: { "health.disk_floor_mb": "1" } })
  expect(await server.anybody.get("/readyz")).toEqual(
    ok({
      status: "ready",
      checks: {
        database: { ok: true, reason: "takes writes" },
        worker: { ok: true, reason: "looked for jobs 0 s ago" },
        disk: room,
        backup: { ok: true, reason: "no schedule" },
      },
    }),
  )
})

test("/readyz is 503 when one part is not, and says which", async () => {
  await using server = await startTestServer({ settings: { "health.disk_floor_mb": "1" } })
  await server.app.worker.stop(0)
  expect(await server.anybody.get("/readyz")).toEqual({
    status: 503,
    body: {
      status: "not ready",
      checks: {
        database: { ok: true, reason: "takes writes" },
        worker: { ok: false, reason: "does not run" },
        disk: room,
        backup: { ok: true, reason: "no schedule" },
      },
    },
  })
})
