import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { openPage, sizes } from "./page.ts"
import { logIn, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.createUser("Ana Souza", { points: 1250 })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Addresses of screens, with a part of their content. */
const screens: readonly (readonly [path: string, shown: RegExp])[] = [
  ["/", /Ana Souza from/],
  ["/people", /Ana Souza/],
  ["/people/ana-souza", /1,250/],
  ["/history", /Ana Souza/],
  ["/history?username=ana-souza&order_by=-value&size=50&days=90", /\+1,250/],
  ["/leaderboard?period=all", /1,250/],
  ["/me", /This browser/],
  ["/admin", /It works, but something deserves a look/],
  ["/admin/server", /The database accepts writes/],
  ["/admin/people/ana-souza", /ana-souza@example.com/],
]

test.each(screens)("%s is rendered once, and its data requested once", async (path, shown) => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await page.goto("/login")
  await logIn(page, { username: "admin", password: "admin" })
  await page.goto("about:blank") // what home asks after the log-in is not of the page that follows
  await page.addInitScript(rememberFirst)
  // Stop the clock: after a while the page would render without the data.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const asked: string[] = []
  page.on("request", (request) => asked.push(request.url()))
  await page.goto(path)
  expect(await firstDrawn(page)).toEqual({ skeletons: 0, text: expect.stringMatching(shown) })
  await page.waitForLoadState("networkidle")
  expect(asked).toEqual([...new Set(asked)])
})

test("a regular user loads nothing of the administration", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await page.goto("/login")
  await logIn(page, { username: "ana-souza", password: "ana-souza comes in" })
  const refused: string[] = []
  page.on("response", (response) => refused.push(...(response.status() >= 400 ? [response.url()] : [])))
  for (const path of ["/admin", "/admin/server", "/admin/people/admin"]) {
    await page.goto(path)
    await page.getByRole("heading", { name: /^(You need|Only superusers)/ }).waitFor()
  }
  expect(refused).toEqual([])
})

/** Runs in the page: stores the content of the first render. */
function rememberFirst() {
  const watching = new MutationObserver(() => {
    const app = document.getElementById("app")
    if (app === null || app.childElementCount === 0) return
    watching.disconnect()
    const first = { skeletons: app.querySelectorAll(".skeleton").length, text: app.textContent.replace(/\s+/g, " ") }
    Object.assign(globalThis, { first })
  })
  watching.observe(document, { childList: true, subtree: true })
}

async function firstDrawn(page: Page): Promise<unknown> {
  const first = await page.waitForFunction(() => Reflect.get(globalThis, "first"))
  return first.jsonValue()
}
