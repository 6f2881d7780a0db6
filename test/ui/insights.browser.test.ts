import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
let ana: User
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 20 })
  await app.createUser("Dora Alves")
})
afterAll(() => app[Symbol.asyncDispose]())

const admin = { username: "admin", password: "admin" }

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("superusers see who takes part, who is overlooked and who thanks whom, each also as a file", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, "/admin")
    await page.getByRole("link", { name: "Insights" }).click()
    await page.getByRole("heading", { name: "Insights", exact: true }).waitFor()

    const overlooked = page.getByRole("region", { name: "Not thanked for 30 days" })
    await becomes(async () => (await overlooked.getByRole("listitem").allInnerTexts()).length, 1)
    expect(await overlooked.getByRole("link", { name: /^(?!Give).*Dora Alves/ }).getAttribute("href")).toBe(
      "/people/dora-alves",
    )
    const departments = page.getByRole("region", { name: "Who thanks whom", exact: true })
    await departments.getByRole("row", { name: "management 0 1" }).waitFor()
    const figures = page.getByRole("main").locator("dl").first().locator("div")
    await becomes(
      () => figures.allTextContents(),
      ["Times thanked1", "Points given20", "Gave thanks this month1", "Not thanked for 30 days1"],
    )
    const lines = page.getByRole("region", { name: "Participation", exact: true }).getByRole("figure")
    await becomes(() => lines.getByRole("listitem").allTextContents(), ["Were thanked1", "Gave thanks1"])
    await page
      .getByRole("img", { name: "How many people were thanked and how many gave thanks, month by month" })
      .waitFor()
    expect(await departments.getByRole("link", { name: "sales" }).first().getAttribute("href")).toBe(
      "/people?department=sales",
    )
    await page.getByText("As a table").first().focus()
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Participation", exact: true }).getByRole("cell", { name: "20" }).waitFor()
    expect(await overflowOf(page)).toBe(0)
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityViolations(page)).toEqual([])
    }
    if (size === "phone") await fitsWithLargeText(page)

    await page.getByRole("link", { name: "3 months" }).click()
    await page.waitForURL("**/admin/insights?months=3")
    const inPeriod = page.getByRole("link", { name: "Download Tags as CSV" })
    await becomes(
      async () => (await inPeriod.getAttribute("href"))?.replace(/\d{4}-\d\d/, "MONTH"),
      "/api/v1/insights/tags.csv?from=MONTH-01&separator=%2C",
    )
    await page.goBack()

    // By keyboard: the file, then the table behind it, which scrolls.
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Download Who thanks whom as CSV" }).focus()
    await page.keyboard.press("Enter")
    expect((await download).suggestedFilename()).toMatch(/^departments-\d{4}-\d\d-\d\d\.csv$/)
    await page.keyboard.press("Tab")
    await becomes(
      () => page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
      "Table: Who thanks whom",
    )

    await overlooked.getByRole("link", { name: "Give to Dora Alves" }).click()
    await page.waitForURL("**/people/dora-alves")
    await page.getByRole("button", { name: "Remove Dora Alves" }).waitFor()
    await becomes(() => page.evaluate(() => document.activeElement?.closest("#give") !== null), true)
  })
})

async function fitsWithLargeText(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 })
  await enlargeText(page)
  expect(await overflowOf(page)).toBe(0)
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"))
  await page.setViewportSize(sizes.phone.viewport)
}

test("the screen is in Portuguese, and does not exist for members", async () => {
  await using opened = await openPage(app.browser, app.server.url, { locale: "pt-BR" })
  const { page } = opened
  await page.goto("/admin/insights")
  await page.getByLabel("Nome de usuário").fill(admin.username)
  await page.getByLabel("Senha", { exact: true }).fill(admin.password)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Sem agradecimentos há 30 dias" }).waitFor()
  await using other = await openPage(app.browser, app.server.url, sizes.phone)
  await openAs(other.page, ana, "/admin/insights")
  await other.page.getByRole("heading", { name: "You need the duty “Insights”" }).waitFor()
})

test("a user chooses when mail comes and in which language, and the choice is kept", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, ana, "/me")
  await page.getByLabel("No e-mail about recognition").check()
  await page.getByText("Saved.").waitFor()
  await page.getByLabel("Language, here and in e-mails").selectOption({ label: "Português" })
  await page.getByText("Salvo.").waitFor()
  await page.reload()
  await becomes(() => page.getByLabel("Nenhum e-mail sobre agradecimentos").isChecked(), true)
  await becomes(() => page.getByLabel("Idioma, aqui e nos e-mails").inputValue(), "pt")
  expect(await accessibilityViolations(page)).toEqual([])
})

test("the names of those who are overlooked are whole, however long", async () => {
  const { name } = await app.createUser("Maria Antonieta Figueiredo de Albuquerque e Vasconcelos")
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  await openAs(opened.page, admin, "/admin/insights")
  await opened.page.getByRole("region", { name: "Not thanked for 30 days" }).getByText(name).first().waitFor()
  expect(await clippedTexts(opened.page)).toEqual([])
})
