import { listeningUrl } from "../../config/rules.ts"
import type { SecretlessConfig } from "../../config/settings.ts"
import { allowsPasskeys } from "../../second-factor/passkeys.ts"
import { type Finding, orOk, warn } from "./finding.ts"

const maxNamed = 5

/** Whether superusers can meet the setting `login.second_factor`; no finding while nobody needs one. */
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
              "they set one up at their next log-in; until then they can do nothing else",
            ),
          ]),
    ],
    "second factor",
    "every superuser has one",
  )
}
