import { isHttps } from "../../config/rules.ts"
import type { Config } from "../../config/settings.ts"
import { ChatRefusal, ChatUnreachable } from "../../integrations/chat/chat.ts"
import { createMattermostApi } from "../../integrations/mattermost/api.ts"
import { createSlackApi } from "../../integrations/slack/api.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { createOutbound, type Outbound, RefusedDestination } from "../../net/outbound.ts"
import { createSealedSecrets } from "../../security/secrets.ts"
import type { DiagnosedWebhook } from "../../storage/diagnosis.ts"
import { UnusableFile } from "../../support/system-errors.ts"
import { isoTime } from "../support/terminal.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

type Settings = Pick<Config, "mattermost" | "security" | "server" | "slack" | "webhooks">

/**
 * Finds webhooks that fail or would be refused, and checks how Slack and Mattermost are set up. Resolves host names and
 * asks these chats; sends no event.
 */
export async function checkIntegrations(
  config: Settings,
  webhooks: readonly DiagnosedWebhook[],
  outbound: Pick<Outbound, "check" | "send"> = outboundOf(config),
): Promise<readonly Finding[]> {
  const found = await Promise.all([
    ...checkAuthorities(config),
    ...webhooks.map((webhook) => checkWebhook(config, webhook, outbound)),
  ])
  const findings = found.flat()
  const own = webhooks.length === 0 && findings.length === 0 ? [] : orOk(findings, "webhooks", countOf(webhooks))
  const chats = await Promise.all([checkSlack(config, outbound), checkMattermost(config, outbound)])
  return [...own, ...chats.flat()]
}

const outboundOf = ({ webhooks: { allow_private, ports, ca } }: Settings): Outbound =>
  createOutbound({
    allowPrivate: allow_private,
    ports,
    ...(ca !== null && { ca: () => readAuthorities("webhooks.ca", ca) }),
  })

function checkAuthorities({ webhooks: { ca } }: Settings): Finding[] {
  try {
    if (ca !== null) readAuthorities("webhooks.ca", ca)
    return []
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    return [bad("webhooks", error.message, "see webhooks.ca")]
  }
}

async function checkWebhook(
  { security }: Settings,
  webhook: DiagnosedWebhook,
  outbound: Pick<Outbound, "check">,
): Promise<readonly Finding[]> {
  const { id, url, isActive, stoppedBecause, failingSince, lastError, lastRefusal, format, secret } = webhook
  // Leaves out path and query, which may contain a secret of the receiver.
  const name = `webhook ${id} (${URL.parse(url)?.origin ?? "no URL"})`
  if (stoppedBecause !== null)
    return [
      bad("webhooks", `${name} was deactivated: ${stoppedBecause}`, "repair the receiver, then activate it again"),
    ]
  if (!isActive) return []
  if (format === "standard" && createSealedSecrets(security.secret_key, "webhooks").open(secret) === null)
    return [
      bad(
        "webhooks",
        `the secret of ${name} cannot be decrypted`,
        "make a new secret, because security.secret_key has changed",
      ),
    ]
  try {
    await outbound.check(url)
  } catch (error) {
    if (error instanceof RefusedDestination) return [refused("webhooks", name, error)]
    return [
      warn("webhooks", `the host name of ${name} cannot be resolved`, "check the name and this machine's DNS settings"),
    ]
  }
  if (failingSince === null && lastRefusal !== null)
    return [
      warn(
        "webhooks",
        `the last message of ${name} was given up: ${lastRefusal}`,
        "see the answer among its deliveries in the app, where it can be sent again",
      ),
    ]
  if (failingSince === null) return []
  const reason = lastError === null ? "" : `: ${lastError}`
  return [
    warn(
      "webhooks",
      `${name} has failed since ${isoTime(failingSince)}${reason}`,
      "try it with `rewards webhook test`",
    ),
  ]
}

function refused(check: string, what: string, { message }: RefusedDestination): Finding {
  const [problem = "", cure = "give it another address"] = message.split("; ")
  return bad(check, `${what}: ${problem}`, cure)
}

const countOf = (webhooks: readonly DiagnosedWebhook[]): string => {
  const active = webhooks.filter(({ isActive }) => isActive).length
  return `${active} of ${webhooks.length} active, none fails`
}

async function checkSlack({ server, slack }: Settings, outbound: Pick<Outbound, "send">): Promise<readonly Finding[]> {
  const { signing_secret: secret, bot_token: token, api_url: url } = slack
  if (token === null) return []
  const findings: Finding[] = []
  if (secret !== null && !/^[0-9a-f]{32}$/.test(secret))
    findings.push(
      warn(
        "slack",
        "slack.signing_secret does not look like one (32 hexadecimal digits), so Slack's requests may be refused",
        "copy it from the page Basic Information of the Slack app",
      ),
    )
  if (!isHttps(server))
    findings.push(warn("slack", "Slack calls only https addresses", "set server.base_url to that of the manifest"))
  return [...findings, ...(await checkToken(outbound, url, token))]
}

async function checkToken(outbound: Pick<Outbound, "send">, url: string, token: string): Promise<readonly Finding[]> {
  try {
    const missing = await createSlackApi({ outbound, url, token }).missingScopes()
    if (missing.length === 0) return [ok("slack", "accepts the bot token")]
    return [bad("slack", `the bot token lacks ${missing.join(", ")}`, "add the scopes, and install the app again")]
  } catch (error) {
    if (error instanceof ChatRefusal)
      return [bad("slack", error.message, "check slack.bot_token; install the app again")]
    const problem = error instanceof Error ? error.message : String(error)
    return [warn("slack", `Slack cannot be asked: ${problem}`, "check slack.api_url, and any firewall in between")]
  }
}

async function checkMattermost(
  { mattermost }: Settings,
  outbound: Pick<Outbound, "send">,
): Promise<readonly Finding[]> {
  const { url, bot_token: token, tokens } = mattermost
  if (url === null || token === null || tokens === null) return []
  const findings: Finding[] = []
  if (!tokens.every((one) => /^[a-z0-9]{26}$/.test(one)))
    findings.push(
      warn(
        "mattermost",
        "mattermost.tokens holds one that does not look like a token (26 letters and digits), so commands may be refused",
        "copy it from the page of the slash command in Mattermost",
      ),
    )
  return [...findings, ...(await checkBot(outbound, url, token))]
}

async function checkBot(outbound: Pick<Outbound, "send">, url: string, token: string): Promise<readonly Finding[]> {
  try {
    const { showsAddresses, takesAnyAddress } = await createMattermostApi({ outbound, url, token }).policy()
    if (!showsAddresses)
      return [
        bad(
          "mattermost",
          "Mattermost hides e-mail addresses from the bot, so nobody is found",
          "turn on Show Email Address in the System Console, or make the bot a system admin",
        ),
      ]
    if (takesAnyAddress)
      return [
        warn(
          "mattermost",
          "people in Mattermost may enter an address that is not theirs, and would give as its owner",
          "turn on Require Email Verification in the System Console, or let people log in by single sign-on only",
        ),
      ]
    return [ok("mattermost", "accepts the bot token, shows addresses, and has them confirmed")]
  } catch (error) {
    if (error instanceof ChatRefusal)
      return [bad("mattermost", error.message, "check mattermost.url and mattermost.bot_token")]
    const cause = error instanceof ChatUnreachable ? error.cause : error
    if (cause instanceof RefusedDestination) return [refused("mattermost", "mattermost.url", cause)]
    const problem = error instanceof Error ? error.message : String(error)
    return [
      warn("mattermost", `Mattermost cannot be asked: ${problem}`, "check mattermost.url, and any firewall in between"),
    ]
  }
}
