import type { ProvidedProfile } from "../../domain/auth/single-sign-on.ts"

/** What the provider states about a person. */
export type Claims = Readonly<Record<string, unknown>>

interface Source {
  readonly issuer: string
  readonly departmentClaim: string | null
  readonly dutyClaim: string | null
  /** Whether an address counts as verified where the provider does not say. */
  readonly trustsEmail: boolean
}

/** The profile in an ID token (`claims`) and in the answer of the UserInfo endpoint (`more`). */
export function profileOf(
  { issuer, departmentClaim, dutyClaim, trustsEmail }: Source,
  claims: Claims & { readonly sub: string },
  more: Claims,
): ProvidedProfile {
  const all = { ...more, ...claims }
  // E-mail address and `email_verified` must come from the same source, because the two sources may name different addresses.
  const saying = [claims, more].find((one) => addressIsVerified(one, issuer) !== null)
  const addressed = saying ?? ("email" in claims ? claims : more)
  const fullName = [textIn(all.given_name), textIn(all.family_name)].filter((part) => part !== null).join(" ")
  return {
    issuer,
    subject: claims.sub,
    email: textIn(addressed.email),
    isEmailVerified: addressIsVerified(addressed, issuer) ?? trustsEmail,
    name: textIn(all.name) ?? (fullName === "" ? null : fullName),
    preferredUsername: textIn(all.preferred_username),
    department: departmentClaim === null ? null : firstText(all[departmentClaim]),
    groups: dutyClaim === null ? null : textsIn(all[dutyClaim]),
    session: sessionIn(claims),
  }
}

/** Whether the address in these claims is verified; null when they do not say. Microsoft uses a claim of its own for it. */
export function addressIsVerified(claims: Claims, issuer: string): boolean | null {
  const isMicrosoft = /^https:\/\/login\.microsoftonline\.(com|us)\//.test(issuer)
  const word = claims.email_verified ?? (isMicrosoft ? claims.xms_edov : undefined)
  if (word === undefined) return null
  return word === true || word === 1 || (typeof word === "string" && ["true", "1"].includes(word.toLowerCase()))
}

/** The provider's id of the log-in (OpenID Connect Back-Channel Logout); null when it has none. */
export function sessionIn({ sid }: Claims): string | null {
  return typeof sid === "string" && sid !== "" && sid.length <= maxSessionLength ? sid : null
}

const maxSessionLength = 255

const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/** The texts of a list, such as groups, or the one text. */
const textsIn = (value: unknown): string[] => [value].flat().filter((one) => typeof one === "string")

/** The text, or the first of a list of texts, such as groups. */
const firstText = (value: unknown): string | null => textIn(Array.isArray(value) ? value[0] : value)
