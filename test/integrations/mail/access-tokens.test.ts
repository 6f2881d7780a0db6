import { expect, test } from "bun:test"
import { createAccessTokens, type OAuthSettings } from "../../../src/integrations/mail/access-tokens.ts"
import { createSmtpMailer } from "../../../src/integrations/mail/smtp.ts"
import { refusalOf } from "../../storage/contract/people.ts"
import { startScriptedSmtp } from "../../support/scripted-smtp.ts"

interface Given {
  readonly status?: number
  readonly body?: object | string
}

/** The token endpoint of a provider: answers `token 1`, `token 2` and so on, unless told otherwise. */
function startProvider() {
  const requests: Record<string, string>[] = []
  const answers: Given[] = []
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      requests.push(Object.fromEntries(new URLSearchParams(await request.text())))
      const usual = { access_token: `token ${requests.length}`, expires_in: 3600, token_type: "Bearer" }
      const { status = 200, body = usual } = answers.shift() ?? {}
      return new Response(typeof body === "string" ? body : JSON.stringify(body), { status })
    },
  })
  const settings: OAuthSettings = {
    tokenUrl: `http://127.0.0.1:${server.port}/tenant/oauth2/v2.0/token`,
    clientId: "the client",
    clientSecret: "hush hush",
    refreshToken: null,
    scope: "https://outlook.office365.com/.default",
    outbound: { allowPrivate: ["127.0.0.0/8"], ports: [server.port ?? 0] },
  }
  return { requests, answers, settings, [Symbol.asyncDispose]: () => server.stop(true) }
}

const message = { from: "kudos@example.com", to: "ana@example.com", subject: "Hello", text: "Hello\n" }
const never = new AbortController().signal

test("the application logs in with a token that it asks for once, and sends as the user", async () => {
  await using provider = startProvider()
  await using server = await startScriptedSmtp()
  const mailer = createSmtpMailer({ ...server.settings, user: "kudos@example.com", oauth: provider.settings })

  await Promise.all([mailer.send(message, never), mailer.send(message, never)])
  await mailer.send(message, never)

  expect(provider.requests).toEqual([
    {
      client_id: "the client",
      client_secret: "hush hush",
      grant_type: "client_credentials",
      scope: "https://outlook.office365.com/.default",
    },
  ])
  const logins = server.commands.filter((command) => command.startsWith("AUTH"))
  const login = Buffer.from("user=kudos@example.com\x01auth=Bearer token 1\x01\x01").toString("base64")
  expect(logins).toEqual(Array(3).fill(`AUTH XOAUTH2 ${login}`))
  expect(server.messages).toHaveLength(3)
})

test("a token is replaced five minutes before it ends, and a short one halfway", async () => {
  await using provider = startProvider()
  let now = 0
  const tokens = createAccessTokens(provider.settings, undefined, () => now)
  const at = async (seconds: number) => {
    now = seconds * 1000
    return tokens.token()
  }

  expect([await at(0), await at(3299), await at(3300)]).toEqual(["token 1", "token 1", "token 2"])
  provider.answers.push({ body: { access_token: "short", expires_in: 60 } })
  expect([await at(6600), await at(6629), await at(6630)]).toEqual(["short", "short", "token 4"])
  provider.answers.push({ body: { access_token: "silent" } })
  expect([await at(10_000), await at(10_149), await at(10_150)]).toEqual(["silent", "silent", "token 6"])
})

test("a refresh token stands for the account that sends, and the provider may replace it", async () => {
  await using provider = startProvider()
  const tokens = createAccessTokens({ ...provider.settings, clientSecret: null, refreshToken: "first", scope: null })
  provider.answers.push({ body: { access_token: "one", expires_in: 3600, refresh_token: "second" } })

  await tokens.token()
  tokens.forget()
  await tokens.token()

  expect(provider.requests).toEqual(
    ["first", "second"].map((refresh_token) => ({
      client_id: "the client",
      grant_type: "refresh_token",
      refresh_token,
    })),
  )
})

test.each([
  [401, { error: "invalid_client", error_description: "AADSTS7000222: expired" }, "operator", "oauth_client_secret"],
  [400, { error: "invalid_grant", error_description: "revoked" }, "operator", "oauth_refresh_token"],
  [400, { error: "invalid_scope" }, "operator", "oauth_scope"],
  [400, { error: "unauthorized_client" }, "operator", "oauth_client_id"],
  [404, "<html>", "operator", "oauth_token_url"],
  [200, "<html>", "operator", "oauth_token_url"],
  [503, "later", "unreachable", "for now"],
  [400, { error: "temporarily_unavailable" }, "unreachable", "for now"],
  [400, { error: "invalid_grant", error_description: "expired\r\nTrace ID: 1" }, "operator", "oauth_refresh_token"],
  [429, { error: "slow_down" }, "unreachable", "for now"],
] as const)("an answer %d %j is named, and the mail waits", async (status, body, blame, cure) => {
  await using provider = startProvider()
  await using server = await startScriptedSmtp()
  const mailer = createSmtpMailer({ ...server.settings, user: "kudos@example.com", oauth: provider.settings })
  provider.answers.push({ status, body })

  const failure = await refusalOf(mailer.send(message, never))
  await mailer.send(message, never)

  expect(failure).toMatchObject({ blame, cure: expect.stringContaining(cure) })
  expect(String(failure)).not.toMatch(/hush|\n/)
  if (typeof body === "object") expect(String(failure)).toContain(`${status} ${body.error}`)
  expect(server.messages).toHaveLength(1)
})

test("the request follows the rules of all requests to other servers", async () => {
  await using provider = startProvider()
  const { settings } = provider
  const outbound = { allowPrivate: [], ports: settings.outbound.ports }

  const failure = await refusalOf(createAccessTokens({ ...settings, outbound }).token())

  expect(failure).toMatchObject({ blame: "operator", problem: expect.stringContaining("which is not public") })
  expect(provider.requests).toEqual([])
})

test("after the mail server refused a token, the next attempt comes with another", async () => {
  await using provider = startProvider()
  await using server = await startScriptedSmtp()
  const mailer = createSmtpMailer({ ...server.settings, user: "kudos@example.com", oauth: provider.settings })
  server.say("AUTH", "535 5.7.3 Authentication unsuccessful")

  const failure = await refusalOf(mailer.send(message, never))
  await mailer.send(message, never)

  expect(failure).toMatchObject({ blame: "operator", cure: expect.stringContaining("email.oauth_client_id") })
  expect(provider.requests).toHaveLength(2)
  expect(server.messages).toHaveLength(1)
})
