import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { overflowOf } from "./layout.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

const admin = { username: "admin", password: "admin" }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.createUser("Ana Souza", { points: 1200 })
  await app.createUser("Dora Alves", { points: 30 })
  const caller = await callerOf(app.server.url, admin)
  const changed = await caller.patch("/api/v1/programme", { point_value: { amount: 0.05, currency: "EUR" } })
  expect(changed.status).toBe(200)
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("finance sees what is outstanding at the end of a day and by month, in points and money, and as files", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, "/admin/insights")
    const finance = page.getByRole("region", { name: "For finance" })

    await finance.getByText("€61.50").first().waitFor()
    await finance.getByRole("row", { name: "Ana Souza 1,200 1,200 €60.00" }).waitFor()
    const months = page.getByRole("region", { name: "Outstanding by month" }).first()
    await months.getByText("As a table").focus()
    await page.keyboard.press("Enter")
    await months.getByRole("row", { name: /^\w+ \d{4} 1,230 1,230 €61\.50$/ }).waitFor()
    await months
      .getByRole("img", { name: "Points outstanding at the end of each month, and the part that can be redeemed" })
      .waitFor()
    expect(await overflowOf(page)).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])

    await finance.getByRole("textbox", { name: "At the end of" }).fill("2020-02-29")
    await page.waitForURL("**/admin/insights?at=2020-02-29")
    await finance.getByText("€0.00").waitFor()
    const download = page.waitForEvent("download")
    await finance.getByRole("link", { name: "Download points by person as CSV" }).click()
    expect((await download).url()).toContain("outstanding.csv?at=2020-02-29&separator=%2C")
    await page.reload()
    await finance.getByText("€0.00").waitFor()
  })
})
