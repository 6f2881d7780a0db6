import { expect, test } from "bun:test"
import { join } from "node:path"
import { datagramsAt } from "./datagrams.ts"
import { startProcess, temporaryFolder } from "./executable.ts"

test("systemd is told when the server answers requests, that it lives, and that it stops", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "notify")
  using told = datagramsAt(path)
  await using server = await startProcess({ env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: "20000" } })

  expect(await told.next()).toBe(`READY=1\nSTATUS=Listening on ${server.url}`)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await told.next()).toBe("WATCHDOG=1")
  expect(await told.next()).toBe("WATCHDOG=1")

  const stopped = server.stop()
  let last = await told.next()
  while (last === "WATCHDOG=1") last = await told.next()
  expect(last).toBe("STOPPING=1\nSTATUS=Answering the last requests")
  expect(await stopped).toBe(0)
})

test("a watchdog of another process is not fed", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "notify")
  using told = datagramsAt(path)
  const env = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "1000", WATCHDOG_PID: "1" }
  await using server = await startProcess({ env })

  expect(await told.next()).toStartWith("READY=1")
  await server.stop()
  expect(await told.next()).toStartWith("STOPPING=1")
})

test("an address that is no socket's is a warning, and the server runs", async () => {
  await using server = await startProcess({ env: { NOTIFY_SOCKET: "vsock:2:1" } })

  const warning = server.stderr.find((line) => line.includes("systemd cannot be told"))
  expect(warning).toContain("set Type=exec and no WatchdogSec in its unit")
  expect(warning).toContain("NOTIFY_SOCKET is no address of a socket: vsock:2:1")
})

test("nobody listens at the address: the server runs all the same", async () => {
  await using server = await startProcess({ env: { NOTIFY_SOCKET: "/nowhere/notify", WATCHDOG_USEC: "1000" } })

  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
})
