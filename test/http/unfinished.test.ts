import { expect, test } from "bun:test"
import { connect } from "node:net"
import { startTestServer } from "../support/server.ts"

const head = "POST /refresh_token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

for (const [what, bytes] of [
  ["declared", `${head}Content-Length: 100\r\n\r\n{"a"`],
  ["in chunks", `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a`],
  ["in chunks that are none", `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}and more\r\n`],
] as const)
  test(`a body ${what} that does not come whole is the sender's fault, and no failure`, async () => {
    await using server = await startTestServer()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on("error", () => {})
    await Bun.sleep(50)
    socket.destroy()

    while (!server.logged().some((line) => line.includes("/refresh_token"))) await Bun.sleep(1)
    const lines = server.logged().map((line) => JSON.parse(line))
    expect(lines.filter(({ level }) => level === "error")).toEqual([])
    expect(lines.at(-1)).toMatchObject({ message: "request", path: "/refresh_token", status: 400 })
  })
