import { connect } from "node:net"
import type { Answer } from "./client.ts"

/** Asks for a WebSocket at an http address and tells the answer; a stream that opens (101) is dropped at once. */
export function handshake(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { hostname, port, pathname, search, host } = new URL(address)
  const all = { host, connection: "Upgrade", upgrade: "websocket", ...key, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    let received = ""
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`)
    })
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      received += chunk
      const answer = answerIn(received)
      if (answer === null) return
      resolve(answer)
      socket.destroy()
    })
    socket.on("close", () => reject(new Error(`no answer to a handshake: ${JSON.stringify(received)}`)))
    socket.on("error", reject)
  })
}

const key = { "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" }

/** Null while it is not whole. */
function answerIn(text: string): Answer | null {
  const [head = "", body] = text.split(/\r\n\r\n(.*)/s)
  if (body === undefined) return null
  const status = Number(head.split(" ", 2)[1])
  if (status === 101) return { status, body: "" }
  if (body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1])) return null
  const telling = [...head.matchAll(/^(www-authenticate|retry-after): (.*)$/gim)]
  return {
    status,
    ...(telling.length > 0 && {
      headers: Object.fromEntries(telling.map(([, name = "", value = ""]) => [name.toLowerCase(), value])),
    }),
    body: JSON.parse(body),
  }
}
