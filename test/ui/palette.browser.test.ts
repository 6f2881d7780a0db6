import { afterAll, beforeAll, expect, test } from "bun:test"
import { accessibilityViolations } from "./axe.ts"
import { becomes, holdBack, openPage, sizes } from "./page.ts"
import { openAs, openHome, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
let ana: User
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 1250 })
  await app.createUser("Fábio Lima", { username: "fabio" })
})
afterAll(() => app[Symbol.asyncDispose]())

const admin = { username: "admin", password: "admin" }

test("the palette is loaded on first use, and leads to people, screens and actions", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  const active = () =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute("aria-activedescendant") ?? ""
      return document.getElementById(id)?.textContent ?? null
    })
  const scripts: string[] = []
  await openAs(page, ana, "/")
  await page.getByText("Live", { exact: true }).waitFor()
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()))
  const focusedBefore = page.getByRole("button", { name: "Account" })
  await focusedBefore.focus()

  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Search people, screens and actions" }).waitFor()
  expect(scripts.length).toBeGreaterThan(0)
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    expect(await accessibilityViolations(page)).toEqual([])
  }
  expect(await page.getByRole("option", { name: "Create a person" }).count()).toBe(0)
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowDown")
  await becomes(async () => (await active())?.startsWith("People"), true)
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await becomes(() => focusedBefore.evaluate((one) => one === document.activeElement), true)

  await page.keyboard.press("Control+k")
  await page.keyboard.type("dark")
  await page.keyboard.press("Enter")
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark")

  await page.keyboard.press("Control+k")
  await page.keyboard.type("FABIO")
  await page.getByRole("option", { name: "Fábio Lima" }).waitFor()
  await page.keyboard.press("Enter")
  await page.waitForURL(`${app.server.url}/people/fabio`)

  await page.keyboard.press("Control+k")
  await page.keyboard.type("nobody of this name")
  await page.getByText("Nothing found").waitFor()
})

test("the palette that was opened while the account loads stays open, with what was typed, and knows the user then", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await page.request.post("/login", { form: admin })
  const held = await holdBack(page, "**/api/v1/session")
  await page.goto("/")
  await page.getByRole("main").waitFor()
  await page.keyboard.press("Control+k")
  const field = page.getByRole("combobox", { name: "Search people, screens and actions" })
  await field.fill("create")
  expect(await page.getByRole("option", { name: "Create a person" }).count()).toBe(0)
  for (const release of held) release()
  await page.getByRole("option", { name: "Create a person" }).waitFor()
  expect(await field.inputValue()).toBe("create")
})

test("what is typed while the palette loads goes into its field, and is not taken for shortcuts", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, ana, "/")
  await page.getByText("Live", { exact: true }).waitFor()
  const held = await holdBack(page, "**/*.js")
  await page.keyboard.press("Control+k")
  // The n would open the box to give.
  await page.keyboard.type("fabion")
  await page.keyboard.press("Backspace")
  await becomes(async () => held.length > 0, true)
  await page.unrouteAll({ behavior: "ignoreErrors" }).catch(() => {})
  for (const release of held) release()
  await page.getByRole("option", { name: "Fábio Lima" }).waitFor()
  expect(await page.getByRole("combobox", { name: "Search people, screens and actions" }).inputValue()).toBe("fabio")
  await page.keyboard.press("Enter")
  await page.waitForURL(`${app.server.url}/people/fabio`)
})

test("the palette says when its results cannot be loaded, and keeps what was typed", async () => {
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.desktop, outage: true })
  const { page } = opened
  await openAs(page, ana, "/")
  await page.getByText("Live", { exact: true }).waitFor()
  await page.route("**/*.js", (route) => route.abort())
  await page.keyboard.press("Control+k")
  await page.keyboard.type("fabio")
  await page.getByRole("dialog").getByRole("status").waitFor()
  expect(await page.getByRole("textbox", { name: "Search people, screens and actions" }).inputValue()).toBe("fabio")
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
})

test("letter keys lead to every screen, except in fields, and ? lists them", async () => {
  await using opened = await openHome(app, admin, sizes.desktop)
  const { page } = opened

  await page.keyboard.press("?")
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  // Letters go to the open overlay, not to the page below.
  await page.keyboard.type("ga")
  expect(new URL(page.url()).pathname).toBe("/")
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })

  await page.keyboard.type("ga")
  await page.getByRole("heading", { name: "Admin" }).waitFor()
  await page.getByRole("combobox", { name: "Find a person by name" }).fill("")
  await page.keyboard.type("gh?n")
  expect(await page.getByRole("combobox").inputValue()).toBe("gh?n")
  expect(new URL(page.url()).pathname).toBe("/admin")
  await page.getByRole("heading", { name: "Admin" }).click()
  await page.keyboard.type("gh")
  await page.waitForURL(`${app.server.url}/`)

  await page.goto("/admin")
  await page.getByText("It works, but something deserves a look").waitFor()
  await page.keyboard.press("n")
  await page.waitForFunction(() => document.activeElement?.closest("#give") != null)
  expect(new URL(page.url()).pathname).toBe("/")
})

test("a person can be created from any screen by keyboard only", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  const tab = async (text: string) => {
    await page.keyboard.type(text)
    await page.keyboard.press("Tab")
  }
  await page.goto("/")
  await page.getByRole("heading", { name: "Log in" }).waitFor()
  await tab("admin")
  await page.keyboard.type("admin")
  await page.keyboard.press("Enter")
  await page.getByText("Live", { exact: true }).waitFor()
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Search people, screens and actions" }).waitFor()
  await page.keyboard.type("create")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Create a person" }).waitFor()
  for (const text of ["Ida Maria", "ida@example.com", "sales", ""]) await tab(text)
  await page.keyboard.press("Tab")
  await page.keyboard.type("ida comes in")
  await page.keyboard.press("Enter")
  await page.getByText("Ida Maria can now log in.").waitFor()
})

test("on a device without a keyboard, a button opens the palette", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, ana, "/")
  await page.getByRole("button", { name: "Search or jump to…" }).tap()
  await page.getByRole("combobox", { name: "Search people, screens and actions" }).fill("fabio")
  await page.getByRole("option", { name: "Fábio Lima" }).tap()
  await page.waitForURL(`${app.server.url}/people/fabio`)
})
