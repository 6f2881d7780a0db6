import { readFileSync, statSync } from "node:fs"
import type { PictureKind } from "../domain/people/model.ts"
import { examinedPicture, maxPixels, maxSide, type PictureFault } from "../domain/people/pictures.ts"
import { problemOf, UnusableFile } from "../support/system-errors.ts"

/** The company's logo, the picture of `service.logo`. */
export interface Logo {
  /** Holds a hash of the content, so that clients may keep it. */
  readonly path: string
  readonly kind: PictureKind | "svg+xml"
  readonly bytes: Uint8Array<ArrayBuffer>
}

const maxLogoBytes = 200_000

/**
 * The picture in this file; null without one.
 * @throws UnusableFile when it cannot be read, is too large, or is no whole picture of usual size
 */
export function readLogo(path: string | null): Logo | null {
  if (path === null) return null
  const bytes = readBytes(path)
  const kind = isSvg(bytes) ? "svg+xml" : examinedPicture(bytes)
  if (typeof kind !== "string") throw new UnusableFile(`service.logo: ${path} ${rules[kind.fault]}`)
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

const rules: Readonly<Record<PictureFault, string>> = {
  format:
    "must hold a PNG, JPEG, WebP or SVG picture; save it as one of these, because a new name does not convert a file",
  damaged: "is cut off or damaged; save it again",
  size: `must be at most ${maxSide} by ${maxSide} pixels; save it at a height of about 200 pixels`,
  frames: `must have at most ${maxPixels} pixels in all its frames; save it as a still picture`,
}

/** Whether the root of this document is a picture that browsers draw, which needs the namespace. */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 16_384))
  const root = text.replace(/^(\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*(\[[^\]]*\]\s*)?>)*/i, "")
  return /^<svg\s[^>]*xmlns\s*=\s*["'](http:\/\/www\.w3\.org\/2000\/svg|&\w+;)["']/.test(root)
}
