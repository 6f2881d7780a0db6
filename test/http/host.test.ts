import { expect, test } from "bun:test"
import { startTestServer } from "../support/server.ts"

const statusOf = (answer: string) => Number(answer.split(" ", 2)[1])

for (const path of [
  "/docs",
  "/healthz",
  "/transaction/ana/",
  "/transaction/ana/?fresh=true",
  "/user/ana/?show_balance=1",
])
  test(`an HTTP/1.0 request may omit the host: ${path} is answered as with one`, async () => {
    await using server = await startTestServer()
    const { accessToken } = await server.person("Ana")
    const rest = `Connection: close\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`

    const answer = await server.exchange(`GET ${path} HTTP/1.0\r\n${rest}`)
    await server.exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${rest}`)

    const [without, withHost] = server
      .logged()
      .slice(-2)
      .map((line) => JSON.parse(line))
    expect(statusOf(answer)).toBe(200)
    expect(without).toMatchObject({ path: withHost.path, status: 200, address: withHost.address })
  })

for (const host of ["a/../b", "a b", "a?b", "a#b", "user@a", "\\"])
  test(`an invalid host is refused: ${host}`, async () => {
    await using server = await startTestServer()

    const answer = await server.exchange(`GET /user/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

    expect(statusOf(answer)).toBe(400)
    expect(answer).toEndWith('{"detail":"The request names no valid host"}')
  })

for (const host of ["a:b", "a:99999", "[::1", "xn--a", "1.2.3.4.5", "a%20b"])
  test(`query parameters are read correctly with an unusual host: ${host}`, async () => {
    await using server = await startTestServer()
    const { accessToken } = await server.person("Ana")

    const answer = await server.exchange(
      `GET /transaction/?fresh=true HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`,
    )

    expect(statusOf(answer)).toBe(200)
  })
