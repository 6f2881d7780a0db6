import { expect, test } from "bun:test"
import { createCanvas } from "../../../src/formats/pictures/canvas.ts"
import { pixelsOf } from "./pixels.ts"

const white = [255, 255, 255] as const
const black = [0, 0, 0] as const

test("a picture begins in its colour, and a shape fills whole pixels, and parts of them by half", async () => {
  const canvas = createCanvas(8, 6, white)
  canvas.fill([[1, 1, 4.5, 1, 4.5, 3, 1, 3]], black)
  const pixels = pixelsOf(await canvas.png())
  expect([pixels.width, pixels.height]).toEqual([8, 6])
  expect([0, 1, 3, 4, 5].map((x) => pixels.at(x, 1))).toEqual([
    [...white],
    [...black],
    [...black],
    [128, 128, 128],
    [...white],
  ])
  expect([0, 1, 2, 3].map((y) => pixels.at(2, y)[0])).toEqual([255, 0, 0, 255])
})

test("a slanted edge shades each pixel by what is inside of it, however flat or steep, and holes stay empty", async () => {
  const canvas = createCanvas(12, 12, white)
  canvas.fill([[0, 0, 10, 0, 0, 5]], black)
  const flat = pixelsOf(await canvas.png())
  // In the first row the edge goes from x = 10 to 8: a quarter of the pixel at 9 is inside, and three quarters of that at 8.
  expect([7, 8, 9, 10].map((x) => flat.at(x, 0)[0])).toEqual([0, 64, 191, 255])

  const frame = createCanvas(12, 12, white)
  frame.fill(
    [
      [1, 1, 9, 1, 9, 9, 1, 9],
      [3, 3, 3, 7, 7, 7, 7, 3],
    ],
    black,
  )
  const hollow = pixelsOf(await frame.png())
  expect([1, 2, 3, 5, 7, 8, 9].map((x) => hollow.at(x, 5)[0])).toEqual([0, 0, 255, 255, 0, 0, 255])
})

test("a shape that reaches beyond the picture is left out", async () => {
  const canvas = createCanvas(4, 4, white)
  canvas.fill([[-1, 0, 3, 0, 3, 3]], black)
  canvas.fill([], black)
  expect(pixelsOf(await canvas.png()).painted(white, { left: 0, top: 0, right: 4, bottom: 4 })).toBe(0)
})
