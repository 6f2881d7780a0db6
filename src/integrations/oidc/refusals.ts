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
