import { createOutbound, fieldsIn, type Outbound, RefusedDestination } from "../../net/outbound.ts"
import { MailFailure } from "./failures.ts"

/** How this server gets access tokens with which it logs in at the mail server (OAuth 2.0, RFC 6749). */
export interface OAuthSettings {
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string | null
  /** Of the account that sends; null: the client has rights of its own (client credentials). */
  readonly refreshToken: string | null
  readonly scope: string | null
  /** The rules for requests to other servers. */
  readonly outbound: Parameters<typeof createOutbound>[0]
}

/** How long a token counts that does not say. */
const usualLifetimeSeconds = 300
/** How long before its end a token is replaced, at most half of its lifetime. */
const marginMs = 5 * 60_000
/** Answers of providers hold more than the token. */
const maxAnswerBytes = 65_536

export type AccessTokens = ReturnType<typeof createAccessTokens>

/** Keeps a token until shortly before it expires. Of several that ask at once, one request is made. */
export function createAccessTokens(
  settings: OAuthSettings,
  outbound: Pick<Outbound, "send"> = createOutbound(settings.outbound),
  elapsed: () => number = () => performance.now(),
) {
  /** A provider may replace the refresh token with each use; the one in the settings is tried first after a start. */
  let { refreshToken } = settings
  let kept: { readonly token: string; readonly until: number } | null = null
  let asking: Promise<string> | null = null

  return {
    /** @throws MailFailure: the operator's when the provider refuses, otherwise that it is not reached */
    async token(): Promise<string> {
      if (kept !== null && elapsed() < kept.until) return kept.token
      asking ??= requested().finally(() => {
        asking = null
      })
      return asking
    },
    /** The mail server does not take the token: the next one is new. */
    forget() {
      kept = null
    },
  }

  async function requested(): Promise<string> {
    const { status, body } = await answered()
    const answer = fieldsIn(body) ?? {}
    const { access_token: token, expires_in: seconds, refresh_token: replaced } = answer
    if (status !== 200) throw refusal(status, answer)
    if (typeof token !== "string" || token === "")
      throw failure("operator", "the token endpoint answers no access token", "check email.oauth_token_url")
    const lifetimeMs = 1000 * (Number(seconds) > 0 ? Number(seconds) : usualLifetimeSeconds)
    kept = { token, until: elapsed() + lifetimeMs - Math.min(marginMs, lifetimeMs / 2) }
    if (refreshToken !== null && typeof replaced === "string" && replaced !== "") refreshToken = replaced
    return token
  }

  async function answered() {
    const { tokenUrl: url, clientId, clientSecret, scope } = settings
    const form = new URLSearchParams({
      client_id: clientId,
      ...(clientSecret !== null && { client_secret: clientSecret }),
      ...(refreshToken === null
        ? { grant_type: "client_credentials" }
        : { grant_type: "refresh_token", refresh_token: refreshToken }),
      ...(scope !== null && { scope }),
    })
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" }
    try {
      return await outbound.send({ method: "POST", url, headers, body: form.toString(), maxBytes: maxAnswerBytes })
    } catch (error) {
      const problem = `the token endpoint: ${error instanceof Error ? error.message : String(error)}`
      const isRefused = error instanceof RefusedDestination
      throw failure(isRefused ? "operator" : "unreachable", problem, "check email.oauth_token_url", error)
    }
  }
}

/** The provider says in `error` what it refuses (RFC 6749, 5.2). Other answers are those of something in between. */
function refusal(status: number, { error, error_description: description }: Answer): MailFailure {
  const words = [error, description]
    .filter((part) => typeof part === "string")
    .join(": ")
    .replace(/\s+/g, " ")
  const problem = `the token endpoint answered ${status}${words === "" ? "" : ` ${words.slice(0, 300)}`}`
  if (status >= 500 || status === 429 || error === "temporarily_unavailable")
    return failure("unreachable", problem, "the provider refuses for now")
  return failure("operator", problem, cures.get(String(error)) ?? otherwise)
}

const otherwise = "check email.oauth_token_url, email.oauth_client_id and email.oauth_scope"
const cures: ReadonlyMap<string, string> = new Map([
  ["invalid_client", "check email.oauth_client_id and email.oauth_client_secret; the secret may have expired"],
  ["unauthorized_client", "allow this kind of log-in to the application of email.oauth_client_id"],
  ["invalid_grant", "log in once more as the account that sends, and set the new email.oauth_refresh_token"],
  ["invalid_scope", "check email.oauth_scope"],
])

type Answer = Readonly<Record<string, unknown>>

const failure = (blame: MailFailure["blame"], problem: string, cure: string, cause?: unknown) =>
  new MailFailure(blame, problem, cure, "EOAUTH2", { cause })
