import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startServer } from "../support/executable.ts"
import { accessibilityViolations } from "./axe.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { logIn, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a wrong password shows the server's message; the name is kept and the password selected", async () => {
    const ana = await app.createUser(`Ana ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.goto("/login")
    await page.getByLabel("Username").fill(ana.username)
    await page.getByLabel("Password", { exact: true }).fill("a guess")
    await page.keyboard.press("Enter")

    await page.getByRole("alert").filter({ hasText: "Incorrect username or password" }).waitFor()
    expect(await page.getByLabel("Username").inputValue()).toBe(ana.username)
    expect(await page.evaluate(() => document.activeElement?.getAttribute("autocomplete"))).toBe("current-password")
  })

  test("the right password leads home, with name and balance; after a reload the user is still logged in", async () => {
    const bruno = await app.createUser(`Bruno ${size}`, { points: 1250 })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.goto("/")
    await logIn(page, bruno)

    for (const _ of ["after the log-in", "after a reload"]) {
      await page.getByRole("heading", { name: `Hello, ${bruno.name}` }).waitFor()
      await page
        .getByRole("definition")
        .filter({ hasText: /^1,250$/ })
        .first()
        .waitFor()
      await becomes(() => page.title(), "Home · Rewards")
      await page.reload()
    }
  })

  test("a link opened before the log-in leads to its page after it, but never to another site", async () => {
    const carla = await app.createUser(`Carla ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.goto("/history?order_by=-value&page=2")
    await logIn(page, carla)
    expect(new URL(page.url()).search).toBe("?order_by=-value&page=2")

    for (const next of elsewhere) {
      await page.goto(`/login?next=${encodeURIComponent(next)}`)
      await page.getByRole("heading", { name: `Hello, ${carla.name}` }).waitFor()
      expect([next, page.url()]).toEqual([next, `${app.server.url}/`])
    }
    await page.goto(`/login?next=${encodeURIComponent("/people/%2561?x=1")}`)
    await page.waitForURL(`${app.server.url}/people/%2561?x=1`)
  })

  test("nothing is sent while a field is empty, and the first empty one has the focus", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.goto("/login")
    await page.getByRole("button", { name: "Log in" }).click()

    await page.getByText("Enter your username or e-mail address.").waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute("autocomplete"))).toBe("username")
  })

  test("after log-out every page of the session asks for a log-in, also with the back button", async () => {
    const olga = await app.createUser(`Olga ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.goto("/")
    await logIn(page, olga)
    const beside = await opened.another()
    await beside.goto("/")
    await beside.locator("main").getByText("Budget to give").waitFor()

    await page.goto("/people")
    await page.goto("/")
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("button", { name: "Log out" }).click()
    await page.getByRole("heading", { name: "Log in" }).waitFor()
    await page.goBack()
    await page.getByRole("heading", { name: "Log in" }).waitFor()

    await beside.reload()
    await beside.getByRole("heading", { name: "Log in" }).waitFor()
  })
})

/**
 * Forbidden targets of a log-in: other sites, paths that browsers take for other sites, and addresses that are no
 * screen.
 */
const elsewhere = [
  "https://example.com/",
  "//example.com/people",
  "/.//host/",
  "/.//people",
  "/a/..//people",
  "\\\\example.com/people",
  "/\t/example.com",
  "javascript:alert(1)",
  "http://[",
  "/people/%E0%A4%A",
  "/docs",
  "/unknown",
  "/login",
  "/reset-password",
]

test("an unknown address shows a not-found page with a link home, without a log-in too", async () => {
  const ana = await app.createUser("Ana Nowhere")
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  const nothing = page.getByRole("heading", { name: "Page not found" })
  expect((await page.goto("/nothing/here"))?.status()).toBe(404)
  await nothing.waitFor()
  expect(new URL(page.url()).pathname).toBe("/nothing/here")

  await page.getByRole("link", { name: "Home" }).click()
  await logIn(page, ana)
  expect((await page.goto("/nothing/here"))?.status()).toBe(404)
  await nothing.waitFor()
  await page.getByRole("navigation").first().waitFor()
})

test("at another address of the server, the log-in page asks for no password and leads to the right address", async () => {
  await using server = await startServer({ env: { REWARDS_SERVER__BASE_URL: "https://r.example.com" } })
  await using opened = await openPage(app.browser, server.url, sizes.phone)
  const { page } = opened
  await page.goto("/people/ana")
  const link = page.getByRole("link", { name: "https://r.example.com" })
  expect(await link.getAttribute("href")).toBe("https://r.example.com/login?next=%2Fpeople%2Fana")
  await page.getByText("You can log in only at this address of the server:").waitFor()
  expect(await page.locator("input").count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
})

test("an origin in cors.origins is an address to log in at, too", async () => {
  await using server = await startServer({
    env: { REWARDS_SERVER__BASE_URL: "https://r.example.com", REWARDS_CORS__ORIGINS: "https://other.example.com" },
  })
  await using opened = await openPage(app.browser, server.url, sizes.phone)
  const { page } = opened
  await page.route("**/login", async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    expect(html).toContain('content="https://r.example.com https://other.example.com"')
    await route.fulfill({ response, body: html.replace("https://other.example.com", server.url) })
  })
  await page.goto("/login")
  await page.getByLabel("Username").waitFor()
})
