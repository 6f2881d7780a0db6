import { expect, test } from "bun:test"
import { X509Certificate } from "node:crypto"
import { get } from "node:https"
import { join } from "node:path"
import { fingerprintAt } from "../../src/cli/support/http-client.ts"
import { done, refused } from "../cli/operator.ts"
import { createAuthority } from "../support/authority.ts"
import { runCommand, startServer, temporaryFolder } from "../support/executable.ts"
import { until } from "../support/until.ts"

const files = { REWARDS_SERVER__TLS_CERT: "cert.pem", REWARDS_SERVER__TLS_KEY: "key.pem" }

test("with a certificate the server itself uses TLS, and its cookie is secure", async () => {
  await using folder = await temporaryFolder()
  const authority = await createAuthority()
  const { cert, key } = await authority.issue(["127.0.0.1"])
  await Bun.write(join(folder.path, "cert.pem"), cert)
  await Bun.write(join(folder.path, "key.pem"), key)
  await using server = await startServer({ cwd: folder.path, env: files })
  const tls = { ca: authority.pem }
  const body = new URLSearchParams({ username: "admin", password: "admin" })

  expect(server.url).toStartWith("https://127.0.0.1:")
  const answer = await fetch(`${server.url}/login`, { method: "POST", body, tls })
  expect(await answer.json()).toEqual({ status: "logged in" })
  expect(answer.headers.get("set-cookie")).toMatch(/^session_id=[0-9a-f]{32};.*; Secure/)
  expect(await upgraded(`${server.url}/transaction/ws`, authority.pem)).toBe(101)
  expect(await runCommand(["healthcheck", "--url", server.url])).toEqual(done('{"status":"alive"}'))
  expect(await fetch(server.url.replace("https", "http")).catch(() => "not in the clear")).toBe("not in the clear")
  expect(server.stderr.filter((line) => line.includes("tls_cert")).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: "warn",
      message: expect.stringMatching(/^server\.tls_cert: the certificate expires on [\d-]{10}: renew it$/),
    }),
  ])
})

test("new files are used without a restart, once they fit together", async () => {
  await using folder = await temporaryFolder()
  const authority = await createAuthority()
  const [first, second] = await Promise.all([authority.issue(["127.0.0.1"]), authority.issue(["127.0.0.1"])])
  const write = (name: string, text: string) => Bun.write(join(folder.path, name), text)
  await Promise.all([write("cert.pem", first.cert), write("key.pem", first.key)])
  await using server = await startServer({ cwd: folder.path, env: { ...files, REWARDS_LIMITS__IDLE_SECONDS: "5" } })
  const logged = (text: string) => until(() => server.stderr.some((line) => line.includes(text)))

  await write("cert.pem", second.cert)
  await logged('"the new certificate cannot be used; the one before it stays","error":"server.tls_key')
  expect(await fingerprintAt(server.url)).toBe(fingerprintOf(first.cert))
  await write("key.pem", second.key)
  await logged('"new connections get the new certificate"')
  await until(async () => (await fingerprintAt(server.url)) === fingerprintOf(second.cert))
  expect(await server.stop()).toBe(0)
})

const fingerprintOf = (cert: string): string => new X509Certificate(cert).fingerprint256

test("unusable certificate files stop the start before the database is touched", async () => {
  await using folder = await temporaryFolder()

  expect(await runCommand(["serve", "--port", "0"], { cwd: folder.path, env: files })).toEqual(
    refused(
      "server.tls_cert: cert.pem cannot be read: there is no such file",
      "server.tls_key: key.pem cannot be read: there is no such file",
    ),
  )

  expect([...new Bun.Glob("**").scanSync(folder.path)]).toEqual([])
})

/** The status of a WebSocket handshake. */
function upgraded(url: string, ca: string): Promise<number | undefined> {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  }
  return new Promise((resolve) => {
    get(url, { ca, headers }, ({ statusCode }) => resolve(statusCode)).on("upgrade", ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
  })
}
