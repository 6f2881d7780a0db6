import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { accessibilityViolations } from "./axe.ts"
import { overflowOf } from "./layout.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { REWARDS_SERVICE__TIME_ZONE: "America/Sao_Paulo" } })
})
afterAll(() => app[Symbol.asyncDispose]())

const admin = { username: "admin", password: "admin" }

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("an allowance is added, shows who gets what next, and can be paid, paused, resumed and removed", async () => {
    const ana = await app.createUser(`Ana ${size}`, { dept: `team ${size}`, points: 30 })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, "/admin")
    await page.getByRole("link", { name: "Allowances" }).click()

    await page.getByRole("button", { name: "Add allowance" }).click()
    await page.getByText("Enter a name.").waitFor()
    await page.getByLabel("Name", { exact: true }).fill(`Monthly allowance ${size}`)
    await page.getByLabel("Points for each person").fill("100")
    await page.getByLabel("Day", { exact: true }).selectOption("Last day")
    await page.getByLabel("Time (America/Sao_Paulo)").fill("25:00")
    await page.getByLabel("For", { exact: true }).selectOption("One department")
    await page.getByRole("combobox", { name: "Department" }).fill(`team ${size}`)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Add allowance" }).click()
    await page.getByText("A time such as 09:00").waitFor()
    await page.getByLabel("Time (America/Sao_Paulo)").fill("08:30")
    await page.getByRole("button", { name: "Add allowance" }).click()

    const item = page.getByRole("listitem").filter({ hasText: `Monthly allowance ${size}` })
    await item
      .getByText(`budget topped up to 100 points each · every month on the last day at 08:30 · Department team ${size}`)
      .waitFor()
    await item.getByRole("button", { name: "Who gets what next" }).click()
    await item.getByText("100 points for 1 person").waitFor()
    await item.getByText(ana.name, { exact: true }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await item.getByRole("button", { name: "Hide" }).click()

    await item.getByRole("button", { name: "Edit" }).click()
    const form = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "Save" }) })
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe(`Monthly allowance ${size}`)
    expect(await form.getByLabel("Day", { exact: true }).inputValue()).toBe("last")
    await form.getByLabel("Points for each person").fill("nothing")
    await form.getByRole("button", { name: "Save" }).click()
    await form.getByText("Enter the points as a whole number.").waitFor()
    await form.getByLabel("Points for each person").fill("80")
    await form.getByRole("button", { name: "Save" }).click()
    await item.getByText("80 points for 1 person").waitFor()
    await item.getByText("budget topped up to 80 points each · every month on the last day at 08:30").waitFor()
    await item.getByRole("button", { name: "Hide" }).click()
    await item.getByRole("button", { name: "Edit" }).click()
    await form.getByRole("button", { name: "Cancel" }).click()

    await item.getByRole("button", { name: "Pay now" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("80 points for 1 person").waitFor()
    await dialog.getByRole("button", { name: "Pay now" }).click()
    await item.getByText("Last paid").waitFor()
    await item.getByRole("button", { name: "Pay now" }).click()
    await dialog.getByText("No one would get anything now.").waitFor()
    await dialog.getByRole("button", { name: "Pay now" }).click()
    await item.getByText("This period is paid already").waitFor()

    await item.getByRole("button", { name: "Pause" }).click()
    await item.getByText("Paused").waitFor()
    await item.getByRole("button", { name: "Resume" }).click()
    await item.getByText("Next:").waitFor()
    await item.getByRole("button", { name: "Remove" }).click()
    await dialog.getByRole("button", { name: "Remove" }).click()
    await item.waitFor({ state: "detached" })
  }, 60_000)
})
