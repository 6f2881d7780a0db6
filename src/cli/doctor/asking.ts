import { type IncomingMessage, request as plainRequest, type RequestOptions } from "node:http"
import { request as tlsRequest } from "node:https"
import type { Socket } from "node:net"
import { text } from "node:stream/consumers"
import { TLSSocket } from "node:tls"

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

/** Asks once, and asks no proxy that the environment names for other things. @throws system errors, and of TLS */
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
