import { expect, test } from "bun:test"
import { checkIntegrations } from "../../../src/cli/doctor/integrations.ts"
import { settings } from "../../../src/config/settings.ts"
import { createOutbound } from "../../../src/net/outbound.ts"
import { createSealedSecrets } from "../../../src/security/secrets.ts"
import type { DiagnosedWebhook } from "../../../src/storage/diagnosis.ts"

const secret_key = "a secret of at least thirty-two bytes"

const addresses: Record<string, string> = { "good.test": "93.184.216.34", "inside.test": "10.0.0.1" }

const hook = (fields: Partial<DiagnosedWebhook> = {}): DiagnosedWebhook => ({
  ...{
    id: 1,
    url: "https://good.test/a?key=secret",
    events: [],
    format: "standard",
    description: null,
    isActive: true,
  },
  ...{ secret: createSealedSecrets(secret_key, "webhooks").seal("whsec_x"), oldSecret: null, oldSecretUntil: null },
  ...{ stoppedBecause: null, lastEvent: 0, failures: 0, failingSince: null, retryAt: 0, lastSuccessAt: null },
  ...{ setting: null, revision: 0, lastError: null, lastRefusal: null, ...fields },
})

interface Slack {
  readonly says: object
  readonly headers?: Record<string, string>
  readonly secret?: string
  readonly baseUrl?: string
}

interface Mattermost {
  readonly me?: object
  readonly config?: object
  readonly status?: number
  readonly tokens?: readonly string[]
  readonly url?: string
}

/** What doctor says about a Mattermost that answers so. */
async function foundInMattermost({ me = {}, config = {}, status = 200, tokens, url }: Mattermost) {
  const settingsOf = {
    security: { secret_key },
    webhooks: { allow_private: [], ports: [], ca: null, keep_days: 30 },
    server: { base_url: "https://rewards.example.com" },
    slack: { signing_secret: null, bot_token: null, webhook_url: null, api_url: "" },
    mattermost: {
      tokens: tokens ?? ["nezum4kpu3faiec7r7c5zt6tfy"],
      url: url ?? "https://good.test",
      bot_token: "bot",
    },
  }
  const outbound = createOutbound({
    allowPrivate: [],
    ports: [],
    resolve: async (name) => [{ address: addresses[name] ?? "", family: 4 }],
  })
  const findings = await checkIntegrations(settingsOf as never, [], {
    check: outbound.check,
    async send(request) {
      if (url !== undefined) return outbound.send(request)
      const body = JSON.stringify(request.url.includes("/config/") ? config : me)
      return { status, headers: {}, body }
    },
  })
  return findings.map(({ check, verdict, message }) => `${verdict} ${check}: ${message}`)
}

async function found(webhooks: DiagnosedWebhook[], slack: Slack | null = null, ca: string | null = null) {
  const outbound = createOutbound({
    allowPrivate: [],
    ports: [],
    async resolve(name) {
      const address = addresses[name]
      if (address === undefined) throw new Error("ENOTFOUND")
      return [{ address, family: 4 }]
    },
  })
  const config = {
    security: { secret_key },
    webhooks: { allow_private: [], ports: [], ca, keep_days: 30 },
    server: { base_url: slack?.baseUrl ?? "https://rewards.example.com" },
    slack: {
      ...{
        signing_secret: slack?.secret ?? "8f742231b10e8888abcd99abcdef85a5",
        webhook_url: null,
        api_url: settings.slack.api_url.default ?? "",
      },
      bot_token: slack ? "xoxb-1" : null,
    },
    mattermost: { tokens: null, url: null, bot_token: null },
  }
  const findings = await checkIntegrations(config as never, webhooks, {
    check: outbound.check,
    send: async () => ({ status: 200, headers: slack?.headers ?? {}, body: JSON.stringify(slack?.says) }),
  })
  return findings.map(({ check, verdict, message }) => `${verdict} ${check}: ${message}`)
}

test("a webhook is reported if it fails, was deactivated, has a private or unknown address, or a secret that cannot be decrypted", async () => {
  expect(await found([])).toEqual([])
  expect(await found([hook(), hook({ isActive: false })])).toEqual(["ok webhooks: 1 of 2 active, none fails"])
  const name = "webhook 1 (https://good.test)"
  expect(await found([hook({ failingSince: 0, lastError: "answered 500" })])).toEqual([
    `warn webhooks: ${name} has failed since 1970-01-01T00:00:00.000Z: answered 500`,
  ])
  expect(await found([hook({ lastRefusal: "answered 400" })])).toEqual([
    `warn webhooks: the last message of ${name} was given up: answered 400`,
  ])
  expect(await found([hook({ isActive: false, stoppedBecause: "410" })])).toEqual([
    `bad webhooks: ${name} was deactivated: 410`,
  ])
  expect(await found([hook({ secret: "AAAA" })])).toEqual([`bad webhooks: the secret of ${name} cannot be decrypted`])
  expect(await found([hook({ url: "https://inside.test/" })])).toEqual([
    "bad webhooks: webhook 1 (https://inside.test): inside.test has the address 10.0.0.1, which is not public",
  ])
  expect(await found([hook({ url: "https://nowhere.test/" })])).toEqual([
    "warn webhooks: the host name of webhook 1 (https://nowhere.test) cannot be resolved",
  ])
  expect(await found([], null, "/nowhere/ca.pem")).toEqual([
    "bad webhooks: webhooks.ca: /nowhere/ca.pem cannot be read: there is no such file",
  ])
})

test("Slack is asked whether it accepts the bot token and which scopes the token has", async () => {
  expect(await found([], { says: { ok: true } })).toEqual(["ok slack: accepts the bot token"])
  const may = (scopes: string) => found([], { says: { ok: true }, headers: { "x-oauth-scopes": scopes } })
  expect(await may("commands,chat:write,incoming-webhook,users:read,users:read.email")).toEqual([
    "ok slack: accepts the bot token",
  ])
  expect(await may("commands, chat:write, users:read")).toEqual(["bad slack: the bot token lacks users:read.email"])
  expect(await found([], { says: { ok: false, error: "invalid_auth" } })).toEqual([
    "bad slack: Slack refuses auth.test: invalid_auth",
  ])
  expect(await found([], { says: { ok: false, error: "internal_error" } })).toEqual([
    "warn slack: Slack cannot be asked: Slack answered auth.test with internal_error",
  ])
})

test("a signing secret of the wrong format and a base_url that Slack cannot call are warnings", async () => {
  expect(await found([], { says: { ok: true }, secret: "xapp-1-A", baseUrl: "http://10.0.0.1:8000" })).toEqual([
    "warn slack: slack.signing_secret does not look like one (32 hexadecimal digits), so Slack's requests may be refused",
    "warn slack: Slack calls only https addresses",
    "ok slack: accepts the bot token",
  ])
})

test("Mattermost is asked whether it accepts the bot, shows addresses, and has people confirm them", async () => {
  const me = { roles: "system_user" }
  const byPassword = { EnableSignInWithEmail: "true", EnableSignInWithUsername: "false" }
  const config = { ...byPassword, ShowEmailAddress: "true", RequireEmailVerification: "true" }
  const fine = ["ok mattermost: accepts the bot token, shows addresses, and has them confirmed"]
  expect(await foundInMattermost({ me, config })).toEqual(fine)
  expect(await foundInMattermost({ me, config: { ...config, ShowEmailAddress: "false" } })).toEqual([
    "bad mattermost: Mattermost hides e-mail addresses from the bot, so nobody is found",
  ])
  const unconfirmed = { ...config, RequireEmailVerification: "false" }
  expect(await foundInMattermost({ me, config: unconfirmed })).toEqual([
    "warn mattermost: people in Mattermost may enter an address that is not theirs, and would give as its owner",
  ])
  // Whoever cannot log in with a password has the address of the provider.
  expect(await foundInMattermost({ me, config: { ...unconfirmed, EnableSignInWithEmail: "false" } })).toEqual(fine)
  const admin = { roles: "system_user system_admin" }
  expect(await foundInMattermost({ me: admin, config: { ...config, ShowEmailAddress: "false" } })).toEqual(fine)
  expect(await foundInMattermost({ status: 401, me: { message: "Invalid or expired session" } })).toEqual([
    "bad mattermost: Mattermost refuses the bot (401): Invalid or expired session",
  ])
  expect(await foundInMattermost({ status: 502 })).toEqual([
    "warn mattermost: Mattermost cannot be asked: Mattermost answered with 502",
  ])
  expect(await foundInMattermost({ url: "https://inside.test" })).toEqual([
    "bad mattermost: mattermost.url: inside.test has the address 10.0.0.1, which is not public",
  ])
  expect(await foundInMattermost({ me, config, tokens: ["xoxb-1"] })).toEqual([
    "warn mattermost: mattermost.tokens holds one that does not look like a token (26 letters and digits), so commands may be refused",
    ...fine,
  ])
})
