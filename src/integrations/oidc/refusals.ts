import { LoginRefusal, type LoginRefusalCode } from "../../domain/auth/single-sign-on.ts"
import { explained, UnusableFile } from "../../support/system-errors.ts"

/** The answer is too large, or the request would not be encrypted. */
export class UnacceptableExchange extends Error {
  override readonly name = "UnacceptableExchange"
}

/** The issuer in the provider's metadata is not the one of the setting. */
export class WrongIssuer extends Error {
  override readonly name = "WrongIssuer"

  constructor(readonly stated: string) {
    super(`the provider calls itself ${JSON.stringify(stated.slice(0, 200))}`)
  }
}

/** Throws a LoginRefusal for whatever goes wrong with the provider. */
export async function refusing<T>(act: () => Promise<T>): Promise<T> {
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
const statedErrors: ReadonlyMap<string, LoginRefusalCode> = new Map([
  ["access_denied", "denied"],
  ["login_required", "denied"],
  ["interaction_required", "denied"],
  ["consent_required", "denied"],
  ["server_error", "unavailable"],
  ["temporarily_unavailable", "unavailable"],
  ["invalid_grant", "expired"], // the code was used before
])

function codeFor(chain: readonly unknown[]): LoginRefusalCode {
  const stated = statedError(chain)
  if (stated !== null) return statedErrors.get(stated) ?? "failed"
  const response = chain.find((one) => one instanceof Response)
  if (response) return response.status >= 500 || response.status === 429 ? "unavailable" : "failed"
  // The library sets a code for every fault in an answer. Without a code there was no answer.
  const [outermost] = chain
  const code = codeOf(outermost)
  return code === null || code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT" ? "unavailable" : "failed"
}

function reasonOf(chain: readonly unknown[]): string {
  const stated = statedError(chain)
  if (stated !== null) return explainedStatement(chain, stated)
  const response = chain.find((one) => one instanceof Response)
  if (response) return `the provider answers with status ${response.status}`
  const [outermost] = chain
  if (codeOf(outermost) === "OAUTH_TIMEOUT") return "the provider did not answer in time"
  const errors = chain.filter((one) => one instanceof Error)
  return explained(errors.at(-1)).problem
}

const statedError = (chain: readonly unknown[]): string | null => textIn(chain, "error")

/** With what the provider says about it, and what the operator can do. */
function explainedStatement(chain: readonly unknown[], error: string): string {
  const description = textIn(chain, "error_description")
  const more = description === null ? "" : `, ${JSON.stringify(description.slice(0, 300))}`
  const cure = cures.has(error) ? `; ${cures.get(error)}` : ""
  return `the provider answers ${JSON.stringify(error.slice(0, 100))}${more}${cure}`
}

const ofClient = "correct oidc.client_id and oidc.client_secret: it does not know this service by them"
/** `unauthorized_client` is what Keycloak says about a wrong secret. */
const cures: ReadonlyMap<string, string> = new Map([
  ["invalid_client", ofClient],
  ["unauthorized_client", ofClient],
  ["invalid_scope", "correct oidc.scopes"],
])

/** A text that the provider states in an error. */
function textIn(chain: readonly unknown[], field: "error" | "error_description"): string | null {
  const text = chain
    .map((one) => (one instanceof Error ? Reflect.get(one, field) : null))
    .find((one) => typeof one === "string")
  return text === undefined ? null : String(text)
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
