import type { Config } from "../../config/settings.ts"
import { type ProbeReport, probeHeader, probePath, signProbe } from "../../http/probe.ts"
import { createAddressOf } from "../../http/request.ts"
import { renewWithinMs } from "../support/certificate.ts"
import { type Answer, get, ownUrl, unreachable, webSocketStatus } from "../support/http-client.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

export interface ServerFindings {
  readonly findings: readonly Finding[]
  /** What the clock of whoever serves `server.base_url` says, in milliseconds since the epoch. */
  readonly date: number | null
}

/** Whether a server of these settings runs, and whether `server.base_url` leads to it, whole and for whoever asks. */
export async function checkServer(
  { server, security }: Pick<Config, "server" | "security">,
  now: number,
): Promise<ServerFindings> {
  const own = ownUrl(server)
  const headers = { [probeHeader]: signProbe(security.secret_key, now) }

  const direct = await get({ url: own + probePath, headers, isOwn: true }).catch(unreachable)
  if (typeof direct === "string")
    return told(warn("server", `${own} ${direct}`, "start it with `rewards serve`, then ask again"))
  const here = arrivalIn(direct)
  if (here === null)
    return told(bad("server", `what answers at ${own} has other settings`, "start it again, or end the other program"))
  const answers = ok("server", `answers at ${own}`)
  if (server.base_url === null) return told(answers)

  const url = server.base_url
  try {
    const answer = await get({ url: url + probePath, headers, isOwn: false })
    const findings = [...comparing(here, answer), ...endOf(answer, now), ...(await handshake(url))]
    const { date } = answer
    return { findings: [answers, ...orOk(findings, "base_url", `${url} leads here`)], date }
  } catch (error) {
    return told(answers, bad("base_url", `${url} ${unreachable(error)}`, "see the proxy, its certificate and its name"))
  }

  /** The same process, and the client's own address. */
  function comparing({ instance }: ProbeReport, answer: Answer): Finding[] {
    const there = arrivalIn(answer)
    if (there === null)
      return [
        bad(
          "base_url",
          `another server answers at ${url} (${answer.status})`,
          `let the proxy pass everything to ${own}`,
        ),
      ]
    if (there.instance !== instance)
      return [bad("base_url", `${url} leads to another process of rewards`, `let the proxy pass everything to ${own}`)]
    const { peer, forwardedFor } = there
    const proxy = peer.replace(/^::ffff:/, "")
    if (forwardedFor === null)
      return isBehindProxy()
        ? [warn("base_url", `the proxy at ${proxy} does not tell for whom it asks`, "let it send X-Forwarded-For")]
        : []
    if (isTrusted(peer)) return []
    const cure = `name "${proxy}" in server.trusted_proxies`
    return [bad("base_url", `the proxy at ${proxy} is not trusted, and every client counts as it`, cure)]
  }

  function isTrusted(peer: string): boolean {
    const someone = "192.0.2.1"
    const request = new Request(url, { headers: { "x-forwarded-for": someone } })
    return createAddressOf(server.trusted_proxies)(request, peer) === someone
  }

  function isBehindProxy(): boolean {
    const { protocol, port } = new URL(url)
    return (protocol === "https:" && server.tls_cert === null) || Number(port || defaultPorts[protocol]) !== server.port
  }
}

const told = (...findings: readonly Finding[]): ServerFindings => ({ findings, date: null })

const defaultPorts: Record<string, number> = { "http:": 80, "https:": 443 }

/** Null when nobody answered who has the secret. */
function arrivalIn({ status, body }: Answer): ProbeReport | null {
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
  return [warn("base_url", `its certificate ends on ${day}`, "renew it")]
}

/** Whoever may watch the stream is a matter of its own: 401 comes from this server, too. */
async function handshake(url: string): Promise<Finding[]> {
  const status = await webSocketStatus({ url: `${url}/transaction/ws?after=${Number.MAX_SAFE_INTEGER}`, isOwn: false })
  if (status === 101 || status === 401) return []
  return [
    bad("base_url", `answers a WebSocket with ${status}`, "let the proxy pass the headers Upgrade and Connection"),
  ]
}

const toleranceMs = 30_000

interface Clocks {
  /** This machine's, in milliseconds since the epoch, as all of these. */
  readonly now: number
  /** Date of the last transaction; 0 while there is none. */
  readonly lastDate: number
  /** What the proxy says; null when there is none to ask. */
  readonly other: number | null
}

/** This machine's clock against those that can be read without asking strangers. */
export function checkClock({ now, lastDate, other }: Clocks): Finding {
  const shown = new Date(now).toISOString()
  if (lastDate > now + toleranceMs) {
    const last = new Date(lastDate).toISOString()
    return bad("clock", `${shown} is before the last transaction (${last})`, "set this machine's clock")
  }
  const seconds = Math.round(Math.abs(now - (other ?? now)) / 1000)
  if (seconds * 1000 <= toleranceMs) return ok("clock", shown)
  return warn("clock", `${shown} is ${seconds} s away from what server.base_url says`, "set the clock that is wrong")
}
