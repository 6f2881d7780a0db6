import { expect, spyOn, test } from "bun:test"
import { startTestServer, type TestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

const body = '{"value":5}'

/** Sends the head of a transfer and half its body, then `meanwhile`, then the rest. Returns the answer. */
async function slowTransfer(server: TestServer, credentials: string, meanwhile: () => Promise<unknown>) {
  const { promise: rest, resolve: finish } = Promise.withResolvers<string>()
  const head =
    `POST /transaction/admin/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${credentials}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const guard = spyOn(server.app.access, "caller")
  const answer = server.exchange(head + body.slice(0, 5), rest)
  await until(() => guard.mock.results.length > 0)
  await guard.mock.results[0]?.value
  guard.mockRestore()
  await meanwhile()
  finish(body.slice(5))
  return answer
}

test("a slow body is accepted if the sender's credentials stay valid", async () => {
  await using server = await startTestServer()
  const ana = await server.person("Ana")
  await server.grant(ana, 10)

  const answer = await slowTransfer(server, `Authorization: Bearer ${ana.accessToken}`, () => Promise.resolve())
  expect(answer).toStartWith("HTTP/1.1 201")
})

test("a request is refused and nothing recorded if its session or token ends before the body is complete", async () => {
  await using server = await startTestServer()
  const [admin, ana] = [await server.admin(), await server.person("Ana")]
  await server.grant(ana, 10)
  const session = await server.withSession(ana)

  const withSession = await slowTransfer(server, `Cookie: session_id=${session.sessionId}`, () =>
    session.post("/logout", {}),
  )
  expect(withSession).toStartWith("HTTP/1.1 401")
  expect(withSession).toContain("Invalid Session ID")

  const passwords = { password: "another one", password_confirm: "another one" }
  const withToken = await slowTransfer(server, `Authorization: Bearer ${ana.accessToken}`, () =>
    admin.post("/user/ana/password/", passwords),
  )
  expect(withToken).toStartWith("HTTP/1.1 401")
  expect(withToken).toContain("Could not validate credentials")

  expect((await admin.get("/transaction/?from_user=ana")).body).toMatchObject({ total: 0 })
})
