import { invalid } from "../errors.ts"
import type { PictureKind } from "../model.ts"

/** What the first bytes of a file say; four points stand for any byte. */
const beginnings = {
  png: "89504e470d0a1a0a",
  jpeg: "ffd8ff",
  webp: "52494646........57454250",
} as const
export const pictureKinds = Object.keys(beginnings) as PictureKind[]

export const maxPictureBytes = 65_536

/** Of the address of a picture, in characters. */
export const maxAvatarLength = 2048

/** Under which pictures of this server are found, by their hash; it stands in front of them in `avatar` of a user. */
export const avatarPath = "/api/v1/avatars/"

export const isAvatarPath = (avatar: string): boolean => /^\/api\/v1\/avatars\/[0-9a-f]{64}$/.test(avatar)

/**
 * An avatar as it is stored: a picture of this server as its path, any other address as it came, not yet checked.
 * `ownUrl` is where people reach this server. Whoever sees a face asks for its address with their own session, so on this
 * server it may be nothing but a picture: a CSV download would run in the name of every superuser who looks.
 * @throws DomainError `invalid`
 */
export function storedAvatar(avatar: string, ownUrl: string): string {
  if (avatar.length > 2 * maxAvatarLength) return avatar // too long for the check that follows, whatever it says
  const address = URL.parse(avatar)
  const own = URL.parse(ownUrl)
  if (address === null || own === null || siteOf(address) !== siteOf(own)) return avatar
  const prefix = own.pathname.replace(/\/$/, "")
  const path = address.pathname.startsWith(prefix) ? address.pathname.slice(prefix.length) : address.pathname
  if (!isAvatarPath(path) || address.search !== "" || address.hash !== "")
    throw invalid("avatar", `on this server only a picture that it keeps: ${avatarPath} and its hash`)
  return path
}

/** Host and port. The parser has settled capitals and other spellings of IP addresses. http and https count as one,
 *  because one usually redirects to the other; so do all names of this machine. */
function siteOf({ protocol, hostname, port }: URL): string {
  const host = hostname.replace(/\.$/, "")
  const isThisMachine = /^(.+\.)?localhost$|^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:7f/.test(host)
  const isDefaultPort = ["", "80", "443"].includes(port)
  return `${/^https?:$/.test(protocol) ? "" : protocol}${isThisMachine ? "localhost" : host}:${isDefaultPort ? "" : port}`
}

/** @throws DomainError `invalid` */
export function checkedPicture(bytes: Uint8Array): PictureKind {
  const head = Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")
  const kind = pictureKinds.find((one) => new RegExp(`^${beginnings[one]}`).test(head))
  if (kind === undefined || bytes.length > maxPictureBytes)
    throw invalid("avatar", `a PNG, JPEG or WebP picture of at most ${maxPictureBytes} bytes`)
  return kind
}
