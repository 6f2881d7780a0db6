import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { folderWithLogo, svg } from "../support/logo.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { startTestApp, type TestApp } from "./test-app.ts"

const name = "Kudos of the Example Company"
const mark = "svg[viewBox='0 0 32 32']"

let app: TestApp
let folder: Awaited<ReturnType<typeof folderWithLogo>>
beforeAll(async () => {
  folder = await folderWithLogo("logo.svg", svg)
  app = await startTestApp({ env: { REWARDS_SERVICE__NAME: name, REWARDS_SERVICE__LOGO: folder.file } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** The logo beside the name, once it is drawn. */
async function drawn(page: Page, beside: string) {
  const logo = page.locator(`${beside} > img`)
  await logo.evaluate((image: HTMLImageElement) => image.decode())
  const box = await logo.boundingBox()
  const background = await logo.evaluate((image) => getComputedStyle(image).backgroundColor)
  return { logo, background, isWide: box !== null && box.width > 2 * box.height && box.height > 20 }
}

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test.each([
    ["the log-in page", "/login", "main > p"],
    ["the wall", "/wall?night=off", "h1"],
  ])("%s shows the logo with the name, on white in the dark, also with large text", async (_, path, beside) => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" })
    await page.goto(path)

    const { logo, background, isWide } = await drawn(page, beside)
    expect([isWide, background, await logo.getAttribute("alt")]).toEqual([true, "rgb(255, 255, 255)", ""])
    expect(await page.locator(beside).first().textContent()).toBe(name)
    expect(await page.locator(mark).count()).toBe(0)

    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: sizes[size].viewport.height })
    expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
    await page.setViewportSize(sizes[size].viewport)
    await enlargeText(page)
    expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
  })
})

test("a script in the logo does not run where its address is opened", async () => {
  const page = await app.browser.newPage()
  await page.goto(`${app.server.url}/login`)
  const path = await page.locator("main > p > img").getAttribute("src")
  await page.goto(app.server.url + path)
  expect(await page.locator("rect").count()).toBe(1)
  expect(await page.locator("[data-ran]").count()).toBe(0)
  await page.close()
})
