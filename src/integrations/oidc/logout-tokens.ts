import type { CustomFetchOptions } from "openid-client"
import type { EndedLogin } from "../../domain/auth/single-sign-on.ts"
import { isLine } from "../../domain/text.ts"
import type { createProviderFetch } from "./fetch.ts"
import { clockToleranceSeconds, maxSubjectLength } from "./limits.ts"
import { sessionIn } from "./profile.ts"
import { UnacceptableExchange } from "./refusals.ts"

/** The event that a logout token states. */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"
/** How old a logout token may be, since not all have an `exp`. */
const maxAgeSeconds = 600

interface Dependencies {
  readonly issuer: string
  readonly clientId: string
  readonly fetchFrom: ReturnType<typeof createProviderFetch>
}

/**
 * Reads the tokens by which the provider says that somebody has logged out there (OpenID Connect Back-Channel Logout 1.0, section
 * 2.6). The provider's keys are kept, and read again for one that is unknown, but not more often than every 30 seconds.
 */
export function createLogoutTokens({ issuer, clientId, fetchFrom }: Dependencies) {
  let known: { readonly address: string; readonly keys: Keys } | null = null

  return async (token: string, address: string | undefined): Promise<EndedLogin> => {
    if (address === undefined) throw new UnacceptableExchange("the provider names no keys")
    const { jwtVerify } = await import("jose")
    if (known?.address !== address) known = { address, keys: await keysAt(address) }
    const { payload } = await jwtVerify(token, known.keys, {
      issuer,
      audience: clientId,
      requiredClaims: ["iat", "jti", "events"],
      maxTokenAge: maxAgeSeconds,
      clockTolerance: clockToleranceSeconds,
    })
    const { events, iat = 0, jti, sub: subject = null } = payload
    const session = sessionIn(payload)
    const isLogout = typeof events === "object" && events !== null && logoutEvent in events
    if (!isLogout || "nonce" in payload || typeof jti !== "string")
      throw new UnacceptableExchange("this is no logout token")
    if (subject !== null && (subject.length > maxSubjectLength || !isLine(subject)))
      throw new UnacceptableExchange("the logout token names nobody")
    if (subject === null && session === null) throw new UnacceptableExchange("the logout token names nobody")
    // The age at least, by the clock that the library compares the times with.
    const ageMs = Math.max(0, Date.now() - (iat + clockToleranceSeconds) * 1000)
    return { issuer, subject, session, tokenId: jti, ageMs }
  }

  async function keysAt(address: string) {
    const { createRemoteJWKSet, customFetch } = await import("jose")
    const fetch = (url: string, options: object) => fetchFrom(url, options as CustomFetchOptions)
    return createRemoteJWKSet(new URL(address), { [customFetch]: fetch })
  }
}

type Keys = ReturnType<typeof import("jose")["createRemoteJWKSet"]>
