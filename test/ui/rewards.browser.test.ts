import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
let admin: Awaited<ReturnType<typeof callerOf>>
const operator = { username: "admin", password: "admin" }
beforeAll(async () => {
  app = await startTestApp()
  admin = await callerOf(app.server.url, operator)
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a superuser adds a reward, a member redeems it by keyboard, and the superuser fulfils and declines requests", async () => {
    const ana = await app.createUser(`Ana ${size}`, { points: 100 })
    const mug = `Mug ${size}`
    await using office = await openPage(app.browser, app.server.url, sizes[size])
    await using desk = await openPage(app.browser, app.server.url, sizes[size])
    const [boss, member] = [office.page, desk.page]

    await openAs(boss, operator, "/admin")
    await boss.getByRole("link", { name: "Rewards What people" }).click()
    await boss.getByRole("button", { name: "Add a reward" }).click()
    await boss.getByRole("button", { name: "Save" }).click()
    await boss.getByText("Enter a name.").waitFor()
    await boss.getByLabel("Name", { exact: true }).fill(mug)
    await boss.getByLabel("Points", { exact: true }).fill("40")
    await boss.getByLabel("Stock").fill("5")
    await boss.getByRole("button", { name: "Save" }).click()
    await boss.getByText("5 left").first().waitFor()

    await openAs(member, ana, "/rewards")
    await earned(member, "100")
    await member.getByRole("button", { name: `Redeem ${mug}` }).focus()
    await member.keyboard.press("Enter")
    await member.getByText("It costs 40 points. You'll have 60 points left to redeem.").waitFor()
    await member.getByLabel("Comment").fill("Blue, please")
    await member.getByRole("button", { name: "Redeem for 40 points" }).focus()
    await member.keyboard.press("Enter")
    await member.getByText(`You requested ${mug}.`).waitFor()
    await earned(member, "60")
    await member.getByText("Blue, please").waitFor()
    await member.getByRole("button", { name: `Redeem ${mug}` }).click()
    await member.getByRole("button", { name: "Redeem for 40 points" }).click()
    await member.getByText("You need 20 points more.").first().waitFor()
    expect(await accessibilityViolations(member)).toEqual([])

    await boss.reload()
    const requests = boss.getByRole("checkbox", { name: `Select Ana ${size}: ${mug}` })
    await becomes(() => requests.count(), 2)
    expect(await accessibilityViolations(boss)).toEqual([])
    await requests.first().check()
    await boss.getByRole("button", { name: "Decline" }).click()
    await boss.getByText("The points go back.").waitFor()
    await boss.getByLabel("Answer").fill("Only one each")
    await boss.getByRole("dialog").getByRole("button", { name: "Decline" }).click()
    await boss.getByText("1 request answered").waitFor()
    await becomes(() => requests.count(), 1)
    await boss.getByRole("button", { name: "Fulfil" }).click()
    await boss.getByRole("dialog").getByRole("button", { name: "Fulfil" }).click()
    await becomes(() => requests.count(), 0)
    await boss.getByRole("link", { name: "Declined" }).click()
    await boss.getByText("→ Only one each").first().waitFor()

    await member.reload()
    await earned(member, "60")
    await member.getByText("Fulfilled").waitFor()
    await member.getByText("→ Only one each").waitFor()
    await member.getByText("4 left").first().waitFor()
    for (const page of [boss, member]) expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
    const { body } = await admin.get<{ items: { name: string; stock: number }[] }>("/api/v1/rewards")
    expect(body.items.find(({ name }) => name === mug)?.stock).toBe(4)
  })
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("what can be redeemed comes first, then what is nearest; wishes are made by keyboard and stay one's own", async () => {
    await using app = await startTestApp()
    const admin = await callerOf(app.server.url, operator)
    const ana = await app.createUser("Ana", { points: 100 })
    for (const [name, cost, more] of [
      ["Gone", 10, { stock: 0 }],
      ["Bicycle", 400, { emoji: "🚲" }],
      ["Day off", 200, {}],
      ["Lunch", 90, {}],
      ["Mug", 40, { emoji: "☕" }],
    ] as const)
      await admin.post("/api/v1/rewards", { name, cost, ...more })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/rewards")
    const names = () => page.locator("main li h2").allTextContents()

    await becomes(names, ["Mug", "Lunch", "Day off", "Bicycle", "Gone"])
    await page.getByText("You need 300 points more.").waitFor()
    await page.getByText("100 / 400").waitFor()
    await page.getByRole("button", { name: "Wish for Bicycle" }).focus()
    await page.keyboard.press("Space")
    await page.getByRole("button", { name: "Wish for Bicycle", pressed: true }).waitFor()
    await page.getByRole("link", { name: "Wish list (1)" }).focus()
    await page.keyboard.press("Enter")
    await becomes(names, ["Bicycle"])
    await page.reload()
    await becomes(names, ["Bicycle"])
    expect([await overflowOf(page), await clippedTexts(page), await accessibilityViolations(page)]).toEqual([0, [], []])

    const wish = "**/api/v1/rewards/*/wish"
    await page.route(wish, (route) => route.fulfill({ status: 429, json: { detail: "Too much" } }))
    await page.getByRole("button", { name: "Wish for Bicycle" }).click()
    await page.getByText("Too much").waitFor()
    await page.getByRole("button", { name: "Wish for Bicycle", pressed: true }).waitFor()
    await page.unroute(wish)

    // Whoever keeps the catalogue learns how many, on a phone too by the tab of the rewards.
    await page.context().clearCookies()
    await openAs(page, operator, "/admin/rewards")
    await page.getByRole("listitem").filter({ hasText: "Bicycle" }).getByText("1 person wishes for it").waitFor()
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" }).click()
    await page.getByRole("link", { name: "Wish list", exact: true }).click()
    await page.getByText("Nobody else sees it.").waitFor()
  })

  test("a superuser chooses an emoji as the cover, and one that is none is refused at its field", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const name = `Coffee on a ${size}`
    await openAs(page, operator, "/admin/rewards")
    await page.getByRole("button", { name: "Add a reward" }).click()
    await page.getByLabel("Name", { exact: true }).fill(name)
    await page.getByLabel("Points", { exact: true }).fill("5")
    await page.getByLabel("Cover: an emoji").fill("coffee")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("one emoji").waitFor()
    await page.getByRole("button", { name: "☕" }).focus()
    await page.keyboard.press("Enter")
    expect(await page.getByLabel("Cover: an emoji").inputValue()).toBe("☕")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("listitem").filter({ hasText: name }).getByText("☕").waitFor()
  })
})

test("many requests can be answered at once; after a failure, only the unanswered ones remain", async () => {
  await using app = await startTestApp()
  const admin = await callerOf(app.server.url, operator)
  const { body } = await admin.post<{ id: number }>("/api/v1/rewards", { name: "Sticker", cost: 1 })
  for (const name of ["Bia", "Caio", "Davi"]) {
    const member = await callerOf(app.server.url, await app.createUser(name, { points: 5 }))
    await member.post(`/api/v1/rewards/${body.id}/redemptions`)
  }
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, operator, "/admin/rewards")

  await page.getByLabel("Select all").check()
  await page.getByRole("button", { name: "Fulfil" }).click()
  await page.getByRole("heading", { name: "Fulfil 3 requests?" }).waitFor()
  let asked = 0
  await page.route("**/api/v1/redemptions/*/fulfilment", (route) => {
    asked += 1
    return asked === 2
      ? route.fulfill({ status: 429, json: { detail: "The server has too much to do" } })
      : route.continue()
  })
  await page.getByRole("dialog").getByRole("button", { name: "Fulfil" }).click()
  await page.getByRole("dialog").getByText("The server has too much to do").waitFor()
  await page.getByRole("heading", { name: "Fulfil 2 requests?" }).waitFor()
  await page.getByText("1 request answered").waitFor()
  await becomes(() => page.getByLabel(/^Select .*: Sticker$/).count(), 2)
  await page.getByRole("dialog").getByRole("button", { name: "Fulfil" }).click()
  await page.getByText("2 requests answered").waitFor()
  await page.getByText("There's nothing here.").waitFor()
  expect(asked).toBe(4)
})

test("a redemption whose answer was lost is made once, even if its dialog was closed and the page reloaded", async () => {
  const gil = await app.createUser("Gil", { points: 100 })
  const { body: reward } = await admin.post<{ id: number }>("/api/v1/rewards", { name: "Umbrella", cost: 10 })
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.desktop, outage: true })
  const { page } = opened
  await openAs(page, gil, "/rewards")
  let sent = 0
  await page.route(`**/api/v1/rewards/${reward.id}/redemptions`, async (route) => {
    sent += 1
    if (sent > 2) return route.continue()
    if (sent === 1) await route.fetch() // it arrives, but its answer is lost
    await route.abort("connectionreset")
  })
  const dialog = page.getByRole("dialog")
  const redeem = () => dialog.getByRole("button", { name: "Redeem for 10 points" }).click()
  const open = () => page.getByRole("button", { name: "Redeem Umbrella" }).click()
  await open()
  await page.getByLabel("Comment").fill("The blue one")
  await redeem()
  await dialog.getByRole("alert").waitFor()
  await dialog.getByRole("button", { name: "Cancel" }).click()
  await open()
  await redeem()
  await dialog.getByRole("alert").waitFor()
  await page.reload()
  await open()
  expect(await page.getByLabel("Comment").inputValue()).toBe("The blue one")
  await redeem()
  await page.getByText("You requested Umbrella.").waitFor()
  await earned(page, "90")

  // Another wish is another request.
  await open()
  expect(await page.getByLabel("Comment").inputValue()).toBe("")
  await redeem()
  await page.getByText("You requested Umbrella.").waitFor()
  await earned(page, "80")
  expect(sent).toBe(4)
})

test("members see the screen in Portuguese, without administration", async () => {
  const edu = await app.createUser("Edu", { points: 5 })
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.phone, locale: "pt-BR" })
  const { page } = opened
  await page.goto("/rewards")
  await page.getByRole("textbox", { name: "Nome de usuário ou e-mail" }).fill(edu.username)
  await page.getByRole("textbox", { name: "Senha", exact: true }).fill(edu.password)
  await page.getByRole("button", { name: "Entrar" }).click()

  await earned(page, "5")
  await page.getByText("Você ainda não pediu nada.").waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.goto("/admin/rewards")
  await becomes(() => page.getByRole("heading", { name: "Pedidos" }).count(), 0)
})

test("on a phone with large text, a reward and the header fit", async () => {
  await admin.post("/api/v1/rewards", { name: "Cinema", cost: 40 })
  const lia = await app.createUser("Lia Costa", { points: 100 })
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await page.setViewportSize({ width: 390, height: 844 })
  await openAs(page, lia, "/rewards")
  await page.getByRole("heading", { name: "Cinema" }).waitFor()
  await enlargeText(page)
  expect(await overflowOf(page)).toBe(0)
  const [logo, account] = await Promise.all(
    [page.locator("header > p"), page.getByRole("button", { name: "Account" })].map((part) => part.boundingBox()),
  )
  expect(account?.y ?? Number.NaN).toBeLessThan((logo?.y ?? 0) + (logo?.height ?? 0))

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.request.post("/login", { form: { username: "admin", password: "admin" } })
  await page.goto("/admin/rewards")
  await page.getByText("Cinema").first().waitFor()
  await enlargeText(page)
  expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
})

const earned = (page: Page, points: string) =>
  page.locator("main").getByRole("definition").getByText(points, { exact: true }).waitFor()
