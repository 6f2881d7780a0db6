let resetLinkToken: string | null = null

/** Moves the token of a reset link from the address bar into memory. */
export function takeResetToken() {
  const address = new URL(location.href)
  const token = address.searchParams.get("pwd_reset_token")
  if (token === null) return
  resetLinkToken = token
  address.searchParams.delete("pwd_reset_token")
  history.replaceState(null, "", address)
}

export interface ResetLink {
  readonly token: string
  readonly username: string
  /** The name of somebody who is invited; null in the link of a forgotten password. */
  readonly name: string | null
}

/**
 * The token of the reset link and the names in it. The signature is unverified, so the username is only sent to the
 * server and given to password managers, and the name is shown only after the server has accepted the token. Null
 * without a readable token.
 */
export function resetLink(): ResetLink | null {
  if (resetLinkToken === null) return null
  const { sub, name } = claimsOf(resetLinkToken)
  if (typeof sub !== "string" || !usernameShape.test(sub)) return null
  return { token: resetLinkToken, username: sub, name: typeof name === "string" ? name : null }
}

function claimsOf(token: string): { readonly sub?: unknown; readonly name?: unknown } {
  try {
    const claims: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(token.split(".")[1] ?? "")))
    return typeof claims === "object" && claims !== null ? claims : {}
  } catch {
    return {}
  }
}

/** The server's rule for usernames: 1 to 64 visible characters without `/ ? # % \`, and not `.` or `..`. */
const usernameShape = /^(?!\.{1,2}$)[^/?#%\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]{1,64}$/u

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))

/** The longest lifetime that browsers allow. Each page load renews it. */
const cookieSeconds = 400 * 24 * 3600

/** Moves the key of `/wall#key=...` from the address bar into the cookie that the server checks. */
export function takeWallKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key")
  if (given !== null) history.replaceState(null, "", location.pathname + location.search)
  const key = given ?? storedKey()
  if (key === null || !/^[\w-]+$/.test(key)) return
  const secure = location.protocol === "https:" ? "; Secure" : ""
  // biome-ignore lint/suspicious/noDocumentCookie: set before the first request; cookieStore is asynchronous
  document.cookie = `wall_key=${key}; Path=/; Max-Age=${cookieSeconds}; SameSite=Strict${secure}`
}

/** Whether this browser has a wall key in its cookies. */
export const hasWallKey = (): boolean => storedKey() !== null

const storedKey = (): string | null => /(?:^|; )wall_key=([^;]+)/.exec(document.cookie)?.[1] ?? null
