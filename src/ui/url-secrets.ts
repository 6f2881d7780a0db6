let resetLinkToken: string | null = null

/** Takes the token of the reset link out of the address bar and keeps it for this page. */
export function takeResetToken() {
  const address = new URL(location.href)
  const token = address.searchParams.get("pwd_reset_token")
  if (token === null) return
  resetLinkToken = token
  address.searchParams.delete("pwd_reset_token")
  history.replaceState(null, "", address)
}

/**
 * The link's token, and the username that it names: nobody has checked its signature yet, so that name is put into the
 * request and a form that only password managers read, and never shown as text. Null when there is no readable token.
 */
export function resetToken(): { readonly token: string; readonly username: string } | null {
  const username = resetLinkToken === null ? null : subjectOf(resetLinkToken)
  return resetLinkToken === null || username === null ? null : { token: resetLinkToken, username }
}

function subjectOf(token: string): string | null {
  try {
    const claims: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(token.split(".")[1] ?? "")))
    const sub = typeof claims === "object" && claims !== null && "sub" in claims ? claims.sub : null
    return typeof sub === "string" && usernameShape.test(sub) ? sub : null
  } catch {
    return null
  }
}

/** What the server takes as a username: 1 to 64 visible characters without `/ ? # % \`. */
const usernameShape = /^(?!\.{1,2}$)[^/?#%\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]{1,64}$/u

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))

/** As long as browsers keep a cookie; each opening of the wall begins it anew. */
const cookieSeconds = 400 * 24 * 3600

/** Takes the key of `/wall#key=...` out of the address bar into the cookie that the server looks for. */
export function takeWallKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key")
  if (given !== null) history.replaceState(null, "", location.pathname + location.search)
  const key = given ?? storedKey()
  if (key === null || !/^[\w-]+$/.test(key)) return
  const secure = location.protocol === "https:" ? "; Secure" : ""
  // biome-ignore lint/suspicious/noDocumentCookie: before anything is asked of the server; cookieStore answers later
  document.cookie = `wall_key=${key}; Path=/; Max-Age=${cookieSeconds}; SameSite=Strict${secure}`
}

/** Whether this browser has been a wall that needs no log-in, or was meant to become one. */
export const hasWallKey = (): boolean => storedKey() !== null

const storedKey = (): string | null => /(?:^|; )wall_key=([^;]+)/.exec(document.cookie)?.[1] ?? null
