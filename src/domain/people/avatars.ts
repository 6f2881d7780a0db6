import { invalid } from "../errors.ts"

/** Length of the URL of a picture, in characters. */
export const maxAvatarLength = 2048

/** Pictures stored on this server have this path and their hash; `avatar` of a user holds both. */
export const avatarPath = "/api/v1/avatars/"

export const isAvatarPath = (avatar: string): boolean => /^\/api\/v1\/avatars\/[0-9a-f]{64}$/.test(avatar)

/**
 * The form in which an avatar is stored: a picture on this server as its path, any other URL unchanged and not yet
 * checked. `ownUrl` is the public URL of this server. Browsers request an avatar with the session of the user who looks
 * at it, so a URL on this server must be a picture. The URL of an export would start that export whenever a superuser
 * sees the avatar.
 * @throws DomainError `invalid`
 */
export function storedAvatar(avatar: string, ownUrl: string): string {
  if (avatar.length > 2 * maxAvatarLength) return avatar // too long: the check of the field refuses it
  const address = URL.parse(avatar)
  const own = URL.parse(ownUrl)
  if (address === null || own === null || siteOf(address) !== siteOf(own)) return avatar
  const prefix = own.pathname.replace(/\/$/, "")
  const path = address.pathname.startsWith(prefix) ? address.pathname.slice(prefix.length) : address.pathname
  if (!isAvatarPath(path) || address.search !== "" || address.hash !== "")
    throw invalid("avatar", `on this server only an uploaded picture: ${avatarPath} and its hash`)
  return path
}

/** Host and port, to compare two URLs. The URL parser has normalized case and the spellings of IP addresses. http and
 *  https count as the same, because one usually redirects to the other. All names of this machine count as the same,
 *  too. */
function siteOf({ protocol, hostname, port }: URL): string {
  const host = hostname.replace(/\.$/, "")
  const isThisMachine = /^(.+\.)?localhost$|^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:7f/.test(host)
  const isDefaultPort = ["", "80", "443"].includes(port)
  return `${/^https?:$/.test(protocol) ? "" : protocol}${isThisMachine ? "localhost" : host}:${isDefaultPort ? "" : port}`
}
