import type { SecretlessConfig } from "../../config/settings.ts"
import { type EndedLogin, LoginRefusal, type ProvidedProfile } from "../../domain/auth/single-sign-on.ts"
import type { Clock } from "../../domain/clock.ts"
import { isLine } from "../../domain/text.ts"
import { isLoopback } from "../../net/addresses.ts"
import type { Resolve } from "../../net/resolver.ts"
import { createDiscovery } from "./discovery.ts"
import { createProviderFetch, encrypted, timeoutMs } from "./fetch.ts"
import type { Flow } from "./flow.ts"
import { clockToleranceSeconds, maxSubjectLength } from "./limits.ts"
import { createLogoutTokens } from "./logout-tokens.ts"
import { addressIsVerified, type Claims, profileOf } from "./profile.ts"
import { refusing } from "./refusals.ts"

/** The concurrency limit of log-ins that wait for the provider. */
export const maxWaitingLogins = 64

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  readonly scopes: string
  readonly departmentClaim: string | null
  readonly dutyClaim: string | null
  readonly trustsEmail: boolean
  /** Path of a PEM file. */
  readonly ca: string | null
}

interface ProviderOptions {
  /** The time limit of all requests for its metadata. */
  readonly metadataMs?: number
  readonly resolve?: Resolve | undefined
}

/** Null when no provider is set. */
export function providerSettingsOf({ oidc }: Pick<SecretlessConfig, "oidc">): ProviderSettings | null {
  const { issuer, client_id: clientId, client_secret: clientSecret, scopes, ca } = oidc
  if (issuer === null || clientId === null) return null
  const { department_claim: departmentClaim, duty_claim: dutyClaim, trust_email: trustsEmail } = oidc
  return { issuer, clientId, clientSecret, scopes, departmentClaim, dutyClaim, trustsEmail, ca }
}

export type Provider = ReturnType<typeof createProvider>

/**
 * The OpenID Connect provider. The library, loaded on first use, makes the requests and checks state, nonce and issuer
 * of an answer, and signature, algorithm, issuer, audience, expiry and beginning of the ID token.
 */
export function createProvider(
  settings: ProviderSettings,
  clock: Clock,
  { metadataMs, resolve }: ProviderOptions = {},
) {
  const { issuer, clientId, clientSecret, scopes, departmentClaim, dutyClaim } = settings
  const fetchFrom = createProviderFetch({ ca: settings.ca, timeoutMs, resolve })
  const discover = createDiscovery({ issuer, clientId, fetchFrom, clock, metadataMs })
  const readLogoutToken = createLogoutTokens({ issuer, clientId, fetchFrom })
  const allowsPlain = isLoopback(new URL(issuer).hostname)
  let waiting = 0

  return {
    discover,

    /** Where the browser logs in. @throws LoginRefusal */
    authorizationUrl: (flow: Flow, redirectUri: string): Promise<string> =>
      refusing(async () => {
        const { client, configuration } = await connect()
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: "S256",
        })
        return encrypted(url.href)
      }),

    /**
     * The profile of the person who logged in. `callback` is the redirect URI with the provider's answer in its query.
     * @throws LoginRefusal
     */
    async exchange(
      callback: URL,
      flow: Flow,
    ): Promise<{ readonly profile: ProvidedProfile; readonly idToken: string }> {
      if (waiting >= maxWaitingLogins)
        throw new LoginRefusal("too_many", null, "too many log-ins wait for the provider")
      waiting += 1
      try {
        return await refusing(() => exchanged(callback, flow))
      } finally {
        waiting -= 1
      }
    },

    /** Whose log-in a logout token says has ended. @throws LoginRefusal */
    endedLogin: (token: string): Promise<EndedLogin> =>
      refusing(async () => readLogoutToken(token, (await discover()).metadata.jwks_uri)),

    /** Where the browser logs out at the provider; null when it has no such page. @throws LoginRefusal */
    logoutUrl: (idToken: string, returnTo: string): Promise<string | null> =>
      refusing(async () => {
        const { client, configuration } = await connect()
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null
        const url = client.buildEndSessionUrl(configuration, {
          id_token_hint: idToken,
          post_logout_redirect_uri: returnTo,
        })
        return encrypted(url.href)
      }),
  }

  async function exchanged(callback: URL, { state, nonce, verifier }: Flow) {
    const { client, configuration } = await connect()
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined || tokens.id_token === undefined) throw new LoginRefusal("failed", null, "no ID token")
    if (claims.sub === "" || claims.sub.length > maxSubjectLength || !isLine(claims.sub))
      throw new LoginRefusal("failed", null, "the ID token names nobody")
    // The library only checks that it is a number. Its clock, not `clock`, because it checks the other times by it.
    if (claims.iat > Date.now() / 1000 + clockToleranceSeconds)
      throw new LoginRefusal("failed", null, "the ID token was issued in the future; compare the clocks")
    const wanted = ["name", "email", departmentClaim, dutyClaim].filter((claim) => claim !== null)
    const hasAll = wanted.every((claim) => claim in claims)
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more: Claims =
      hasUserInfo && !(hasAll && addressIsVerified(claims, issuer) !== null)
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
    return { profile: profileOf(settings, claims, more), idToken: tokens.id_token }
  }

  /** The library, with a new configuration for each log-in, so that it loads the provider's current keys. */
  async function connect() {
    const [client, { metadata }] = await Promise.all([import("openid-client"), discover()])
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const authentication =
      clientSecret === null
        ? client.None()
        : methods.includes("client_secret_post")
          ? client.ClientSecretPost(clientSecret)
          : client.ClientSecretBasic(clientSecret)
    const options = { [client.clockTolerance]: clockToleranceSeconds }
    const configuration = new client.Configuration(metadata, clientId, options, authentication)
    configuration[client.customFetch] = fetchFrom
    configuration.timeout = timeoutMs / 1000
    if (allowsPlain) client.allowInsecureRequests(configuration)
    client.enableNonRepudiationChecks(configuration) // otherwise the signature of an ID token is not checked
    return { client, configuration }
  }
}
