import { expect, test } from "bun:test"
import { badLogin, ok, refused } from "../support/answers.ts"
import { startTestServer, type TestServer } from "../support/server.ts"

const second = 1000
const limited = (retryAfter: string) => ({
  ...refused(429, "Too many failed logins for this account from this address"),
  headers: { "retry-after": retryAfter },
})

const proxied = { settings: { "server.trusted_proxies": "127.0.0.1" } }

/** Logs in with the wrong password, ten times unless told otherwise. */
async function fail(server: TestServer, username: string, times = 10, path = "/token") {
  for (let time = 0; time < times; time++) await server.anybody.submit(path, { username, password: "wrong" })
}

test("after 10 failures in 5 minutes, every attempt for that account is 429 until the window has passed", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")
  await fail(server, username, 9)
  server.clock.advance(100 * second)
  expect(await server.anybody.submit("/token", { username, password: "wrong" })).toEqual(badLogin)

  expect(await server.anybody.submit("/token", { username, password })).toEqual(limited("200"))
  expect(await server.anybody.submit("/login", { username, password })).toEqual(limited("200"))
  server.clock.advance(199.5 * second)
  expect(await server.anybody.submit("/token", { username, password })).toEqual(limited("1"))
  server.clock.advance(0.5 * second)
  expect((await server.anybody.submit("/token", { username, password })).status).toBe(200)
})

test("failures of /token and /login count together", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")

  await fail(server, username, 5, "/token")
  await fail(server, username, 5, "/login")

  expect(await server.anybody.submit("/login", { username, password })).toEqual(limited("300"))
})

test("an unknown account is limited like a known one", async () => {
  await using server = await startTestServer()

  await fail(server, "nobody")

  expect(await server.anybody.submit("/token", { username: "nobody", password: "x" })).toEqual(limited("300"))
})

test("both Unicode forms of a name count for the same account", async () => {
  await using server = await startTestServer()
  const { password } = await server.person("Zoé")

  await fail(server, "zoé".normalize("NFC"), 5)
  await fail(server, "zoé".normalize("NFD"), 5)

  expect(await server.anybody.submit("/token", { username: "zoé", password })).toEqual(limited("300"))
})

test("other accounts, and the same account from another address, are not limited", async () => {
  await using server = await startTestServer(proxied)
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  await fail(server, ana.username)

  const from = (address: string) =>
    server.anybody.call("POST", "/token", {
      form: { username: ana.username, password: ana.password },
      headers: { "x-forwarded-for": address },
    })
  expect((await server.anybody.submit("/token", { username: "bruno", password: bruno.password })).status).toBe(200)
  expect((await from("203.0.113.9")).status).toBe(200)
  expect((await from("127.0.0.1")).status).toBe(429)
})

test("a forwarded address from an untrusted peer does not start a new window", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")
  await fail(server, username)

  const answer = await server.anybody.call("POST", "/token", {
    form: { username, password },
    headers: { "x-forwarded-for": "203.0.113.9" },
  })
  expect(answer).toEqual(limited("300"))
})

test("the limit does not affect credentials issued before", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const session = await server.withSession(ana)
  await fail(server, ana.username)

  expect((await ana.get("/transaction/")).status).toBe(200)
  expect((await session.get("/transaction/")).status).toBe(200)
  expect((await server.anybody.post("/refresh_token", { refresh_token: ana.refreshToken })).status).toBe(200)
})

for (const path of ["/token", "/login"])
  test(`at most 10 of 60 simultaneous wrong logins at ${path} are tried`, async () => {
    await using server = await startTestServer()
    const { username } = await server.person("Ana")

    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => server.anybody.submit(path, { username, password: `guess ${n}` })),
    )

    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect({ tried: count(401), limited: count(429) }).toEqual({ tried: 10, limited: 50 })
  })

test("the right password at the end of 60 simultaneous guesses does not log in", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")

  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      server.anybody.submit("/token", { username, password: n === 59 ? password : `guess ${n}` }),
    ),
  )

  expect(answers.filter(({ status }) => status === 200)).toEqual([])
})

test("a thousand correct logins are never limited, even with failures of others in between", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")
  const statuses: number[] = []

  for (let round = 0; round < 20; round++) {
    const round50 = Array.from({ length: 50 }, () => server.anybody.submit("/token", { username, password }))
    statuses.push(...(await Promise.all(round50)).map(({ status }) => status))
    await fail(server, "nobody", 1)
  }

  expect(statuses).toEqual(Array(1000).fill(200))
})

test("the limit is a setting", async () => {
  await using server = await startTestServer({ settings: { "limits.login_failures": "2" } })
  const { username, password } = await server.person("Ana")
  await fail(server, username, 2)

  expect(await server.anybody.submit("/token", { username, password })).toEqual(limited("300"))
})

test("an invalid request does not count as a failed login", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")
  for (let time = 0; time < 20; time++) await server.anybody.submit("/login", { username })

  expect(await server.anybody.submit("/login", { username, password })).toMatchObject(ok({ status: "logged in" }))
})

test("simultaneous correct logins are never limited while the failures are below the limit", async () => {
  await using server = await startTestServer()
  const { username, password } = await server.person("Ana")
  await fail(server, username, 9)

  const answers = await Promise.all(
    Array.from({ length: 50 }, () => server.anybody.submit("/token", { username, password })),
  )

  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
})
