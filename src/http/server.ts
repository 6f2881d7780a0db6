import type { Server } from "bun"
import { listeningUrl } from "../config/rules.ts"
import type { ServerApp } from "../server-app.ts"
import type { StreamClient } from "../stream/dashboard.ts"
import { type Arrival, createApi } from "./api.ts"
import { createAddressOf, pathOf, sourceOfOther, withHost } from "./caller.ts"
import { createGate } from "./concurrency-limit.ts"
import { createOriginRule } from "./origin.ts"
import { createRouteOf } from "./paths.ts"

/** Beyond `limits.body_bytes` this server answers by itself; Bun's own limit only has to be out of the way. */
const bunBodyBytes = 1 << 30

export interface RunningServer {
  /** Where it listens, as `http://host:port` or `https://host:port`. */
  readonly url: string
  /** Accepts nothing new and resolves when what runs is answered; streams must be closed meanwhile. */
  stop(): Promise<void>
  /** Drops every connection. */
  kill(): void
}

/** A certificate with its chain, and its key, as PEM texts. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

/** Listens, over TLS when it is given. @throws what Bun throws when the port is in use or not allowed. */
export function startServer(app: ServerApp, tls: Tls | null = null): RunningServer {
  const { config, hub, feedHub, log } = app
  const origin = createOriginRule({ baseUrl: config.server.base_url, origins: config.cors.origins })
  const addressBehind = createAddressOf(config.server.trusted_proxies)
  const arrivals = new WeakMap<Request, Arrival>()
  const arrivalOf = (request: Request) =>
    arrivals.get(request) ?? { address: "", id: "", hasPlace: true, mayStay: true }
  const api = createApi({ app, origin, arrivalOf })
  const gate = createGate()
  const nextRequestId = createRequestIds()
  const answer = async (request: Request) => api.fetch(request)
  const observe = app.metrics?.observer(createRouteOf(api.routes))

  const server: Server<StreamClient> = Bun.serve({
    hostname: config.server.host,
    port: config.server.port,
    ...(tls && { tls: { ...tls } }),
    reusePort: false, // a second server on this port must fail, not share it
    development: false,
    idleTimeout: config.limits.idle_seconds, // bytes that drip in do not make it longer
    maxRequestBodySize: bunBodyBytes,
    websocket: hub.websocket,
    async fetch(received) {
      const started = performance.now()
      const id = nextRequestId()
      const address = addressBehind(received, server.requestIP(received)?.address ?? "")
      const request = withHost(received)
      const path = pathOf(request)
      const caller = callerOf(request, address)
      const source = sourceOfOther(address)
      const hasPlace = gate.enter(caller, source)
      const mayStay = hasPlace || (await gate.waitRefused()) // without the wait, retry loops take the time of all others
      arrivals.set(request, { address, id, hasPlace, mayStay })
      const response = await answer(request).finally(() => {
        if (hasPlace) gate.leave(caller, source)
      })
      log.info("request", {
        id,
        method: request.method,
        path,
        status: response.status,
        ms: Math.round((performance.now() - started) * 1000) / 1000,
        address,
      })
      observe?.(request.method, path, response.status, performance.now() - started)
      return response
    },
  })
  api.server = server
  hub.attach(server)
  feedHub.attach(server)

  return {
    url: listeningUrl(config.server, server.port ?? config.server.port),
    stop: () => server.stop(),
    kill: () => void server.stop(true),
  }
}

/** By what the request presents, not yet judged: behind a proxy many people share an address. */
const callerOf = ({ headers }: Request, address: string): string =>
  headers.get("authorization") ?? headers.get("cookie") ?? address

/** Different in every process, ascending within one. */
function createRequestIds() {
  const process = crypto.getRandomValues(new Uint8Array(4)).toHex()
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
