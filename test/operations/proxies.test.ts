import { expect, test } from "bun:test"
import { chmod, mkdir, writeFile } from "node:fs/promises"
import { request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { createAuthority } from "../support/authority.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { freePort } from "../support/free-port.ts"
import { until } from "../support/until.ts"

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

// The proxies are real where this machine has them.
if (Bun.which("nginx")) {
  test("nginx works with the shipped configuration: challenge, redirect, pages, streams, no health", async () => {
    await using server = await startServer({ env: behindProxy })
    await using proxy = await nginx("nginx.conf", { "127.0.0.1:8000": server })
    await expectProxied([server], proxy.tls)
    expect(await get(proxy.plain, "/.well-known/acme-challenge/token")).toMatchObject({ status: 200, body: "proof" })
    const location = `https://${name}/give?to=ana`
    expect(await get(proxy.plain, "/give?to=ana")).toMatchObject({ status: 308, location })
  }, 120_000)

  test("nginx shares the requests between two processes, and skips one that has stopped", async () => {
    await using servers = await twoServers()
    await using proxy = await nginx("cluster/nginx.conf", servers.byName)
    await expectShared(servers, proxy.tls)
  }, 120_000)
}

const challenged = { status: 200, body: "proof" }
const redirected = { status: 308, location: `https://${name}/give?to=ana` }

if (Bun.which("nginx"))
  test("the line of the page makes the configuration of nginx one for 1.25.1 and later", async () => {
    const [, script = ""] = /sudo sed -i '(s\/\\\(listen .*)' \/etc\/nginx/.exec(await read("reverse-proxy.md")) ?? []
    const conf = await Bun.$`sed ${script} ${join(folder, "nginx.conf")}`.text()
    expect(conf).not.toMatch(/listen .* http2;/)
    expect(conf.match(/^ {2}listen .*443 ssl;$/gm)).toHaveLength(2)
    const [plain = "", tls = ""] = conf.split("listen 443 ssl;")
    expect([plain, tls].map((part) => part.match(/^ {2}http2 on;$/gm)?.length)).toEqual([1, 1])
  })

if (Bun.which("apache2")) {
  test("Apache works with the shipped configuration: challenge, redirect, pages, streams, no health", async () => {
    await using server = await startServer({ env: behindProxy })
    await using proxy = await apache({ "127.0.0.1:8000": server })
    await expectProxied([server], proxy.tls)
    expect(await get(proxy.plain, "/.well-known/acme-challenge/token")).toMatchObject(challenged)
    expect(await get(proxy.plain, "/give?to=ana")).toMatchObject(redirected)
    expect(await get(proxy.tls, "/user/a%2Fb/")).toMatchObject({ status: 404, body: '{"detail":"User not found"}' })
  }, 120_000)
}

if (Bun.which("haproxy")) {
  test("HAProxy works with the shipped configuration: challenge, redirect, pages, streams, no health", async () => {
    await using server = await startServer({ env: behindProxy })
    await using certbot = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("proof") })
    await using proxy = await haproxy({ "127.0.0.1:8000": server, "127.0.0.1:8402": { url: certbot.url.href } })
    await expectProxied([server], proxy.tls)
    expect(await get(proxy.plain, "/.well-known/acme-challenge/token")).toMatchObject(challenged)
    expect(await get(proxy.plain, "/give?to=ana")).toMatchObject(redirected)
  }, 120_000)
}

test("the configuration of Traefik names its other file, the server, and the paths that it keeps for itself", async () => {
  const [traefik, service] = [await read("traefik.yml"), await read("traefik-rewards.yml")].map((text) =>
    Bun.YAML.parse(text),
  ) as [Tree, Tree]
  expect(traefik.providers?.file).toEqual({ filename: "/etc/traefik/traefik-rewards.yml" })
  expect(service.http?.routers).toMatchObject({
    rewards: { rule: "Host(`rewards.example.com`) && !PathRegexp(`^/(healthz|readyz)/?$`)", service: "rewards" },
  })
  expect(service.http?.services).toMatchObject({
    rewards: { loadBalancer: { servers: [{ url: "http://127.0.0.1:8000" }], serversTransport: "rewards" } },
  })
})

type Tree = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

if (Bun.which("caddy")) {
  test("Caddy works with the shipped configuration, also with one's own certificate by the line in the page", async () => {
    await using server = await startServer({ env: behindProxy })
    await using proxy = await caddy("Caddyfile", { "127.0.0.1:8000": server })
    await expectProxied([server], proxy.tls)
  }, 120_000)

  test("Caddy shares the requests between two processes, and skips one that has stopped", async () => {
    await using servers = await twoServers()
    await using proxy = await caddy("cluster/Caddyfile", servers.byName)
    await expectShared(servers, proxy.tls)
  }, 120_000)
}

type Upstreams = Readonly<Record<string, { readonly url: string }>>

/** The shipped configuration on free ports, with these servers in place of the ones that it names. */
async function nginx(file: string, upstreams: Upstreams) {
  await using open = new AsyncDisposableStack()
  const place = open.use(await files())
  const ports = { plain: freePort(), tls: freePort() }
  const conf = withUpstreams(await read(file), upstreams)
    .replaceAll(/listen \[::\]:.*\n/g, "\n")
    .replaceAll(/listen 80;/g, `listen 127.0.0.1:${ports.plain};`)
    .replaceAll(/listen 443 /g, `listen 127.0.0.1:${ports.tls} `)
    .replaceAll("/var/www/html", place.webroot)
    .replaceAll(/\/etc\/letsencrypt\/live\/rewards\.example\.com\/(fullchain|privkey)\.pem/g, `${place.path}/$1.pem`)
  const proxy = open.use(running(await checkedNginx(place.path, conf)))
  await proxy.answersAt(ports.plain)
  return proxyAt(ports, open.move())
}

/** The same for Caddy, with a certificate of one's own. */
async function caddy(file: string, upstreams: Upstreams) {
  await using open = new AsyncDisposableStack()
  const place = open.use(await files())
  const ports = { plain: freePort(), tls: freePort() }
  const [ownCertificate = ""] = /^\ttls \/etc\/caddy\/.*$/m.exec(await read("reverse-proxy.md")) ?? []
  expect(ownCertificate).not.toBe("")
  const line = ownCertificate
    .replace("/etc/caddy/cert.pem", join(place.path, "fullchain.pem"))
    .replace("/etc/caddy/key.pem", join(place.path, "privkey.pem"))
  const site = withUpstreams(await read(file), upstreams).replace(
    `${name} {\n`,
    `${name} {\n${line}\n\tbind 127.0.0.1\n`,
  )
  await writeFile(
    join(place.path, "Caddyfile"),
    `{\n\tadmin off\n\thttp_port ${ports.plain}\n\thttps_port ${ports.tls}\n}\n${site}`,
  )
  const home = { HOME: place.path, XDG_DATA_HOME: place.path, XDG_CONFIG_HOME: place.path }
  const proxy = open.use(running(["caddy", "run", "--config", join(place.path, "Caddyfile")], home))
  await proxy.answersAt(ports.tls)
  return proxyAt(ports, open.move())
}

async function apache(upstreams: Upstreams) {
  await using open = new AsyncDisposableStack()
  const place = open.use(await files())
  const ports = { plain: freePort(), tls: freePort() }
  const [, enabled = ""] = /a2enmod (.*)/.exec(await read("reverse-proxy.md")) ?? []
  // What a2enmod enables with these, and what Debian always has.
  const modules = ["mpm_event", "authz_core", "alias", "proxy", "socache_shmcb", ...enabled.split(" ")]
  const conf = withUpstreams(await read("apache.conf"), upstreams)
    .replaceAll("*:80>", `127.0.0.1:${ports.plain}>`)
    .replaceAll("*:443>", `127.0.0.1:${ports.tls}>`)
    .replaceAll("/var/www/html", place.webroot)
    .replaceAll(/\/etc\/letsencrypt\/live\/rewards\.example\.com\/(fullchain|privkey)\.pem/g, `${place.path}/$1.pem`)
  await writeFile(
    join(place.path, "apache.conf"),
    [
      `ServerRoot ${place.path}`,
      `DefaultRuntimeDir ${place.path}`,
      `PidFile ${place.path}/pid`,
      `ErrorLog ${place.path}/error.log`,
      `ServerName ${name}`,
      ...modules.map((one) => `LoadModule ${one}_module /usr/lib/apache2/modules/mod_${one}.so`),
      `Listen 127.0.0.1:${ports.plain}`,
      `Listen 127.0.0.1:${ports.tls}`,
      // Debian's own group and user; a test that is not root cannot change to them.
      ...(process.getuid?.() === 0 ? ["User www-data", "Group www-data"] : []),
      conf,
    ].join("\n"),
  )
  await chmod(place.path, 0o755) // for its user
  const proxy = open.use(running(["apache2", "-d", place.path, "-f", "apache.conf", "-DFOREGROUND"]))
  await proxy.answersAt(ports.tls)
  return proxyAt(ports, open.move())
}

async function haproxy(upstreams: Upstreams) {
  await using open = new AsyncDisposableStack()
  const place = open.use(await files())
  const ports = { plain: freePort(), tls: freePort() }
  const conf = withUpstreams(await read("haproxy.cfg"), upstreams)
    .replace("bind :80", `bind 127.0.0.1:${ports.plain}`)
    .replace("bind :443", `bind 127.0.0.1:${ports.tls}`)
    .replace("/etc/haproxy/rewards.pem", join(place.path, "both.pem"))
    .replace("log /dev/log local0", "log stderr format raw local0 err")
  const both = [join(place.path, "fullchain.pem"), join(place.path, "privkey.pem")].map((file) => Bun.file(file).text())
  await writeFile(join(place.path, "both.pem"), (await Promise.all(both)).join("\n"))
  await writeFile(join(place.path, "haproxy.cfg"), conf)
  const proxy = open.use(running(["haproxy", "-db", "-f", join(place.path, "haproxy.cfg")]))
  await proxy.answersAt(ports.tls)
  return proxyAt(ports, open.move())
}

const proxyAt = (ports: Record<"plain" | "tls", number>, open: AsyncDisposableStack) => ({
  plain: `http://127.0.0.1:${ports.plain}`,
  tls: `https://127.0.0.1:${ports.tls}`,
  [Symbol.asyncDispose]: () => open.disposeAsync(),
})

const withUpstreams = (conf: string, upstreams: Upstreams) =>
  Object.entries(upstreams).reduce((conf, [address, { url }]) => conf.replaceAll(address, new URL(url).host), conf)

/** Two processes on one database. */
async function twoServers() {
  await using open = new AsyncDisposableStack()
  const { path } = open.use(await temporaryFolder())
  const env = { ...behindProxy, REWARDS_DB__PATH: join(path, "rewards.db") }
  const first = open.use(await startServer({ env }))
  const second = open.use(await startServer({ env }))
  const opened = open.move()
  return {
    first,
    second,
    byName: { "app1:8000": first, "app2:8000": second },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function expectShared({ first, second }: Awaited<ReturnType<typeof twoServers>>, origin: string) {
  await expectProxied([first, second], origin)
  const statuses = async (path: string) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(origin, path)))
    return new Set(answers.map(({ status }) => status))
  }
  expect(await statuses("/user/admin/")).toEqual(new Set([200]))
  await first.stop()
  expect(await statuses("/user/")).toEqual(new Set([200]))
  await second.stop()
  for (const { stderr } of [first, second]) expect(stderr.some((line) => line.includes('"/user/admin/"'))).toBe(true)
}

/** Writes a whole configuration around `conf` and has nginx check it; returns the command that serves it. */
async function checkedNginx(path: string, conf: string): Promise<string[]> {
  await writeFile(join(path, "rewards.conf"), conf)
  await writeFile(
    join(path, "nginx.conf"),
    `daemon off; master_process off; pid ${path}/pid; error_log stderr warn;
    events {}
    http {
      access_log off;
      ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${path}/${kind};`).join(" ")}
      include ${path}/rewards.conf;
    }`,
  )
  const command = ["nginx", "-p", path, "-c", join(path, "nginx.conf"), "-e", "stderr"]
  const check = Bun.spawnSync([...command, "-t"])
  expect({ status: check.exitCode, stderr: check.stderr.toString() }).toMatchObject({ status: 0 })
  return command
}

const behindProxy = {
  REWARDS_SERVER__BASE_URL: `https://${name}`,
  REWARDS_SERVER__TRUSTED_PROXIES: "127.0.0.1",
}

/** What the section "Does it work" of the page promises. */
async function expectProxied(servers: readonly { readonly stderr: readonly string[] }[], origin: string) {
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
  const logged = () => servers.flatMap(({ stderr }) => stderr).find((line) => line.includes('"/user/"'))
  await until(() => logged() !== undefined) // the log gathers its lines
  const line = logged()
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
