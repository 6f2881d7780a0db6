import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp } from "./test-app.ts"

const screens = [
  ...["/", "/history", "/people", "/people/ana-souza", "/leaderboard", "/rewards", "/me", "/recap", "/team?depth=all"],
  ...["", "/new", "/import", "/people/ana-souza", "/departments", "/insights", "/allowances", "/rewards"].map(
    (rest) => `/admin${rest}`,
  ),
  ...["programme", "tokens", "webhooks", "server"].map((name) => `/admin/${name}`),
]

/** Where the heading begins, or the picture before it. */
async function leftOf(page: Page): Promise<number> {
  const heading = page.locator("main h1").first()
  await heading.waitFor()
  return heading.evaluate((h1) => {
    const first = h1.closest("div:has(> .face)") ?? h1
    return Math.round(first.getBoundingClientRect().left)
  })
}

test("every screen begins at the same left edge, on a desktop and on a phone", async () => {
  await using app = await startTestApp()
  await app.createUser("Ana Souza")
  for (const size of Object.keys(sizes) as Size[]) {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, { username: "admin", password: "admin" }, "/")
    const home = await leftOf(page)
    for (const address of screens) {
      await page.goto(address)
      expect({ size, address, left: await leftOf(page) }).toEqual({ size, address, left: home })
    }
  }
})
