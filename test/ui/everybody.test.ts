import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { barriersOn } from "./axe.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { type Colleague, logIn, openPlace, type Place } from "./place.ts"

let place: Place
let ana: Colleague
beforeAll(async () => {
  place = await openPlace()
  ana = await place.colleague("Ana Souza", { points: 1250 })
})
afterAll(() => place[Symbol.asyncDispose]())

/** Every screen, and how it is opened. */
const screens: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "the log-in page": (page) => page.goto("/login").then(() => page.getByRole("heading", { name: "Log in" }).waitFor()),
  "the log-in page with faults": async (page) => {
    await page.goto("/login")
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByText("Enter your password.").waitFor()
  },
  "the forgotten password": (page) => page.goto("/forgot").then(() => page.getByLabel("E-mail address").waitFor()),
  "the new password": (page) =>
    page
      .goto(`/reset-password?pwd_reset_token=a.${btoa('{"sub":"ana"}')}.c`)
      .then(() => page.getByLabel("New password").waitFor()),
  home: async (page) => {
    await page.goto("/")
    await logIn(page, ana)
    await page.getByText("Your balance").waitFor()
  },
  people: async (page) => {
    await page.goto("/people")
    await logIn(page, ana)
    await page.getByRole("link", { name: "Ana Souza" }).waitFor()
  },
  "a person": async (page) => {
    await page.goto("/people/ana-souza")
    await logIn(page, ana)
    await page.getByText("1,250", { exact: true }).waitFor()
  },
  "the leaderboard": async (page) => {
    await page.goto("/leaderboard")
    await logIn(page, ana)
    await page.getByRole("table").waitFor()
  },
  "the own profile": async (page) => {
    await page.goto("/me")
    await logIn(page, ana)
    await page.getByText("This browser").waitFor()
    await page.getByRole("button", { name: "Use an address" }).click()
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Enter a new password.").waitFor()
  },
  "the give box with faults": async (page) => {
    await page.goto("/")
    await logIn(page, ana)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByText("Choose how many points.").waitFor()
  },
  "the last look before giving": async (page) => {
    await page.goto("/")
    await logIn(page, ana)
    await page.getByRole("combobox", { name: "To whom" }).fill("admin")
    await page.getByRole("option", { name: "Admin" }).click()
    await page.getByText("100", { exact: true }).click()
    await page.getByRole("textbox", { name: "What for" }).fill("For what nobody sees: it all just works.")
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByRole("button", { name: "Give 100 points" }).waitFor()
  },
  "the account's panel": async (page) => {
    await page.goto("/")
    await logIn(page, ana)
    await page.getByRole("button", { name: "Account" }).click()
  },
  "the wall": (page) => page.goto("/wall").then(() => page.locator(".wall-newest").waitFor()),
  "the log-in over a page whose session ended": async (page) => {
    await page.goto("/me")
    await logIn(page, ana)
    await page.getByText("This browser").waitFor()
    await page.evaluate(() => fetch("/logout", { method: "POST" }))
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your session has ended.").waitFor()
  },
  "the history": async (page) => {
    await page.goto("/history?chart=points")
    await logIn(page, ana)
    await page.locator(".chart canvas").waitFor()
    await page.getByText("As a table").click()
    await page.getByText("midnight UTC").waitFor()
    await page.locator("main time").first().waitFor()
  },
  "an address where nothing is": async (page) => {
    await page.goto("/admin/nothing")
    await logIn(page, ana)
    await page.getByRole("heading", { name: "Nothing here" }).waitFor()
  },
}

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test.each(Object.keys(screens))("%s holds no barrier for anybody, light and dark", async (name) => {
    await using opened = await openPage(place.browser, place.server.url, sizes[size])
    await screens[name]?.(opened.page)
    for (const colorScheme of ["light", "dark"] as const) {
      await opened.page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      expect(await barriersOn(opened.page)).toEqual([])
    }
  })
})

test("at 320 pixels, and with text twice as large, nothing has to be moved sideways", async () => {
  for (const [name, open] of Object.entries(screens)) {
    await using opened = await openPage(place.browser, place.server.url, { viewport: { width: 320, height: 640 } })
    const { page } = opened
    await open(page)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.body.offsetWidth)
    expect([name, await overflow()]).toEqual([name, 0])
    await page.setViewportSize({ width: 640, height: 800 })
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"))
    expect([name, await overflow()]).toEqual([name, 0])
  }
})

test("by keyboard alone: log in, into the content, open the account's panel, close it, log out", async () => {
  await using opened = await openPage(place.browser, place.server.url)
  const { page } = opened
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = () => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id)
  await page.goto("/")
  await page.getByRole("heading", { name: "Log in" }).waitFor()
  await page.keyboard.type(ana.username)
  await press("Tab")
  await page.keyboard.type(ana.password)
  await press("Enter")
  await page.getByText("Your balance").waitFor()

  await page.reload()
  await page.getByText("Your balance").waitFor()
  await press("Tab")
  expect(await focused()).toBe("To the content")
  await page.getByRole("button", { name: "Account" }).focus()
  await press("Enter", "Tab")
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("appearance")
  await press("Escape")
  await page.getByRole("button", { name: "Account", expanded: false }).waitFor()
  expect(await focused()).toStartWith("Account")
  await press("Enter", "Tab", "Tab", "Tab", "Tab", "Enter")
  await page.getByRole("heading", { name: "Log in" }).waitFor()
})

test("a Portuguese browser reads Portuguese, with its numbers; the choice of another language lasts", async () => {
  await using opened = await openPage(place.browser, place.server.url, { locale: "pt-BR" })
  const { page } = opened
  await page.goto("/")
  await page.getByLabel("Nome de usuário").fill(ana.username)
  await page.getByLabel("Senha", { exact: true }).fill("errada")
  await page.keyboard.press("Enter")
  await page.getByText("Nome de usuário ou senha incorretos").waitFor()
  await page.getByLabel("Senha", { exact: true }).fill(ana.password)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Olá, Ana Souza" }).waitFor()
  await page.getByRole("definition").getByText("1.250", { exact: true }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("pt")

  await page.getByRole("button", { name: "Conta" }).click()
  await page.getByText("English").click()
  await page.getByRole("heading", { name: "Hello, Ana Souza" }).waitFor()
  await page.reload()
  await page.getByRole("heading", { name: "Hello, Ana Souza" }).waitFor()
})

test("dark or light as chosen lasts, whatever the device says", async () => {
  await using opened = await openPage(place.browser, place.server.url, { colorScheme: "light" })
  const { page } = opened
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  await page.goto("/")
  await logIn(page, ana)
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByText("Dark", { exact: true }).click()
  expect(await background()).toBe("dark")
  await page.reload()
  await page.getByText("Your balance").waitFor()
  expect(await background()).toBe("dark")
})

test("where no script runs, a plain sentence says so in each language", async () => {
  await using opened = await openPage(place.browser, place.server.url, { javaScriptEnabled: false })
  await opened.page.goto("/")
  expect(await opened.page.locator("noscript p").allTextContents()).toEqual([
    "This page needs JavaScript. Please switch it on for this address.",
    "Esta página precisa de JavaScript. Ative-o para este endereço.",
  ])
})

test("a name that runs from right to left, and one with markup, are shown as they are", async () => {
  for (const name of ["שרה כהן", "<img src=x onerror=alert(1)>"]) {
    const colleague = await place.colleague(name, { username: `x-${name.length}` })
    await using opened = await openPage(place.browser, place.server.url)
    await opened.page.goto("/")
    await logIn(opened.page, colleague)
    expect(await opened.page.getByRole("heading", { level: 1 }).textContent()).toBe(`Hello, ${name}`)
  }
})
