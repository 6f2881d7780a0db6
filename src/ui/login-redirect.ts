import { exec } from "preact-iso/router"
import { addresses } from "./addresses.ts"

/** The log-in page, with the way back to `url`. */
export function toLogin(url: string): string {
  if (url === addresses.home) return addresses.login
  // A screen that stays until the log-in is loaded may ask for it twice.
  if (isAt(new URL(url, location.origin).pathname, addresses.login)) return url
  return `${addresses.login}?next=${encodeURIComponent(url)}`
}

/** Where the log-in page at `url` leads: back to a screen of this app, or home. */
export function afterLogin(url: string): string {
  const next = new URL(url, location.origin).searchParams.get("next")
  return (next !== null && ownAddress(next)) || addresses.home
}

/** `address` as path and query when it is one of this app's, and not one that only strangers need; else null. */
function ownAddress(address: string): string | null {
  const target = URL.parse(address, location.origin)
  if (target?.origin !== location.origin) return null
  const path = `${target.pathname}${target.search}`
  // The path of `/.//host/` is `//host/`, which is another host when it is resolved once more.
  const isStable = URL.parse(path, location.origin)?.origin === location.origin
  return isStable && destinations.some((destination) => isAt(target.pathname, destination)) ? path : null
}

const destinations = Object.values(addresses).filter(
  (address) => address !== addresses.login && address !== addresses.forgot && address !== addresses.reset,
)

function isAt(path: string, address: string): boolean {
  try {
    return exec(path, address) !== undefined
  } catch {
    return false // not validly percent-encoded
  }
}
