import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { defaultProgramme } from "../../src/domain/programme/model.ts"
import { callerOf } from "../support/credentials.ts"
import { becomes, openPage, type Size, sizes, stopUndoTime } from "./page.ts"
import { openAs, openGiveBox, openHome, sendHeld, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
let admin: Awaited<ReturnType<typeof callerOf>>
beforeAll(async () => {
  app = await startTestApp()
  admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
})
afterAll(() => app[Symbol.asyncDispose]())

async function change(programme: object) {
  const { status } = await admin.patch("/api/v1/programme", programme)
  expect(status).toBe(200)
}
beforeEach(() => change(defaultProgramme))

const give = (page: Page) => page.getByRole("button", { name: "Give", exact: true }).click()

const offeredIn = (page: Page) =>
  page
    .getByRole("group", { name: "Points" })
    .getByRole("radio")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("the box says what the programme still asks for: a reason long enough, and a tag, shown with its emoji", async () => {
    const ana = await app.createUser(`Ana ${size}`, { points: 100 })
    const leo = await app.createUser(`Leo ${size}`)
    const tags = [{ name: "care", emoji: "💚", description: "Looks after others" }, { name: "craft" }]
    await change({ reason: "required", reason_min: 10, tag: "required", tags })
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    await openGiveBox(page)
    await page.getByRole("combobox", { name: "To whom" }).fill(leo.name)
    await page.getByRole("option", { name: leo.name }).click()
    await page.locator("#give").getByText("25", { exact: true }).click()
    const reason = page.getByRole("textbox", { name: "What for" })

    await give(page)
    await page.getByText("Say a little more: 10 characters are missing.").waitFor()
    expect(await reason.evaluate((field) => field === document.activeElement)).toBe(true)
    await reason.fill("For help")
    await page.getByText("Say a little more: 2 characters are missing.").waitFor()
    await reason.fill("For help today")
    await page.getByText("Say a little more").waitFor({ state: "detached" })
    await give(page)
    await page.getByText("Choose a tag.").waitFor()
    const tag = page.getByRole("checkbox", { name: "💚 #care" })
    expect(await tag.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press("Space")
    await stopUndoTime(page)
    await give(page)

    const entry = page.getByRole("article").filter({ hasText: "For help today" })
    await entry.getByText("Not sent yet.").waitFor()
    await sendHeld(page)
    await entry.first().getByText("💚 #care").waitFor()
  })

  test("the box offers the amounts of the programme, as far as the budget and the limit for one person go", async () => {
    const eva = await app.createUser(`Eva ${size}`, { points: 15 })
    const kim = await app.createUser(`Kim ${size}`, { points: 200 })
    await (await callerOf(app.server.url, kim)).post(`/transaction/${eva.username}/`, { value: 100 })
    await admin.post("/api/v1/grants", { usernames: [eva.username], value: 15 })
    await change({ amounts: [5, 15, 40, 80] })
    await using opened = await openPersonPage(eva, kim.username, size)
    const { page } = opened
    await openGiveBox(page)
    await becomes(() => offeredIn(page), ["5 points", "15 points", "40 points", "80 points", "Another amount"])

    // The open page follows each change by itself.
    await change({ give_from: "budget" })
    await page.getByRole("radio", { name: "40 points" }).waitFor({ state: "detached" })
    expect(await offeredIn(page)).toEqual(["5 points", "15 points", "Another amount"])
    await page.getByRole("textbox", { name: "Another amount" }).fill("16")
    await page.getByText("That's more than your budget: 16 of 15. Only the budget can be given.").waitFor()

    await change({ most_to_one: { points: 12, period: "quarter" } })
    await page.getByRole("radio", { name: "15 points" }).waitFor({ state: "detached" })
    await page.getByRole("textbox", { name: "Another amount" }).fill("13")
    await page.getByText("At most 12 points to one person in a quarter.").waitFor()
  })
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("the name of points is in every text, in both languages, and on a wall without a log-in", async () => {
    const ivo = await app.createUser(`Ivo ${size}`, { points: 40 })
    await using opened = await openHome(app, ivo, sizes[size])
    const { page } = opened
    await change({ points_name: { one: "star", many: "stars" } })
    await page.getByTitle("40 stars").first().waitFor()
    await openGiveBox(page)
    await page.getByRole("group", { name: "Stars" }).waitFor()
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByText("Choose how many stars.").waitFor()
    await page.keyboard.press("Escape")
    expect(await page.getByText(/\bpoints?\b/i).count()).toBe(0)

    await page.evaluate(() => localStorage.setItem("language", "pt"))
    await page.goto("/history")
    await page.getByText("Stars").first().waitFor()
    expect(await page.getByText(/\bpontos?\b/i).count()).toBe(0)

    await using watched = await openPage(app.browser, app.server.url, sizes[size])
    const wall = watched.page
    await wall.goto("/wall")
    await wall.getByText("40 stars").first().waitFor()
  })

  test("amounts that concern only others are in nobody's feed, page, leaderboard or wall, at once in open pages", async () => {
    const [ivy, max, pia] = [
      await app.createUser(`Ivy ${size}`, { points: 90 }),
      await app.createUser(`Max ${size}`),
      await app.createUser(`Pia ${size}`),
    ]
    const asIvy = await callerOf(app.server.url, ivy)
    await asIvy.post("/api/v1/transactions", { to: max.username, value: 31, reason: `For Max ${size}` })
    await asIvy.post("/api/v1/transactions", { to: [max.username, pia.username], value: 7, reason: `For both ${size}` })
    await using watched = await openPage(app.browser, app.server.url, sizes[size])
    await watched.page.clock.install()
    await watched.page.goto("/wall")
    await watched.page.getByText("+7", { exact: true }).first().waitFor()
    await using opened = await openHome(app, pia, sizes[size])
    await using given = await openHome(app, ivy, sizes[size])
    const { page } = opened
    const entry = (of: Page, text: string) => of.getByRole("article").filter({ hasText: text })
    await entry(page, `For Max ${size}`).getByTitle("31 points").waitFor()

    await change({ amounts_shown: "concerned" })
    await entry(page, `For Max ${size}`).getByTitle("31 points").waitFor({ state: "detached" })
    await entry(page, `For Max ${size}`).waitFor()
    await entry(page, `For both ${size}`).getByTitle("7 points").waitFor()
    await entry(given.page, `For Max ${size}`).getByTitle("31 points").waitFor()
    expect(await page.getByText(/31/).count()).toBe(0)

    await page.goto(`/people/${max.username}`)
    await entry(page, `For Max ${size}`).waitFor()
    await page.getByText("2 times").first().waitFor()
    expect(await page.getByText(/\b(31|38)\b/).count()).toBe(0)
    await page.goto("/leaderboard?period=all")
    await page.getByRole("main").getByText(`Max ${size}`).first().waitFor()
    expect(await page.getByText(/\b38\b/).count()).toBe(0)

    await watched.page.clock.fastForward(31_000)
    await watched.page.getByText("+7", { exact: true }).first().waitFor({ state: "detached" })
    await watched.page.getByText(`For both ${size}`).first().waitFor()
    expect(await watched.page.getByText(/\+(31|7)\b/).count()).toBe(0)
  })

  test("without a leaderboard there is no way to it: no tab, no entry of the palette, no page, no second column", async () => {
    const una = await app.createUser(`Una ${size}`, { points: 10 })
    await using opened = await openHome(app, una, sizes[size])
    const { page } = opened
    const tab = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Leaderboard" })
    const found = async () => {
      await page.keyboard.press("Control+k")
      await page.getByRole("dialog").getByRole("combobox").fill("leader")
      await page.getByRole("dialog").getByRole("status").waitFor({ state: "attached" })
      const count = await page.getByRole("option", { name: "Leaderboard" }).count()
      await page.keyboard.press("Escape")
      return count
    }
    await tab.waitFor()
    expect(await found()).toBe(1)

    await change({ leaderboard: "superusers" })
    await tab.waitFor({ state: "detached" })
    expect(await found()).toBe(0)
    expect(await page.getByRole("heading", { name: "Most thanked this month" }).count()).toBe(0)
    await page.goto("/leaderboard")
    await page.getByText("Page not found").first().waitFor()

    await using administered = await openHome(app, { username: "admin", password: "admin" }, sizes[size])
    await administered.page.goto("/leaderboard")
    await administered.page.getByRole("heading", { name: "Leaderboard" }).waitFor()
    await change({ leaderboard: "off" })
    await administered.page.getByText("Page not found").first().waitFor()
  })
})

async function openPersonPage(who: Parameters<typeof openHome>[1], username: string, size: Size) {
  const opened = await openHome(app, who, sizes[size])
  await openAs(opened.page, who, `/people/${username}`)
  return opened
}
