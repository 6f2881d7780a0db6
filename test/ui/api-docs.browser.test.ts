import { describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { accessibilityViolations } from "./axe.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { startTestApp } from "./test-app.ts"

/** Opens the page at the operation that sends points. */
async function openDocs(page: Page) {
  const answer = await page.goto("/docs#tag/transactions/POST/transaction/{username}/")
  await page.getByRole("heading", { name: "Rewards", level: 1 }).waitFor()
  await page.getByRole("heading", { name: "Send points" }).first().waitFor()
  return answer
}

test("the API page works under its strict policy: operations open, and one can be tried out", async () => {
  await using app = await startTestApp()
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  const policy = (await openDocs(page))?.headers()["content-security-policy"] ?? ""
  expect(policy).toMatch(/ style-src 'self' 'nonce-[\w-]+';/)
  expect(policy).not.toContain("unsafe")

  await page.getByRole("button", { name: "Open Group - App" }).click()
  await page
    .getByRole("link", { name: /service/ })
    .first()
    .click()
  await page
    .getByRole("button", { name: /^Test Request/ })
    .and(page.getByRole("button", { name: /service/ }))
    .click()
  const client = page.getByRole("dialog")
  await client.getByRole("button", { name: /^Send/ }).first().click()
  await client.getByText("stream_access").first().waitFor()
  expect(opened.faults).toEqual([])
}, 120_000)

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("axe finds nothing on the API page, in both schemes, and nothing is wider than the window", async () => {
    await using app = await startTestApp()
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await openPage(app.browser, app.server.url, { ...sizes[size], colorScheme })
      const { page } = opened
      await openDocs(page)
      expect(await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches)).toBe(colorScheme === "dark")
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
  }, 120_000)
})
