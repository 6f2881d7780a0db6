import { invalid } from "./errors.ts"

/** A small picture that this server keeps. */
export interface Picture {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly kind: PictureKind
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What the first bytes of a file say; four points stand for any byte. */
const beginnings = {
  png: "89504e470d0a1a0a",
  jpeg: "ffd8ff",
  webp: "52494646........57454250",
} as const
export type PictureKind = keyof typeof beginnings
export const pictureKinds = Object.keys(beginnings) as PictureKind[]

export const maxPictureBytes = 65_536

/** Under which pictures of this server are found, by their hash; it stands in front of them in `avatar` of a user. */
export const avatarPath = "/api/v1/avatars/"

export const isAvatarPath = (avatar: string): boolean => /^\/api\/v1\/avatars\/[0-9a-f]{64}$/.test(avatar)

/** @throws DomainError `invalid` */
export function checkedPicture(bytes: Uint8Array): PictureKind {
  const head = Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")
  const kind = pictureKinds.find((one) => new RegExp(`^${beginnings[one]}`).test(head))
  if (kind === undefined || bytes.length > maxPictureBytes)
    throw invalid("avatar", `a PNG, JPEG or WebP picture of at most ${maxPictureBytes} bytes`)
  return kind
}
