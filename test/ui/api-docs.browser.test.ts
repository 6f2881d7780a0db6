import { expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { openPage } from "./page.ts"
import { startTestApp } from "./test-app.ts"

test("the API page works under its strict policy: operations open, and one can be tried out", async () => {
  await using app = await startTestApp()
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  const policy = (await page.goto("/docs"))?.headers()["content-security-policy"] ?? ""
  expect(policy).toContain("style-src 'self';")
  expect(policy).not.toContain("unsafe")
  await page.locator(".opblock").first().waitFor()

  await page.getByRole("button", { name: "Authorize" }).first().click()
  await page.getByRole("heading", { name: "Available authorizations" }).waitFor()
  await page.getByRole("button", { name: "Close" }).first().click()
  const service = page.locator("#operations-App-getApiV1Service")
  await shown(service)
  await service.locator(".opblock-summary-control").click()
  await service.getByRole("button", { name: "Try it out" }).click()
  await service.getByRole("button", { name: "Execute" }).click()
  await service.locator(".live-responses-table").getByText("stream_access").first().waitFor()

  // One operation of each method: rendering all of them takes half a minute on a busy machine.
  for (const method of ["post", "patch", "put", "delete"]) {
    const operation = page.locator(`.opblock-${method}`).first()
    await shown(operation)
    await operation.locator(".opblock-summary-control").click()
    await operation.locator(".responses-table").waitFor()
  }
  expect(opened.faults).toEqual([])

  /** Of so many operations, the page renders only those that are in view, and drops them again when the page moves on. */
  async function shown(operation: Locator) {
    await page.evaluate(() => scrollTo(0, 0))
    for (let screens = 0; screens < 1000; screens += 1) {
      if ((await operation.count()) > 0 && (await isInView(operation))) return
      await page.mouse.wheel(0, 500)
      await page.evaluate(async () => {
        for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
      })
    }
  }
}, 120_000)

/** Scrolls there; false if the page has dropped it meanwhile. */
const isInView = (operation: Locator): Promise<boolean> =>
  operation.scrollIntoViewIfNeeded({ timeout: 2000 }).then(
    () => true,
    () => false,
  )
