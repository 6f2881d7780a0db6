import { expect, test } from "bun:test"
import { closeSync, constants, existsSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { executable, secret, temporaryFolder } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { until } from "../support/until.ts"

/** More than the pipe and the server's own buffers hold: each request logs its path. */
const requests = 1200
const long = `/${"x".repeat(3000)}`
const together = 50

test("a server whose log nobody reads goes on, and says how many lines were lost once somebody reads", async () => {
  await using folder = await temporaryFolder()
  const pipe = join(folder.path, "pipe")
  expect(await Bun.spawn(["mkfifo", pipe]).exited).toBe(0)
  const descriptor = openSync(pipe, constants.O_RDWR) // a write blocks when it is full
  const port = freePort()
  const url = `http://127.0.0.1:${port}`
  const child = Bun.spawn([executable, "serve"], {
    cwd: folder.path,
    env: { REWARDS_SECURITY__SECRET_KEY: secret, REWARDS_SERVER__PORT: `${port}` },
    stdio: ["ignore", "ignore", descriptor],
  })
  const copy = join(folder.path, "copy")
  const log = () => (existsSync(copy) ? readFileSync(copy, "utf8") : "")
  const linesWith = (text: string) =>
    log()
      .split("\n")
      .filter((line) => line.includes(text))
  let reader: Bun.Subprocess | undefined
  try {
    await until(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok ?? false)
    for (let sent = 0; sent < requests; sent += together)
      await Promise.all(Array.from({ length: together }, async () => (await fetch(url + long)).text()))
    expect((await fetch(`${url}/healthz`)).status).toBe(200)

    reader = Bun.spawn(["sh", "-c", `exec cat "${pipe}" > "${copy}"`], { stdio: ["ignore", "ignore", "ignore"] })
    await until(() => linesWith("were dropped").length === 1)
    const { lines } = JSON.parse(linesWith("were dropped")[0] ?? "")
    expect(linesWith(long).length + lines).toBeGreaterThanOrEqual(requests)
    child.kill()
    expect(await child.exited).toBe(0)
    await until(() => linesWith('"message":"stopped"').length === 1)
  } finally {
    child.kill("SIGKILL")
    closeSync(descriptor)
    reader?.kill()
    await reader?.exited
  }
}, 120_000)
