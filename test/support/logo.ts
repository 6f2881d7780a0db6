import { join } from "node:path"
import { temporaryFolder } from "./executable.ts"

/** The smallest picture: one pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

/** A wide logo, dark as for white paper, that would run a script and load a picture if it could. */
export const svg = `\uFEFF<?xml version="1.0"?>
<!-- Drawn by hand -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg viewBox="0 0 240 60" xmlns="http://www.w3.org/2000/svg">
  <rect width="240" height="60" fill="#123a5c"/>
  <image href="/user/" width="1" height="1"/>
  <script>document.documentElement.setAttribute("data-ran", "yes")</script>
</svg>
`

/** A new folder with this file in it. */
export async function folderWithLogo(name: string, content: string | Uint8Array) {
  const folder = await temporaryFolder()
  const file = join(folder.path, name)
  await Bun.write(file, content)
  return { ...folder, file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}
