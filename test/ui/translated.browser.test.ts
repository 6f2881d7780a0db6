import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { sizes } from "./page.ts"
import { openHome, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The ways in which translators put their words in place of a text. */
const ways = [
  "a copy in its place",
  "the text itself moved inside",
  "put before it, which then goes",
  "put behind it, which then goes, from the end",
] as const

/** Wraps each text of the page in two `<font>`, as translators do. */
const translate = (page: Page, way: (typeof ways)[number], from = "#app") =>
  page.evaluate(
    ([way, from]) => {
      const walker = document.createTreeWalker(document.querySelector(from) ?? document.body, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      if (way.endsWith("from the end")) texts.reverse()
      for (const text of texts) {
        if (text.data.trim() === "" || text.parentElement?.localName === "font") continue
        const [outer, inner] = [document.createElement("font"), document.createElement("font")]
        outer.append(inner)
        if (way === "a copy in its place") {
          inner.textContent = text.data
          text.replaceWith(outer)
        } else if (way === "the text itself moved inside") {
          text.replaceWith(outer)
          inner.append(text)
        } else {
          inner.textContent = text.data
          if (way.startsWith("put before")) text.before(outer)
          else text.after(outer)
          text.remove()
        }
      }
    },
    [way, from] as const,
  )

for (const [index, way] of ways.entries())
  test(`a translated page goes on: balances, names and entries follow (${way})`, async () => {
    const ana = await app.createUser(`Ana Font ${index}`, { points: 10 })
    const bruno = await app.createUser(`Bruno Font ${index}`, { points: 100 })
    await using opened = await openHome(app, ana, sizes.desktop)
    const { page } = opened
    const caller = await callerOf(app.server.url, bruno)
    const give = (value: number, reason: string) =>
      caller.post("/api/v1/transactions", { to: ana.username, value, reason })
    const balance = (text: string) => page.getByRole("definition").filter({ hasText: new RegExp(`^${text}$`) })
    await balance("10").first().waitFor()

    for (const [value, now] of [
      [7, "17"],
      [5, "22"],
    ] as const) {
      await translate(page, way)
      await give(value, `Thanks ${value} by ${way}`)
      await balance(now).first().waitFor()
      await page.getByText(`Thanks ${value} by ${way}`).first().waitFor()
    }
    expect(await balance("10").count()).toBe(0)
    expect(await page.getByRole("article").getByText(`Thanks 7 by ${way}`, { exact: true }).count()).toBe(1)

    // Nothing that was shown is lost: neighbouring texts keep their own translations.
    const before = await page.locator("main").textContent()
    await translate(page, way)
    expect(await page.locator("main").textContent()).toBe(before)
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("heading", { name: "People" }).waitFor()
    await page.goBack()
    await balance("22").first().waitFor()
  })

test("a text that the app takes away takes its translation along, and the original comes back on request", async () => {
  const ana = await app.createUser("Ana Original")
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const hello = page.getByRole("heading", { name: "Hello, Ana Original" })
  await hello.waitFor()
  await translate(page, "a copy in its place")
  expect((await hello.textContent())?.trim()).toBe("Hello, Ana Original")
  // "Show the original" takes the translation away.
  await page.evaluate(() => {
    for (const font of document.querySelectorAll("#app font")) if (font.isConnected) font.remove()
  })
  expect((await hello.textContent())?.trim()).toBe("Hello, Ana Original")
})

test("names, numbers and fields are not for translation", async () => {
  const ana = await app.createUser("Ana Kept", { points: 1234 })
  const bruno = await app.createUser("Bruno Kept", { points: 50 })
  await (await callerOf(app.server.url, bruno)).post("/api/v1/transactions", {
    to: ana.username,
    value: 7,
    reason: "Hi",
  })
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const isTranslated = (words: string) =>
    page
      .locator("main")
      .getByText(words, { exact: true })
      .first()
      .evaluate((one) => one.closest("[translate]")?.getAttribute("translate") !== "no")
  await page.getByText("Bruno Kept").first().waitFor()
  expect([await isTranslated("Bruno Kept"), await isTranslated("1,241"), await isTranslated("Hi")]).toEqual([
    false,
    false,
    true,
  ])
  expect(await page.locator("input:not([translate=no]), textarea:not([translate=no])").count()).toBe(0)
})
