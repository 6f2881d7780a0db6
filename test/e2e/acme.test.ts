import { expect, test } from "bun:test"
import { X509Certificate } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fingerprintAt } from "../../src/cli/support/http-client.ts"
import { startAcmeServer } from "../support/acme.ts"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { until } from "../support/until.ts"

/** A machine whose name is localhost, beside an authority. */
async function machine() {
  const folder = await temporaryFolder()
  const httpPort = freePort()
  const authority = await startAcmeServer({ challengePort: httpPort })
  const env = {
    REWARDS_SERVER__ACME_DOMAINS: "localhost",
    REWARDS_SERVER__ACME_DIRECTORY: authority.directory,
    REWARDS_SERVER__HTTP_PORT: `${httpPort}`,
    REWARDS_SERVER__BASE_URL: "https://localhost",
    REWARDS_LIMITS__IDLE_SECONDS: "5",
  }
  const path = join(folder.path, "state/acme.json")
  return {
    authority,
    httpPort,
    env,
    cwd: folder.path,
    path,
    state: () => JSON.parse(readFileSync(path, "utf8")),
    start: () => startServer({ cwd: folder.path, env }),
    async [Symbol.asyncDispose]() {
      await authority[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test("a server that has no certificate yet answers, and gets one while it serves; http leads to https", async () => {
  await using world = await machine()
  let isClosed = true
  world.authority.refuses((step) => (isClosed && step === "directory" ? { type: "serverInternal" } : undefined))
  await using server = await world.start()
  const before = await fingerprintAt(server.url)
  await until(() => server.stderr.some((line) => line.includes('"message":"no new certificate: ')))
  expect(await runCommand(["healthcheck", "--url", server.url])).toMatchObject({ status: 0 })
  const redirect = await fetch(`http://127.0.0.1:${world.httpPort}/people?q=1`, { redirect: "manual" })
  expect(redirect.headers.get("location")).toBe("https://localhost/people?q=1")
  await server.stop()

  isClosed = false
  await Bun.write(world.path, JSON.stringify({ ...world.state(), attempt: null }))
  await using again = await world.start()
  await until(() => again.stderr.some((line) => line.includes('"message":"new connections get a new certificate"')))
  const certificate = () => new X509Certificate(world.state().certificate?.cert ?? "")
  await until(() => world.state().certificate !== null)
  await until(async () => (await fingerprintAt(again.url)) === certificate().fingerprint256)
  expect(certificate().fingerprint256).not.toBe(before)
  expect(certificate().checkHost("localhost")).toBe("localhost")
  expect(statSync(world.path).mode & 0o777).toBe(0o600)
  const { port } = new URL(again.url)
  const answer = await fetch(`https://localhost:${port}/healthz`, { tls: { ca: world.authority.pem } })
  expect(await answer.json()).toEqual({ status: "alive" })
  expect(again.stderr.join("\n")).not.toContain(world.state().certificate.key.slice(30, 60))
})

test("a renewal that the authority limits is told by doctor, and asked for again only when it may be", async () => {
  await using world = await machine()
  world.authority.refuses((step) =>
    step === "new-order"
      ? { type: "rateLimited", status: 429, detail: "too many", headers: { "retry-after": "86400" } }
      : undefined,
  )
  await using server = await world.start()
  await until(() => server.stderr.some((line) => line.includes("(rate limit)")))
  await server.stop()
  const asked = world.authority.requests.length
  await using again = await world.start()
  await until(() => again.stderr.some((line) => line.includes("there is no certificate yet")))

  const doctor = await runCommand(["doctor"], { cwd: world.cwd, env: world.env })
  expect(doctor.stdout).toMatch(
    /bad +certificate +the authority gives no more certificates .*; the next attempt is at /,
  )
  expect(world.authority.requests).toHaveLength(asked)
})

test("a port for http that is in use, or settings that contradict each other, stop the start with the cure", async () => {
  await using world = await machine()
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() })
  const serve = (env: Readonly<Record<string, string>>) =>
    runCommand(["serve", "--host", "127.0.0.1", "--port", "0"], { cwd: world.cwd, env: { ...world.env, ...env } })

  expect((await serve({ REWARDS_SERVER__HTTP_PORT: `${other.port}` })).stderr).toContain(
    `port ${other.port} on 127.0.0.1 is in use; end the other process or set server.http_port`,
  )
  expect((await serve({ REWARDS_SERVER__BASE_URL: "https://other.example.com" })).stderr).toContain(
    "server.base_url (environment REWARDS_SERVER__BASE_URL): expected an https address with one of the names in server.acme_domains",
  )
})
