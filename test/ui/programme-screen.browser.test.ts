import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { defaultProgramme } from "../../src/domain/programme/model.ts"
import { defaultProgramme as shownDefaults } from "../../src/ui/screens/admin/programme/defaults.ts"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { overflowOf } from "./layout.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

const login = { username: "admin", password: "admin" }
const path = "/api/v1/programme"

let app: TestApp
let admin: Awaited<ReturnType<typeof callerOf>>
beforeAll(async () => {
  app = await startTestApp()
  admin = await callerOf(app.server.url, login)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => admin.patch(path, defaultProgramme))

async function openScreen(size: Size) {
  const opened = await openPage(app.browser, app.server.url, sizes[size])
  await openAs(opened.page, login, "/admin/programme")
  await opened.page.getByRole("region", { name: "Giving" }).waitFor()
  return opened
}

async function save(page: Page, part: string) {
  const region = page.getByRole("region", { name: part })
  await region.getByRole("button", { name: "Save" }).click()
  return region
}

async function saved(page: Page, part: string) {
  await (await save(page, part)).getByText("Saved. It holds from now on.").waitFor()
}

test("the defaults that the screen names are those of a new programme", () => {
  expect(shownDefaults).toEqual({ ...defaultProgramme, tags: [] })
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a superuser changes everything that the programme decides, part by part, and sees what holds", async () => {
    await using opened = await openScreen(size)
    const { page } = opened
    await page.getByRole("textbox", { name: "Amounts on offer" }).fill("80, 20, 5")
    await page.getByRole("group", { name: "Reason", exact: true }).getByRole("radio", { name: "Required" }).check()
    await page.getByRole("textbox", { name: "Shortest reason" }).fill("12")
    await page.getByRole("textbox", { name: "Most to one person" }).fill("200")
    await page.getByRole("group", { name: "Period of this limit" }).getByRole("radio", { name: "Quarter" }).check()
    await page.getByRole("group", { name: "Give from" }).getByRole("radio", { name: "Budget only" }).check()
    await page.getByRole("region", { name: "Giving" }).getByText("Not saved yet.").waitFor()
    await saved(page, "Giving")
    expect(await page.getByRole("textbox", { name: "Amounts on offer" }).inputValue()).toBe("5, 20, 80")

    for (const [index, [emoji, name]] of [
      ["🔧", "craft"],
      ["💚", "care"],
    ].entries()) {
      await page.getByRole("button", { name: "Add a tag" }).click()
      await page
        .getByRole("textbox", { name: "Name", exact: true })
        .nth(index)
        .fill(name ?? "")
      await page
        .getByRole("textbox", { name: "Emoji" })
        .nth(index)
        .fill(emoji ?? "")
    }
    await page.getByRole("textbox", { name: "Description" }).nth(1).fill("Looks after others")
    await page.getByRole("button", { name: "Move the tag care up" }).click()
    await page.getByRole("group", { name: "Tag", exact: true }).getByRole("radio", { name: "Required" }).check()
    await saved(page, "Tags")

    await page.getByRole("textbox", { name: "Name of one" }).fill("star")
    await page.getByRole("textbox", { name: "Name of several" }).fill("stars")
    await page
      .getByRole("group", { name: "Amounts" })
      .getByRole("radio", { name: "Only those who gave or received it" })
      .check()
    await page.getByRole("group", { name: "Leaderboard" }).getByRole("radio", { name: "Superusers" }).check()
    await saved(page, "What people see")

    await page.getByRole("checkbox", { name: "Celebrate anniversaries" }).check()
    await page.getByRole("textbox", { name: "Stars as a present" }).nth(1).fill("0")
    await page.getByRole("textbox", { name: "What colleagues read" }).nth(1).fill("{years} years, {name}!")
    await saved(page, "Occasions")

    await page.getByRole("textbox", { name: "Amount of money" }).fill("0,05")
    await page.getByRole("textbox", { name: "Currency" }).fill("eur")
    await saved(page, "What one star is worth")
    expect(await admin.get(path)).toEqual({
      status: 200,
      body: {
        points_name: { one: "star", many: "stars" },
        amounts: [5, 20, 80],
        reason: "required",
        reason_min: 12,
        tag: "required",
        tags: [
          { name: "care", emoji: "💚", description: "Looks after others" },
          { name: "craft", emoji: "🔧", description: null },
        ],
        most_to_one: { points: 200, period: "quarter" },
        amounts_shown: "concerned",
        leaderboard: "superusers",
        give_from: "budget",
        occasions: {
          ...defaultProgramme.occasions,
          anniversary: { active: true, points: 0, text: "{years} years, {name}!" },
        },
        point_value: { amount: 0.05, currency: "EUR" },
      },
    })

    // What is saved is shown after a reload, too; what is empty means none.
    await page.reload()
    expect(await page.getByRole("textbox", { name: "Amount of money" }).inputValue()).toBe("0.05")
    await page.getByRole("textbox", { name: "Amount of money" }).fill("")
    await saved(page, "What one star is worth")
    await page.getByRole("textbox", { name: "Most to one person" }).fill("")
    await saved(page, "Giving")
    await page.getByRole("group", { name: "Tag", exact: true }).getByRole("radio", { name: "Optional" }).check()
    await page.getByRole("button", { name: "Remove the tag craft" }).click()
    await page.getByRole("button", { name: "Remove the tag care" }).click()
    await saved(page, "Tags")
    expect(await admin.get(path)).toMatchObject({
      body: { point_value: null, most_to_one: { points: null, period: "quarter" }, tags: [], tag: "optional" },
    })
    expect(await overflowOf(page)).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
  })

  test("what is wrong is said at its field, which gets the focus, and everything typed is kept", async () => {
    await using opened = await openScreen(size)
    const { page } = opened
    const amounts = page.getByRole("textbox", { name: "Amounts on offer" })
    const isFocused = (field: typeof amounts) => field.evaluate((one) => one === document.activeElement)
    await amounts.fill("10, a few")
    await (await save(page, "Giving")).getByText("Enter whole numbers, separated by commas.").waitFor()
    expect(await isFocused(amounts)).toBe(true)
    await amounts.fill("0, 10")
    await (await save(page, "Giving")).getByText(/^An integer from 1 to /).waitFor()
    expect(await amounts.getAttribute("aria-invalid")).toBe("true")
    await amounts.fill("10, 10")
    await (await save(page, "Giving")).getByText("1 to 8 different values").waitFor()

    await page.getByRole("group", { name: "Tag", exact: true }).getByRole("radio", { name: "Required" }).check()
    await (await save(page, "Tags")).getByText("Add a tag first, or leave this optional.").waitFor()
    for (const name of ["care", "two words"]) {
      await page.getByRole("button", { name: "Add a tag" }).click()
      await page.getByRole("textbox", { name: "Name", exact: true }).last().fill(name)
    }
    const tags = await save(page, "Tags")
    await tags.getByText("1 to 32 visible characters without spaces and commas").waitFor()
    expect(await isFocused(page.getByRole("textbox", { name: "Name", exact: true }).last())).toBe(true)
    await page.getByRole("textbox", { name: "Name", exact: true }).last().fill("care")
    await (await save(page, "Tags")).getByText("Each name can be there only once.").waitFor()
    await page.getByRole("textbox", { name: "Name", exact: true }).last().fill("craft")
    await page.getByRole("textbox", { name: "Emoji" }).last().fill("x")
    await (await save(page, "Tags")).getByText("One emoji, or none.").waitFor()

    await page.getByRole("textbox", { name: "What colleagues read" }).first().fill("Dear {who}")
    await (await save(page, "Occasions")).getByText("No other words in braces than {name}").waitFor()
    await page.getByRole("textbox", { name: "Amount of money" }).fill("5")
    const worth = await save(page, "What one point is worth")
    await worth.getByText("Enter the code of a currency, such as EUR.").waitFor()
    await page.getByRole("textbox", { name: "Currency" }).fill("ABC")
    await (await save(page, "What one point is worth")).getByText("The code of a currency, such as EUR").waitFor()

    expect(await amounts.inputValue()).toBe("10, 10")
    expect(await admin.get(path)).toMatchObject({ body: defaultProgramme })
  })
})

test("of two superusers each keeps what the other has saved elsewhere, and sees what the other saved in the same part", async () => {
  await using opened = await openScreen("desktop")
  const { page } = opened
  const giving = page.getByRole("region", { name: "Giving" })
  const shortest = page.getByRole("textbox", { name: "Shortest reason" })
  await shortest.fill("20")
  await admin.patch(path, { leaderboard: "off" })
  await saved(page, "Giving")
  expect(await admin.get(path)).toMatchObject({ body: { reason_min: 20, leaderboard: "off" } })
  expect(await page.getByRole("radio", { name: "No one: there is none" }).isChecked()).toBe(true)

  await shortest.fill("30")
  await admin.patch(path, { reason_min: 7, reason: "required" })
  await save(page, "Giving")
  await giving.getByText("Somebody else has changed this meanwhile.").waitFor()
  expect(await giving.getByRole("alert").filter({ hasText: "Shortest reason" }).textContent()).toMatch(
    /Reason: Required\s*Shortest reason: 7/,
  )
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await admin.get(path)).toMatchObject({ body: { reason_min: 7 } })
  await giving.getByRole("button", { name: "Use what is saved" }).click()
  expect(await shortest.inputValue()).toBe("7")
  await giving.getByText("Somebody else").waitFor({ state: "detached" })

  await shortest.fill("30")
  await admin.patch(path, { reason_min: 8 })
  await save(page, "Giving")
  await giving.getByRole("button", { name: "Replace it with mine" }).click()
  await giving.getByText("Saved. It holds from now on.").waitFor()
  expect(await admin.get(path)).toMatchObject({ body: { reason_min: 30, reason: "required" } })
})

test("finance leads to where the programme says what one point is worth", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, login, "/admin/insights")
  await page.getByRole("link", { name: "Say in the programme what one point is worth" }).click()
  const amount = page.getByRole("textbox", { name: "Amount of money" })
  await amount.waitFor()
  await page.waitForFunction(() => scrollY > 500)
  expect(new URL(page.url()).pathname).toBe("/admin/programme")
})

test("the programme is found in the administration and the palette, by superusers only, also in Portuguese", async () => {
  const ana = await app.createUser("Ana Regular")
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, login, "/admin")
  await page.getByRole("link", { name: "Programme" }).click()
  await page.getByRole("heading", { name: "Programme" }).waitFor()
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.reload()
  await page.getByRole("textbox", { name: "Valores oferecidos" }).fill("dez")
  await page.getByRole("region", { name: "Dar", exact: true }).getByRole("button", { name: "Salvar" }).click()
  await page.getByText("Digite números inteiros, separados por vírgulas.").waitFor()
  await page.getByRole("textbox", { name: "Valores oferecidos" }).fill("5; 10")
  await page.getByRole("region", { name: "Dar", exact: true }).getByRole("button", { name: "Salvar" }).click()
  await page.getByText("Salvo. Vale a partir de agora.").waitFor()
  expect(await overflowOf(page)).toBe(0)
  await page.goto("/")
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.keyboard.press("Control+k")
  await page.getByRole("dialog").getByRole("combobox").fill("programa")
  await page.getByRole("option", { name: "Programa" }).click()
  await page.getByRole("heading", { name: "Programa" }).waitFor()

  await using other = await openPage(app.browser, app.server.url, sizes.desktop)
  await openAs(other.page, ana, "/admin/programme")
  await other.page.getByRole("heading", { name: "You need the duty “Programme”" }).waitFor()
})
