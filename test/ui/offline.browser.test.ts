import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, openGiveBox, openHome, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a screen opened offline says that it could not be loaded, and loads by itself when the network is back", async () => {
    const ana = await app.createUser(`Ana ${size}`, { points: 100 })
    await using opened = await openHome(app, ana, { ...sizes[size], outage: true })
    const { page } = opened
    const navigation = page.getByRole("navigation", { name: "Main" })
    await openGiveBox(page)
    await page.getByRole("textbox", { name: "What for" }).fill("Typed before the tunnel")
    if (size === "phone") await page.getByRole("button", { name: "Close", exact: true }).click()
    await page.context().setOffline(true)
    await navigation.getByRole("link", { name: "People" }).click()
    const notLoaded = page.getByRole("alert").filter({ hasText: "This page could not be loaded." })
    await notLoaded.waitFor()
    await becomes(() => page.title(), "Not loaded · Rewards")
    // The rest of the app still works, and the screen stays broken when it is visited again.
    await navigation.getByRole("link", { name: "Home" }).click()
    await page.getByRole("heading", { name: `Hello, Ana ${size}` }).waitFor()
    await navigation.getByRole("link", { name: "People" }).click()
    await notLoaded.waitFor()
    await page.getByRole("button", { name: "Try again" }).click()
    await notLoaded.waitFor()

    await page.context().setOffline(false)
    await page.getByRole("heading", { name: "People" }).waitFor()
    await page
      .getByRole("link", { name: `Ana ${size}` })
      .first()
      .waitFor()
    expect(new URL(page.url()).pathname).toBe("/people")
    expect(await page.evaluate(() => sessionStorage.getItem("reloads"))).toBeNull()
    await navigation.getByRole("link", { name: "Home" }).click()
    await openGiveBox(page)
    await becomes(() => page.getByRole("textbox", { name: "What for" }).inputValue(), "Typed before the tunnel")
  })
})

test("a screen whose script is missing does not reload the page repeatedly", async () => {
  const bia = await app.createUser("Bia Reis")
  await using opened = await openHome(app, bia, { ...sizes.desktop, outage: true })
  const { page } = opened
  const known = new Set<string>()
  page.on("request", (request) => known.add(request.url()))
  await page.clock.install()
  await page.reload()
  await page.getByText("Live", { exact: true }).waitFor()
  const ofHome = new Set(known)
  let loads = 0
  page.on("load", () => {
    loads += 1
  })
  const others = "**/assets/*.js"
  await page.route(others, (route) =>
    ofHome.has(route.request().url())
      ? route.continue()
      : route.fulfill({ status: 404, json: { detail: "Not Found" } }),
  )
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.evaluate(() => {
    history.pushState(null, "", "/people")
    dispatchEvent(new PopStateEvent("popstate"))
  })
  const notLoaded = page.getByRole("alert").filter({ hasText: "This page could not be loaded." })
  // The first reload is at once; each further one waits twice as long as the one before, by the clock that the test moves.
  for (const [count, ms] of [
    [1, 2000],
    [2, 4000],
    [3, 0],
  ] as const) {
    await becomes(async () => loads, count)
    await notLoaded.waitFor()
    await page.clock.runFor(ms)
  }
  expect(loads).toBe(3)
  await page.unroute(others)
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("heading", { name: "People" }).waitFor()
})

test("data that could not be loaded is requested again by itself on its screen", async () => {
  const caio = await app.createUser("Caio Melo", { points: 100 })
  await using opened = await openHome(app, caio, { ...sizes.desktop, outage: true })
  const { page } = opened
  for (const [address, path, heading] of [
    ["/people", "**/api/v1/people?*", "People"],
    ["/history", "**/transaction/caio-melo?*", "History"],
    ["/leaderboard", "**/api/v1/leaderboard?*", "Leaderboard"],
    ["/", "**/api/v1/feed?*", "Hello, Caio Melo"],
  ] as const) {
    let asked = 0
    await page.route(path, async (route) => {
      asked += 1
      if (asked === 1) await route.abort("connectionreset")
      else if (asked === 2) await route.fulfill({ status: 503, json: { detail: "The server has too much to do" } })
      else await route.continue()
    })
    await page.goto(address)
    await page.getByRole("heading", { name: heading, exact: true }).waitFor()
    await page.locator("main").getByText("Caio Melo").or(page.locator("main time")).first().waitFor()
    await becomes(async () => asked >= 3, true)
    await page
      .getByRole("alert")
      .filter({ hasText: /reached|too much/ })
      .first()
      .waitFor({ state: "detached" })
    await page.unroute(path)
  }
})

test("the people page loads by itself once the server can be reached again", async () => {
  const davi = await app.createUser("Davi Luz")
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.desktop, outage: true })
  const { page } = opened
  await openAs(page, davi, "/")
  let asked = 0
  await page.route("**/api/v1/session", (route) => {
    asked += 1
    // An answer that breaks off says nothing about the session.
    if (asked === 1) return route.fulfill({ contentType: "application/json", body: '{"username":"davi' })
    return asked < 3 ? route.abort("connectionreset") : route.continue()
  })
  await page.reload()
  await page.getByText("The server can't be reached. This will load by itself").waitFor()
  await page.getByRole("heading", { name: "Hello, Davi Luz" }).waitFor()
})
