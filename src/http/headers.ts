import { isHttps } from "../config/rules.ts"
import type { SecretlessConfig } from "../config/settings.ts"

/** How long a browser that has used https here refuses plain http: a year. */
const hstsSeconds = 31_536_000

/** Browser features that no page here uses. The app does use fullscreen, the wake lock (the wall) and the clipboard. */
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
 * Headers of every answer, unless its route sets another value. Browsers must not sniff, frame, embed or cache the
 * answer, nor send its address to other sites. Pages set their own `content-security-policy`, public files their own
 * `cache-control`. `cross-origin-resource-policy` does not affect configured origins, which read answers by CORS.
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
