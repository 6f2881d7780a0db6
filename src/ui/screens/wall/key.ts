/** As long as browsers keep a cookie; each opening of the wall begins it anew. */
const keptSeconds = 400 * 24 * 3600

/** Takes the key of `/wall#key=...` out of the address bar into the cookie that the server looks for. */
export function takeWallKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key")
  if (given !== null) history.replaceState(null, "", location.pathname + location.search)
  const key = given ?? keptKey()
  if (key === null || !/^[\w-]+$/.test(key)) return
  const secure = location.protocol === "https:" ? "; Secure" : ""
  // biome-ignore lint/suspicious/noDocumentCookie: before anything is asked of the server; cookieStore answers later
  document.cookie = `wall_key=${key}; Path=/; Max-Age=${keptSeconds}; SameSite=Strict${secure}`
}

/** Whether this browser has been a wall that needs no log-in, or was meant to become one. */
export const hasWallKey = (): boolean => keptKey() !== null

const keptKey = (): string | null => /(?:^|; )wall_key=([^;]+)/.exec(document.cookie)?.[1] ?? null
