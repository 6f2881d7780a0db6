import { expect, test } from "bun:test"
import { X509Certificate } from "node:crypto"
import { connect } from "node:tls"
import { startServer } from "../../src/http/server.ts"
import { rootCodeOf } from "../../src/support/system-errors.ts"
import { openTestApp } from "../support/app.ts"
import { createAuthority } from "../support/authority.ts"
import { until } from "../support/until.ts"

const authority = await createAuthority()
const [first, second] = await Promise.all([authority.issue(["localhost"]), authority.issue(["localhost"])])

/** The app on a real socket with TLS. */
async function startTlsServer() {
  const settings = { "server.tls_cert": "cert.pem", "server.tls_key": "key.pem", "limits.idle_seconds": "5" }
  const opened = await openTestApp({ settings })
  const { transactionHub, feedHub } = opened.app
  await Promise.all([transactionHub.start(), feedHub.start()])
  const server = startServer(opened.app, first)
  return {
    ...server,
    app: opened.app,
    create: opened.create,
    port: Number(new URL(server.url).port),
    async [Symbol.asyncDispose]() {
      server.kill()
      for (const one of [transactionHub, feedHub]) one.stop()
      await opened[Symbol.asyncDispose]()
    },
  }
}

/** One connection that asks again and again, as a browser does. */
function openConnection(port: number) {
  const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ca: authority.pem })
  let received = ""
  let isClosed = false
  socket.on("data", (bytes) => {
    received += bytes
  })
  socket.on("close", () => {
    isClosed = true
  })
  return {
    /** The answer to a request on this connection. */
    async ask(): Promise<string> {
      const before = received.length
      socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await until(() => received.length > before)
      return received.slice(before)
    },
    isClosed: () => isClosed,
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** The type that browsers share with Bun knows no options. */
const streamAt = (port: number): WebSocket =>
  Reflect.construct(WebSocket, [`wss://localhost:${port}/transaction/ws`, { tls: { ca: authority.pem } }])

/**
 * The certificate that a new connection gets. The kernel resets those that a listener has not accepted when it stops; like a
 * browser, this one then connects again.
 */
async function shownAt(port: number): Promise<string> {
  try {
    return await shownOnceAt(port)
  } catch (error) {
    if (rootCodeOf(error) !== "ECONNRESET") throw error
    return await shownOnceAt(port)
  }
}

function shownOnceAt(port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect({ host: "127.0.0.1", port, servername: "localhost", ca: authority.pem })
    .on("error", reject)
    .on("secureConnect", () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? "")
      socket.end()
    })
  return promise
}

const serialOf = ({ cert }: { readonly cert: string }): string => new X509Certificate(cert).serialNumber

test("a new certificate ends no connection that is idle and no stream; soon every new connection gets it", async () => {
  await using server = await startTlsServer()
  const [old, fresh] = [serialOf(first), serialOf(second)]
  using connection = openConnection(server.port)
  using idle = openConnection(server.port)
  expect(await connection.ask()).toStartWith("HTTP/1.1 200")
  await idle.ask()
  const frames: string[] = []
  const stream = streamAt(server.port)
  stream.addEventListener("message", ({ data }) => frames.push(String(data)))
  await new Promise((resolve) => stream.addEventListener("open", resolve))
  expect(await shownAt(server.port)).toBe(old)

  server.changeCertificate(second, true)

  expect([connection.isClosed(), idle.isClosed()]).toEqual([false, false])
  const answer = await connection.ask()
  expect(answer).toStartWith("HTTP/1.1 200")
  expect(answer.toLowerCase()).toContain("\r\nconnection: close\r\n")
  await until(connection.isClosed)

  // For as long as idle connections may stay open, both certificates are shown.
  const shown: string[] = []
  await until(async () => {
    shown.push(await shownAt(server.port))
    return idle.isClosed() && shown.length >= 40 && shown.slice(-40).every((serial) => serial === fresh)
  })
  expect(shown).toContain(old)
  const sender = await server.app.store.users.byUsername("admin")
  if (sender === null) throw new Error("admin is missing")
  await server.app.ledger.sendPoints({ sender, receiver: await server.create("Ana"), value: 5 })
  await until(() => frames.length > 0)
  expect(JSON.parse(frames[0] ?? "")).toEqual({ from: "Admin", to: "Ana", value: 5 })
  stream.close()
}, 120_000) // the first listener stays for ten seconds: the least time for idle connections, and Bun's margin

test("streams can be opened at both listeners while the second takes over", async () => {
  await using server = await startTlsServer()
  server.changeCertificate(second, true)
  for (let round = 0; round < 20; round += 1) {
    const stream = streamAt(server.port)
    await new Promise((resolve, reject) => {
      stream.addEventListener("open", resolve)
      stream.addEventListener("close", reject)
    })
    stream.close()
  }
})

test("a certificate that nobody can trust is shown to no new connection any more", async () => {
  await using server = await startTlsServer()
  using busy = openConnection(server.port)
  await busy.ask()
  server.changeCertificate(second, false)
  const shown = await Promise.all(Array.from({ length: 20 }, () => shownAt(server.port)))
  expect(new Set(shown)).toEqual(new Set([serialOf(second)]))
})

test("a port that another server has is refused with TLS too", async () => {
  await using server = await startTlsServer()
  const config = { ...server.app.config, server: { ...server.app.config.server, port: server.port } }
  expect(() => startServer({ ...server.app, config }, first)).toThrow(
    expect.objectContaining({ code: "EADDRINUSE" }) as unknown as Error,
  )
})
