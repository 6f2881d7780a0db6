import { addresses } from "../../addresses.ts"

/** The log-in page, with the way back to `url`. */
export const toLogin = (url: string): string =>
  url === addresses.home ? addresses.login : `${addresses.login}?next=${encodeURIComponent(url)}`

/** Where the log-in page at `url` leads: back, but never to another site. */
export function afterLogin(url: string): string {
  const next = new URL(url, location.origin).searchParams.get("next")
  if (next === null) return addresses.home
  const target = URL.parse(next, location.origin)
  return target?.origin === location.origin ? `${target.pathname}${target.search}` : addresses.home
}
