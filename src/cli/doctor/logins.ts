import { listeningUrl } from "../../config/rules.ts"
import type { SecretlessConfig } from "../../config/settings.ts"
import { LoginRefusal } from "../../domain/auth/single-sign-on.ts"
import { clockToleranceSeconds } from "../../integrations/oidc/limits.ts"
import { createProvider, type ProviderSettings } from "../../integrations/oidc/provider.ts"
import { WrongIssuer } from "../../integrations/oidc/refusals.ts"
import { allowsPasskeys } from "../../security/passkeys.ts"
import { UnusableFile } from "../../support/system-errors.ts"
import { bad, type Finding, orOk, warn } from "./finding.ts"

const check = "single sign-on"

/** Reads the provider's metadata and compares its clock. No finding without a provider (`settings` null). */
export async function checkProvider(settings: ProviderSettings | null, now: number): Promise<readonly Finding[]> {
  if (settings === null) return []
  const { issuer, clientSecret } = settings
  try {
    const { metadata, date } = await createProvider(settings, () => now).discover()
    const findings = [...checkClocks(now, date), ...(clientSecret === null ? [noSecret] : [])]
    const end = metadata.end_session_endpoint === undefined ? "; it offers no log-out" : ""
    return orOk(findings, check, `${issuer} answers, and its clock agrees${end}`)
  } catch (error) {
    if (!(error instanceof LoginRefusal)) throw error
    return [failureOf(issuer, error)]
  }
}

const noSecret = warn(
  check,
  "there is no oidc.client_secret, so the provider must know this service as a public client",
  "set it, unless the client is public there",
)

function checkClocks(now: number, date: number | null): Finding[] {
  const seconds = Math.round(Math.abs(now - (date ?? now)) / 1000)
  if (seconds <= clockToleranceSeconds / 2) return []
  const message = `the provider's clock differs by ${seconds} s; log-ins fail beyond ${clockToleranceSeconds} s`
  return [(seconds > clockToleranceSeconds ? bad : warn)(check, message, "let NTP set the clock that is wrong")]
}

function failureOf(issuer: string, { code, message, cause }: LoginRefusal): Finding {
  const root = cause instanceof Error ? cause : undefined
  if (root instanceof WrongIssuer) return bad(check, message, `set oidc.issuer to ${JSON.stringify(root.stated)}`)
  const file = causeIn(root)
  if (file !== null) return bad(check, file.message, "see oidc.ca")
  const cure =
    code === "unavailable"
      ? "check oidc.issuer, the network and, with a private certificate authority, oidc.ca"
      : "check oidc.issuer: /.well-known/openid-configuration is read below it"
  return bad(check, `${issuer} cannot be used: ${message}`, cure)
}

/** The UnusableFile among the causes of a library error; null when there is none. */
function causeIn(error: unknown): UnusableFile | null {
  if (error instanceof UnusableFile) return error
  return error instanceof Error ? causeIn(error.cause) : null
}

const maxNamed = 5

/** Checks that superusers can meet `login.second_factor`; no finding when it requires none. */
export function checkSecondFactors(
  { login, server }: Pick<SecretlessConfig, "login" | "server">,
  withoutFactor: readonly string[],
): readonly Finding[] {
  if (login.second_factor === "off") return []
  const others = withoutFactor.length - maxNamed
  const named = withoutFactor.slice(0, maxNamed).join(", ") + (others > 0 ? ` and ${others} more` : "")
  return orOk(
    [
      ...(allowsPasskeys(server.base_url ?? listeningUrl(server, server.port))
        ? []
        : [
            warn(
              "second factor",
              "browsers make no passkeys for this address; one-time codes remain",
              "set server.base_url to an https address with a host name",
            ),
          ]),
      ...(withoutFactor.length === 0
        ? []
        : [
            warn(
              "second factor",
              `superusers without one: ${named}`,
              "they set one up at their next log-in; until then they can do nothing else, nor can their API tokens",
            ),
          ]),
    ],
    "second factor",
    "every superuser has one",
  )
}
