import { expect, test } from "bun:test"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import type { Finding } from "../../../src/cli/doctor/finding.ts"
import { checkClock, checkServer } from "../../../src/cli/doctor/server.ts"
import { loadConfig } from "../../../src/config/load.ts"
import type { Tls } from "../../../src/http/server.ts"
import { createAuthority } from "../../support/authority.ts"
import { secret } from "../../support/executable.ts"
import { startTestServer } from "../../support/server.ts"

interface Around {
  /** Where the server listens. */
  readonly url: string
  readonly baseUrl?: string | undefined
  readonly secretKey?: string
  readonly trustedProxies?: string
  /** The certificate and key of the settings. */
  readonly tls?: Tls | null
}

/** What is found with these settings, ports shown by name. */
async function lookAt({ url, baseUrl, secretKey = secret, trustedProxies = "", tls = null }: Around, now: number) {
  const port = new URL(url).port
  const config = loadConfig({
    cwd: "/",
    configPath: null,
    env: {},
    flags: {
      "security.secret_key": secretKey,
      "server.port": port,
      "server.base_url": baseUrl,
      "server.trusted_proxies": trustedProxies,
    },
    underTest: true,
    needsSecret: true,
  })
  const { findings } = await checkServer(config, now, tls)
  // How long the log takes depends on the machine.
  const shown = JSON.stringify(findings.filter(({ check }) => check !== "log"))
    .replaceAll(port, "PORT")
    .replaceAll(baseUrl ?? "-", "BASE")
  return JSON.parse(shown) as Finding[]
}

const answers = { check: "server", verdict: "ok" as const, message: "answers at http://127.0.0.1:PORT", cure: null }
const base = (verdict: Finding["verdict"], message: string, cure: string | null): Finding[] => [
  answers,
  { check: "base_url", verdict, message, cure },
]

test("a running server is fine; if none runs, doctor says how to start it", async () => {
  const server = await startTestServer()
  const now = server.clock.now()
  expect(await lookAt({ url: server.url }, now)).toEqual([answers])
  await server[Symbol.asyncDispose]()

  expect(await lookAt({ url: server.url }, now)).toEqual([
    {
      check: "server",
      verdict: "warn",
      message: "http://127.0.0.1:PORT cannot be reached: connection refused",
      cure: "start it with `rewards serve`, then run this again",
    },
  ])
})

test("a server that was started with another secret is reported", async () => {
  await using server = await startTestServer()

  expect(await lookAt({ url: server.url, secretKey: `${secret}!` }, server.clock.now())).toEqual([
    {
      check: "server",
      verdict: "bad",
      message: "the server at http://127.0.0.1:PORT has other settings",
      cure: "restart it, or end the other program",
    },
  ])
})

test("a base_url that reaches this server through a trusted proxy, WebSockets too, is fine", async () => {
  await using server = await startTestServer()
  await using proxy = await startProxy(server.url, forwarding)
  const around = { url: server.url, baseUrl: proxy.url, trustedProxies: "127.0.0.1" }

  expect(await lookAt(around, server.clock.now())).toEqual(base("ok", "BASE reaches this server", null))
})

test("a base_url that is the server's own address is fine", async () => {
  await using server = await startTestServer()

  const [, found] = await lookAt({ url: server.url, baseUrl: server.url }, server.clock.now())

  expect(found).toMatchObject({ check: "base_url", verdict: "ok" })
})

test("a proxy that is not trusted is reported with its address", async () => {
  await using server = await startTestServer()
  await using proxy = await startProxy(server.url, forwarding)

  expect(await lookAt({ url: server.url, baseUrl: proxy.url }, server.clock.now())).toEqual(
    base(
      "bad",
      "the proxy at 127.0.0.1 is not trusted, so all clients share its address",
      'add "127.0.0.1" to server.trusted_proxies',
    ),
  )
})

test("a proxy that does not forward the client's address is reported", async () => {
  await using server = await startTestServer()
  await using proxy = await startProxy(server.url, (head) => head)

  expect(await lookAt({ url: server.url, baseUrl: proxy.url }, server.clock.now())).toEqual(
    base("warn", "the proxy at 127.0.0.1 does not pass on the client's address", "let it set X-Forwarded-For"),
  )
})

test("a proxy that does not forward WebSockets is reported", async () => {
  await using server = await startTestServer()
  await using proxy = await startProxy(server.url, (head) => forwarding(head).replace(/^upgrade:.*\r\n/im, ""))
  const around = { url: server.url, baseUrl: proxy.url, trustedProxies: "127.0.0.1" }

  expect(await lookAt(around, server.clock.now())).toEqual(
    base("bad", "answers a WebSocket with 405", "let the proxy forward the headers Upgrade and Connection"),
  )
})

test("a base_url with the certificate of the settings is fine, whoever issued it; another certificate is not", async () => {
  await using server = await startTestServer()
  const authority = await createAuthority()
  const [tls, other] = [await authority.issue(["127.0.0.1"]), await authority.issue(["127.0.0.1"])]
  await using proxy = await startProxy(server.url, forwarding, tls)
  const around = { url: server.url, baseUrl: proxy.url, trustedProxies: "127.0.0.1" }
  const now = server.clock.now()

  const [, found] = await lookAt({ ...around, tls }, now)
  expect(found).toEqual({ check: "base_url", verdict: "ok", message: "BASE reaches this server", cure: null })

  const untrusted = base(
    "bad",
    "BASE cannot be reached: its certificate was issued by an authority that is not trusted",
    "if this authority is your own, name the file of its certificate in the variable NODE_EXTRA_CA_CERTS of this command",
  )
  expect(await lookAt({ ...around, tls: other }, now)).toEqual(untrusted)
  expect(await lookAt(around, now)).toEqual(untrusted)
})

test("a stream that requires a log-in does not count as a proxy fault", async () => {
  await using server = await startTestServer({ settings: { "stream.access": "auth" } })
  await using proxy = await startProxy(server.url, forwarding)
  const around = { url: server.url, baseUrl: proxy.url, trustedProxies: "127.0.0.1" }

  expect(await lookAt(around, server.clock.now())).toEqual(base("ok", "BASE reaches this server", null))
})

test("a base_url that reaches another server, or another process of rewards, is reported", async () => {
  await using server = await startTestServer()
  await using twin = await startTestServer()
  await using other = await startTestServer({ settings: { "security.secret_key": `${secret}!` } })
  const now = server.clock.now()
  const cure = "let the proxy forward all requests to http://127.0.0.1:PORT"

  expect(await lookAt({ url: server.url, baseUrl: twin.url }, now)).toContainEqual({
    check: "base_url",
    verdict: "bad",
    message: "BASE reaches another process of rewards",
    cure,
  })
  expect(await lookAt({ url: server.url, baseUrl: other.url }, now)).toContainEqual({
    check: "base_url",
    verdict: "bad",
    message: "another server answers at BASE (404)",
    cure,
  })
})

test("a base_url that cannot be reached is reported with the reason", async () => {
  await using server = await startTestServer()

  expect(await lookAt({ url: server.url, baseUrl: "http://127.0.0.1:1" }, server.clock.now())).toEqual(
    base(
      "bad",
      "BASE cannot be reached: connection refused",
      "check server.base_url, and the proxy there with its certificate",
    ),
  )
})

const now = Date.parse("2026-01-05T09:00:00Z")
const shownNow = "2026-01-05T09:00:00.000Z"
const agreeing = { check: "clock", verdict: "ok", message: shownNow, cure: null } as const

test("a clock within half a minute of the others is fine, and so is one without anything to compare", () => {
  expect(checkClock({ now, lastDate: 0, other: null })).toEqual(agreeing)
  expect(checkClock({ now, lastDate: now + 30_000, other: now - 30_000 })).toEqual(agreeing)
  expect(checkClock({ now, lastDate: 5, other: now + 30_000 })).toEqual(agreeing)
})

test("a clock earlier than the last transaction is bad", () => {
  expect(checkClock({ now, lastDate: now + 3_600_000, other: now + 3_600_000 })).toEqual({
    check: "clock",
    verdict: "bad",
    message: `${shownNow} is before the last transaction (2026-01-05T10:00:00.000Z)`,
    cure: "set this machine's clock; if it is right, new transactions get the date of that one until then",
  })
})

test("a clock that is ahead of or behind the proxy's is reported", () => {
  for (const other of [now - 90_000, now + 90_000])
    expect(checkClock({ now, lastDate: 0, other })).toEqual({
      check: "clock",
      verdict: "warn",
      message: `${shownNow} differs by 90 s from the clock at server.base_url`,
      cure: "correct the clock that is wrong",
    })
})

interface Proxy extends AsyncDisposable {
  readonly url: string
}

/**
 * Forwards each request to `target` (`http://127.0.0.1:PORT`) with its head changed by `rewrite`, and returns the
 * answer.
 */
async function startProxy(target: string, rewrite: (head: string) => string, tls: Tls | null = null): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(target)
  const pass = (caller: Socket) => {
    const behind = connect(Number(port), hostname)
    for (const socket of [caller, behind]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    caller.once("data", (bytes) => {
      behind.write(rewrite(bytes.toString("latin1")), "latin1")
      caller.pipe(behind)
    })
    behind.pipe(caller)
  }
  const server = tls === null ? createServer(pass) : createTlsServer(tls, pass)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `${tls === null ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Adds X-Forwarded-For, as a proxy does. */
function forwarding(head: string): string {
  return head.replace("\r\n", "\r\nX-Forwarded-For: 203.0.113.7\r\n")
}
