import type { CustomFetchOptions, ServerMetadata } from "openid-client"
import type { SecretlessConfig } from "../../config/settings.ts"
import { LoginRefusal, type LoginRefusalCode, type ProvidedProfile } from "../../domain/auth/single-sign-on.ts"
import type { Clock } from "../../domain/clock.ts"
import { isLine } from "../../domain/text.ts"
import { isLoopback } from "../../net/addresses.ts"
import { readAuthorities } from "../../net/authorities.ts"
import { explained, UnusableFile } from "../../support/system-errors.ts"
import type { Flow } from "./flow.ts"

/** The time limit of each request to the provider. */
const timeoutMs = 10_000
/** The time limit of all requests for its metadata together, for which a browser at `/oidc/login` waits. */
const metadataTimeoutMs = 5000
/** When the provider's metadata are renewed. */
const refreshMs = 3_600_000
/** How long a failure to load the metadata is cached, so that log-ins do not wait for a provider that is down. */
const failurePauseMs = 5000
/** How many times the metadata are requested before the failure is cached. */
const attempts = 2
/** How far the provider's clock may differ from this machine's. */
export const clockToleranceSeconds = 60
/** The limit of OpenID Connect for `sub`. */
const maxSubjectLength = 255
/** The concurrency limit of log-ins that wait for the provider. */
export const maxWaitingLogins = 64

export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  readonly scopes: string
  readonly departmentClaim: string | null
  /** Path of a PEM file. */
  readonly ca: string | null
}

/** Null when no provider is set. */
export function providerSettingsOf({ oidc }: Pick<SecretlessConfig, "oidc">): ProviderSettings | null {
  const { issuer, client_id, client_secret, scopes, department_claim, ca } = oidc
  if (issuer === null || client_id === null) return null
  return { issuer, clientId: client_id, clientSecret: client_secret, scopes, departmentClaim: department_claim, ca }
}

/** The metadata of the provider (OpenID Connect Discovery). */
interface Discovery {
  readonly metadata: ServerMetadata
  /** The time by the provider's clock, in milliseconds since the epoch; null when its answer has no date. */
  readonly date: number | null
}

export type Provider = ReturnType<typeof createProvider>

/**
 * The OpenID Connect provider. The library, loaded on first use, makes the requests and checks state, nonce and issuer
 * of an answer, and signature, algorithm, issuer, audience, expiry and beginning of the ID token.
 */
export function createProvider(settings: ProviderSettings, clock: Clock, metadataMs = metadataTimeoutMs) {
  const { issuer, clientId, clientSecret, scopes, departmentClaim } = settings
  const fetchFrom = createProviderFetch({ ca: settings.ca, timeoutMs })
  const allowsPlain = isLoopback(new URL(issuer).hostname)
  let known: (Discovery & { readonly at: number }) | null = null
  let failure: { readonly refusal: LoginRefusal; readonly at: number } | null = null
  let pending: Promise<Discovery> | null = null
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
    const hasAll = ["name", "email", ...(departmentClaim === null ? [] : [departmentClaim])].every(
      (claim) => claim in claims,
    )
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more: Claims =
      hasUserInfo && !(hasAll && verifiedBy(claims) !== null)
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {}
    return { profile: profileOf(claims, more), idToken: tokens.id_token }
  }

  function profileOf(claims: Claims & { readonly sub: string }, more: Claims): ProvidedProfile {
    const all = { ...more, ...claims }
    // E-mail address and `email_verified` must come from the same source, because the two sources may name different addresses.
    const addressed = verifiedBy(claims) === null ? more : claims
    const fullName = [textIn(all.given_name), textIn(all.family_name)].filter((part) => part !== null).join(" ")
    return {
      issuer,
      subject: claims.sub,
      email: textIn(addressed.email),
      isEmailVerified: verifiedBy(addressed) === true,
      name: textIn(all.name) ?? (fullName === "" ? null : fullName),
      preferredUsername: textIn(all.preferred_username),
      department: departmentClaim === null ? null : firstText(all[departmentClaim]),
    }
  }

  function verifiedBy(claims: Claims): boolean | null {
    return addressIsVerified(claims, issuer)
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

  /**
   * The provider's metadata. Nobody waits for them but the first to log in: old ones are renewed while a log-in uses them,
   * and are better than none. @throws LoginRefusal
   */
  async function discover(): Promise<Discovery> {
    const isWithin = (ms: number, at: number) => Math.abs(clock() - at) < ms // also when the clock was set back
    if (known === null) {
      if (failure !== null && isWithin(failurePauseMs, failure.at)) throw failure.refusal
      return renewed()
    }
    if (!isWithin(refreshMs, known.at)) renewed().catch(() => {})
    return known
  }

  /** One request for all log-ins at the same time. */
  function renewed(): Promise<Discovery> {
    pending ??= renew().finally(() => {
      pending = null
    })
    return pending
  }

  async function renew(): Promise<Discovery> {
    try {
      known = { ...(await discovered()), at: clock() }
      return known
    } catch (error) {
      if (error instanceof LoginRefusal) failure = { refusal: error, at: clock() }
      if (known !== null) known = { ...known, at: clock() - refreshMs + failurePauseMs }
      throw error
    }
  }

  async function discovered(): Promise<Discovery> {
    const limit = AbortSignal.timeout(metadataMs)
    for (let attempt = 1; ; attempt += 1)
      try {
        return await refusing(() => askForMetadata(limit))
      } catch (error) {
        const isTransient = error instanceof LoginRefusal && error.code === "unavailable"
        if (attempt === attempts || !isTransient || limit.aborted) throw error
      }
  }

  async function askForMetadata(limit: AbortSignal): Promise<Discovery> {
    const client = await import("openid-client")
    let date: number | null = null
    const options = {
      timeout: timeoutMs / 1000,
      [client.customFetch]: async (address: string, init: CustomFetchOptions) => {
        const response = await fetchFrom(address, { ...init, signal: limit })
        const stated = Date.parse(response.headers.get("date") ?? "")
        date = Number.isNaN(stated) ? null : stated
        return response
      },
      ...(allowsPlain && { execute: [client.allowInsecureRequests] }),
    }
    const address = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)
    const found = await client.discovery(address, clientId, undefined, client.None(), options)
    const metadata = found.serverMetadata()
    // Checked here, because the library accepts a different issuer where the configured one is Microsoft's.
    if (metadata.issuer !== issuer) throw new WrongIssuer(metadata.issuer)
    return { metadata, date }
  }
}

/** Whether the address in these claims is verified; null when they do not say. Microsoft uses a claim of its own for it. */
export function addressIsVerified(claims: Claims, issuer: string): boolean | null {
  const isMicrosoft = /^https:\/\/login\.microsoftonline\.(com|us)\//.test(issuer)
  const word = claims.email_verified ?? (isMicrosoft ? claims.xms_edov : undefined)
  return word === undefined ? null : word === true || word === "true" || word === 1 || word === "1"
}

/** The issuer in the provider's metadata is not the one of the setting. */
export class WrongIssuer extends Error {
  override readonly name = "WrongIssuer"

  constructor(readonly stated: string) {
    super(`the provider calls itself ${JSON.stringify(stated.slice(0, 200))}`)
  }
}

type Claims = Readonly<Record<string, unknown>>

const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** The text, or the first of a list of texts, such as groups. */
const firstText = (value: unknown): string | null => textIn(Array.isArray(value) ? value[0] : value)

function encrypted(address: string): string {
  if (!isEncrypted(address)) throw new UnacceptableExchange("the provider names an address that is not https")
  return address
}

async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): LoginRefusal {
  if (error instanceof LoginRefusal) return error
  const chain = causesOf(error)
  const own = chain.find(
    (one) => one instanceof UnacceptableExchange || one instanceof UnusableFile || one instanceof WrongIssuer,
  )
  const code = own ? "failed" : codeFor(chain)
  return new LoginRefusal(code, null, own?.message ?? reasonOf(chain), { cause: error })
}

/** Maps errors that the provider reports (OAuth 2.0, sections 4.1.2.1 and 5.2) to what the person is told. */
const statedErrors: Readonly<Record<string, LoginRefusalCode>> = {
  access_denied: "denied",
  login_required: "denied",
  interaction_required: "denied",
  consent_required: "denied",
  server_error: "unavailable",
  temporarily_unavailable: "unavailable",
  invalid_grant: "expired", // the code was used before
}

function codeFor(chain: readonly unknown[]): LoginRefusalCode {
  const stated = statedError(chain)
  if (stated !== null) return statedErrors[stated] ?? "failed"
  const response = chain.find((one) => one instanceof Response)
  if (response) return response.status >= 500 || response.status === 429 ? "unavailable" : "failed"
  // The library sets a code for every fault in an answer. Without a code there was no answer.
  const [outermost] = chain
  const code = codeOf(outermost)
  return code === null || code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT" ? "unavailable" : "failed"
}

function reasonOf(chain: readonly unknown[]): string {
  const stated = statedError(chain)
  if (stated !== null) return `the provider answers ${JSON.stringify(stated.slice(0, 100))}`
  const response = chain.find((one) => one instanceof Response)
  if (response) return `the provider answers with status ${response.status}`
  const [outermost] = chain
  if (codeOf(outermost) === "OAUTH_TIMEOUT") return "the provider did not answer in time"
  const errors = chain.filter((one) => one instanceof Error)
  return explained(errors.at(-1)).problem
}

function statedError(chain: readonly unknown[]): string | null {
  const stating = chain.find((one) => one instanceof Error && "error" in one && typeof one.error === "string")
  return stating ? String((stating as Error & { readonly error: unknown }).error) : null
}

const codeOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("OAUTH_")
    ? error.code
    : null

/** The error and its chain of causes. */
function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (
    let one: unknown = error;
    one !== undefined && chain.length < 9;
    one = one instanceof Error ? one.cause : undefined
  )
    chain.push(one)
  return chain
}

/** Far above any valid answer: metadata and keys take a few kilobytes. */
const maxBytes = 512 * 1024

interface Options {
  /** Path of the certificate authorities to trust instead of the system's; null: the system's. */
  readonly ca: string | null
  /** The time limit of a whole request, the body included. */
  readonly timeoutMs: number
}

/** The answer is too large, or the request would not be encrypted. */
class UnacceptableExchange extends Error {
  override readonly name = "UnacceptableExchange"
}

/**
 * Fetches from the provider: encrypted except on this machine, without following redirects, in bounded time and size.
 * Does not use ../outbound.ts, which refuses private addresses and cuts off long answers: here the operator chose the
 * address, and a part of a document is of no use.
 * @throws UnusableFile, UnacceptableExchange, and what `fetch` throws
 */
export function createProviderFetch({ ca, timeoutMs }: Options) {
  return async (address: string, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> => {
    if (!isEncrypted(address)) throw new UnacceptableExchange("the provider names an address that is not https")
    const request: BunFetchRequestInit = {
      method,
      headers,
      ...(body != null && { body: `${body}` }), // a form
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment cannot turn it off.
      tls: { rejectUnauthorized: true, ...(ca !== null && { ca: readAuthorities("oidc.ca", ca) }) },
    }
    const response = await fetch(address, request)
    const bytes = await boundedBody(response)
    return new Response(bytes.length === 0 ? null : bytes, {
      status: response.status,
      headers: plain(response.headers),
    })
  }
}

/** Whether the URL begins with https, or leads to this machine. */
function isEncrypted(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
}

async function boundedBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new UnacceptableExchange(`the provider answers with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The headers without those that describe the transferred bytes. */
function plain(received: Headers): Headers {
  const headers = new Headers(received)
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name)
  return headers
}
