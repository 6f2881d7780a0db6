import { expect, test } from "bun:test"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { noSuchUser, ok, refused } from "../support/answers.ts"
import type { Client } from "../support/client.ts"
import { startTestServer } from "../support/server.ts"

const json = { "content-type": "application/json" }
const form = { "content-type": "application/x-www-form-urlencoded" }
const badJson = refused(400, "The body is not valid JSON")
const badForm = refused(400, "The body is not a valid form")
const badPath = refused(400, "The address is not validly percent-encoded")
const notFound = refused(404, "Not Found")
const tooLarge = refused(413, "The body is too large")
const otherType = refused(415, "This Content-Type is not accepted here")
const notAllowed = (allow: string) => ({ ...refused(405, "Method Not Allowed"), headers: { allow } })

/** Sends a body as it is to an endpoint that reads JSON and is open to all. */
const sendJson = (client: Client, body: BodyInit, headers: Record<string, string> = json) =>
  client.call("POST", "/refresh_token", { body, headers })

const sendForm = (client: Client, body: BodyInit, headers: Record<string, string> = form) =>
  client.call("POST", "/token", { body, headers })

test("an unknown path is 404 Not Found, with any method and credentials", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const paths = [
    "/nothing",
    "/user/admin/nothing/",
    "/USER/",
    "/token/x",
    "/user/admin/password/x",
    "/docs/x",
    "/user.json",
  ]

  for (const path of paths)
    for (const method of ["GET", "POST", "PATCH", "DELETE"])
      for (const caller of [server.anybody, admin]) expect(await caller.call(method, path)).toEqual(notFound)
})

const methods: [path: string, allow: string, others: string[]][] = [
  ["/token", "POST", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"]],
  ["/refresh_token", "POST", ["GET", "DELETE"]],
  ["/login", "POST", ["GET", "DELETE"]],
  ["/logout", "POST", ["GET", "DELETE"]],
  ["/user", "HEAD, GET, POST", ["PUT", "PATCH", "DELETE", "OPTIONS"]],
  ["/user/admin", "HEAD, GET, PATCH", ["PUT", "POST", "DELETE"]],
  ["/user/nobody", "HEAD, GET, PATCH", ["DELETE"]],
  ["/user/admin/password", "POST", ["GET", "PUT", "PATCH", "DELETE"]],
  ["/transaction", "HEAD, GET", ["POST", "PUT", "PATCH", "DELETE"]],
  ["/transaction/admin", "HEAD, POST, GET", ["PUT", "PATCH", "DELETE"]],
  ["/openapi.json", "HEAD, GET", ["POST", "DELETE"]],
  ["/docs", "HEAD, GET", ["POST", "DELETE"]],
]

for (const [path, allow, others] of methods)
  test(`${path} with an unsupported method is 405, and Allow lists the supported methods`, async () => {
    await using server = await startTestServer()

    for (const method of others)
      for (const slash of ["", "/"]) expect(await server.anybody.call(method, path + slash)).toEqual(notAllowed(allow))
  })

/** What the server sends until it closes the connection. */
async function answerTo(url: string, requestLine: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(`${requestLine} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test("a rare method is 405 too; an unknown one gets no answer, and the server continues", async () => {
  await using server = await startTestServer()

  for (const method of ["PROPFIND", "TRACE", "CONNECT", "QUERY"])
    expect(await answerTo(server.url, `${method} /user/`)).toStartWith("HTTP/1.1 405 Method Not Allowed\r\n")
  for (const method of ["BREW", "get"]) expect(await answerTo(server.url, `${method} /user/`)).toBe("")
  expect(await server.anybody.get("/healthz")).toMatchObject({ status: 200 })
})

/** Each answer of the API page has a nonce of its own. */
const withoutNonce = (body: unknown) =>
  typeof body === "string" ? body.replace(/"csp-nonce" content="[^"]+"/, "") : body

test("paths work with or without one trailing slash, and not with more", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()

  for (const path of ["/user", "/user/admin", "/transaction", "/transaction/admin", "/openapi.json", "/docs"]) {
    const plain = await admin.get(path)
    expect({ path, status: plain.status }).toEqual({ path, status: 200 })
    const slashed = await admin.get(`${path}/`)
    expect(withoutNonce(slashed.body)).toEqual(withoutNonce(plain.body))
    expect(slashed.status).toBe(200)
    expect(await admin.get(`${path}//`)).toEqual(notFound)
  }
  for (const path of ["/token/", "/login/"])
    expect((await server.anybody.submit(path, { username: "admin", password: "admin" })).status).toBe(200)
  expect((await server.anybody.post("/refresh_token/", { refresh_token: admin.refreshToken })).status).toBe(200)
  expect((await server.anybody.post("/logout/")).status).toBe(200)
  expect((await server.anybody.post("/user/pwd_reset_token", { email: "x" })).status).toBe(200)
})

test("HEAD answers as GET does, without a body", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()

  for (const path of ["/user/", "/user/admin/", "/transaction/", "/openapi.json", "/docs"])
    expect(await admin.call("HEAD", path)).toEqual({ status: 200, body: "" })
  expect(await server.anybody.call("HEAD", "/user/nobody/")).toEqual({ status: 404, body: "" })
  expect(await server.anybody.call("HEAD", "/transaction/")).toMatchObject({ status: 401, body: "" })
})

test("malformed percent-encoding of the path is 400", async () => {
  await using server = await startTestServer()

  for (const name of ["%zz", "%", "%4", "a%2", "%FF", "%C3%28", "%ED%A0%80", "ana%E9"]) {
    expect(await server.anybody.get(`/user/${name}/`)).toEqual(badPath)
    expect(await server.anybody.post(`/transaction/${name}/`, { value: 1 })).toEqual(badPath)
  }
  expect(await server.anybody.get("/%zz")).toEqual(badPath)
})

test("malformed percent-encoding of the query is 400 as in the path, whether the parameter is known or not", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()

  for (const value of ["%zz", "%", "%4", "a%2", "%FF", "%C3%28", "%ED%A0%80", "ana%E9"])
    for (const path of ["/user/", "/transaction/", "/api/v1/people", "/docs", "/healthz", "/unsubscribe", "/nothing"])
      for (const query of [`user=${value}`, `${value}`, `q=ana&${value}=1`])
        expect(await admin.get(`${path}?${query}`)).toEqual(badPath)
  expect(await admin.get("/transaction/?user=100%25+%C3%A9")).toMatchObject({ status: 200 })
})

test("an encoded slash stays part of the name, and encoded letters equal the letters", async () => {
  await using server = await startTestServer()
  await server.person("Ana")

  for (const name of ["a%2Fb", "ana%2F", "..%2Fuser%2Fana", "%2e%2e%2Fana", "ana%00", "ana%0d%0aX: y"])
    expect(await server.anybody.get(`/user/${name}/`)).toEqual(noSuchUser)
  expect((await server.anybody.get("/user/%61n%61/")).status).toBe(200)
})

test("any host name, however short, reaches the server", async () => {
  await using server = await startTestServer()

  for (const host of ["a", "api", "localhost", "a:1", "[::1]", "rewards.example.com:8443"]) {
    const answer = await server.exchange(`GET /user/admin/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect({ host, line: answer.split("\r\n")[0] }).toEqual({ host, line: "HTTP/1.1 200 OK" })
  }
})

test("malformed JSON is 400", async () => {
  await using server = await startTestServer()
  const texts = [
    "{",
    "x",
    "{'refresh_token': 'x'}",
    '{"refresh_token": "x",}',
    '{"refresh_token": "x"} x',
    '{"refresh_token": "a\nb"}',
    "\0",
    " ",
    "undefined",
    "NaN",
    '"\\x"',
    "refresh_token=x",
  ]

  for (const text of texts) expect({ text, ...(await sendJson(server.anybody, text)) }).toEqual({ text, ...badJson })
})

test("a body that is not UTF-8 is 400", async () => {
  await using server = await startTestServer()
  const invalid = Uint8Array.from([...Buffer.from('{"refresh_token": "'), 0xff, 0xfe, ...Buffer.from('"}')])
  const utf16 = Buffer.from('{"refresh_token": "x"}', "utf16le")

  for (const body of [invalid, Uint8Array.from(utf16)]) expect(await sendJson(server.anybody, body)).toEqual(badJson)
  expect(await sendForm(server.anybody, Uint8Array.from([...Buffer.from("username=a&password="), 0xff]))).toEqual(
    badForm,
  )
})

test("a byte order mark before JSON is ignored", async () => {
  await using server = await startTestServer()
  const { refreshToken } = await server.admin()

  const { status } = await sendJson(server.anybody, `\ufeff{"refresh_token": "${refreshToken}"}`)
  expect(status).toBe(200)
})

test("a malformed form is 400", async () => {
  await using server = await startTestServer()

  for (const text of ["username=%zz&password=x", "username=a&password=%", "username=%FF&password=x"])
    expect(await sendForm(server.anybody, text)).toEqual(badForm)
})

test("a missing or unsupported Content-Type is 415", async () => {
  await using server = await startTestServer()
  const types = ["text/plain", "application/jsonx", "text/json", "multipart/form-data; boundary=x", "", "json", "*/*"]

  for (const type of types) {
    const headers = { "content-type": type }
    expect({ type, ...(await sendJson(server.anybody, "{}", headers)) }).toEqual({ type, ...otherType })
    expect({ type, ...(await sendForm(server.anybody, "a=b", headers)) }).toEqual({ type, ...otherType })
  }
  expect(await sendJson(server.anybody, "refresh_token=x", form)).toEqual(otherType)
  expect(await sendForm(server.anybody, '{"username": "a", "password": "b"}', json)).toEqual(otherType)
})

test("parameters and case of the Content-Type do not matter", async () => {
  await using server = await startTestServer()
  const { refreshToken } = await server.admin()
  const body = JSON.stringify({ refresh_token: refreshToken })

  for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"])
    expect((await sendJson(server.anybody, body, { "content-type": type })).status).toBe(200)
  const type = "Application/X-WWW-Form-Urlencoded ; charset=utf-8"
  expect((await sendForm(server.anybody, "username=admin&password=admin", { "content-type": type })).status).toBe(200)
})

test("a body of 65536 bytes is accepted and one byte more is 413, with a declared length or in chunks", async () => {
  await using server = await startTestServer()
  const empty = '{"refresh_token": ""}'
  const bodyOf = (length: number) => `{"refresh_token": "${"x".repeat(length - empty.length)}"}`
  const inChunks = (text: string) =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 10_000)
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 10_000)))
        controller.close()
      },
    })

  for (const send of [(text: string) => text, inChunks]) {
    expect((await sendJson(server.anybody, send(bodyOf(65_536)))).status).toBe(401)
    expect(await sendJson(server.anybody, send(bodyOf(65_537)))).toEqual(tooLarge)
    expect(await sendForm(server.anybody, send(`username=a&password=${"x".repeat(65_600)}`))).toEqual(tooLarge)
  }
})

test("the maximum body size is a setting", async () => {
  await using server = await startTestServer({ settings: { "limits.body_bytes": "1024" } })

  expect((await server.anybody.post("/refresh_token", { refresh_token: "x".repeat(900) })).status).toBe(401)
  expect(await server.anybody.post("/refresh_token", { refresh_token: "x".repeat(1024) })).toEqual(tooLarge)
})

test("a body with a huge declared length is refused before it is sent, and the connection is closed", async () => {
  await using server = await startTestServer()
  const head = "POST /refresh_token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

  const answer = await server.exchange(`${head}Content-Length: 100000000\r\n\r\n{`)

  expect(answer).toStartWith("HTTP/1.1 413 ")
  expect(answer).toMatch(/^connection: close\r$/im)
  expect(answer).toEndWith(JSON.stringify(tooLarge.body))
})

test("endless chunks are refused when they exceed the limit", async () => {
  await using server = await startTestServer()
  const head = "POST /refresh_token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`

  const answer = await server.exchange(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(6)}`)

  expect(answer).toStartWith("HTTP/1.1 413 ")
})

test("an invalid value is 422 and never repeated in the answer, least of all a password", async () => {
  await using server = await startTestServer()
  const admin = await server.admin()
  const secret = "hunter2hunter2"
  const person = { name: "Dora", email: "dora@example.com", dept: "sales", password: secret }
  const answers = await Promise.all([
    server.anybody.submit("/token", { password: secret }),
    server.anybody.submit("/token", `username=a&password=${secret}&password=${secret}`),
    server.anybody.submit("/login", { user: secret }),
    server.anybody.post("/refresh_token", { token: secret }),
    server.anybody.post("/refresh_token", [secret]),
    server.anybody.post("/user/pwd_reset_token/", { email: [secret] }),
    admin.post("/user/", { ...person, name: null }),
    admin.post("/user/", { ...person, password: [secret] }),
    admin.post("/user/", { ...person, email: secret }),
    admin.post("/user/", { ...person, username: `${secret}/` }),
    admin.patch("/user/admin/", { avatar: secret }),
    admin.patch("/user/admin/", { bio: { secret } }),
    admin.post("/user/admin/password/", { password: secret }),
    admin.post("/user/admin/password/", { password: secret, password_confirm: [secret] }),
    admin.post("/transaction/admin/", { value: secret }),
    admin.get(`/transaction/?order_by=${secret}`),
    admin.get(`/transaction/?page=${secret}`),
    admin.get(`/transaction/admin/?size=${secret}`),
    server.anybody.get(`/user/?show_balance=${secret}`),
    admin.get(`/transaction/?fresh=${secret}`),
  ])

  expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(422))
  for (const { body } of answers) {
    expect(body).toEqual({ detail: expect.stringMatching(/^[a-z_]+: ./) })
    expect(JSON.stringify(body)).not.toContain(secret)
  }
})

test("an error answer is JSON with the field detail only", async () => {
  await using server = await startTestServer()

  for (const path of ["/nothing", "/transaction/", "/user/nobody/", "/user/%zz/", "/token", "/user/?show_balance=x"]) {
    const response = await server.anybody.request("GET", path)
    expect(response.headers.get("content-type")).toStartWith("application/json")
    expect(await response.json()).toEqual({ detail: expect.any(String) })
  }
})

test("every response has its own X-Request-Id", async () => {
  await using server = await startTestServer()
  const paths = ["/user/", "/user/", "/nothing", "/user/%zz/", "/transaction/", "/docs", "/transaction/ws"]

  const ids = await Promise.all(
    paths.map(async (path) => (await server.anybody.request("GET", path)).headers.get("x-request-id") ?? ""),
  )

  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/)
  expect(new Set(ids).size).toBe(paths.length)
})

test("an unexpected error answers Internal Server Error as plain text, and only the log has its cause", async () => {
  const fail = async () => {
    throw Object.assign(new Error("the disk says: private"), { status: 418, code: "EIO" })
  }
  await using server = await startTestServer({ replace: ({ ledger }) => ({ ledger: { ...ledger, history: fail } }) })
  const ana = await server.person("Ana")

  const response = await ana.request("GET", "/transaction/?user=hidden")

  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    500,
    "text/plain; charset=utf-8",
    "Internal Server Error",
  ])
  const errors = server.logged().filter((line) => line.includes('"level":"error"'))
  expect(errors).toHaveLength(1)
  expect(JSON.parse(errors[0] ?? "")).toMatchObject({
    message: "unexpected failure",
    method: "GET",
    route: "/transaction/",
    error: expect.stringContaining("the disk says: private"),
  })
  expect(errors[0]).not.toContain("hidden")
})

const sizes = { deep: 15_000, wide: 6_000 }

const costly: [what: string, send: (client: Client) => Promise<unknown>][] = [
  [
    "lists 15,000 deep where a text is expected",
    (client) => sendJson(client, `{"refresh_token": ${"[".repeat(sizes.deep)}${"]".repeat(sizes.deep)}}`),
  ],
  [
    "objects 8,000 deep where a text is expected",
    (client) => sendJson(client, `{"refresh_token": ${'{"a":'.repeat(8000)}1${"}".repeat(8000)}}`),
  ],
  [
    "lists 15,000 deep beside a field that does not fit",
    (client) => sendJson(client, `{"refresh_token": 1, "x": ${"[".repeat(sizes.deep)}${"]".repeat(sizes.deep)}}`),
  ],
  ["a form with one field 6,000 times", (client) => sendForm(client, "a=&".repeat(sizes.wide))],
  [
    "a form with 6,000 fields",
    (client) => sendForm(client, Array.from({ length: sizes.wide }, (_, n) => `${n}=`).join("&")),
  ],
]

for (const [what, send] of costly)
  test(`${what}: 422`, async () => {
    await using server = await startTestServer()

    expect(await send(server.anybody)).toMatchObject({ status: 422 })
  })

test("deeply nested JSON in an unknown field is ignored like any other", async () => {
  await using server = await startTestServer()
  const { refreshToken } = await server.admin()
  const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`

  const answer = await sendJson(server.anybody, `{"refresh_token": "${refreshToken}", "x": ${deep}}`)

  expect(answer).toMatchObject(ok({ token_type: "bearer" }))
})
