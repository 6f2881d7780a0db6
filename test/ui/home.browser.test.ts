import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { startServer } from "../support/executable.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, overflowOf } from "./layout.ts"
import { becomes, loseSession, openPage, type Size, sizes } from "./page.ts"
import { logIn, openAs, openGiveBox, sendHeld, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test("home shows the first admin that the password is still the initial one, and the next steps", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, { username: "admin", password: "admin" }, "/")
  await page.getByText("You still have the password this server came with").waitFor()
  expect(await page.getByRole("link", { name: "Change it now" }).getAttribute("href")).toBe("/me")
  expect(await page.getByRole("link", { name: "Put up the wall" }).getAttribute("href")).toBe("/wall")
  await page.getByText("mailed to admin@localhost, which nobody reads").waitFor()
  const nameAddress = page.getByRole("link", { name: "Say where your mail goes" })
  expect(await nameAddress.getAttribute("href")).toBe("/admin/people/admin")
  await page.getByRole("link", { name: "Create people" }).click()
  await page.getByRole("link", { name: "Create a person" }).waitFor()

  await page.goto("/wall")
  await page.locator(".wall-empty").waitFor()
  await page.goto("/")
  await page.getByRole("link", { name: "Put up the wall (done)" }).waitFor()
  await page.getByRole("link", { name: "Create people", exact: true }).waitFor()
})

test("those who run the programme see on a phone, too, how it is doing, once they unfold it", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, { username: "admin", password: "admin" }, "/")
  const folded = page.getByRole("main").getByText("The programme", { exact: true })
  await folded.waitFor()
  expect(await page.getByText("Gave thanks this month").filter({ visible: true }).count()).toBe(0)
  await folded.tap()
  await page.getByText("Gave thanks this month").filter({ visible: true }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test("home warns of a first password in the settings, and asks for no address where the settings have one", async () => {
  await using server = await startServer({
    env: {
      REWARDS_SECURITY__ADMIN_PASSWORD: "chosen at the start",
      REWARDS_SECURITY__ADMIN_EMAIL: "ops@example.com",
    },
  })
  await using opened = await openPage(app.browser, server.url, sizes.desktop)
  await openAs(opened.page, { username: "admin", password: "chosen at the start" }, "/")
  await opened.page.getByText("You still have your first password, which is also in the settings").waitFor()
  expect(await opened.page.getByText("look that up").count()).toBe(0)
  await opened.page.getByRole("link", { name: "Say where your mail goes (done)" }).waitFor()
  expect(await opened.page.getByText("which nobody reads").count()).toBe(0)
})

test("the first steps are ticked as soon as they are done", async () => {
  await using fresh = await startTestApp()
  const admin = { username: "admin", password: "admin" }
  await using opened = await openPage(fresh.browser, fresh.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, admin, "/")
  const done = page
    .getByRole("main")
    .getByRole("listitem")
    .getByRole("link", { name: / \(done\)$/ })
  await page.getByRole("link", { name: "Put up the wall" }).waitFor()
  expect(await done.count()).toBe(0)
  await fresh.createUser("Nina First")
  const caller = await callerOf(fresh.server.url, admin)
  await caller.post("/api/v1/grants", { value: 20, usernames: ["nina-first"], reason: "To give" })
  await page.reload()
  await becomes(() => done.allTextContents(), ["Create people (done)", "Give points (done)"])
  expect(await accessibilityViolations(page)).toEqual([])
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("an empty feed invites to begin; a right-to-left name with markup is shown as plain text", async () => {
    const [ana, sara] = [await app.createUser(`Ana ${size}`, { points: 0 }), `<i>${size}</i> שרה`]
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/")
    if (size === "phone") await page.getByText("No recognition yet. Thank someone").waitFor()
    await app.createUser(sara, { points: 7, username: `sara-${size}` })
    await page.getByRole("article").getByRole("link", { name: sara }).waitFor()
    expect(await page.getByRole("article").getByRole("link", { name: sara }).getAttribute("href")).toBe(
      `/people/sara-${size}`,
    )
    expect(await page.locator("main i").count()).toBe(0)
    await page.getByRole("heading", { name: "Today" }).waitFor()
  })
})

test("a grant is a quiet line on the home page of those who got it, and not an entry of the feed", async () => {
  const [eva, otto] = [await app.createUser("Eva Budget"), await app.createUser("Otto Budget")]
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const reason = "Yours to give away this month, to everybody who made your work easier."
  await admin.post("/api/v1/grants", { value: 40, usernames: [eva.username], reason })
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, eva, "/")
  const budgets = page.getByRole("list", { name: "Recent grants and allowances" })
  await budgets.getByText("+40").waitFor()
  expect(await budgets.getByRole("listitem").allTextContents()).toEqual([
    expect.stringMatching(/^\+40GrantYours to give/),
  ])
  expect(await clippedTexts(page)).toEqual([])
  expect(await page.getByRole("article").filter({ hasText: "Yours to give" }).count()).toBe(0)
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.reload()
  await page.getByRole("list", { name: "Concessões e cotas recentes" }).getByText("Concessão", { exact: true }).click()
  await page.getByText("Yours to give").waitFor()
  expect(new URL(page.url()).search).toBe("?kind=grant")

  await loseSession(page)
  await page.goto("/")
  await page.evaluate(() => localStorage.removeItem("language"))
  await page.reload()
  await logIn(page, otto)
  await page.locator("main").getByText("Earned", { exact: true }).waitFor()
  expect(await budgets.count()).toBe(0)
})

test("numbers are shown in a browser whose language has a POSIX name that Intl does not know", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await page.addInitScript(() => Object.defineProperty(navigator, "languages", { value: ["en-US@posix"] }))
  await page.goto("/")
  await logIn(page, await app.createUser("Ana Posix", { points: 1234 }))
  await page.getByRole("definition").getByText("1,234", { exact: true }).first().waitFor()
})

test("the feed loads page by page, each entry once, and is restored when the user returns", async () => {
  const ana = await app.createUser("Ana Back")
  for (let index = 0; index < 35; index += 1) await app.createUser(`Person ${index}`, { points: index + 1 })
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, ana, "/")
  const receivers = () =>
    page
      .getByRole("article")
      .getByRole("link", { name: /^Person \d+$/ })
      .allTextContents()
  await page.getByRole("button", { name: "Show older" }).click()
  await page.getByText("This is where it all began.").waitFor()
  expect(await receivers()).toEqual(Array.from({ length: 35 }, (_, index) => `Person ${34 - index}`))
  await page.getByRole("link", { name: "People" }).click()
  await page.waitForURL("**/people")
  await page.goBack()
  await page.getByText("This is where it all began.").waitFor()
  expect(await receivers()).toHaveLength(35)
})

test("a desktop shows a second column: what is waiting, one's own budget with its next day, and top receivers", async () => {
  const [gina, hugo] = [await app.createUser("Gina Wide", { points: 300 }), await app.createUser("Hugo Wide")]
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const audience = { usernames: [gina.username] }
  const budget = { name: "Budget", value: 100, mode: "add", period: "month", on: 1, audience }
  await admin.post("/api/v1/allowances", budget)
  const reward = await admin.post<{ id: number }>("/api/v1/rewards", { name: "Mug", cost: 5 })
  const mine = await callerOf(app.server.url, gina)
  await mine.post("/api/v1/transactions", { to: hugo.username, value: 20 })
  await mine.post(`/api/v1/rewards/${reward.body.id}/redemptions`, {})
  const day = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" })

  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, gina, "/")
  const { body } = await mine.get<{ next_allowance: { at: string } }>("/api/v1/me")
  const at = new Date(body.next_allowance.at)
  const renewal = page.getByTitle(day.format(at), { exact: true })
  expect(await renewal.textContent()).toMatch(/^100 more (in|today|tomorrow)/)
  await page.getByRole("region", { name: "Your budget" }).getByText("Given this month: 20 points, 1×").waitFor()
  await page.getByRole("region", { name: "Waiting for you" }).getByText("1 reward on its way to you").waitFor()
  await page.getByRole("region", { name: "Most thanked this month" }).getByRole("link", { name: "Gina Wide" }).waitFor()
  expect(await page.getByRole("region", { name: "The programme" }).count()).toBe(0)
  const [column, box] = [await page.locator("aside").boundingBox(), await page.locator("#give").boundingBox()]
  expect((column?.x ?? 0) > (box?.x ?? 0) + (box?.width ?? 0)).toBe(true)

  await page.evaluate(() => {
    const feed = document.querySelector("main aside")?.previousElementSibling
    if (feed instanceof HTMLElement) feed.style.minHeight = "5000px"
    scrollTo(0, 1500)
  })
  await page.getByRole("region", { name: "Most thanked this month" }).waitFor()
  expect((await page.locator("aside").boundingBox())?.y).toBe(40)
  await page.evaluate(() => scrollTo(0, 0))

  await openGiveBox(page)
  await page.getByRole("combobox", { name: "To whom" }).fill("Hugo")
  await page.getByRole("option", { name: "Hugo Wide" }).click()
  await page.getByRole("form", { name: "Give points" }).getByText("100", { exact: true }).click()
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await sendHeld(page)
  await page.getByRole("region", { name: "Your budget" }).getByText("Given this month: 120 points, 2×").waitFor()
  const leaders = page.getByRole("region", { name: "Most thanked this month" })
  await leaders.getByRole("listitem").filter({ hasText: "Hugo Wide" }).getByText("120", { exact: true }).waitFor()

  await page.context().clearCookies()
  await page.goto("/login")
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.request.post("/login", { form: { username: "admin", password: "admin" } })
  await page.goto("/")
  await page.getByText("Concedidos neste mês").waitFor()
  const programme = page.getByRole("region", { name: "O programa" })
  await becomes(
    () => programme.getByRole("term").allTextContents(),
    ["Agradeceram neste mês", "Pedidos em aberto", "Pontos em aberto"],
  )
  await becomes(async () => (await programme.getByRole("definition").allTextContents())[1], "1")
  await becomes(async () => (await programme.getByRole("definition").allTextContents()).includes("–"), false)
  await page
    .getByRole("region", { name: "À sua espera" })
    .getByRole("link", { name: "1 pedido de prêmio em aberto" })
    .click()
  await page.waitForURL("**/admin/rewards")

  await page.setViewportSize(sizes.phone.viewport)
  await page.goto("/")
  await page.getByText("Concedidos neste mês").waitFor()
  expect(await page.getByRole("region", { name: "À sua espera" }).count()).toBe(0)
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("budget and earned points are shown apart everywhere, and giving says which of them is spent", async () => {
    const ana = await app.createUser(`Ana Pockets ${size}`, { points: 130 })
    await app.createUser(`Bo Pockets ${size}`)
    const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
    await admin.post("/api/v1/grants", { value: 45, usernames: [ana.username] })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/")

    const both = [
      ["Budget to give", "45"],
      ["Earned", "130"],
    ]
    const main = page.locator("main")
    await becomes(() => pocketsIn(main), both)
    const menu = page.getByRole("button", { name: "Account" })
    await menu.click()
    await becomes(() => pocketsIn(menu.locator("..")), both)
    await page.goto("/rewards")
    await becomes(() => pocketsIn(main), both)
    await page.goto(`/people/${ana.username}`)
    await becomes(() => pocketsIn(main), both)

    await page.goto(`/people/bo-pockets-${size}`)
    await openGiveBox(page)
    const typed = page.getByRole("textbox", { name: "Another amount" })
    const spent = page.getByRole("form").locator("output")
    for (const [amount, from] of [
      ["45", "45 from your budget"],
      ["50", "45 from your budget, 5 from what you earned"],
      ["175", "45 from your budget, 130 from what you earned"],
    ] as const) {
      await typed.fill(amount)
      await becomes(() => spent.textContent().then(oneLine), `${amount} points · ${from}`)
    }
    expect(await overflowOf(page)).toBe(0)
    await typed.fill("176")
    await page.getByText("That's more than you have: 176 of 175.").waitFor()
    await page.getByText("Budget: 45").waitFor()
  })
})

test("superusers give without a limit, and see what is beyond their own points", async () => {
  const hana = await app.createUser("Hana Boss", { dept: "management", points: 30 })
  await app.createUser("Ivo Many")
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, hana, "/people/ivo-many")
  await page.getByRole("textbox", { name: "Another amount" }).fill("500")
  await page.getByText("500 points · 30 from what you earned, 470 beyond what you have").waitFor()
  await (await callerOf(app.server.url, hana)).post("/transaction/ivo-many/", { value: 500 })
  await page.goto("/")
  await becomes(
    () => pocketsIn(page.locator("main")),
    [
      ["Budget to give", "No limit"],
      ["Earned", "0"],
    ],
  )
  await page.getByText("Granted this month").waitFor()
})

/** The names and values of the first list of figures. */
const pocketsIn = (within: Locator): Promise<string[][]> =>
  within
    .locator("dl")
    .first()
    .locator("> div")
    .evaluateAll((figures) =>
      figures.map((figure) => ["dt", "dd"].map((one) => figure.querySelector(one)?.textContent ?? "")),
    )

const oneLine = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim()
