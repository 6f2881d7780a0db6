import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
let ana: User
let dora: User
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 20 })
  await app.createUser("Bruno Lima", { points: 300 })
  await app.createUser("<i>Carla</i>", { points: 20, username: "carla" })
  dora = await app.createUser("Dora Alves")
})
afterAll(() => app[Symbol.asyncDispose]())

const placesOf = async (page: Page) => (await page.locator("main ol > li").allInnerTexts()).map(oneLine)
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("top receivers and givers by period are in the URL and can be reached by keyboard", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/leaderboard")
    await page.getByText("1 person thanked you this month.").waitFor()
    expect(await placesOf(page)).toEqual([
      "BL Bruno Lima Rank 1 300 1 time",
      "AS Ana Souza You Rank 2 20 1 time",
      "< <i>Carla</i> Rank 2 20 1 time",
    ])
    expect(await page.getByRole("table").count()).toBe(0)
    const [first, second] = await Promise.all(
      [0, 1].map((index) => page.locator("main ol > li").nth(index).boundingBox()),
    )
    expect(second?.x ?? 0).toBeLessThan(first?.x ?? 0)

    await page.getByRole("link", { name: "Year" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/leaderboard\?period=year$/)
    await page.getByRole("link", { name: "Given" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/leaderboard\?period=year&by=sent$/)
    await page.getByText("You haven't thanked anyone this year yet.").waitFor()
    await page.reload()
    await page.getByRole("link", { name: "Admin" }).waitFor()
    expect(await placesOf(page)).toEqual(["A Admin Rank 1 340 3 times"])
    await becomes(() => page.title(), "Leaderboard: Given, Year · Rewards")
    expect(await page.getByRole("link", { name: "Year" }).getAttribute("aria-current")).toBe("true")

    await page.goBack()
    await page.getByRole("link", { name: "Bruno Lima" }).click()
    await page.getByRole("heading", { name: "Bruno Lima" }).waitFor()
  })
})

test("below the podium there are ten rows, and nobody is told a rank far down", async () => {
  await using many = await startTestApp()
  for (let index = 0; index < 16; index += 1)
    await many.createUser(`Person ${index}`, { points: 100 - index, username: `p${index}` })
  await using opened = await openPage(many.browser, many.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, { username: "p15", password: "p15 comes in" }, "/leaderboard")
  await page.getByText("1 person thanked you this month.").waitFor()
  await page.getByText("85 points").waitFor()
  const rows = page.getByRole("table", { name: "Leaderboard" }).locator("tbody tr")
  expect((await rows.allInnerTexts()).map(oneLine)).toEqual(
    Array.from(
      { length: 10 },
      (_, index) => `${index + 4} P${`${index + 3}`[0]} Person ${index + 3} ${97 - index} 1 time`,
    ),
  )
  expect(await page.locator("main").textContent()).not.toContain("16th")
  await enlargeText(page)
  expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
})

test("a user without points sees that, in the language of the page", async () => {
  await using opened = await openPage(app.browser, app.server.url, { locale: "pt-BR" })
  const { page } = opened
  await page.goto("/leaderboard?period=all&by=nonsense")
  await page.getByLabel("Nome de usuário").fill(dora.username)
  await page.getByLabel("Senha", { exact: true }).fill(dora.password)
  await page.keyboard.press("Enter")
  await page.getByText("Ainda ninguém agradeceu a você até agora.").waitFor()
  await page.getByText("Desde o começo").waitFor()
})

test("an empty leaderboard invites to begin", async () => {
  await using empty = await startTestApp()
  const carla = await empty.createUser("Carla Reis")
  await using opened = await openPage(empty.browser, empty.server.url)
  await openAs(opened.page, carla, "/leaderboard")
  await opened.page.getByText("No recognition in this period yet.").waitFor()
  await opened.page.getByRole("link", { name: "Thank someone" }).click()
  await opened.page.waitForURL(`${empty.server.url}/`)
})

test("if totals are hidden, users see their own rank and no numbers of others; periods are the service's", async () => {
  const zone = "Pacific/Kiritimati" // 14 hours ahead of UTC, 17 ahead of the browser
  const config = `[service]\ntime_zone = "${zone}"\n[stream]\naccess = "auth"\n[recognition]\nfeed = "own"\n`
  await using closed = await startTestApp({ config })
  const bruno = await closed.createUser("Bruno Lima", { points: 20 })
  await closed.createUser("Carla Reis", { points: 3456 })
  await using opened = await openPage(closed.browser, closed.server.url)
  const { page } = opened
  await openAs(page, bruno, "/leaderboard")
  await page.getByText("Everyone sees only their own points here.").waitFor()
  await page.getByText("20 points").first().waitFor()
  const today = Temporal.Now.plainDateISO(zone)
  const days = [1, today.daysInMonth].map((day) => Date.parse(today.with({ day }).toString()))
  const inWords = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })
  await page.getByText(inWords.formatRange(days[0] ?? 0, days[1] ?? 0)).waitFor()
  expect(await page.getByRole("table").count()).toBe(0)

  await page.goto("/people/carla-reis")
  await page.getByRole("heading", { name: "Carla Reis" }).waitFor()
  await page.getByLabel("Points").first().waitFor()
  const facts = await page.locator("main dt").allTextContents()
  expect(facts).toContain("Department")
  expect(facts.filter((fact) => fact === "Received" || fact === "Given")).toEqual([])
  expect(await page.locator("main").textContent()).not.toContain("3,456")
  await page.goto("/people/bruno-lima")
  await page.getByRole("definition").filter({ hasText: /^20$/ }).waitFor()
})
