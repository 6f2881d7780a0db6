import type { Access, Credentials } from "../domain/auth/access.ts"
import { createCounter } from "../domain/counter.ts"
import type { Feed, FeedStream } from "../domain/recognition/feed.ts"
import type { StreamClient } from "../stream/socket.ts"
import { HttpError, upgradeRequired } from "./errors.ts"
import type { OriginRule } from "./origin.ts"
import { type Listener, sourceOfOther } from "./request.ts"

/**
 * Turns a request into a WebSocket.
 * @throws HttpError `other_websocket_version`, `too_many_streams`, `malformed_upgrade`
 */
export type Upgrade = (requested: Requested, data: StreamClient) => Response

interface Requested {
  readonly request: Request
  readonly clientAddress: string
  readonly listener: Listener
}

/** The only version that is in use (RFC 6455). */
const webSocketVersion = "13"

/** Opens streams of both kinds, at most `maxOfSource` at a time from one other machine or IPv6 network. */
export function createUpgrade(maxOfSource: number): Upgrade {
  const open = createCounter()

  return ({ request, clientAddress, listener }, data) => {
    // Bun would answer another version itself, without a body and the headers of every answer.
    if (request.headers.get("sec-websocket-version") !== webSocketVersion)
      throw new HttpError("other_websocket_version", {
        upgrade: "websocket",
        "sec-websocket-version": webSocketVersion,
      })
    const source = sourceOfOther(clientAddress)
    if (source !== null && open.of(source) >= maxOfSource)
      throw new HttpError("too_many_streams", { "retry-after": "5" })
    const counted = source === null ? data : { ...data, events: countedEvents(data, source) }
    if (!listener.upgrade(request, { data: counted })) throw new HttpError("malformed_upgrade")
    return new Response(null, { status: 101 })
  }

  function countedEvents({ events }: StreamClient, source: string): StreamClient["events"] {
    return {
      ...events,
      open(socket) {
        open.add(source)
        return events.open(socket)
      },
      close(socket, code, reason) {
        open.remove(source)
        return events.close(socket, code, reason)
      },
    }
  }
}

/**
 * A hook before the guards of a stream.
 * @throws HttpError `method_not_allowed` for a request that is not a WebSocket handshake, `foreign_origin`
 */
export const handshakeCheck =
  (origin: OriginRule) =>
  ({ request }: { readonly request: Request }) => {
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") throw upgradeRequired()
    origin.demandForUpgrade(request)
  }

interface Admitting {
  readonly access: Pick<Access, "callerIfAny">
  readonly feed: Pick<Feed, "streamOf">
}

/**
 * Checks the credentials again while the stream is open. When the caller may see more or less than before, or is no longer called
 * `username`, the stream ends, and the client opens it again.
 */
export const admissionCheck =
  ({ access, feed }: Admitting, credentials: Credentials, stream: FeedStream, username?: string) =>
  async (): Promise<number | null> => {
    const caller = await access.callerIfAny(credentials, "read")
    if (caller === null || feed.streamOf(caller.user) !== stream) return null
    return username === undefined || caller.user.username === username ? caller.expiresAt : null
  }
