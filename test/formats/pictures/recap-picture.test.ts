import { expect, spyOn, test } from "bun:test"
import { createLettering } from "../../../src/formats/pictures/lettering.ts"
import { createRecapPictures } from "../../../src/formats/pictures/recap-picture.ts"
import { recapSvg } from "../../../src/formats/pictures/recap-svg.ts"
import type { RecapWords } from "../../../src/formats/pictures/recap-words.ts"
import { loadRenderer } from "../../../src/formats/pictures/renderer.ts"
import { until } from "../../support/until.ts"
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

const drawRecap = createRecapPictures()
const renderer = await loadRenderer()
const letters = createLettering(renderer)

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

test("letters with marks and of all three alphabets are drawn, with every emoji; other scripts are not", () => {
  for (const text of ["Zoë Żółć Őrség", "Đặng Thị Ánh", "Ελένη Ώρα", "Юрій Ґудзь", "“Ça va” – it’s fine…"])
    expect(letters.drawable(text)).toBe(text)
  for (const text of ["🎉", "done 👍🏽 👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣ ✅ 🇧🇷", "ok ❤️ ❤"]) expect(letters.drawable(text)).toBe(text)
  expect(letters.drawable("e\u0301  🎉\n \u0007done\uFFFE")).toBe("é 🎉 done")
  for (const text of ["שלום", "नमस्ते", "さくら", "Ana 山田", ""]) expect(letters.drawable(text)).toBe(null)
})

test("an emoji is one sign, also among letters and when it has many parts", () => {
  const writing = { size: 30, weight: "bold" } as const
  const one = letters.widthOf("🎉", writing)
  for (const emoji of ["👩‍👩‍👧‍👦", "👍🏽", "🇧🇷", "1️⃣", "❤️"]) {
    expect(letters.widthOf(emoji, writing)).toBeCloseTo(one, 1)
    expect(letters.widthOf(`ok ${emoji} ok`, writing)).toBeCloseTo(letters.widthOf("ok 🎉 ok", writing), 1)
  }
  expect(one).toBeWithin(30, 45)
  expect(letters.widthOf("ok  ok", writing) + one).toBeCloseTo(letters.widthOf("ok 🎉 ok", writing), 0)
})

test("bold letters are wider than regular ones, and marks of XML are letters like others", () => {
  const [bold, regular] = (["bold", "regular"] as const).map((weight) => letters.widthOf("Żółć", { size: 30, weight }))
  expect(bold).toBeGreaterThan(regular ?? 0)
  const place = { x: 10, y: 50, size: 30, weight: "regular", colour: "#000" } as const
  const width = letters.widthOf("</text> & <b>", place)
  expect(renderer.boxOf(letters.written("</text> & <b>", place))?.width).toBeWithin(width - 10, width + 1)
})

test("a text is cut to its room after few measurements, however long it is", () => {
  let count = 0
  const counting = createLettering({
    boxOf(content) {
      count += 1
      return renderer.boxOf(content)
    },
  })
  const room = { width: 1042, size: 30, weight: "regular", lines: 2 } as const
  for (const text of ["і".repeat(500), "і ".repeat(250)]) {
    count = 0
    const lines = counting.wrapped(text, room)
    expect(count).toBeLessThan(100)
    expect(lines.at(-1)).toEndWith("…")
    for (const line of lines) expect(counting.widthOf(line, room)).toBeWithin(room.width - 30, room.width + 1)
  }
  expect(counting.wrapped("two words", room)).toEqual(["two words"])
})

test("a picture that cannot be drawn is refused, and the next one is drawn", async () => {
  const wrong = drawRecap({ ...said, figures: null as unknown as RecapWords["figures"] })
  const next = drawRecap(said)
  await expect(wrong).rejects.toThrow(/could not be drawn/)
  expect(await next).toEqual(renderer.png(recapSvg(said, letters)))
})

test("the thread ends when nobody wants a picture for a while, and the next picture begins another", async () => {
  const terminate = spyOn(Worker.prototype, "terminate")
  try {
    const draw = createRecapPictures(0)
    const first = await draw(said)
    await until(() => terminate.mock.calls.length === 1)
    expect(await draw(said)).toEqual(first)
  } finally {
    terminate.mockRestore()
  }
})
