import { expect, test } from "bun:test"
import { connect } from "node:net"
import { refused, unauthenticated } from "../support/answers.ts"
import type { Answer } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

type Headers = Record<string, string>

const notAllowed = refused(405, "Method Not Allowed")
const foreign = refused(403, "Requests from other sites are not accepted")
const listed = "https://app.example.com"
const accepted = { status: 101, body: "" }

test("a plain GET of the stream is 405 for every caller, with or without a trailing slash", async () => {
  await using server = await startTestServer()
  const callers = [server.anybody, await server.person("Ana"), await server.admin()]

  for (const caller of callers)
    for (const path of ["/transaction/ws", "/transaction/ws/", "/transaction/ws?after=1"])
      expect(await caller.get(path)).toEqual({ ...notAllowed, headers: { allow: "", upgrade: "websocket" } })
})

test("the stream answers DELETE, PUT and PATCH with 405", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const method of ["DELETE", "PUT", "PATCH"])
    for (const path of ["/transaction/ws", "/transaction/ws/"])
      expect(await ana.call(method, path)).toEqual({ ...notAllowed, headers: { allow: "", upgrade: "websocket" } })
})

test("the stream sends every existing transaction, then each new one, in ascending order", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await server.grant(ana, 30)
  await server.grant(bruno, 20)
  using stream = watch(server)
  expect(await stream.seen(2)).toEqual([
    { to: "Ana", from: "Admin", value: 30 },
    { to: "Bruno", from: "Admin", value: 20 },
  ])

  await ana.post("/transaction/bruno/", { value: 7 })
  await bruno.post("/transaction/bruno/", { value: 1 })

  expect((await stream.seen(4)).slice(2)).toEqual([
    { to: "Bruno", from: "Ana", value: 7 },
    { to: "Bruno", from: "Bruno", value: 1 },
  ])
})

test("a client that asks for heartbeats learns up to which transaction it was sent everything", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await server.grant(ana, 30)
  using stream = watch(server, "?after=0&heartbeat=true")
  const [transfer, heartbeat] = await stream.seen(2)
  expect(transfer).toMatchObject({ id: 1, to: "Ana" })
  expect(heartbeat).toEqual({ through: 1 })
})

test("frames contain names, not usernames", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  await admin.post("/user/", {
    name: "Zoé  d'Été",
    email: "zoe@example.com",
    dept: "sales",
    password: "x",
    username: "z",
  })
  await admin.post("/transaction/z/", { value: 1 })

  using stream = watch(server)
  expect(await stream.seen(1)).toEqual([{ to: "Zoé  d'Été", from: "Admin", value: 1 }])
})

test("a refused transfer is not published", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  using stream = watch(server)
  await stream.opened

  expect((await ana.post("/transaction/admin/", { value: 1 })).status).toBe(400)
  await server.grant(ana, 2)

  expect(await stream.seen(1)).toEqual([{ to: "Ana", from: "Admin", value: 2 }])
})

test("?after starts after that transaction and adds id and date to each frame", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await server.grant(ana, 1)
  await server.grant(ana, 2)
  server.clock.advance(1234)
  await server.grant(ana, 3)
  const frame = (id: number, date: string) => ({ to: "Ana", from: "Admin", value: id, id, date })

  using stream = watch(server, "?after=1")
  expect(await stream.seen(2)).toEqual([frame(2, "2026-01-05T09:00:00.000"), frame(3, "2026-01-05T09:00:01.234")])
  using whole = watch(server, "?after=0")
  expect(await whole.seen(3)).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }])
  using later = watch(server, "?after=3")
  await later.opened
  await server.grant(ana, 4)
  expect(await later.seen(1)).toEqual([frame(4, "2026-01-05T09:00:01.234")])
})

test("?last begins with that many of the newest, in the format of ?after, and continues live; beyond 100 it is 422", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  for (const points of [10, 20, 30]) await server.grant(ana, points)
  const frame = (id: number, value: number) => ({ to: "Ana", from: "Admin", value, id, date: expect.any(String) })

  using stream = watch(server, "?last=2")
  expect(await stream.seen(2)).toEqual([frame(2, 20), frame(3, 30)])
  await server.grant(ana, 40)
  expect(await stream.seen(3)).toEqual([frame(2, 20), frame(3, 30), frame(4, 40)])
  using whole = watch(server, "?last=100")
  expect(await whole.seen(4)).toHaveLength(4)
  for (const last of ["101", "-1", "abc"]) {
    const answer = await handshake(server, { path: `/transaction/ws?last=${last}` })
    expect({ last, ...answer }).toEqual({ last, status: 422, body: { detail: expect.stringMatching(/^last: /) } })
  }
})

test("an ?after that is not an id is 422", async () => {
  await using server = await startTestServer()

  for (const after of ["abc", "", "-1", "1.5", "9007199254740992", "0x1", "null"]) {
    const answer = await handshake(server, { path: `/transaction/ws?after=${after}` })
    expect({ after, ...answer }).toEqual({ after, status: 422, body: { detail: expect.stringMatching(/^after: /) } })
  }
})

test("the stream opens with or without a trailing slash and with unknown parameters", async () => {
  await using server = await startTestServer()

  for (const path of ["/transaction/ws", "/transaction/ws/", "/transaction/ws?colour=red", "/transaction/ws/?after=5"])
    expect(await handshake(server, { path })).toEqual(accepted)
})

test("by default the stream is open to everybody, even with bad credentials", async () => {
  await using server = await startTestServer()

  for (const headers of [{}, bearer("x"), { authorization: "x" }])
    expect(await handshake(server, { headers })).toEqual(accepted)
})

test("with stream.access = auth the stream requires a session or a bearer token", async () => {
  await using server = await startTestServer({ settings: { "stream.access": "auth" } })
  const ana = await server.person("Ana")
  const session = await server.withSession(ana)

  expect(await handshake(server)).toEqual(unauthenticated)
  expect(await handshake(server, { headers: bearer("x") })).toEqual(unauthenticated)
  expect(await handshake(server, { headers: bearer(ana.refreshToken) })).toEqual(unauthenticated)
  expect(await handshake(server, { headers: { cookie: "session_id=x", ...bearer(ana.accessToken) } })).toEqual(
    refused(401, "Invalid Session ID"),
  )
  expect(await handshake(server, { path: "/transaction/ws?after=abc" })).toEqual(unauthenticated)

  for (const headers of [bearer(ana.accessToken), session.credentials]) {
    expect(await handshake(server, { headers })).toEqual(accepted)
    using stream = watch(server, "", headers)
    await stream.opened
  }
})

for (const access of ["public", "auth"])
  test(`an upgrade from a foreign origin is refused with and without credentials; access ${access}`, async () => {
    await using server = await startTestServer({ settings: { "stream.access": access, "cors.origins": listed } })
    const ana = await server.person("Ana")
    const { credentials } = await server.withSession(ana)

    for (const origin of ["https://evil.example", "null", "", `${listed}.evil.example`])
      for (const shown of [credentials, bearer(ana.accessToken), {}])
        expect(await handshake(server, { headers: { ...shown, origin } })).toEqual(foreign)
    for (const origin of [listed, server.url])
      expect(await handshake(server, { headers: { ...credentials, origin } })).toEqual(accepted)
    expect(await handshake(server, { headers: credentials })).toEqual(accepted)
    if (access === "public") expect(await handshake(server)).toEqual(accepted)
  })

test("an invalid handshake is 400", async () => {
  await using server = await startTestServer()

  expect(await handshake(server, { headers: { "sec-websocket-key": "" } })).toEqual(
    refused(400, "The WebSocket handshake is not valid"),
  )
})

for (const path of ["/transaction/ws", "/api/v1/stream"])
  test(`a handshake of another version than 13 is 426 with a body and the headers of every answer: ${path}`, async () => {
    await using server = await startTestServer()
    const ana = await server.person("Ana")
    const request = (version: string) =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n` +
      `Authorization: Bearer ${ana.accessToken}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${version}\r\n`

    for (const version of ["8", "", "013", "13, 8", null]) {
      const answer = await server.exchange(request(version === null ? "" : `Sec-WebSocket-Version: ${version}\r\n`))
      expect(answer).toStartWith("HTTP/1.1 426 Upgrade Required\r\n")
      expect(answer).toContain('{"detail":"Only version 13 of the WebSocket protocol is supported"')
      for (const header of [
        ...["sec-websocket-version: 13", "upgrade: websocket", "x-content-type-options: nosniff"],
        "error-code: other_websocket_version",
      ])
        expect(answer.toLowerCase()).toContain(`\r\n${header}\r\n`)
      expect(answer.match(/sec-websocket-version/gi)).toHaveLength(1)
    }
    expect(await handshake(server, { path, headers: bearer(ana.accessToken) })).toEqual(accepted)
  })

test("messages from a client are ignored", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  using stream = watch(server)
  await stream.opened

  stream.send("hello")
  stream.send('{"to":"Ana","from":"Admin","value":5}')
  await server.grant(ana, 1)

  expect(await stream.seen(1)).toEqual([{ to: "Ana", from: "Admin", value: 1 }])
})

/** A dashboard on the real socket. */
function watch(server: TestServer, query = "", headers: Headers = {}) {
  // Bun's own option, which the standard type does not know.
  const options = { headers } as unknown as string[]
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/transaction/ws${query}`, options)
  const frames: unknown[] = []
  socket.onmessage = ({ data }) => frames.push(JSON.parse(data))
  const opened = new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error("the stream did not open"))
  })
  return {
    opened,
    send: (text: string) => socket.send(text),
    /** Its frames, once there are `count`. */
    async seen(count: number) {
      await opened
      while (frames.length < count) await Bun.sleep(1)
      return frames
    },
    [Symbol.dispose]: () => socket.close(),
  }
}

/** The answer to an upgrade, as a browser never shows it. */
function handshake(
  server: TestServer,
  { path = "/transaction/ws", headers = {} }: { path?: string; headers?: Headers } = {},
) {
  const { host, hostname, port } = new URL(server.url)
  const lines = Object.entries({
    host,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)

  return new Promise<Answer>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`))
    let received = ""
    socket.setEncoding("utf8")
    socket.on("error", reject)
    socket.on("data", (chunk) => {
      received += chunk
      const answer = answerIn(received)
      if (answer === null) return
      socket.destroy()
      resolve(answer)
    })
  })
}

/** Null while it has not arrived whole. */
function answerIn(received: string): Answer | null {
  const [head = "", body] = received.split("\r\n\r\n")
  const status = Number(head.split(" ")[1])
  if (body === undefined) return null
  if (status === 101) return accepted
  if (body.length < Number(/^content-length: (\d+)\r?$/im.exec(head)?.[1])) return null
  const challenge = /^www-authenticate: (.*?)\r?$/im.exec(head)?.[1]
  return {
    status,
    ...(challenge !== undefined && { headers: { "www-authenticate": challenge } }),
    body: JSON.parse(body),
  }
}
