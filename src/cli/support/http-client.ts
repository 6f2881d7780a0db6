import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http"
import { request as tlsRequest } from "node:https"
import { isIP, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { connect, TLSSocket } from "node:tls"
import { listeningUrl } from "../../config/rules.ts"
import type { SecretlessConfig } from "../../config/settings.ts"
import { explained } from "../../support/system-errors.ts"

const timeoutMs = 5000

export interface Answer {
  readonly status: number
  readonly body: string
  /** The header `Date`, in milliseconds since the epoch; null when absent. */
  readonly date: number | null
  /** When the server's certificate expires, in milliseconds since the epoch; null without TLS. */
  readonly certificateEnds: number | null
}

interface Query {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the server is known to be the own one. Its certificate is then not checked: it may be for another name. */
  readonly isOwn: boolean
}

/**
 * The URL at which this machine reaches the configured server: over loopback if the server listens on all addresses.
 */
export function ownUrl(server: SecretlessConfig["server"]): string {
  const { host, port } = server
  return listeningUrl({ ...server, host: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host }, port)
}

/** Sends one GET request, ignoring proxy variables in the environment. @throws errors that `unreachable` explains */
export async function get(query: Query): Promise<Answer> {
  const { response, socket } = await exchange(query)
  const { date } = response.headers
  return {
    // Read before the body, because the certificate is gone once the connection is closed.
    certificateEnds: socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null,
    status: response.statusCode ?? 0,
    body: await text(response),
    date: date === undefined ? null : Date.parse(date),
  }
}

/** Tries a WebSocket handshake and returns the status of the answer. Closes the connection in any case. */
export async function webSocketStatus(query: Query): Promise<number> {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": crypto.getRandomValues(new Uint8Array(16)).toBase64(),
  }
  const { response, socket } = await exchange({ ...query, headers })
  socket.destroy()
  return response.statusCode ?? 0
}

/**
 * The SHA-256 fingerprint of the certificate that a server shows, trusted or not. Nothing is sent.
 * @throws errors that `unreachable` explains
 */
export function fingerprintAt(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, "")
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(isIP(host) === 0 && { servername: host }),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    })
    socket
      .on("secureConnect", () => resolve(socket.getPeerCertificate().fingerprint256))
      .on("secureConnect", () => socket.destroy())
      .on("timeout", () => socket.destroy(new DOMException("no answer", "AbortError")))
      .on("error", reject)
  })
}

/** Why the request failed, worded to follow the URL. */
export function unreachable(error: unknown): string {
  if (error instanceof Error && error.name === "AbortError") return `did not answer within ${timeoutMs / 1000} s`
  return `cannot be reached: ${explained(error).problem}`
}

function exchange({ url, headers = {}, isOwn }: Query): Promise<{ response: IncomingMessage; socket: Socket }> {
  const options: RequestOptions = { headers, agent: false, signal: AbortSignal.timeout(timeoutMs) }
  return new Promise((resolve, reject) => {
    const settle = (response: IncomingMessage, socket: Socket = response.socket) => resolve({ response, socket })
    const sending = url.startsWith("https:")
      ? tlsRequest(url, { ...options, rejectUnauthorized: !isOwn })
      : plainRequest(url, options)
    sending.on("response", settle).on("upgrade", settle).on("error", reject).end()
  })
}
