import { expect, test } from "bun:test"
import { readLogo } from "../../src/config/logo.ts"
import { folderWithLogo, png, svg } from "../support/logo.ts"
import { pictures, pngOf } from "../support/pictures.ts"

const illustrator = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
]>
<svg version="1.1" xmlns="&ns_svg;" width="10" height="10"></svg>`

test("there is none without the setting", () => {
  expect(readLogo(null)).toBeNull()
})

test.each([
  ["png", png],
  ["jpeg", pictures.jpeg],
  ["webp", pictures.lossy],
  ["svg+xml", svg],
  ["svg+xml", illustrator],
] as const)("a file is %s by its bytes, whatever its name, under an address of its own", async (kind, content) => {
  await using folder = await folderWithLogo("logo.gif", content)
  const logo = readLogo(folder.file)
  expect(logo).toEqual({
    kind,
    bytes: new Uint8Array(Buffer.from(content)),
    path: expect.stringMatching(/^\/logo\/[0-9a-f]{16}$/),
  })
  await Bun.write(folder.file, `${svg}<!-- another -->`)
  expect(readLogo(folder.file)?.path).not.toBe(logo?.path)
})

const noPicture = "must hold a PNG, JPEG, WebP or SVG picture; save it as one of these"
test.each([
  ["an empty file", "", noPicture],
  ["a GIF", "GIF89a", noPicture],
  ["a page", '<!doctype html><html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>', noPicture],
  ["an SVG that browsers do not draw", "<svg viewBox='0 0 1 1'></svg>", noPicture],
  ["an unfinished comment", `<!--${" -".repeat(50_000)}`, noPicture],
  ["half a picture", pictures.jpeg.subarray(0, 300), "is cut off or damaged; save it again"],
  ["a wide picture", pngOf({ width: 2049 }), "must be at most 2048 by 2048 pixels; save it at a height of about 200"],
  [
    "a long animation",
    pngOf({ width: 2000, height: 2000, frames: Array(5).fill({ width: 1, height: 1 }) }),
    "must have at most 16777216 pixels in all its frames; save it as a still picture",
  ],
  ["a large picture", Buffer.concat([png, Buffer.alloc(200_001 - png.length)]), "must not be larger than 200 kB"],
])("%s is refused with the setting, the file and the cure", async (_, content, problem) => {
  await using folder = await folderWithLogo("logo.png", content)
  expect(() => readLogo(folder.file)).toThrow(`service.logo: ${folder.file} ${problem}`)
})

test("a picture of 200 kB fits", async () => {
  await using folder = await folderWithLogo("logo.png", Buffer.concat([png, Buffer.alloc(200_000 - png.length)]))
  expect(readLogo(folder.file)?.bytes.length).toBe(200_000)
})

test("a missing file and a folder are refused", async () => {
  await using folder = await folderWithLogo("logo.png", png)
  expect(() => readLogo(`${folder.file}.old`)).toThrow("logo.png.old cannot be read: there is no such file")
  expect(() => readLogo(folder.path)).toThrow("cannot be read: it is a folder; name a file")
})
