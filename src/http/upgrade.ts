import type { Server } from "bun"
import { createCount } from "../domain/count.ts"
import type { StreamClient } from "../stream/dashboard.ts"
import { sourceOfOther } from "./caller.ts"
import { HttpRefusal } from "./errors.ts"

interface Dependencies {
  /** Where a request comes from: an IP address. */
  readonly addressOf: (request: Request) => string
  /** The setting `limits.streams`. */
  readonly maxOfSource: number
}

/** Makes a WebSocket of a request. */
export type Upgrade = (request: Request, server: Server<StreamClient> | null, data: StreamClient) => Response

/**
 * Opens the streams, of both kinds; those that one other machine, or network of IPv6, has open at a time are limited.
 * What it returns throws HttpRefusal `too_many_streams`, `malformed_upgrade`.
 */
export function createUpgrade({ addressOf, maxOfSource }: Dependencies): Upgrade {
  const open = createCount()

  return (request, server, data) => {
    const source = sourceOfOther(addressOf(request))
    if (source !== null && open.of(source) >= maxOfSource)
      throw new HttpRefusal("too_many_streams", { "retry-after": "5" })
    const counted = source === null ? data : { ...data, events: countedEvents(data, source) }
    if (!server?.upgrade(request, { data: counted })) throw new HttpRefusal("malformed_upgrade")
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
