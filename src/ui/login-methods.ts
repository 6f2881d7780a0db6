import { signal } from "@preact/signals"
import { exec } from "preact-iso/router"
import { addresses, withQuery } from "./addresses.ts"

/** What somebody has typed as their name, kept while the log-in page leads to that of a forgotten password and back. */
export const typedName = signal("")

interface LoginMethods {
  readonly password: boolean
  /** How many characters a new password has at least. */
  readonly password_min_length: number
  /** Log-in through a provider. `button` is null for the default text. */
  readonly oidc: { readonly button: string | null } | null
}

const content = document.querySelector<HTMLMetaElement>('meta[name="login-methods"]')?.content

/** The log-in methods of this server, from a meta tag of the page. */
export const loginMethods = (
  content ? JSON.parse(content) : { password: true, password_min_length: 1, oidc: null }
) as LoginMethods

/**
 * The address that starts a log-in through the provider. Afterwards the server redirects to `url`, or, if `url` is the
 * log-in page, to the page that follows a log-in there.
 */
export function throughProvider(url: string): string {
  const isLogin = new URL(url, location.origin).pathname === addresses.login
  return withQuery("/oidc/login", { next: isLogin ? afterLogin(url) : url })
}

/** The address of the log-in page, with `url` as the way back. */
export function toLogin(url: string): string {
  if (url === addresses.home) return addresses.login
  // `url` may already be the log-in page, because the old screen stays until the log-in page is loaded.
  if (isAt(new URL(url, location.origin).pathname, addresses.login)) return url
  return `${addresses.login}?next=${encodeURIComponent(url)}`
}

/** Where to go after a log-in at `url`: back to an address of this app, or home. */
function afterLogin(url: string): string {
  const next = new URL(url, location.origin).searchParams.get("next")
  return (next !== null && ownAddress(next)) || addresses.home
}

/**
 * Where a logged-in user goes from the log-in page at `url`. An error in its query means that a superuser failed to
 * connect a company account; the profile shows why.
 */
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
