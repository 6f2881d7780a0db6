/** Every address of the app, in the router's form; the server answers each with the page. */
export const addresses = {
  home: "/",
  login: "/login",
  forgot: "/forgot",
  reset: "/reset-password",
  people: "/people",
  person: "/people/:username",
  history: "/history",
  leaderboard: "/leaderboard",
  wall: "/wall",
  me: "/me",
  admin: "/admin",
  adminNew: "/admin/new",
  adminImport: "/admin/import",
  adminServer: "/admin/server",
  account: "/admin/people/:username",
  adminPart: "/admin/:part",
} as const

/** The page of one person. */
export const personAddress = (username: string): string => `/people/${encodeURIComponent(username)}`

/** Somebody's account, for superusers. */
export const accountAddress = (username: string): string => `/admin/people/${encodeURIComponent(username)}`

/** Addresses that strangers may open. The wall shows what the stream gives, and the server knows to whom. */
export const publicAddresses: readonly string[] = [addresses.login, addresses.forgot, addresses.reset, addresses.wall]

/** The address with what is given of these values; what is empty is left out. */
export function withQuery(address: string, values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value)
  return query.size === 0 ? address : `${address}?${query}`
}
