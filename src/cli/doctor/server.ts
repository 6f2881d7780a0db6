import { X509Certificate } from "node:crypto"
import { usesTls } from "../../config/rules.ts"
import type { Config } from "../../config/settings.ts"
import { type ProbeReport, probeHeader, probePath, signProbe } from "../../http/probe.ts"
import { createAddressOf } from "../../http/request.ts"
import type { Tls } from "../../http/server.ts"
import { isUntrusted } from "../../support/system-errors.ts"
import { renewWithinMs } from "../support/certificate.ts"
import { type Answer, fingerprintAt, get, ownUrl, unreachable, webSocketStatus } from "../support/http-client.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"
import { checkLog } from "./speed.ts"

interface ServerFindings {
  readonly findings: readonly Finding[]
  /** The time that the server at `server.base_url` reports, in milliseconds since the epoch. */
  readonly date: number | null
}

/**
 * Checks whether a server with these settings runs, and whether `server.base_url` reaches it and passes on the client's
 * address.
 */
export async function checkServer(
  { server, security }: Pick<Config, "server" | "security">,
  now: number,
  tls: Tls | null = null,
): Promise<ServerFindings> {
  const own = ownUrl(server)
  const headers = { [probeHeader]: signProbe(security.secret_key, now) }

  const direct = await get({ url: own + probePath, headers, isOwn: true }).catch(unreachable)
  if (typeof direct === "string")
    return only(warn("server", `${own} ${direct}`, "start it with `rewards serve`, then run this again"))
  const here = probeReportIn(direct)
  if (here === null)
    return only(bad("server", `the server at ${own} has other settings`, "restart it, or end the other program"))
  const answers = [ok("server", `answers at ${own}`), checkLog(here.logMs)]
  if (server.base_url === null) return only(...answers)

  const url = server.base_url
  try {
    const isOwn = tls !== null && (await showsCertificate(url, tls))
    const answer = await get({ url: url + probePath, headers, isOwn })
    const findings = [
      ...comparePaths(here, answer),
      ...(server.acme_domains.length > 0 ? [] : endOf(answer, now)),
      ...(await handshake(url, isOwn)),
    ]
    const { date } = answer
    return { findings: [...answers, ...orOk(findings, "base_url", `${url} reaches this server`)], date }
  } catch (error) {
    return only(
      ...answers,
      bad(
        "base_url",
        `${url} ${unreachable(error)}`,
        isUntrusted(error)
          ? "if this authority is your own, name the file of its certificate in the variable NODE_EXTRA_CA_CERTS of this command"
          : "check server.base_url, and the proxy there with its certificate",
      ),
    )
  }

  /** Checks that the proxy reaches the same process and passes on the client's address. */
  function comparePaths({ instance }: ProbeReport, answer: Answer): Finding[] {
    const there = probeReportIn(answer)
    if (there === null)
      return [
        bad(
          "base_url",
          `another server answers at ${url} (${answer.status})`,
          `let the proxy forward all requests to ${own}`,
        ),
      ]
    if (there.instance !== instance)
      return [
        bad("base_url", `${url} reaches another process of rewards`, `let the proxy forward all requests to ${own}`),
      ]
    const { peer, forwardedFor } = there
    const proxy = peer.replace(/^::ffff:/, "")
    if (forwardedFor === null)
      return isBehindProxy()
        ? [
            warn(
              "base_url",
              `the proxy at ${proxy} does not pass on the client's address`,
              "let it set X-Forwarded-For",
            ),
          ]
        : []
    if (isTrusted(peer)) return []
    const cure = `add "${proxy}" to server.trusted_proxies`
    return [bad("base_url", `the proxy at ${proxy} is not trusted, so all clients share its address`, cure)]
  }

  function isTrusted(peer: string): boolean {
    const someone = "192.0.2.1"
    const request = new Request(url, { headers: { "x-forwarded-for": someone } })
    return createAddressOf(server.trusted_proxies)(request, peer) === someone
  }

  function isBehindProxy(): boolean {
    const { protocol, port } = new URL(url)
    return (protocol === "https:" && !usesTls(server)) || Number(port || defaultPorts[protocol]) !== server.port
  }
}

/**
 * Whether the certificate at this address is the one that the settings name. It then needs no authority that this machine
 * trusts: those who use the service may trust a private one.
 */
const showsCertificate = async (url: string, { cert }: Tls): Promise<boolean> =>
  url.startsWith("https:") && (await fingerprintAt(url)) === new X509Certificate(cert).fingerprint256

const only = (...findings: readonly Finding[]): ServerFindings => ({ findings, date: null })

const defaultPorts: Record<string, number> = { "http:": 80, "https:": 443 }

/** Null when the server that answered does not have this secret. */
function probeReportIn({ status, body }: Answer): ProbeReport | null {
  if (status !== 200) return null
  try {
    return JSON.parse(body) as ProbeReport
  } catch {
    return null
  }
}

function endOf({ certificateEnds }: Answer, now: number): Finding[] {
  if (certificateEnds === null || certificateEnds - now >= renewWithinMs) return []
  const [day] = new Date(certificateEnds).toISOString().split("T")
  return [warn("base_url", `its certificate expires on ${day}`, "renew it")]
}

/** Also accepts 401, which this server answers when the stream requires a log-in. */
async function handshake(url: string, isOwn: boolean): Promise<Finding[]> {
  const status = await webSocketStatus({ url: `${url}/transaction/ws?after=${Number.MAX_SAFE_INTEGER}`, isOwn })
  if (status === 101 || status === 401) return []
  return [
    bad("base_url", `answers a WebSocket with ${status}`, "let the proxy forward the headers Upgrade and Connection"),
  ]
}

const toleranceMs = 30_000

interface Clocks {
  /** The time of this machine. All three are in milliseconds since the epoch. */
  readonly now: number
  /** Date of the last transaction; 0 when there is none. */
  readonly lastDate: number
  /** The time of the proxy; null when there is none. */
  readonly other: number | null
}

/** Compares this machine's clock with the last transaction and with the proxy's clock. */
export function checkClock({ now, lastDate, other }: Clocks): Finding {
  const shown = new Date(now).toISOString()
  if (lastDate > now + toleranceMs) {
    const last = new Date(lastDate).toISOString()
    return bad(
      "clock",
      `${shown} is before the last transaction (${last})`,
      "set this machine's clock; if it is right, new transactions get the date of that one until then",
    )
  }
  const seconds = Math.round(Math.abs(now - (other ?? now)) / 1000)
  if (seconds * 1000 <= toleranceMs) return ok("clock", shown)
  return warn(
    "clock",
    `${shown} differs by ${seconds} s from the clock at server.base_url`,
    "correct the clock that is wrong",
  )
}
