import { readFileSync, statSync } from "node:fs"
import { pictureKindOf } from "../domain/people/avatars.ts"
import { problemOf, UnusableFile } from "../support/system-errors.ts"

/** The company's logo, the picture of `service.logo`. */
export interface Logo {
  /** Holds a hash of the content, so that clients may keep it. */
  readonly path: string
  readonly kind: ReturnType<typeof kindOf>
  readonly bytes: Uint8Array<ArrayBuffer>
}

const maxLogoBytes = 200_000

/**
 * The picture in this file; null without one.
 * @throws UnusableFile when it cannot be read, is too large, or no picture by its first bytes
 */
export function readLogo(path: string | null): Logo | null {
  if (path === null) return null
  const bytes = readBytes(path)
  const kind = kindOf(bytes)
  if (kind === null)
    throw new UnusableFile(
      `service.logo: ${path} must hold a PNG, JPEG, WebP or SVG picture; save it as one of these, because a new name does not convert a file`,
    )
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16)
  return { path: `/logo/${hash}`, kind, bytes }
}

function readBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    const { size } = statSync(path) // first, since a wrong path may lead to a very large file
    if (size <= maxLogoBytes) return Uint8Array.from(readFileSync(path))
  } catch (error) {
    throw new UnusableFile(`service.logo: ${path} cannot be read: ${problemOf(error)}`, { cause: error })
  }
  throw new UnusableFile(
    `service.logo: ${path} must not be larger than ${maxLogoBytes / 1000} kB; save it at a height of about 200 pixels`,
  )
}

const kindOf = (bytes: Uint8Array) => pictureKindOf(bytes) ?? (isSvg(bytes) ? "svg+xml" : null)

/** Whether the root of this document is a picture that browsers draw, which needs the namespace. */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 16_384))
  const root = text.replace(/^(\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*(\[[^\]]*\]\s*)?>)*/i, "")
  return /^<svg\s[^>]*xmlns\s*=\s*["'](http:\/\/www\.w3\.org\/2000\/svg|&\w+;)["']/.test(root)
}
