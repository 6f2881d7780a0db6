import type { Server } from "bun"
import type { ServerApp } from "../app/server-app.ts"
import { listeningUrl } from "../config/rules.ts"
import { sourceOf } from "../domain/auth/sources.ts"
import { beginTick } from "../domain/ticks.ts"
import type { Metrics } from "../metrics/metrics.ts"
import { type StreamClient, websocket } from "../stream/socket.ts"
import { askedBy } from "../support/requester.ts"
import { createApi } from "./api.ts"
import { createConcurrencyLimit } from "./concurrency-limit.ts"
import { sentInTurn } from "./downloads.ts"
import { codeHeader, details } from "./errors.ts"
import { type Arrival, createAddressOf, credentialsOf, pathOf, sourceOfOther, withHost } from "./request.ts"
import { answeredWith, bunBodyBytes, hasBody, readRest, withoutBody } from "./rest.ts"

/** A server that is overloaded is alive: what asks for that must not end it. They have no body. */
const uncounted: ReadonlySet<string> = new Set(["/healthz", "/readyz"])

export type RunningServer = ReturnType<typeof startServer>

/** A certificate with its chain, and its key, in PEM form. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

/** How long beyond its time-out Bun leaves an idle connection open. */
const idleMarginMs = 5000

/** Listens, over TLS when it is given. @throws what Bun throws when the port is in use or not allowed. */
export function startServer(app: ServerApp, tls: Tls | null = null) {
  const { config, log } = app
  const addressOf = createAddressOf(config.server.trusted_proxies)
  let arrival: Arrival
  const api = createApi({ app, arrival: () => arrival })
  const limit = createConcurrencyLimit()
  const nextRequestId = createRequestIds()
  const observe = app.metrics?.observe

  const { host, port } = config.server
  if (tls !== null) demandFree(host, port)
  let current = listen(port, tls)
  /** With those whose connections have not ended yet. */
  const listeners = new Set([current])
  const stop = (listener: Server<StreamClient>) => listener.stop().then(() => void listeners.delete(listener))

  return {
    /** Where it listens, as `http://host:port` or `https://host:port`. */
    url: listeningUrl(config.server, current.port ?? port),
    /**
     * Shows another certificate to new connections. Bun cannot change that of a listener, so a second one shares the port.
     * The first listener goes on for as long as a connection may be idle, and ends each connection with the answer to its
     * next request; streams stay. Only then does it stop, since that would cut connections that are idle. It does so at once
     * when nobody can trust what it shows.
     */
    changeCertificate(tls: Tls, wasTrusted: boolean) {
      const replaced = current
      current = listen(replaced.port ?? port, tls)
      listeners.add(current)
      if (!wasTrusted) void stop(replaced)
      else setTimeout(() => void stop(replaced), config.limits.idle_seconds * 1000 + idleMarginMs).unref()
    },
    /**
     * Accepts no new connection, and resolves when running requests are answered and streams are closed. The caller closes
     * the streams.
     */
    stop: async (): Promise<void> => void (await Promise.all([...listeners].map(stop))),
    /** Drops every connection. */
    kill() {
      for (const listener of listeners) void listener.stop(true)
    },
  }

  function listen(port: number, tls: Tls | null): Server<StreamClient> {
    return Bun.serve({
      hostname: host,
      port,
      ...(tls && { tls: { ...tls } }),
      // For `changeCertificate`; otherwise a second server on this port must fail. Windows cannot share a port.
      reusePort: tls !== null && process.platform !== "win32",
      development: false,
      idleTimeout: config.limits.idle_seconds, // bytes that arrive slowly do not extend it
      maxRequestBodySize: bunBodyBytes,
      websocket,
      fetch: answer,
    })
  }

  async function answer(received: Request, listener: Server<StreamClient>): Promise<Response> {
    beginTick() // what was read for another request may have changed since
    const started = performance.now()
    const id = nextRequestId()
    const address = addressOf(received, listener.requestIP(received)?.address ?? "")
    const request = withHost(received)
    const path = pathOf(request)
    const found = api.partFor(path)
    const part = found instanceof Promise ? await found : found
    const authorization = request.headers.get("authorization")
    const cookies = request.headers.get("cookie")
    // Callers are distinguished by credentials, not checked yet, because people behind a proxy share an address.
    const caller = authorization ?? cookies ?? address
    const source = sourceOfOther(address)
    const isCounted = !uncounted.has(path)
    const isAdmitted = !isCounted || limit.enter(caller, source)
    let isWhole = !hasBody(request)
    const arrived: Arrival = {
      id,
      address,
      path,
      credentials: credentialsOf(request.url, authorization, cookies, address),
      receive: async (body) => {
        const received = await limit.receive(caller, source, body)
        isWhole = true
        return received
      },
      listener,
      isLast: listener !== current,
      isAdmitted,
      turn: null,
    }
    let response: Response
    try {
      arrival = arrived
      response = await askedBy(`address ${sourceOf(address)}`, () => part.elysia.fetch(request))
      if (arrived.turn !== null) response = await sentInTurn(response, arrived)
    } finally {
      arrived.turn?.end()
      if (isCounted && isAdmitted) limit.leave(caller, source)
    }
    const mayStay = await limit.delay(response)
    log.info("request", {
      id,
      method: request.method,
      path,
      status: response.status,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      address,
    })
    observe?.(request.method, part.routeOf(path), response.status, performance.now() - started)
    // Half of the time after which Bun ends a connection without an answer.
    if (mayStay && !isWhole) isWhole = await limit.ignore(source, readRest(request, config.limits.idle_seconds * 500))
    return answeredWith(request, response, mayStay && isWhole)
  }
}

/** Fails when another process has the port. Listeners that share it would not notice. */
function demandFree(hostname: string, port: number) {
  void Bun.serve({ hostname, port, reusePort: false, fetch: () => new Response() }).stop(true)
}

/** Unique ids: a random prefix for each process, then a counter. */
function createRequestIds() {
  const process = crypto.getRandomValues(new Uint8Array(4)).toHex()
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

export type MetricsServer = ReturnType<typeof startMetricsServer>

interface Options {
  readonly metrics: Metrics
  readonly host: string
  readonly port: number
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** Serves only the metrics, on a separate address, without authentication.
 *  @throws what Bun throws when the port is in use or not allowed. */
export function startMetricsServer({ metrics, host, port, headers }: Options) {
  const metricsHeaders = { ...headers, "content-type": metrics.contentType }
  const notFound = () =>
    Response.json({ detail: details.not_found }, { status: 404, headers: { ...headers, [codeHeader]: "not_found" } })
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    maxRequestBodySize: bunBodyBytes,
    routes: {
      "/metrics": {
        GET: async (request) => withoutBody(request, new Response(await metrics.text(), { headers: metricsHeaders })),
      },
    },
    fetch: (request) => withoutBody(request, notFound()),
  })
  const unwatch = metrics.watch()

  return {
    /** Where it listens, as `http://host:port`. */
    url: `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`,
    stop() {
      unwatch()
      void server.stop(true)
    },
  }
}
