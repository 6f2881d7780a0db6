import { afterAll, beforeAll, expect, test } from "bun:test"
import { createClient } from "../support/client.ts"
import { bearer } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { overflowOf } from "./layout.ts"
import { becomes, openPage, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const statusWith = async (token: string) => (await createClient(app.server.url, bearer(token)).get("/api/v1/me")).status

test("on a phone, a token is created in the profile, shown until it is closed, and revoked", async () => {
  const ana = await app.createUser("Ana")
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, ana, "/me")

  const section = page.getByRole("region", { name: "API tokens" })
  await section.getByText("No tokens yet.").waitFor()
  await section.getByRole("button", { name: "Create token" }).click()
  await section.getByText("Enter a name.").waitFor()
  expect(await section.getByLabel("Access").locator("option").allTextContents()).toEqual(["Read", "Read and give"])
  await section.getByLabel("What it is for").fill("My script")
  await section.getByRole("button", { name: "Create token" }).click()
  const token = await section.getByLabel("Token for My script").inputValue()
  expect(await statusWith(token)).toBe(200)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await section.getByRole("button", { name: "Close" }).click()
  expect(await page.content()).not.toContain(token)

  const item = section.getByRole("listitem").filter({ hasText: "My script" })
  await item.getByText(`${token.slice(0, 12)}…`).waitFor()
  await item.getByRole("button", { name: "Revoke" }).press("Enter")
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).press("Enter")
  await section.getByText("No tokens yet.").waitFor()
  await becomes(() => section.evaluate((one) => one.contains(document.activeElement)), true)
  expect(await statusWith(token)).toBe(401)
})

test("a superuser creates a service token for an existing account in the administration", async () => {
  await app.createUser("Bot")
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, { username: "admin", password: "admin" }, "/admin")
  await page.getByRole("link", { name: "Service tokens" }).click()

  await page.getByLabel("What it is for").fill("Birthdays")
  await page.getByLabel("Acts for (username)").fill("nobody")
  await page.getByLabel("Access").selectOption("Read and give")
  await page.getByLabel("Expires").selectOption("Never")
  await page.getByRole("button", { name: "Create token" }).click()
  await page.getByText("User not found").waitFor()
  await page.getByLabel("Acts for (username)").fill("bot")
  await page.getByRole("button", { name: "Create token" }).click()

  const token = await page.getByLabel("Token for Birthdays").inputValue()
  expect(await statusWith(token)).toBe(200)
  await page.getByRole("listitem").filter({ hasText: "acts for bot" }).getByText("never expires").waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})
