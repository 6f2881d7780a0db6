import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http"
import { request as tlsRequest } from "node:https"
import type { Socket } from "node:net"
import { text } from "node:stream/consumers"
import { TLSSocket } from "node:tls"
import { listeningUrl } from "../config/rules.ts"
import type { SecretlessConfig } from "../config/settings.ts"
import { explained } from "../system-errors.ts"

const patienceMs = 5000

/** What a server answered. */
export interface Answer {
  readonly status: number
  readonly body: string
  /** The header `Date`, in milliseconds since the epoch; null without one. */
  readonly date: number | null
  /** When the certificate that it showed ends, likewise; null in the clear. */
  readonly certificateEnds: number | null
}

interface Question {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Of this machine's own server any certificate will do: it is made for another name. */
  readonly isOwn: boolean
}

/** Where this machine reaches the server of these settings. One that listens everywhere is asked on the loopback. */
export function ownUrl(server: SecretlessConfig["server"]): string {
  const { host, port } = server
  return listeningUrl({ ...server, host: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host }, port)
}

/** Asks once, and no proxy that the environment names for other things. @throws what `whyNot` explains */
export async function ask(question: Question): Promise<Answer> {
  const { response, socket } = await exchange(question)
  const { date } = response.headers
  return {
    // Before the body is read: with the connection the certificate is gone.
    certificateEnds: socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null,
    status: response.statusCode ?? 0,
    body: await text(response),
    date: date === undefined ? null : Date.parse(date),
  }
}

/** The status with which a WebSocket handshake is answered; 101 when it was made, and ended at once. */
export async function shakeHands(question: Question): Promise<number> {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": crypto.getRandomValues(new Uint8Array(16)).toBase64(),
  }
  const { response, socket } = await exchange({ ...question, headers })
  socket.destroy()
  return response.statusCode ?? 0
}

/** Why nobody could be asked, to stand behind the URL. */
export function whyNot(error: unknown): string {
  if (error instanceof Error && error.name === "AbortError") return `did not answer within ${patienceMs / 1000} s`
  return `cannot be asked: ${explained(error).problem}`
}

function exchange({ url, headers = {}, isOwn }: Question): Promise<{ response: IncomingMessage; socket: Socket }> {
  const options: RequestOptions = { headers, agent: false, signal: AbortSignal.timeout(patienceMs) }
  return new Promise((resolve, reject) => {
    const settle = (response: IncomingMessage, socket: Socket = response.socket) => resolve({ response, socket })
    const asking = url.startsWith("https:")
      ? tlsRequest(url, { ...options, rejectUnauthorized: !isOwn })
      : plainRequest(url, options)
    asking.on("response", settle).on("upgrade", settle).on("error", reject).end()
  })
}
