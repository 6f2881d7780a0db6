import { expect, spyOn, test } from "bun:test"
import { version } from "../../package.json"
import { DomainError } from "../../src/domain/errors.ts"
import { createHistograms } from "../../src/metrics/histograms.ts"
import { createMetrics } from "../../src/metrics/metrics.ts"
import { type Person, startTestServer, type TestServer } from "../support/server.ts"
import { samplesOf } from "./exposition.ts"

const on = { "metrics.listen": "127.0.0.1:0" }

const read = async ({ app }: TestServer) => samplesOf((await app.metrics?.text()) ?? "")

test("requests are counted and timed by method, route and status; unknown methods and paths share one label", async () => {
  await using server = await startTestServer({ settings: on })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)
  const give = (to: Person, value: number) => ana.post(`/transaction/${to.username}/`, { value })
  await Promise.all([give(bruno, 3), give(bruno, 3)])
  await give(bruno, 100)
  await ana.get("/transaction/bruno?page=1")
  for (const path of ["/user", "/user/", "/user/ana/", "/user/bruno", "/user/nobody", "/made/up", "/made/up/2"])
    await server.anybody.get(path)
  await server.anybody.call("DELETE", "/user/ana/")
  await server.anybody.call("PROPFIND", "/user/")

  const samples = Object.entries(await read(server))
  const counts = samples.filter(([name]) => name.startsWith("rewards_http_request_duration_seconds_count"))
  const labels = (name: string) =>
    ["method", "route", "status"].map((label) => new RegExp(`${label}="([^"]*)"`).exec(name)?.[1]).join(" ")
  expect(Object.fromEntries(counts.map(([name, count]) => [labels(name), count]))).toEqual({
    "POST /token 200": 2,
    "POST /transaction/:username/ 201": 2,
    "POST /transaction/:username/ 400": 1,
    "GET /transaction/:username/ 403": 1,
    "GET /user/ 200": 2,
    "GET /user/:username/ 200": 2,
    "GET /user/:username/ 404": 1,
    "GET other 404": 2,
    "DELETE /user/:username/ 405": 1,
    "other /user/ 405": 1,
  })
  const slow = samples.filter(([name]) => name.includes("_bucket") && name.includes('le="10"'))
  expect(slow.reduce((sum, [, count]) => sum + count, 0)).toBe(15)
})

test("answers with status 503 are counted by reason, from zero on", async () => {
  await using server = await startTestServer({ settings: on })
  const rejected = async () =>
    Object.fromEntries(
      Object.entries(await read(server)).filter(([name]) => name.startsWith("rewards_rejected_requests_total")),
    )
  const none = Object.fromEntries(
    ["busy", "unwritable", "unavailable", "overloaded", "too_many_streams"].map((reason) => [
      `rewards_rejected_requests_total{reason="${reason}"}`,
      0,
    ]),
  )
  await server.anybody.get("/user/nobody/")
  expect(await rejected()).toEqual(none)

  using _ = spyOn(server.app.store.users, "byUsername").mockRejectedValue(new DomainError("unavailable"))
  for (const path of ["/user/ana/", "/user/bruno/"])
    expect(await server.anybody.get(path)).toMatchObject({ status: 503 })
  expect(await rejected()).toEqual({ ...none, 'rewards_rejected_requests_total{reason="unavailable"}': 2 })
})

test("entries that share a commit count as one batch, refused ones included", async () => {
  await using server = await startTestServer({ settings: on })
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 10)
  const { ledger, access } = server.app
  const [sender, receiver] = [await access.toUser(ana.username), await access.toUser(bruno.username)]
  const values = [5, 6, 1]
  await Promise.allSettled(values.map((value) => ledger.sendPoints({ sender, receiver, value })))

  expect(await read(server)).toMatchObject({
    'rewards_ledger_batch_entries_bucket{le="1"}': 1,
    'rewards_ledger_batch_entries_bucket{le="2"}': 1,
    'rewards_ledger_batch_entries_bucket{le="4"}': 2,
    rewards_ledger_batch_entries_sum: 4,
    rewards_ledger_commit_duration_seconds_count: 2,
    rewards_ledger_commit_duration_seconds_sum: expect.any(Number),
    rewards_ledger_transactions: 3,
  })
})

test("jobs, the oldest waiting job, streams, sizes, readiness checks, process and build are exported", async () => {
  await using server = await startTestServer({ settings: { ...on, "email.debug_delay_seconds": "100" } })
  const ana = await server.person("Ana")
  await server.anybody.post("/user/pwd_reset_token/", { email: ana.email })
  const stream = new WebSocket(`${server.url.replace("http", "ws")}/transaction/ws`)
  await new Promise((resolve) => stream.addEventListener("open", resolve))

  expect(await read(server)).toMatchObject({
    'rewards_jobs{state="available"}': 1,
    'rewards_jobs{state="running"}': 0,
    'rewards_jobs{state="completed"}': 0,
    'rewards_jobs{state="discarded"}': 0,
    rewards_jobs_oldest_waiting_seconds: 0,
    rewards_stream_clients: 1,
    rewards_stream_buffered_bytes: 0,
    rewards_stream_dropped_total: 0,
    'rewards_api_tokens_total{result="accepted"}': 0,
    'rewards_api_tokens_total{result="refused"}': 0,
    'rewards_webhooks{state="active"}': 0,
    'rewards_webhooks{state="failing"}': 0,
    'rewards_webhooks{state="stopped"}': 0,
    'rewards_ready{check="database"}': 1,
    'rewards_ready{check="worker"}': 1,
    'rewards_ready{check="disk"}': 1,
    'rewards_ready{check="backup"}': 1,
    rewards_database_bytes: expect.any(Number),
    rewards_wal_bytes: expect.any(Number),
    rewards_store_read_failures_total: 0,
    process_resident_memory_bytes: expect.any(Number),
    process_cpu_seconds_total: expect.any(Number),
    process_start_time_seconds: expect.any(Number),
    [`rewards_build_info{version="${version}",bun="${Bun.version}"}`]: 1,
  })
  stream.close()
})

test("if the store cannot be read, that failure is counted and all other metrics are exported", async () => {
  const metrics = createMetrics({
    histograms: createHistograms(),
    health: { read: () => Promise.reject(new Error("the disk is gone")) },
    clock: () => 0,
    webhooks: () => ({ delivered: 3, failed: 1 }),
    linesLost: () => 3,
    singleSignOn: () =>
      new Map([
        ["ok", 4],
        ["no_account", 2],
      ]),
    apiTokens: () => ({ accepted: 7, refused: 2 }),
    stream: () => ({ clients: 2, buffered: 0, dropped: 1 }),
    backups: () => ({ everyMs: 3_600_000, startedAt: 1, lastSuccessAt: 5_000, lastFailure: null }),
    offSite: () => ({ everyMs: 3_600_000, startedAt: 1, lastSuccessAt: 4_000, lastFailure: null }),
    checks: async () => ({ database: { ok: false } }),
  })
  const samples = samplesOf(await metrics.text())
  expect(samples).toMatchObject({
    rewards_store_read_failures_total: 1,
    rewards_backup_off_site_last_success_timestamp_seconds: 4,
    'rewards_ready{check="database"}': 0,
    rewards_stream_clients: 2,
    rewards_webhook_deliveries_total: 3,
    rewards_webhook_failures_total: 1,
    'rewards_single_sign_on_total{result="ok"}': 4,
    'rewards_single_sign_on_total{result="no_account"}': 2,
    'rewards_api_tokens_total{result="accepted"}': 7,
    'rewards_api_tokens_total{result="refused"}': 2,
    rewards_backup_last_success_timestamp_seconds: 5,
  })
  expect(Object.keys(samples).filter((name) => /^rewards_(jobs|ledger_transactions|database|wal)/.test(name))).toEqual(
    [],
  )
})

test("a delay of the event loop is measured", async () => {
  await using server = await startTestServer({ settings: on })
  const unwatch = server.app.metrics?.watch()
  const delayed = async () => (await read(server)).rewards_event_loop_delay_seconds_sum ?? 0
  while ((await delayed()) < 0.05) {
    Bun.sleepSync(200)
    await Bun.sleep(1)
  }
  unwatch?.()
  expect(await delayed()).toBeGreaterThan(0.05)
})

test("without metrics.listen nothing is measured", async () => {
  await using server = await startTestServer()
  expect(server.app.metrics).toBeNull()
})
