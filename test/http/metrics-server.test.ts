import { expect, test } from "bun:test"
import { commonHeaders } from "../../src/http/base.ts"
import { startMetricsServer } from "../../src/http/server.ts"
import { createClient } from "../support/client.ts"
import { startTestServer } from "../support/server.ts"

test("metrics are served at /metrics of their own address and nowhere else", async () => {
  await using server = await startTestServer({ settings: { "metrics.listen": "127.0.0.1:0" } })
  const { metrics } = server.app
  if (metrics === null) throw new Error("there are no metrics")
  const own = startMetricsServer({ metrics, host: "127.0.0.1", port: 0, headers: commonHeaders(server.app.config) })
  const prometheus = createClient(own.url)

  const response = await prometheus.request("GET", "/metrics")
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  expect(response.headers.get("x-content-type-options")).toBe("nosniff")
  expect(response.headers.get("cache-control")).toBe("no-store")
  expect(await response.text()).toContain("\nrewards_stream_clients 0\n")
  const missing = { status: 404, body: { detail: "Not Found" } }
  expect(await prometheus.get("/user/")).toEqual(missing)
  expect(await prometheus.post("/metrics")).toEqual(missing)
  expect(await server.anybody.get("/metrics")).toEqual(missing)

  own.stop()
  expect(await prometheus.get("/metrics").catch(() => "refused")).toBe("refused")
})
