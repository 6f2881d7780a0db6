import { expect, test } from "bun:test"
import { connect } from "node:net"
import { startTestServer } from "../support/server.ts"
import { until } from "../support/until.ts"

const head = "POST /refresh_token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

for (const [what, bytes] of [
  ["declared", `${head}Content-Length: 100\r\n\r\n{"a"`],
  ["in chunks", `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a`],
  ["in chunks that are none", `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}and more\r\n`],
] as const)
  test(`an incomplete body (${what}) is the sender's error and not logged as a failure`, async () => {
    await using server = await startTestServer()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on("error", () => {})
    await new Promise((resolve) => socket.on("connect", resolve))
    // Answered behind it, so that it has been read by now.
    for (let request = 0; request < 2; request += 1) await server.anybody.get("/healthz")
    socket.destroy()

    await until(() => server.logged().some((line) => line.includes("/refresh_token")))
    const lines = server.logged().map((line) => JSON.parse(line))
    expect(lines.filter(({ level }) => level === "error")).toEqual([])
    expect(lines.find(({ path }) => path === "/refresh_token")).toMatchObject({ message: "request", status: 400 })
  })
