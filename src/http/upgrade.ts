import type { Server } from "bun"
import { createCounter } from "../domain/counter.ts"
import type { StreamClient } from "../stream/dashboard.ts"
import { HttpError, upgradeRequired } from "./errors.ts"
import { sourceOfOther } from "./request.ts"

/** Turns a request from `address` into a WebSocket. @throws HttpError `too_many_streams`, `malformed_upgrade` */
export type Upgrade = (request: Request, data: StreamClient, address: string) => Response

/** Opens streams of both kinds, at most `maxOfSource` at a time from one other machine or IPv6 network. */
export function createUpgrade(maxOfSource: number, server: () => Server<StreamClient>): Upgrade {
  const open = createCounter()

  return (request, data, address) => {
    const source = sourceOfOther(address)
    if (source !== null && open.of(source) >= maxOfSource)
      throw new HttpError("too_many_streams", { "retry-after": "5" })
    const counted = source === null ? data : { ...data, events: countedEvents(data, source) }
    if (!server().upgrade(request, { data: counted })) throw new HttpError("malformed_upgrade")
    return new Response(null, { status: 101 })
  }

  function countedEvents({ events }: StreamClient, source: string): StreamClient["events"] {
    return {
      ...events,
      open(dashboard) {
        open.add(source)
        return events.open(dashboard)
      },
      close(dashboard, code, reason) {
        open.remove(source)
        return events.close(dashboard, code, reason)
      },
    }
  }
}

/** @throws HttpError `method_not_allowed` for a request that is not a WebSocket handshake */
export function demandHandshake({ headers }: Request) {
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") throw upgradeRequired()
}
