import { afterAll, beforeAll, expect, test } from "bun:test"
import { createClient } from "../support/client.ts"
import { bearer, logIn as logInAt } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { overflowOf } from "./layout.ts"
import { sizes } from "./page.ts"
import { openHome, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test("a superuser renames a department from the palette and merges it into another, on a phone, after a confirmation", async () => {
  await app.createUser("Ana", { dept: "Marketing" })
  await app.createUser("Bruno", { dept: "Marketing" })
  await app.createUser("Carla", { dept: "sales" })
  const admin = createClient(app.server.url, bearer((await logInAt(app.server.url, "admin", "admin")).access_token))
  const budget = { name: "Budget", value: 5, mode: "add", period: "month", audience: { dept: "Marketing" } }
  await admin.post("/api/v1/allowances", budget)
  await using opened = await openHome(app, { username: "admin", password: "admin" }, sizes.phone)
  const { page } = opened
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Search people, screens and actions" }).fill("departments")
  await page.getByRole("option", { name: "Departments" }).waitFor()
  await page.keyboard.press("Enter")

  const row = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) })
  await row("management").getByText("1 person · superusers").waitFor()
  expect(await row("management").getByRole("button").count()).toBe(0)
  await row("Marketing").getByRole("button", { name: "Rename" }).click()
  const dialog = page.getByRole("dialog", { name: "Rename Marketing" })
  await dialog.getByRole("button", { name: "Continue" }).click()
  await dialog.getByText("Enter a name.").waitFor()
  await dialog.getByLabel("New name").fill("management")
  await dialog.getByRole("button", { name: "Continue" }).click()
  await dialog.getByText("Management makes superusers, so it cannot be renamed or joined").waitFor()
  await dialog.getByLabel("New name").fill("Growth")
  await dialog.getByRole("button", { name: "Continue" }).click()
  await dialog.getByText("2 people move from Marketing to Growth.").waitFor()
  await dialog.getByText("1 allowance for Marketing will apply to everyone in Growth.").waitFor()
  await dialog.getByRole("button", { name: "Rename" }).click()
  await page.getByText("2 people have moved to Growth.").waitFor()
  await page.locator("p:focus", { hasText: "A department exists as long as someone is in it." }).waitFor()

  await row("Growth").getByRole("button", { name: "Rename" }).click()
  const other = page.getByRole("dialog", { name: "Rename Growth" })
  await other.getByLabel("New name").fill("SALES")
  await page.keyboard.press("Enter")
  await other.getByText("sales already exists, with 1 person.").waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await other.getByLabel("New name").fill("Sale")
  await other.getByText("sales already exists").waitFor({ state: "detached" })
  await other.getByLabel("New name").fill("Sales")
  await other.getByRole("button", { name: "Continue" }).click()
  await other.getByRole("button", { name: "Merge" }).click()
  await page.getByText("2 people have moved to sales.").waitFor()
  await row("sales").getByText("3 people").waitFor()
  expect(await page.getByRole("link", { name: "Growth" }).count()).toBe(0)

  await app.createUser("Dora", { dept: "Labs" })
  await admin.patch("/api/v1/users/dora", { active: false })
  await page.reload()
  await row("Labs").getByText("Everyone in it has left").waitFor()
  await row("Labs").getByRole("button", { name: "Rename" }).click()
  const last = page.getByRole("dialog", { name: "Rename Labs" })
  await last.getByLabel("New name").fill("Archive")
  await page.keyboard.press("Enter")
  await last.getByText("Everyone in Labs has left. Their accounts move to Archive.").waitFor()
  await last.getByRole("button", { name: "Rename" }).click()
  await page.getByText("The name is now Archive.").waitFor()
  await row("sales").getByRole("button", { name: "Rename" }).click()
  const joining = page.getByRole("dialog", { name: "Rename sales" })
  await joining.getByLabel("New name").fill("archive")
  await page.keyboard.press("Enter")
  await joining.getByText("Archive already exists; everyone in it has left.").waitFor()
  await page.keyboard.press("Escape")
  await row("Archive").getByRole("link", { name: "Archive" }).click()
  await page.getByRole("main").getByRole("link", { name: "Dora" }).waitFor()
})
