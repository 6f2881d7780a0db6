import { exec } from "preact-iso/router"
import { addresses, withQuery } from "./addresses.ts"

/** The address of the log-in page, with `url` as the way back. */
export function toLogin(url: string): string {
  if (url === addresses.home) return addresses.login
  // `url` may already be the log-in page, because the old screen stays until the log-in page is loaded.
  if (isAt(new URL(url, location.origin).pathname, addresses.login)) return url
  return `${addresses.login}?next=${encodeURIComponent(url)}`
}

/** Where to go after a log-in at `url`: back to an address of this app, or home. */
export function afterLogin(url: string): string {
  const next = new URL(url, location.origin).searchParams.get("next")
  return (next !== null && ownAddress(next)) || addresses.home
}

/** Where somebody who is logged in goes from the log-in page at `url`. Superusers who could not connect their company account
 *  come there from the provider: their profile says why. */
export function whenLoggedIn(url: string): string {
  const error = new URL(url, location.origin).searchParams.get("error")
  return error === null ? afterLogin(url) : withQuery(addresses.me, { error })
}

/** Returns path and query if `address` belongs to this app and is useful after a log-in; otherwise null. */
function ownAddress(address: string): string | null {
  const target = URL.parse(address, location.origin)
  if (target?.origin !== location.origin) return null
  const path = `${target.pathname}${target.search}`
  // Prevents an open redirect: the path of `/.//host/` is `//host/`, which would resolve to another host.
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
    return false // invalid percent-encoding
  }
}
