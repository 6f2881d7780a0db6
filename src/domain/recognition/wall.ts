import { sha256 } from "../digest.ts"

/**
 * Whether what a television presents is the wall's key, by which it watches without anybody's log-in. `key`: the setting
 * `stream.wall_key`; null lets none in. How long the answer takes tells nothing of the key.
 */
export function wallRule(key: string | null): (presented: string | null) => boolean {
  const expected = key === null ? null : Buffer.from(sha256(key))
  return (presented) =>
    expected !== null && presented !== null && crypto.timingSafeEqual(expected, Buffer.from(sha256(presented)))
}
