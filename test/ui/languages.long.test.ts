import { afterAll, beforeAll, expect, test } from "bun:test"
import { languages } from "../../src/domain/languages.ts"
import { addresses } from "../../src/ui/addresses.ts"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, overflowOf } from "./layout.ts"
import { openPage, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

const superuser = { username: "admin", password: "admin" }
const narrow = { ...sizes.phone, viewport: { width: 320, height: 800 } }

let app: TestApp
let recognition = 0
beforeAll(async () => {
  app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 1250 })
  const admin = await callerOf(app.server.url, superuser)
  await admin.patch(`/api/v1/users/${ana.username}`, { manager: superuser.username })
  await admin.post("/api/v1/rewards", { name: "Coffee", cost: 100 })
  const given = await admin.post<{ id: number }>("/api/v1/transactions", {
    value: 25,
    to: ana.username,
    reason: "Calm",
  })
  recognition = given.body.id
})
afterAll(() => app[Symbol.asyncDispose]())

/** Every screen of somebody who has logged in. */
const screens = Object.entries(addresses).filter(([name]) => !["login", "forgot", "reset"].includes(name))

const addressOf = (pattern: string) =>
  pattern.replace(":username", "ana-souza").replace(":id", String(recognition)).replace(":period", "2026-Q1")

// English is checked on every screen, in each of its states: accessibility.long.test.ts.
test.each(languages.filter((one) => one !== "en"))(
  "no screen cuts anything off on 320 pixels in the language %s",
  async (language) => {
    await using opened = await openPage(app.browser, app.server.url, { ...narrow, locale: language })
    const { page } = opened
    for (const address of ["/login", "/forgot"]) {
      await page.goto(address)
      await page.getByRole("heading").first().waitFor()
      expect([address, await overflowOf(page), await clippedTexts(page)]).toEqual([address, 0, []])
    }
    await openAs(page, superuser, "/")
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language)
    for (const [name, pattern] of screens) {
      await page.goto(addressOf(pattern))
      await page.locator("main").first().waitFor()
      await page.waitForFunction(() => document.querySelector(".skeleton") === null)
      expect([name, await overflowOf(page), await clippedTexts(page)]).toEqual([name, 0, []])
      if (language === "de") expect([name, await accessibilityViolations(page)]).toEqual([name, []])
    }
  },
)
