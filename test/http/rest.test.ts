import { expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { commonHeaders } from "../../src/http/base.ts"
import { startPlainServer } from "../../src/http/plain-server.ts"
import { startMetricsServer } from "../../src/http/server.ts"
import { secret } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { startTestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

const closes = /^connection: close\r$/im

/** A connection; `received` grows, and `end` is how it ended. */
async function connection(url: string) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  const seen = { received: "", end: "" }
  socket.setEncoding("utf8")
  socket.on("data", (text) => {
    seen.received += text
  })
  socket.on("error", (error: NodeJS.ErrnoException) => {
    seen.end ||= error.code ?? "error"
  })
  socket.on("close", () => {
    seen.end ||= "closed"
  })
  await until(() => !socket.connecting)
  const answers = () => answersIn(seen.received)
  const answered = (count: number) => until(() => answers().length === count || seen.end !== "")
  return {
    seen,
    answers,
    send: (bytes: string | Uint8Array) => void socket.write(bytes),
    /** Sends another request behind the answer, and waits for its answer, or for the end of the connection. */
    async nextAnswered() {
      await answered(1)
      socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await answered(2)
    },
    /** Resolves when the server has taken these bytes, or ended the connection. */
    sent: (bytes: string | Uint8Array) => new Promise<void>((resolve) => socket.write(bytes, () => resolve())),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** The complete answers in a text, without "100 Continue". A head is complete with the body that it declares. */
function answersIn(text: string): string[] {
  const answers: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\r\n\r\n", from)
    if (end < 0) break
    if (text.startsWith("HTTP/1.1 100 ", from)) {
      from = end + 4
      continue
    }
    const head = text.slice(from, end)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    if (Buffer.byteLength(text.slice(end + 4)) < length) break
    const whole = Buffer.from(text.slice(end + 4))
      .subarray(0, length)
      .toString()
    answers.push(text.slice(from, end + 4) + whole)
    from = end + 4 + whole.length
  }
  return answers
}

const json = "Content-Type: application/json\r\n"
const declared = (line: string, more = "") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${more}Content-Length: 20\r\n\r\n{"va`
const inChunks = (line: string, more = "") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${more}Transfer-Encoding: chunked\r\n\r\n4\r\n{"va\r\n`

interface Early {
  readonly status: number
  readonly line: string
  readonly more?: string
}

const early = (bearer: string): readonly Early[] => [
  { status: 401, line: "POST /transaction/admin/" },
  { status: 401, line: "PATCH /user/admin/" },
  { status: 401, line: "DELETE /api/v1/me/sessions" },
  { status: 401, line: "POST /api/v1/grants" },
  { status: 401, line: "PUT /api/v1/me/avatar" },
  { status: 401, line: "POST /scim/v2/Users" },
  { status: 401, line: "POST /user/", more: "Expect: 100-continue\r\n" },
  { status: 403, line: "POST /login", more: "Origin: https://evil.example\r\nCookie: session_id=x\r\n" },
  { status: 400, line: "POST /user/%FF/" },
  { status: 404, line: "POST /nothing/here" },
  { status: 404, line: "POST /transaction/nobody/", more: bearer },
  { status: 404, line: "POST /integrations/slack/commands" },
  { status: 405, line: "PUT /login" },
  { status: 405, line: "POST /healthz" },
  { status: 401, line: "POST /transaction/ws" },
  { status: 405, line: "POST /api/v1/stream" },
  { status: 405, line: "DELETE /openapi.json" },
  {
    status: 204,
    line: "OPTIONS /user/",
    more: "Origin: https://a.example.com\r\nAccess-Control-Request-Method: POST\r\n",
  },
  { status: 200, line: "GET /healthz" },
  { status: 422, line: "GET /user/?show_balance=x" },
  { status: 401, line: "GET /api/v1/me" },
  { status: 426, line: "GET /transaction/ws", more: "Upgrade: websocket\r\nConnection: Upgrade\r\n" },
]

test("an answer before the body has come ends the connection, declared or in chunks", async () => {
  await using server = await startTestServer({
    settings: { "cors.origins": "https://a.example.com" },
  })
  const { accessToken } = await server.admin()
  const requests = early(`Authorization: Bearer ${accessToken}\r\n`).flatMap((request) => [
    { ...request, bytes: declared(request.line, request.more) },
    { ...request, bytes: inChunks(request.line, request.more) },
  ])

  const ends = await Promise.all(
    requests.map(async ({ line, status, bytes }) => {
      using open = await connection(server.url)
      open.send(bytes)
      await until(() => open.seen.end !== "")
      const [answer = ""] = open.answers()
      return {
        line,
        end: open.seen.end,
        status: Number(answer.split(" ", 2)[1]),
        closes: closes.test(answer),
        expected: status,
      }
    }),
  )

  for (const { line, expected, ...seen } of ends)
    expect({ line, ...seen }).toEqual({ line, end: "closed", status: expected, closes: true })
}, 60_000)

test("an answer behind the whole body keeps the connection, whoever reads the body", async () => {
  await using server = await startTestServer()
  for (const { line, more } of early("")) {
    if (line.startsWith("GET") || line.startsWith("OPTIONS")) continue
    using open = await connection(server.url)
    open.send(`${line} HTTP/1.1\r\nHost: localhost\r\n${more ?? ""}Content-Length: 20\r\n\r\n${"x".repeat(20)}`)
    await open.nextAnswered()
    expect(open.seen).toEqual({ received: expect.not.stringMatching(closes), end: "" })
  }
})

test("no body and an empty body keep the connection", async () => {
  await using server = await startTestServer()
  const ends = ["\r\n", "Content-Length: 0\r\n\r\n"]
  for (const end of ends)
    for (const line of ["POST /nothing/here", "POST /transaction/admin/", "POST /user/pwd_reset_token/"]) {
      using open = await connection(server.url)
      open.send(`${line} HTTP/1.1\r\nHost: localhost\r\n${json}${end}`)
      await open.nextAnswered()
      expect(open.seen).toEqual({ received: expect.not.stringMatching(closes), end: "" })
    }
})

test("every operation answers nobody before the body, or ends the connection; behind it the connection stays", async () => {
  await using server = await startTestServer()
  const { body } = await server.anybody.get<{ paths: Record<string, Record<string, unknown>> }>("/openapi.json")
  const lines = Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "1")}`),
  )
  expect(lines.length).toBeGreaterThan(140)

  const wrong: string[] = []
  const tried = async (line: string) => {
    const isRead = line.startsWith("GET")
    using half = await connection(server.url)
    half.send(declared(line))
    await until(() => half.seen.end !== "" || (!isRead && waits.has(line)))
    if (half.seen.end !== "" && !closes.test(half.seen.received)) wrong.push(`half ${line}`)
    if (isRead) return
    using whole = await connection(server.url)
    whole.send(`${line} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`)
    await whole.nextAnswered()
    if (whole.seen.end !== "" || closes.test(whole.seen.received)) wrong.push(`whole ${line}`)
  }
  for (let at = 0; at < lines.length; at += 50) await Promise.all(lines.slice(at, at + 50).map(tried))

  expect(wrong).toEqual([])
}, 120_000)

/** They are for anybody, so they wait for the body. */
const waits: ReadonlySet<string> = new Set([
  "POST /token",
  "POST /login",
  "POST /login/second-factor",
  "POST /refresh_token",
  "POST /user/pwd_reset_token/",
  "POST /oidc/backchannel-logout",
])

test("a body that comes late, but comes, keeps the connection", async () => {
  await using server = await startTestServer()
  using open = await connection(server.url)
  open.send(declared("POST /nothing/here"))
  await until(() => server.logged().filter((line) => line.includes("/nothing/here")).length === 1)
  expect(open.seen.received).toBe("")
  open.send("x".repeat(16))
  await open.nextAnswered()
  expect(open.seen).toEqual({ received: expect.not.stringMatching(closes), end: "" })
})

test("a body in chunks ends the connection with its answer, because trailers would be answered like a request", async () => {
  await using server = await startTestServer()
  const form = "Content-Type: application/x-www-form-urlencoded\r\n"
  const requests = [
    { status: 404, line: "POST /nothing/here", more: "", body: "{}" },
    { status: 401, line: "POST /transaction/admin/", more: json, body: "{}" },
    { status: 415, line: "POST /login", more: json, body: "{}" },
    { status: 422, line: "POST /login", more: form, body: "" },
  ]
  for (const { status, line, more, body } of requests)
    for (const trailers of ["", "X: y\r\n"]) {
      using open = await connection(server.url)
      open.send(`${line} HTTP/1.1\r\nHost: localhost\r\n${more}Transfer-Encoding: chunked\r\n\r\n`)
      if (body !== "") open.send(`${body.length}\r\n${body}\r\n`)
      open.send(`0\r\n${trailers}\r\n`)
      await until(() => open.seen.end !== "")
      expect({ line, trailers, answer: open.answers()[0] }).toEqual({
        line,
        trailers,
        answer: expect.stringMatching(closes),
      })
      if (trailers === "") expect(open.answers()[0]).toStartWith(`HTTP/1.1 ${status} `)
    }
})

test("a body that is too large is read on, so that its 413 arrives", async () => {
  await using server = await startTestServer()
  const megabyte = "x".repeat(1_048_576)
  const heads = [
    [`Content-Length: ${8 * megabyte.length}\r\n\r\n`, megabyte, ""],
    ["Transfer-Encoding: chunked\r\n\r\n", `100000\r\n${megabyte}\r\n`, "0\r\n\r\n"],
  ] as const
  for (const [head, piece, end] of heads) {
    using open = await connection(server.url)
    open.send(`POST /refresh_token HTTP/1.1\r\nHost: localhost\r\n${json}${head}`)
    for (let count = 0; count < 8; count += 1) await open.sent(piece)
    open.send(end)
    const isDeclared = end === ""
    await (isDeclared ? open.nextAnswered() : until(() => open.seen.end !== ""))
    expect(open.answers()[0]).toStartWith("HTTP/1.1 413 ")
    expect(open.seen.end).toBe(isDeclared ? "" : "closed")
    expect(closes.test(open.seen.received)).toBe(!isDeclared)
  }
})

test("a body that nobody wants is read up to a limit: in bytes, and in time", async () => {
  await using server = await startTestServer({ settings: { "limits.idle_seconds": "5" } })
  const head = "POST /nothing/here HTTP/1.1\r\nHost: localhost\r\nContent-Length: 120000000\r\n\r\n"

  using much = await connection(server.url)
  much.send(head)
  const megabyte = "x".repeat(1_048_576)
  let sent = 0
  while (much.seen.end === "") {
    await much.sent(megabyte)
    sent += 1
  }
  expect(sent).toBeGreaterThan(64)
  expect(sent).toBeLessThan(90)

  using slow = await connection(server.url)
  slow.send(head)
  const dripping = setInterval(() => slow.send("x"), 100)
  await until(() => slow.seen.end !== "")
  clearInterval(dripping)
  expect(slow.seen.received).toMatch(/^HTTP\/1\.1 404 /)
  expect(slow.seen.received).toMatch(closes)
}, 60_000)

test("the server in the clear and the metrics treat bodies alike", async () => {
  await using server = await startTestServer({ settings: { "metrics.listen": "127.0.0.1:0" } })
  const { metrics, config } = server.app
  if (metrics === null) throw new Error("there are no metrics")
  const own = startMetricsServer({ metrics, host: "127.0.0.1", port: 0, headers: commonHeaders(config) })
  const port = freePort()
  const plain = startPlainServer({
    host: "127.0.0.1",
    port,
    baseUrl: "https://rewards.example.com",
    answerTo: () => undefined,
    secret,
    now: Date.now,
  })
  const inTheClear = `http://127.0.0.1:${port}`
  const cases = [
    [own.url, 404, "POST /metrics"],
    [own.url, 200, "GET /metrics"],
    [inTheClear, 308, "POST /login"],
    [inTheClear, 308, "GET /"],
    [inTheClear, 404, "PUT /.well-known/acme-challenge/x"],
  ] as const

  for (const [url, status, line] of cases) {
    using half = await connection(url)
    half.send(declared(line))
    await until(() => half.seen.end !== "")
    expect(half.seen).toEqual({ received: expect.stringMatching(closes), end: "closed" })
    expect(half.seen.received).toStartWith(`HTTP/1.1 ${status} `)
    if (line.startsWith("GET")) continue
    using whole = await connection(url)
    whole.send(`${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n${"x".repeat(5_000_000)}`)
    await whole.nextAnswered()
    expect(whole.seen).toEqual({ received: expect.not.stringMatching(closes), end: "" })
  }
  own.stop()
  await plain.stop()
}, 60_000)
