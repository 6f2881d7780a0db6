import { isHttps } from "../config/rules.ts"
import type { SecretlessConfig } from "../config/settings.ts"

/** Seconds for which a browser that has seen this service over https asks for nothing else: a year. */
const hstsSeconds = 31_536_000

/** What no page of this server uses. Not here, and so left to this server's own pages: fullscreen and the screen's wake
 *  lock (the wall), and writing to the clipboard. */
const unusedFeatures = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "serial",
  "usb",
  "xr-spatial-tracking",
]

/**
 * On every answer, unless its route sets another value: JSON that no browser shows as anything else, frames, keeps, names
 * to other sites, or lets them embed. A page sets its own `content-security-policy`, a file that anybody may keep its own
 * `cache-control`. Configured origins read answers by CORS, which `cross-origin-resource-policy` does not touch.
 */
export const commonHeaders = ({ server }: Pick<SecretlessConfig, "server">): Readonly<Record<string, string>> =>
  Object.freeze({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": unusedFeatures.map((feature) => `${feature}=()`).join(", "),
    "cache-control": "no-store",
    ...(isHttps(server) && { "strict-transport-security": `max-age=${hstsSeconds}` }),
  })
