import { avatarPath } from "../domain/avatars.ts"

/** A picture that this server keeps, as an address that everybody can follow; others as they are. */
export const addressOf = (avatar: string | null, url: string): string | null =>
  avatar?.startsWith(avatarPath) ? url + avatar : avatar

/** The way back: whoever sends what was shown changes nothing. */
export const avatarOf = (address: string | null, url: string): string | null =>
  address?.startsWith(url + avatarPath) ? address.slice(url.length) : address
