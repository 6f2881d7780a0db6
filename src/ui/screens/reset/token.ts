let taken: string | null = null

/** Takes the token of the reset link out of the address bar and keeps it for this page. */
export function takeResetToken() {
  const address = new URL(location.href)
  const token = address.searchParams.get("pwd_reset_token")
  if (token === null) return
  taken = token
  address.searchParams.delete("pwd_reset_token")
  history.replaceState(null, "", address)
}

/** The link's token and whose it is; null where there is none that could be read. Only the server judges it. */
export function resetToken(): { readonly token: string; readonly username: string } | null {
  const username = taken === null ? null : subjectOf(taken)
  return taken === null || username === null ? null : { token: taken, username }
}

function subjectOf(token: string): string | null {
  try {
    const claims: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(token.split(".")[1] ?? "")))
    const isNamed = typeof claims === "object" && claims !== null && "sub" in claims && typeof claims.sub === "string"
    return isNamed ? (claims as { sub: string }).sub : null
  } catch {
    return null
  }
}

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0))
