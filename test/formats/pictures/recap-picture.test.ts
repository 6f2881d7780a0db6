import { expect, spyOn, test } from "bun:test"
import { loadLettering } from "../../../src/formats/pictures/lettering.ts"
import { drawRecap } from "../../../src/formats/pictures/recap-picture.ts"
import type { RecapWords } from "../../../src/formats/pictures/recap-words.ts"
import { pixelsOf } from "./pixels.ts"

const white = [255, 255, 255]
const heading = { left: 180, top: 40, right: 1200, bottom: 170 }
const quote = { left: 80, top: 380, right: 1140, bottom: 550 }

const said: RecapWords = {
  titles: ["Ana Souza", "ana-souza"],
  initials: "AS",
  period: "4th quarter of 2026",
  figures: [
    { name: "Received", number: "1,250", unit: " points", detail: "48 times, from 17 people" },
    { name: "Given", number: "340", unit: " points", detail: "21 times, to 11 people" },
  ],
  tags: [],
  quotes: [{ text: "You stayed until it worked.", by: "Bruno" }],
  service: "Rewards",
}

const drawn = async (more: Partial<RecapWords> = {}) => pixelsOf(await drawRecap({ ...said, ...more }))

test("the picture has 1200 by 630 pixels, with a name, figures and words on it, and always the same", async () => {
  const picture = await drawn()
  expect([picture.width, picture.height]).toEqual([1200, 630])
  for (const part of [heading, quote, { left: 90, top: 240, right: 560, bottom: 310 }])
    expect(picture.painted(white, part)).toBeGreaterThan(1000)
  expect(await drawRecap(said)).toEqual(await drawRecap(said))
  expect((await drawn({ titles: ["Bruno Lima"] })).painted(white, heading)).not.toBe(picture.painted(white, heading))
})

test("long names, numbers and words stay within the picture, which leaves its margins white", async () => {
  const long = "W".repeat(300)
  const picture = await drawn({
    titles: [`${long} ${long}`],
    figures: [
      { name: long, number: "9,007,199,254,740,991", unit: long, detail: long },
      { name: long, number: "1", unit: long, detail: long },
    ],
    tags: [`#${long}`, "#care"],
    quotes: [{ text: long, by: long }],
    service: long,
  })
  expect(picture.painted(white, { left: 1140, top: 20, right: 1200, bottom: 630 })).toBe(0)
  expect(picture.painted(white, { left: 0, top: 20, right: 60, bottom: 630 })).toBe(0)
  expect(picture.painted(white, { left: 0, top: 610, right: 1200, bottom: 630 })).toBe(0)
  expect(picture.painted(white, heading)).toBeGreaterThan(1000)
})

test("words in other scripts are left out: the next ones are shown, or none, and never empty boxes", async () => {
  const greek = await drawn({
    quotes: [
      { text: "谢谢你的帮助", by: "李" },
      { text: "Ευχαριστώ, спасибо, cảm ơn! 🎉", by: "אבי" },
    ],
  })
  expect(greek.painted(white, quote)).toBeGreaterThan(1000)
  expect(greek.painted(white, { left: 80, top: 565, right: 700, bottom: 600 })).toBe(0)
  const none = await drawn({ quotes: [{ text: "شكرا لك", by: "محمد" }] })
  expect(none.painted(white, { left: 60, top: 380, right: 1140, bottom: 555 })).toBe(0)
})

test("a name in another script makes room for the username; the period stands alone where that cannot be drawn either", async () => {
  const byUsername = await drawn({ titles: ["محمد علي", "m-ali"], initials: "مع" })
  expect(byUsername.painted(white, { left: 64, top: 60, right: 200, bottom: 120 })).toBeGreaterThan(300)
  const nameless = await drawn({ titles: ["山田", "山田"], initials: "山" })
  expect(nameless.painted(white, { left: 64, top: 60, right: 600, bottom: 160 })).toBeGreaterThan(1000)
})

test("letters with marks and of all three alphabets are drawn; emoji are left out", async () => {
  const letters = await loadLettering()
  for (const text of ["Zoë Żółć Őrség", "Đặng Thị Ánh", "Ελένη Ώρα", "Юрій Ґудзь", "“Ça va” – it’s fine…"])
    expect(letters.drawable(text)).toBe(text)
  expect(letters.drawable("e\u0301 🎉  done 👍🏽 ❤️")).toBe("é done")
  for (const text of ["שלום", "नमस्ते", "さくら", "Ana 山田", "🎉", ""]) expect(letters.drawable(text)).toBe(null)
  expect(letters.shapeOf("i", { x: 0, y: 0, size: 10, weight: "bold" })).toHaveLength(2)
  expect(letters.shapeOf("é", { x: 0, y: 0, size: 10, weight: "regular" }).length).toBeGreaterThan(
    letters.shapeOf("e", { x: 0, y: 0, size: 10, weight: "regular" }).length,
  )
})

test("a text is cut to its room, and each of its letters is looked up only a few times", async () => {
  const letters = await loadLettering()
  const room = { width: 1042, size: 30, weight: "regular", lines: 2 } as const
  for (const text of ["і".repeat(500), "і ".repeat(250)]) {
    const lookUps = spyOn(String.prototype, "codePointAt")
    const lines = letters.wrapped(text, room)
    const count = lookUps.mock.calls.length
    lookUps.mockRestore()
    // In each of five fonts, for the text as a whole and for what fits.
    expect(count).toBeLessThan(4 * 5 * 500)
    expect(lines.at(-1)).toEndWith("…")
    for (const line of lines) expect(letters.widthOf(line, 30, "regular")).toBeWithin(room.width - 30, room.width + 1)
  }
  expect(letters.wrapped("two words", room)).toEqual(["two words"])
})
