import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { catalogues } from "../../src/ui/texts/texts.ts"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { brokenWords, clippedFieldTexts, clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { connectionOpens, openPage, type Size, sizes } from "./page.ts"
import { openAs, openGiveBox, openHome, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
let ana: User
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 1250 })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Every screen, with the function that opens it. */
const screens: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "the log-in page": (page) => page.goto("/login").then(() => page.getByRole("heading", { name: "Log in" }).waitFor()),
  "the log-in page with faults": async (page) => {
    await page.goto("/login")
    await page.getByRole("button", { name: "Log in" }).click()
    await page.getByText("Enter your password.").waitFor()
  },
  "the forgotten password": (page) => page.goto("/forgot").then(() => page.getByLabel("E-mail address").waitFor()),
  "the new password": async (page) => {
    // The server would refuse a link without a signature at once.
    await page.route("**/user/ana/password?*", (route) => route.fulfill({ status: 422, json: { detail: "Invalid" } }))
    await page.goto(`/reset-password?pwd_reset_token=a.${btoa('{"sub":"ana","name":"Ana Souza"}')}.c`)
    await page.getByRole("heading", { name: "Welcome, Ana Souza. Choose your password." }).waitFor()
  },
  home: async (page) => {
    await openAs(page, ana, "/")
    await page.locator("main").getByText("Budget to give").waitFor()
  },
  people: async (page) => {
    await openAs(page, ana, "/people")
    await page.getByRole("link", { name: "Ana Souza" }).waitFor()
  },
  "a person": async (page) => {
    await openAs(page, ana, "/people/ana-souza")
    await page.getByText("1,250", { exact: true }).first().waitFor()
  },
  "the leaderboard": async (page) => {
    await openAs(page, ana, "/leaderboard")
    await page.getByRole("main").getByText("Ana Souza").first().waitFor()
  },
  rewards: async (page) => {
    await openAs(page, ana, "/rewards")
    await page.getByText("You haven't requested anything yet.").waitFor()
  },
  "the own profile": async (page) => {
    await openAs(page, ana, "/me")
    await page.getByText("This browser").waitFor()
    await page.getByRole("button", { name: "Use an address" }).click()
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Enter a new password.").waitFor()
  },
  "the give box with faults": async (page) => {
    await openAs(page, ana, "/")
    await openGiveBox(page)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByText("Choose how many points.").waitFor()
  },
  "the last look before giving": async (page) => {
    await openAs(page, ana, "/")
    await openGiveBox(page)
    await page.getByRole("combobox", { name: "To whom" }).fill("admin")
    await page.getByRole("option", { name: "Admin" }).click()
    await page.getByRole("textbox", { name: "Another amount" }).fill("700")
    await page.getByRole("textbox", { name: "What for" }).fill("For what nobody sees: it all just works.")
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByRole("button", { name: "Give 700 points" }).waitFor()
  },
  "the card of what came in": async (page) => {
    const zoe = await app.createUser("Zoe Braga", { username: `zoe-${Math.trunc(performance.now())}` })
    await openAs(page, zoe, "/people")
    await page.getByRole("heading", { name: "People" }).waitFor()
    const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
    await admin.post("/api/v1/transactions", { value: 25, to: zoe.username, reason: "It all just works." })
    await page.getByRole("button", { name: "Dismiss" }).waitFor()
  },
  "a recognition with replies": async (page) => {
    const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
    const zoe = await app.createUser("Zoe Lima", { username: `zoe-${Math.trunc(performance.now())}` })
    const { body } = await admin.post<{ id: number }>("/api/v1/transactions", { value: 5, to: zoe.username })
    await admin.put(`/api/v1/recognitions/${body.id}/reactions/${encodeURIComponent("🎉")}`)
    await admin.post(`/api/v1/recognitions/${body.id}/replies`, { text: "It all just works, and nobody sees it." })
    await openAs(page, ana, `/recognition/${body.id}`)
    await page.getByText("It all just works, and nobody sees it.").waitFor()
    await page.getByRole("button", { name: "React or reply" }).first().press("Enter")
  },
  "what happened since the last visit": async (page) => {
    const zoe = await app.createUser("Zoe Vargas", { username: `zoe-${Math.trunc(performance.now())}`, points: 5 })
    const asZoe = await callerOf(app.server.url, zoe)
    const { body } = await asZoe.get<{ items: { id: number }[] }>("/api/v1/notifications")
    await asZoe.post("/api/v1/notifications/seen", { through: body.items[0]?.id })
    const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
    await admin.post("/api/v1/transactions", { value: 25, to: zoe.username, reason: "It all just works." })
    await openAs(page, zoe, "/")
    await page.getByRole("region", { name: "Since your last visit" }).waitFor()
  },
  "the palette": async (page) => {
    await openAs(page, ana, "/")
    await page.getByRole("button", { name: "Search or jump to…" }).click()
    await page.getByRole("option", { name: "My profile" }).waitFor()
  },
  "the account's panel": async (page) => {
    await openAs(page, ana, "/")
    await page.getByRole("button", { name: "Account" }).click()
  },
  "the wall": async (page) => {
    await page.goto("/wall?night=off")
    await page.locator(".wall-newest").waitFor()
    // Wait for the animations: moving rows have less contrast.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  },
  "the log-in over a page whose session ended": async (page) => {
    const isLive = connectionOpens(page)
    await openAs(page, ana, "/me")
    await isLive
    await page.getByText("This browser").waitFor()
    await page.evaluate(() => fetch("/logout", { method: "POST" }))
    await page.getByText("Your session has ended.").waitFor()
  },
  "the history": async (page) => {
    await openAs(page, ana, "/history?chart=points")
    await page.locator("main time").first().waitFor()
    const folded = page.locator("summary").getByText("Chart", { exact: true }) // on a phone
    if (await folded.isVisible()) await folded.click()
    await page.getByRole("button", { name: "Filter" }).click()
    await page.locator(".chart canvas").waitFor()
    await page.getByText("As a table").click()
    await page.getByText("midnight (UTC)").waitFor()
    await page.locator("main time").first().waitFor()
  },
  "the programme with faults": async (page) => {
    const admin = { username: "admin", password: "admin" }
    await openAs(page, admin, "/admin/programme")
    await page.getByRole("textbox", { name: "Amounts on offer" }).fill("a few")
    await page.getByRole("region", { name: "Giving" }).getByRole("button", { name: "Save" }).click()
    await page.getByText("Enter whole numbers, separated by commas.").waitFor()
    await page.getByRole("button", { name: "Add a tag" }).click()
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("two words")
    await page.getByRole("region", { name: "Tags" }).getByRole("button", { name: "Save" }).click()
    await page.getByText("1 to 32 visible characters without spaces and commas").waitFor()
  },
  "an address where nothing is": async (page) => {
    await openAs(page, ana, "/people")
    await page.goto("/admin/nothing")
    await page.getByRole("heading", { name: "Page not found" }).waitFor()
  },
}

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test.each(Object.keys(screens))("%s is accessible, light and dark, also with large text", async (name) => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await screens[name]?.(page)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      expect(await accessibilityViolations(page)).toEqual([])
    }
    const { width, height } = sizes[size].viewport
    const narrow = { width: size === "phone" ? 320 : 640, height }
    await page.setViewportSize(narrow)
    if (size === "desktop") await enlargeText(page)
    expect([await overflowOf(page), await clippedTexts(page), await clippedFieldTexts(page)]).toEqual([0, [], []])
    // Names in fields may be clipped on a phone with large text, because their length is not ours to choose.
    await page.setViewportSize({ width, height })
    await enlargeText(page)
    expect([await overflowOf(page), await clippedTexts(page), await clippedFieldTexts(page)]).toEqual([0, [], []])
  })

  test("the name of the service and the navigation break no word with large text", async () => {
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    await enlargeText(page)
    expect(await brokenWords(page.locator("header > p, nav a > span:last-child"))).toEqual([])
  })

  test("the button to search is whole with large text, in a font that is wider, too", async () => {
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    await enlargeText(page)
    for (const letterSpacing of ["normal", "0.15em"]) {
      await page.evaluate((spacing) => document.body.style.setProperty("letter-spacing", spacing), letterSpacing)
      const search = page.getByRole("button", { name: "Search or jump to…" })
      const parts = await search.evaluate((button) => {
        const { left, right } = button.getBoundingClientRect()
        return [...button.children]
          .filter((part) => getComputedStyle(part).clipPath === "none" && part.checkVisibility())
          .map((part) => part.getBoundingClientRect())
          .map((part) => part.left >= left && part.right <= right && part.width > 0)
      })
      expect({ letterSpacing, parts }).toEqual({ letterSpacing, parts: size === "phone" ? [true] : [true, true, true] })
      expect(await clippedTexts(page)).toEqual([])
    }
  })

  test("log in, give, see it and log out by keyboard only, in Portuguese, dark and with reduced motion", async () => {
    const [carla, bruno] = [
      await app.createUser(`Carla ${size}`, { points: 100 }),
      await app.createUser(`Bruno ${size}`),
    ]
    await using opened = await openPage(app.browser, app.server.url, {
      ...sizes[size],
      locale: "pt-BR",
      colorScheme: "dark",
      reducedMotion: "reduce",
    })
    const { page } = opened
    const to = (wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab") => tabTo(page, wanted, key)
    await page.goto("/")
    await page.getByRole("heading", { name: "Entrar" }).waitFor()
    await to(page.getByLabel("Nome de usuário"))
    await page.keyboard.type(carla.username)
    await to(page.getByLabel("Senha", { exact: true }))
    await page.keyboard.type(carla.password)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: `Olá, ${carla.name}` }).waitFor()
    await page.reload()
    await page.getByText("Ao vivo", { exact: true }).waitFor()
    await page.keyboard.press("Tab")
    await to(page.getByRole("link", { name: "Ir para o conteúdo" }))
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    if (size === "phone") {
      await to(page.locator("main").getByRole("button", { name: "Agradecer a alguém…" }))
      await page.keyboard.press("Enter")
    }
    await to(page.getByRole("combobox", { name: "Para quem" }))
    await page.keyboard.type(`bruno ${size}`)
    await page.getByRole("option", { name: bruno.name }).waitFor()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    await to(page.getByRole("textbox", { name: "Motivo" }))
    await page.keyboard.type(`Pela calma no ${size}`)
    await to(page.getByRole("button", { name: "Dar", exact: true }))
    await page.keyboard.press("Enter")
    const entry = page.getByRole("article").filter({ hasText: `Pela calma no ${size}` })
    await entry.locator("time").waitFor()
    await entry.getByText("agora").waitFor()
    expect(await lookOf(page)).toEqual({ scheme: "dark", language: "pt", moves: [] })
    await to(page.getByRole("button", { name: "Conta" }), "Shift+Tab")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("appearance")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Conta", expanded: false }).and(page.locator(":focus")).waitFor()
    await page.keyboard.press("Enter")
    await to(page.getByRole("button", { name: "Sair" }))
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Entrar" }).waitFor()
  })

  test("a right-to-left name is shown so in the box, the confirmation, the entry, the page and the history", async () => {
    const dora = await app.createUser(`Dora ${size}`, { points: 40 })
    const [name, username] = ["שרה כהן", `שרה-${size}`]
    await app.createUser(name, { username })
    await using opened = await openHome(app, dora, sizes[size])
    const { page } = opened
    await openGiveBox(page)
    await page.getByRole("combobox", { name: "To whom" }).fill(username.slice(0, -2))
    await page.getByRole("option", { name }).filter({ hasText: username }).click()
    await runsToTheLeft(page.getByRole("form"), name)
    await page.getByRole("form").getByText("25", { exact: true }).click()
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await runsToTheLeft(page.getByRole("dialog"), name)
    await page.getByRole("button", { name: "Give 25 points" }).click()
    await page.getByRole("article").locator("time").first().waitFor()
    await runsToTheLeft(page.getByRole("article").first(), name)
    await page.getByRole("article").getByRole("link", { name }).first().click()
    await runsToTheLeft(page.getByRole("heading", { level: 1 }), name)
    expect(await page.title()).toBe(`${name} · Rewards`)
    await page.goto(`/history?user=${encodeURIComponent(username)}`)
    await runsToTheLeft(page.getByRole("table").first(), name)
  })
})

test("a Portuguese browser shows Portuguese text and numbers, and choosing another language lasts", async () => {
  await using opened = await openPage(app.browser, app.server.url, { locale: "pt-BR" })
  const { page } = opened
  await page.goto("/")
  await page.getByLabel("Nome de usuário").fill(ana.username)
  await page.getByLabel("Senha", { exact: true }).fill("errada")
  await page.keyboard.press("Enter")
  await page.getByText("Nome de usuário ou senha incorretos").waitFor()
  await page.getByLabel("Senha", { exact: true }).fill(ana.password)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Olá, Ana Souza" }).waitFor()
  await page.getByRole("definition").getByText("1.250", { exact: true }).first().waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("pt")

  await page.getByRole("button", { name: "Conta" }).click()
  await page.getByText("English").click()
  await page.getByRole("heading", { name: "Hello, Ana Souza" }).waitFor()
  await page.reload()
  await page.getByRole("heading", { name: "Hello, Ana Souza" }).waitFor()

  await using another = await openPage(app.browser, app.server.url, { locale: "pt-BR" })
  await openAs(another.page, ana, "/")
  await another.page.getByRole("heading", { name: "Hello, Ana Souza" }).waitFor()
})

test("the chosen theme is kept and overrides the device's", async () => {
  await using opened = await openPage(app.browser, app.server.url, { colorScheme: "light" })
  const { page } = opened
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  await openAs(page, ana, "/")
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByText("Dark", { exact: true }).click()
  expect(await background()).toBe("dark")
  await page.reload()
  await page.locator("main").getByText("Budget to give").waitFor()
  expect(await background()).toBe("dark")
})

test("without scripts, a sentence in each language says that scripts are needed", async () => {
  await using opened = await openPage(app.browser, app.server.url, { javaScriptEnabled: false })
  await opened.page.goto("/")
  const sentences = Object.values(catalogues).map(async ({ main }) => (await main()).texts.noScript)
  expect(await opened.page.locator("noscript p").allTextContents()).toEqual(await Promise.all(sentences))
})

/** Moves the focus by keyboard alone. */
async function tabTo(page: Page, wanted: Locator, key: "Tab" | "Shift+Tab") {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${wanted} is not reached by ${key}`)
}

const lookOf = (page: Page) =>
  page.evaluate(() => ({
    scheme: getComputedStyle(document.documentElement).colorScheme,
    language: document.documentElement.lang,
    moves: [...document.querySelectorAll("*")].flatMap((one) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(one)
      const isMoving = animationName !== "none" && Number.parseFloat(animationDuration) > 0.001
      return isMoving || Number.parseFloat(transitionDuration) > 0.001 ? [one.className] : []
    }),
  }))

/** Asserts that the text is laid out from right to left, whatever surrounds it. */
async function runsToTheLeft(within: Locator, text: string) {
  const shown = (direction: string) => within.getByText(text).and(within.page().locator(`:dir(${direction})`))
  await shown("rtl").first().waitFor()
  expect(await shown("ltr").count()).toBe(0)
}
