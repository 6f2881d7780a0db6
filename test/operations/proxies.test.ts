import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { createAuthority } from "../support/authority.ts"
import { freePort, startServer, temporaryFolder } from "../support/executable.ts"

const folder = join(import.meta.dir, "../../docs/operations")
const read = (name: string) => Bun.file(join(folder, name)).text()
const name = "rewards.example.com"
const authority = await createAuthority()

test("nginx answers the certificate challenge on port 80 itself, and is reloaded after each renewal", async () => {
  const [plain = ""] = (await read("nginx.conf")).split("listen 443")
  expect(plain).toMatch(/location \^~ \/\.well-known\/acme-challenge\/ \{\s+root \/var\/www\/html;/)
  expect(plain).not.toMatch(/^ {2}return /m) // a return of the server block comes before every location

  const page = await read("reverse-proxy.md")
  expect(page).toMatch(/certbot certonly --webroot -w \/var\/www\/html .*--deploy-hook 'systemctl reload nginx'/)
})

// Both proxies are real where this machine has them.
if (Bun.which("nginx"))
  test("nginx serves the shipped configuration: challenge, redirect, pages, streams, no health", async () => {
    await using place = await files()
    const ports = { plain: freePort(), tls: freePort() }
    await using server = await startServer({ env: behindProxy })
    const conf = (await read("nginx.conf"))
      .replaceAll(/listen \[::\]:.*\n/g, "\n")
      .replaceAll(/listen 80;/g, `listen 127.0.0.1:${ports.plain};`)
      .replaceAll(/listen 443 /g, `listen 127.0.0.1:${ports.tls} `)
      .replaceAll("127.0.0.1:8000", new URL(server.url).host)
      .replaceAll("/var/www/html", place.webroot)
      .replaceAll(/\/etc\/letsencrypt\/live\/rewards\.example\.com\/(fullchain|privkey)\.pem/g, `${place.path}/$1.pem`)
    await writeFile(join(place.path, "rewards.conf"), conf)
    await writeFile(
      join(place.path, "nginx.conf"),
      `daemon off; master_process off; pid ${place.path}/pid; error_log stderr warn;
      events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${place.path}/${kind};`).join(" ")}
        include ${place.path}/rewards.conf;
      }`,
    )
    const command = ["nginx", "-p", place.path, "-c", join(place.path, "nginx.conf"), "-e", "stderr"]
    const check = Bun.spawnSync([...command, "-t"])
    expect({ status: check.exitCode, stderr: check.stderr.toString() }).toMatchObject({ status: 0 })

    await using proxy = running(command)
    await proxy.answersAt(ports.plain)
    await expectProxied(server, `https://127.0.0.1:${ports.tls}`)
    expect(await get(`http://127.0.0.1:${ports.plain}`, "/.well-known/acme-challenge/token")).toMatchObject({
      status: 200,
      body: "proof",
    })
    expect(await get(`http://127.0.0.1:${ports.plain}`, "/give?to=ana")).toMatchObject({
      status: 308,
      location: `https://${name}/give?to=ana`,
    })
  }, 120_000)

if (Bun.which("caddy"))
  test("Caddy serves the shipped configuration with a certificate of one's own by the line that the page names", async () => {
    await using place = await files()
    const ports = { plain: freePort(), tls: freePort() }
    await using server = await startServer({ env: behindProxy })
    const [ownCertificate = ""] = /^\ttls \/etc\/caddy\/.*$/m.exec(await read("reverse-proxy.md")) ?? []
    expect(ownCertificate).not.toBe("")
    const line = ownCertificate
      .replace("/etc/caddy/cert.pem", join(place.path, "fullchain.pem"))
      .replace("/etc/caddy/key.pem", join(place.path, "privkey.pem"))
    const site = (await read("Caddyfile"))
      .replace(`${name} {\n`, `${name} {\n${line}\n\tbind 127.0.0.1\n`)
      .replace("127.0.0.1:8000", new URL(server.url).host)
    await writeFile(
      join(place.path, "Caddyfile"),
      `{\n\tadmin off\n\thttp_port ${ports.plain}\n\thttps_port ${ports.tls}\n}\n${site}`,
    )

    await using proxy = running(["caddy", "run", "--config", join(place.path, "Caddyfile")], {
      HOME: place.path,
      XDG_DATA_HOME: place.path,
      XDG_CONFIG_HOME: place.path,
    })
    await proxy.answersAt(ports.tls)
    await expectProxied(server, `https://127.0.0.1:${ports.tls}`)
  }, 120_000)

const behindProxy = {
  REWARDS_SERVER__BASE_URL: `https://${name}`,
  REWARDS_SERVER__TRUSTED_PROXIES: "127.0.0.1",
}

/** What the section "Does it work" of the page promises. */
async function expectProxied(server: { readonly stderr: readonly string[] }, origin: string) {
  const handshake = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  }
  expect(await get(origin, "/user/", { "x-forwarded-for": "203.0.113.7" })).toMatchObject({ status: 200 })
  expect(await get(origin, "/healthz")).toMatchObject({ status: 404 })
  expect(await get(origin, "/readyz/")).toMatchObject({ status: 404 })
  expect(await get(origin, "/transaction/ws", handshake)).toMatchObject({ status: 101 })
  const line = server.stderr.find((logged) => logged.includes('"/user/"'))
  expect(JSON.parse(line ?? "{}")).toMatchObject({ status: 200, address: "127.0.0.1" }) // not what the client claimed
}

/** A certificate for the name, as the two files of certbot, and a challenge in the web root. */
async function files() {
  const place = await temporaryFolder()
  const webroot = join(place.path, "html")
  const { cert, key } = await authority.issue([name])
  await mkdir(join(webroot, ".well-known/acme-challenge"), { recursive: true })
  await writeFile(join(webroot, ".well-known/acme-challenge/token"), "proof")
  await writeFile(join(place.path, "fullchain.pem"), cert)
  await writeFile(join(place.path, "privkey.pem"), key)
  return { ...place, webroot }
}

function running(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  })
  const told = new Response(child.stderr).text()
  return {
    async answersAt(port: number) {
      for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
        const connection = Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })
        const socket = await connection.catch(() => null)
        socket?.end()
        if (socket !== null) return
        await Bun.sleep(100)
      }
      child.kill()
      throw new Error(`${command[0]} does not listen: ${await told}`)
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

interface Answer {
  readonly status: number | undefined
  readonly body: string
  readonly location?: string | undefined
}

/** Asks a port of 127.0.0.1 under the name of the service; over TLS the certificate must be for that name. */
function get(origin: string, path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { protocol, port } = new URL(origin)
  const options = { host: "127.0.0.1", port, path, headers: { host: name, ...headers }, agent: false }
  const asking =
    protocol === "https:" ? tlsRequest({ ...options, servername: name, ca: authority.pem }) : plainRequest(options)
  asking
    .on("upgrade", ({ statusCode: status }, socket) => {
      socket.destroy()
      resolve({ status, body: "" })
    })
    .on("response", async (response) =>
      resolve({ status: response.statusCode, body: await text(response), location: response.headers.location }),
    )
    .on("error", reject)
    .end()
  return promise
}
