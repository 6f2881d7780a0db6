import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { addresses } from "../../src/ui/addresses.ts"
import { openPage, sizes } from "./page.ts"
import { openAs, startTestApp } from "./test-app.ts"

const patterns = Object.values(addresses).map((address) => new RegExp(`^${address.replace(/:\w+/, "[^/]+")}$`))

test.each(["a new service", "a service with people and points"])(
  "every link that a superuser finds in %s leads to a screen",
  async (stage) => {
    await using app = await startTestApp()
    if (stage !== "a new service") {
      await app.createUser("Ana Souza", { points: 100 })
      await app.createUser("Carla Dias", { dept: "management" })
    }
    await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
    const { page } = opened
    await openAs(page, { username: "admin", password: "admin" }, "/")

    const seen = new Set(["/"])
    for (const path of seen) {
      await page.goto(path)
      await page.locator("h1").first().waitFor({ state: "attached" })
      await page.waitForLoadState("networkidle")
      expect([path, await page.getByRole("heading", { name: "Page not found" }).count()]).toEqual([path, 0])
      for (const link of await linksOf(page)) if (isNewKind(link, seen)) seen.add(link)
    }
    expect(seen.size).toBeGreaterThan(15)
  },
)

/** Paths of the app's own links, without downloads. */
const linksOf = (page: Page): Promise<string[]> =>
  page
    .locator("a[href^='/']:not([download])")
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname))

/** One address of each pattern is enough, and any that has none. */
function isNewKind(path: string, seen: ReadonlySet<string>): boolean {
  const pattern = patterns.find((one) => one.test(path))
  return ![...seen].some((other) => other === path || pattern?.test(other))
}
