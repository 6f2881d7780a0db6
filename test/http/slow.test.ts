import { expect, test } from "bun:test"
import { connect } from "node:net"
import { startTestServer, type TestServer } from "../support/server.ts"

const head = "POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"

/** Sends `first`, then a few bytes more each half second for ever; resolves when the server closes. */
function closed(server: TestServer, first: string, drip: string): Promise<"closed"> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(first))
    const dripping = setInterval(() => drip !== "" && socket.write(drip), 500)
    socket.resume() // the end comes behind the answer
    socket.on("error", () => {}) // it was closed while something dripped
    socket.on("close", () => {
      clearInterval(dripping)
      resolve("closed")
    })
  })
}

test("a connection that sends its head, body or chunks too slowly is closed", async () => {
  await using server = await startTestServer({ settings: { "limits.idle_seconds": "5" } })

  const ends: string[] = await Promise.all([
    closed(server, "", ""),
    closed(server, "GET /us", "e"),
    closed(server, "GET /user/ HTTP/1.1\r\nHost: localhost\r\n", "X-A: b\r\n"),
    closed(server, `${head}Content-Length: 10000\r\n\r\n`, "x"),
    closed(server, `${head}Transfer-Encoding: chunked\r\n\r\n`, "1\r\nx\r\n"),
    closed(server, "GET /user/ HTTP/1.1\r\nHost: localhost\r\n\r\n", ""),
  ])

  expect(ends).toEqual(Array(6).fill("closed"))
  expect((await server.anybody.get("/healthz")).status).toBe(200)
}, 120_000)
