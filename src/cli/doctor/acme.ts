import { X509Certificate } from "node:crypto"
import { lookup } from "node:dns/promises"
import { httpPortOf } from "../../config/rules.ts"
import type { Config } from "../../config/settings.ts"
import { probeAnswer, probeHeader, probePath, signProbe } from "../../http/probe.ts"
import { acmeSettingsOf, nextAttemptAt, renewalOf } from "../../integrations/acme/renewal.ts"
import { type AcmeState, readState } from "../../integrations/acme/state.ts"
import { isPrivate } from "../../net/addresses.ts"
import { UnusableFile } from "../../support/system-errors.ts"
import type { CommandContext } from "../support/command.ts"
import { get, unreachable } from "../support/http-client.ts"
import { bad, type Finding, ok, warn } from "./finding.ts"

/** Where authorities check a name, on every machine of the world. */
const authoritiesPort = 80

/** The certificate of server.acme_domains, why there is no newer one, and whether the authority can check each name. */
export async function checkAcme(
  config: Pick<Config, "server" | "db" | "security">,
  { cwd, now }: Pick<CommandContext, "cwd" | "now">,
  port: number = authoritiesPort,
): Promise<readonly Finding[]> {
  const settings = acmeSettingsOf(config, cwd)
  try {
    const state = readState(settings.folder)
    const hasProblem = problemWith(state?.certificate ?? null, now()) !== null
    const isOfCompany = await isInternal(new URL(settings.directory).hostname)
    const reached = await Promise.all(
      settings.domains.map(async (domain) => {
        const unreachable = hasProblem && !isOfCompany ? await internalFinding(domain) : null
        return unreachable ?? checkName(domain, config, now(), port)
      }),
    )
    return [
      ...certificateFindings(state, settings, now()),
      // This machine may not reach its own public address, although others do.
      ...reached.map((finding) =>
        finding.verdict === "bad" && !hasProblem ? { ...finding, verdict: "warn" as const } : finding,
      ),
    ]
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    return [bad("certificate", error.message, "see server.state_dir")]
  }
}

function certificateFindings(
  state: AcmeState | null,
  settings: Parameters<typeof nextAttemptAt>[1],
  now: number,
): readonly Finding[] {
  if (state === null || (state.certificate === null && state.attempt === null))
    return [warn("certificate", "none yet: the server has not asked for one", "start it with `rewards serve`")]
  const { certificate, attempt } = state
  const next = shown(Math.max(nextAttemptAt(state, settings, now), now))
  const problem = problemWith(certificate, now)
  if (attempt?.failure) {
    const { failure } = attempt
    const level = problem === null ? warn : bad
    return [level("certificate", failure.problem, `${failure.cure}; the next attempt is at ${next}`)]
  }
  if (certificate === null || problem !== null)
    return [
      bad(
        "certificate",
        problem ?? noneYet,
        `look for "no new certificate" in the log; the next attempt is at ${next}`,
      ),
    ]
  return [ok("certificate", `for ${certificate.domains.join(", ")}; renewed at ${shown(renewalOf(certificate.cert))}`)]
}

const noneYet = "there is none yet"

/** Null when it is good for a while: a renewal that is late has half of its time left to be mended. */
function problemWith(certificate: AcmeState["certificate"], now: number): string | null {
  if (certificate === null) return noneYet
  const { validToDate } = new X509Certificate(certificate.cert)
  const [end, renewal] = [validToDate.getTime(), renewalOf(certificate.cert)]
  if (now >= end) return `it expired at ${shown(end)}`
  return now > (end + renewal) / 2 ? `it expires at ${shown(end)}, and was to be renewed at ${shown(renewal)}` : null
}

/** Names that no authority of the internet takes. */
const internalNames = /^[^.]+$|\.(local|localhost|internal|intranet|lan|home|corp|private|home\.arpa)$/i

/** Why an authority of the internet cannot reach this name; null if it may. */
async function internalFinding(domain: string): Promise<Finding | null> {
  const addresses = await addressesOf(domain)
  if (!internalNames.test(domain) && (addresses.length === 0 || !addresses.every(isPrivate))) return null
  const shown = addresses.length === 0 ? "" : ` (${addresses.join(", ")})`
  return bad(
    "acme",
    `only this network reaches ${domain}${shown}, so the check of the authority (HTTP-01) cannot work`,
    "let a proxy with DNS-01 get the certificate (Caddy, Traefik, or certbot with the plugin of your DNS), or give files of your own " +
      "(server.tls_cert, server.tls_key), or name your company's own authority in server.acme_directory",
  )
}

/** Whether a host has only addresses of this network, as an authority of the company has. */
async function isInternal(host: string): Promise<boolean> {
  const addresses = await addressesOf(host)
  return addresses.length > 0 && addresses.every(isPrivate)
}

const addressesOf = (host: string): Promise<string[]> =>
  lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )

/** Asks as an authority does. */
async function checkName(
  domain: string,
  { server, security }: Pick<Config, "server" | "security">,
  now: number,
  port: number,
): Promise<Finding> {
  const [address] = await addressesOf(domain)
  if (address === undefined)
    return bad("acme", `${domain} is not in DNS`, "make an A or AAAA record that leads to this machine")
  const header = signProbe(security.secret_key, now)
  const url = `http://${domain}:${port}${probePath}`
  try {
    const { status, body } = await get({ url, headers: { [probeHeader]: header }, isOwn: true })
    if (status === 200 && body === probeAnswer(security.secret_key, header))
      return ok("acme", `${domain} (${address}) reaches this server on port ${port}`)
    return bad(
      "acme",
      `another server answers at ${domain} (${address}) on port ${port}`,
      `let its DNS records lead to this machine, and port ${port} to ${httpPortOf(server)}`,
    )
  } catch (error) {
    return bad(
      "acme",
      `port ${port} of ${domain} (${address}) ${unreachable(error)}`,
      `open it in every firewall, let it lead to ${httpPortOf(server)} here, and start the server`,
    )
  }
}

const shown = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, "")
