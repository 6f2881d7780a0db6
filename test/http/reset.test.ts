import { expect, test } from "bun:test"
import { ok, refused } from "../support/answers.ts"
import { bytesOf, query } from "../support/database.ts"
import { startTestServer, type TestServer } from "../support/server.ts"
import { claimsOf, forge } from "../support/tokens.ts"

const minute = 60_000
const answer = ok({ message: "If we found a user with that email, we sent a password reset token to it." })
const notAllowed = refused(403, "You are not allowed to change this user's password")
const to = (password: string, confirmation = password) => ({ password, password_confirm: confirmation })
const path = (token: string, username = "ana") => `/user/${username}/password/?pwd_reset_token=${token}`

/** Lets the worker finish what is due. */
async function settle(server: TestServer) {
  const open = "SELECT count(*) AS jobs FROM jobs WHERE finished_at IS NULL AND run_at <= $1"
  const countOpen = () => query<{ jobs: number }>(server.app.config.db, open, [server.clock.now()])
  server.app.worker.wake()
  while ((await countOpen())[0]?.jobs !== 0) await Bun.sleep(1)
}

test("a registered address gets a message with a link that expires, and the request returns at once", async () => {
  await using server = await startTestServer()
  await server.person("Ana")

  expect(await server.anybody.post("/user/pwd_reset_token/", { email: "ana@example.com" })).toEqual(answer)
  server.clock.advance(2999)
  await settle(server)
  expect(server.mails).toEqual([])

  server.clock.advance(1)
  await settle(server)
  expect(server.mails).toEqual([
    {
      from: "no-reply@localhost",
      to: "ana@example.com",
      subject: "Password reset for Rewards",
      name: "Rewards",
      id: expect.stringMatching(/^\w{40}$/),
      list: { id: "127.0.0.1", name: "Rewards" },
      text: expect.stringMatching(/^\S.*\n(.*\n)*The link expires in 10 minutes\.\n/),
      html: expect.stringContaining("The link expires in 10 minutes."),
    },
  ])
  const [link = ""] = /^http.*$/m.exec(server.mails[0]?.text ?? "") ?? []
  const { origin, pathname, searchParams } = new URL(link)
  expect([origin, pathname, [...searchParams.keys()]]).toEqual([server.url, "/reset-password", ["pwd_reset_token"]])
  expect(claimsOf(searchParams.get("pwd_reset_token") ?? "")).toMatchObject({
    sub: "ana",
    scope: "pwd_reset",
    exp: server.clock.now() / 1000 + 600,
  })
})

test("the service's name, the sender, the link and its lifetime come from the settings", async () => {
  const settings = {
    "service.name": "Points",
    "email.smtp_sender": "points@example.com",
    "security.pwd_reset_url": "https://points.example.com/new-password",
    "security.reset_token_expire_minutes": "1",
    "email.debug_delay_seconds": "0",
  }
  await using server = await startTestServer({ settings })
  const token = await server.resetToken(await server.person("Ana"))

  expect(server.mails).toMatchObject([{ from: "points@example.com", subject: "Password reset for Points" }])
  expect(server.mails[0]?.text).toContain(`https://points.example.com/new-password?pwd_reset_token=${token}\n`)
  expect(server.mails[0]?.text).toContain("The link expires in 1 minute.")
})

for (const base_url of [undefined, "https://points.example.com"])
  test(`the link points to ${base_url ?? "the address where the server listens"}, whatever host the request names`, async () => {
    await using server = await startTestServer({ settings: { "server.base_url": base_url } })
    await server.person("Ana")
    const json = JSON.stringify({ email: "ana@example.com" })
    const head = (line: string) =>
      `POST /user/pwd_reset_token/ HTTP/1.1\r\n${line}\r\nConnection: close\r\nContent-Type: application/json\r\n`
    const foreign = [
      "Host: evil.example",
      "Host: localhost\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example",
    ]

    for (const line of foreign)
      expect(await server.exchange(`${head(line)}Content-Length: ${json.length}\r\n\r\n${json}`)).toStartWith(
        "HTTP/1.1 200",
      )
    server.clock.advance(3000)
    await settle(server)

    const links = server.mails.map(({ text }) => /^http.*(?=\?)/m.exec(text)?.[0])
    expect(links).toEqual(Array(2).fill(`${base_url ?? server.url}/reset-password`))
    expect(JSON.stringify(server.mails)).not.toContain("evil")
  })

test("the address is found regardless of case, and the message goes to the stored one", async () => {
  await using server = await startTestServer()
  await server.person("Ana")

  expect(await server.anybody.post("/user/pwd_reset_token", { email: "ANA@Example.Com" })).toEqual(answer)
  server.clock.advance(3000)
  await settle(server)

  expect(server.mails.map((mail) => mail.to)).toEqual(["ana@example.com"])
})

test("for an unknown address the answer is the same, and nothing is sent", async () => {
  await using server = await startTestServer()
  await server.person("Ana")
  const addresses = [
    "nobody@example.com",
    "",
    "ana",
    "ana@example.com, evil@example.net",
    "ana@example.com\r\nBcc: evil@example.net",
    "ana@example.com\0",
    " ana@example.com",
    "%",
    "ana@example.com' OR 1=1 --",
    "x".repeat(60_000),
  ]

  for (const email of addresses) expect(await server.anybody.post("/user/pwd_reset_token/", { email })).toEqual(answer)
  server.clock.advance(3000)
  await settle(server)

  expect(server.mails).toEqual([])
})

test("an e-mail field that is missing or not a text is 422", async () => {
  await using server = await startTestServer()

  for (const body of [{}, { email: null }, { email: 5 }, { email: ["ana@example.com"] }, "ana@example.com", []])
    expect((await server.anybody.post("/user/pwd_reset_token/", body)).status).toBe(422)
})

test("the token in the message is enough to set a new password", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const token = await server.resetToken(ana)

  expect(await server.anybody.post(path(token), to("new"))).toEqual(
    ok({ name: "Ana", username: "ana", dept: "sales", avatar: null, bio: null, currency: "USD" }),
  )

  expect((await server.anybody.submit("/token", { username: "ana", password: "new" })).status).toBe(200)
  expect((await server.anybody.submit("/token", { username: "ana", password: ana.password })).status).toBe(401)
})

test("a reset token is valid for 10 minutes", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const [early, late] = [await server.resetToken(ana), await server.resetToken(ana)]

  server.clock.advance(10 * minute - 1000)
  expect(await server.anybody.post(path(early), to("new"))).toEqual(notAllowed)
  expect((await server.anybody.post(path(late), to("new"))).status).toBe(200)

  const last = await server.resetToken(ana)
  server.clock.advance(10 * minute)
  expect(await server.anybody.post(path(last), to("newer"))).toEqual(notAllowed)
})

test("a reset token works once", async () => {
  await using server = await startTestServer()
  const token = await server.resetToken(await server.person("Ana"))

  expect((await server.anybody.post(path(token), to("first"))).status).toBe(200)
  expect(await server.anybody.post(path(token), to("second"))).toEqual(notAllowed)
  expect(await server.anybody.post(path(token), {})).toEqual(notAllowed)

  expect((await server.anybody.submit("/token", { username: "ana", password: "first" })).status).toBe(200)
})

test("a reset token used 50 times at once changes the password exactly once", async () => {
  await using server = await startTestServer()
  const token = await server.resetToken(await server.person("Ana"))

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => server.anybody.post(path(token), to(`password ${n}`))),
  )

  const winners = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []))
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(49).fill(notAllowed))
  const login = { username: "ana", password: `password ${winners[0]}` }
  expect((await server.anybody.submit("/token", login)).status).toBe(200)
})

test("a spent token in another spelling is refused too", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  // Without the version, which would end it anyway.
  const token = forge({ sub: ana.username, scope: "pwd_reset", exp: server.clock.now() / 1000 + 600 })
  expect((await server.anybody.post(path(token), to("first"))).status).toBe(200)
  const [header, payload, signature = ""] = token.split(".")
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  // The last character of 43 carries two bits that no byte uses.
  const last = alphabet.indexOf(signature.at(-1) ?? "")
  const same = [1, 2, 3].map((bits) => `${header}.${payload}.${signature.slice(0, -1)}${alphabet[last ^ bits]}`)

  for (const again of [...same, `${token}=`, `${token}%0A`, `%20${token}`, `${token}%20`])
    expect(await server.anybody.post(path(again), to("second"))).toEqual(notAllowed)
})

test("using one of two reset tokens ends the other", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const [first, second] = [await server.resetToken(ana), await server.resetToken(ana)]

  expect((await server.anybody.post(path(first), to("new"))).status).toBe(200)
  expect(await server.anybody.post(path(second), to("newer"))).toEqual(notAllowed)
})

test("a refused request does not use up a token", async () => {
  await using server = await startTestServer()
  const token = await server.resetToken(await server.person("Ana"))

  expect(await server.anybody.post(path(token), to("new", "other"))).toEqual(refused(400, "Passwords do not match"))
  expect((await server.anybody.post(path(token), to(""))).status).toBe(422)
  expect((await server.anybody.post(path(token), {})).status).toBe(422)
  expect((await server.anybody.post(path(token), to("new"))).status).toBe(200)
})

test("a reset token works only for its own user", async () => {
  await using server = await startTestServer()
  const [ana, bruno] = [await server.person("Ana"), await server.person("Bruno")]
  const token = await server.resetToken(ana)

  expect(await server.anybody.post(path(token, "bruno"), to("new"))).toEqual(notAllowed)
  expect(await server.anybody.post(path(token, "admin"), to("new"))).toEqual(notAllowed)
  expect(await server.anybody.post(path(token, "nobody"), to("new"))).toEqual(refused(404, "User not found"))
  expect((await bruno.post(path(token, "bruno"), to("new"))).status).toBe(200)
  expect((await server.anybody.post(path(token), to("new"))).status).toBe(200)
})

test("an invalid reset token is ignored if the caller may change the password anyway", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")

  for (const token of ["", "x", ana.refreshToken])
    for (const caller of [await server.as({ username: "ana", password: ana.password }), await server.admin()]) {
      expect((await caller.post(path(token), to(ana.password))).status).toBe(200)
    }
})

test("a user created after the request with the same address gets a token for that new account", async () => {
  await using server = await startTestServer()
  expect(await server.anybody.post("/user/pwd_reset_token/", { email: "ana@example.com" })).toEqual(answer)
  const ana = await server.person("Ana")

  server.clock.advance(3000)
  await settle(server)

  expect(server.mails.map((mail) => mail.to)).toEqual([ana.email])
})

test("the token is in the message and never in the database, used or not", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  const [used, unused] = [await server.resetToken(ana), await server.resetToken(ana)]
  await server.anybody.post(path(used), to("new"))

  const content = await bytesOf(server.app.config.db)

  expect(content).toContain("ana@example.com")
  for (const token of [used, unused]) expect(content).not.toContain(token.split(".")[2] ?? token)
})
