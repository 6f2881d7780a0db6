import type { Config } from "../../config/settings.ts"
import { type ProbeReport, probeHeader, probePath, signProbe } from "../../http/probe.ts"
import { createAddressOf } from "../../http/request.ts"
import { type Answer, ask, ownUrl, shakeHands, whyNot } from "../asking.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

const soonMs = 14 * 24 * 3_600_000

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

  const direct = await ask({ url: own + probePath, headers, isOwn: true }).catch(whyNot)
  if (typeof direct === "string")
    return told(warn("server", `${own} ${direct}`, "start it with `rewards serve`, then ask again"))
  const here = arrivalIn(direct)
  if (here === null)
    return told(bad("server", `what answers at ${own} has other settings`, "start it again, or end the other program"))
  const answers = ok("server", `answers at ${own}`)
  if (server.base_url === null) return told(answers)

  const url = server.base_url
  try {
    const answer = await ask({ url: url + probePath, headers, isOwn: false })
    const findings = [...comparing(here, answer), ...endOf(answer, now), ...(await handshake(url))]
    const { date } = answer
    return { findings: [answers, ...orOk(findings, "base_url", `${url} leads here`)], date }
  } catch (error) {
    return told(answers, bad("base_url", `${url} ${whyNot(error)}`, "see the proxy, its certificate and its name"))
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
  if (certificateEnds === null || certificateEnds - now >= soonMs) return []
  const [day] = new Date(certificateEnds).toISOString().split("T")
  return [warn("base_url", `its certificate ends on ${day}`, "renew it")]
}

/** Whoever may watch the stream is a matter of its own: 401 comes from this server, too. */
async function handshake(url: string): Promise<Finding[]> {
  const status = await shakeHands({ url: `${url}/transaction/ws?after=${Number.MAX_SAFE_INTEGER}`, isOwn: false })
  if (status === 101 || status === 401) return []
  return [
    bad("base_url", `answers a WebSocket with ${status}`, "let the proxy pass the headers Upgrade and Connection"),
  ]
}
