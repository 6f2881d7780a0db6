import type { Metrics } from "../metrics/metrics.ts"

export interface MetricsServer {
  /** Where it listens, as `http://host:port`. */
  readonly url: string
  stop(): void
}

interface Options {
  readonly metrics: Metrics
  readonly host: string
  readonly port: number
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** Serves only the metrics, on a separate address, without authentication.
 *  @throws what Bun throws when the port is in use or not allowed. */
export function startMetricsServer({ metrics, host, port, headers }: Options): MetricsServer {
  const metricsHeaders = { ...headers, "content-type": metrics.contentType }
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    routes: { "/metrics": { GET: async () => new Response(await metrics.text(), { headers: metricsHeaders }) } },
    fetch: () => Response.json({ detail: "Not Found" }, { status: 404, headers }),
  })
  const unwatch = metrics.watch()

  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`,
    stop() {
      unwatch()
      void server.stop(true)
    },
  }
}
