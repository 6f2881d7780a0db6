import { isHttps } from "../config/rules.ts"
import type { SecretlessConfig } from "../config.ts"

/** Seconds for which a browser that has seen this service over https asks for nothing else: a year. */
const hstsSeconds = 31_536_000

/**
 * On every answer, unless its route sets another value: JSON that no browser shows as anything else, frames, keeps, or
 * names to other sites. A page sets its own `content-security-policy`, a file that anybody may keep its own
 * `cache-control`.
 */
export const commonHeaders = ({ server }: Pick<SecretlessConfig, "server">): Readonly<Record<string, string>> =>
  Object.freeze({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    ...(isHttps(server) && { "strict-transport-security": `max-age=${hstsSeconds}` }),
  })
