import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.createUser("Admin of nothing")
})
afterAll(() => app[Symbol.asyncDispose]())

const asAdmin = () => callerOf(app.server.url, { username: "admin", password: "admin" })

async function personWith(duties: readonly string[], name: string): Promise<User> {
  const person = await app.createUser(name)
  const answer = await (await asAdmin()).patch(`/api/v1/users/${person.username}`, { duties })
  if (answer.status !== 200) throw new Error(`${name} could not get duties: ${answer.status}`)
  return person
}

const administration = [
  "/admin",
  "/admin/new",
  "/admin/import",
  "/admin/people/admin-of-nothing",
  "/admin/rewards",
  "/admin/insights",
  "/admin/server",
  "/admin/allowances",
  "/admin/departments",
  "/admin/tokens",
  "/admin/webhooks",
] as const

/** What each duty opens, and what the start page of the administration links to, files included. */
const opened = {
  insights: {
    screens: ["/admin", "/admin/insights"],
    links: ["/api/v1/users.csv?separator=%2C", "/admin/insights"],
  },
  rewards: { screens: ["/admin", "/admin/rewards"], links: ["/admin/rewards"] },
  people: {
    screens: ["/admin", "/admin/new", "/admin/import", "/admin/people/admin-of-nothing"],
    links: ["/admin/new", "/admin/import", "/people?active=false"],
  },
} as const

/** Addresses that the server refused to the page. */
function refusalsOf(page: Page): readonly string[] {
  const refused: string[] = []
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  return refused
}

const entries = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link")

test.each(["insights", "rewards", "people"] as const)(
  "somebody with the duty %s finds its screens, and no other of the administration",
  async (duty) => {
    const person = await personWith([duty], `With ${duty}`)
    await using one = await openPage(app.browser, app.server.url, sizes.desktop)
    const { page } = one
    const refused = refusalsOf(page)
    await openAs(page, person, "/")
    await entries(page).filter({ hasText: "Admin" }).click()
    await page.getByRole("heading", { name: "Admin" }).waitFor()
    const links = page.getByRole("main").getByRole("list").getByRole("link")
    await becomes(() => links.evaluateAll((all) => all.map((one) => one.getAttribute("href"))), [...opened[duty].links])
    const found: string[] = []
    for (const path of administration) {
      await page.goto(path)
      await page.locator("h1").first().waitFor()
      await page.waitForLoadState("networkidle")
      if ((await page.getByRole("heading", { name: "Page not found" }).count()) === 0) found.push(path)
    }
    expect({ found, refused }).toEqual({ found: [...opened[duty].screens], refused: [] })

    await page.goto("/")
    await page.getByRole("button", { name: "Search or jump to…" }).click()
    await page.getByRole("option", { name: "My profile" }).waitFor()
    const actions = page.getByRole("group", { name: "Actions" }).getByRole("option")
    expect(
      (await actions.allInnerTexts()).filter((text) => /person|Import|Departments|tokens|Webhooks/.test(text)),
    ).toEqual(duty === "people" ? ["Create a person", "Import from a file"] : [])
  },
)

test("a regular user finds no administration, and a duty opens it once it is given", async () => {
  const zoe = await app.createUser("Zoe Quinn")
  await using one = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = one
  await openAs(page, zoe, "/people")
  await page.getByRole("link", { name: "Zoe Quinn" }).first().waitFor()
  expect(await entries(page).filter({ hasText: "Admin" }).count()).toBe(0)
  expect(await page.getByRole("link", { name: "Deactivated" }).count()).toBe(0)
  await (await asAdmin()).patch(`/api/v1/users/${zoe.username}`, { duties: ["people"] })
  await page.reload()
  await entries(page).filter({ hasText: "Admin" }).waitFor()
  await page.getByRole("link", { name: "Deactivated" }).waitFor()
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("with the duty people one creates, corrects and deactivates accounts, sets no password and gives no duties", async () => {
    const person = await personWith(["people"], `Paula ${size}`)
    await using one = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = one
    await openAs(page, person, "/admin")
    await page.getByRole("link", { name: "Create a person" }).click()
    expect(await page.getByLabel("Initial password").count()).toBe(0)
    expect(await page.getByRole("group", { name: "Duties" }).count()).toBe(0)
    await page.getByText("An e-mail brings a link to choose a password.").waitFor()
    await page.getByLabel("Full name").fill(`New ${size}`)
    await page.getByLabel("E-mail address").fill(`new-${size}@example.com`)
    const dept = page.getByRole("combobox", { name: "Department" })
    await dept.click()
    await page.getByRole("option", { name: "sales" }).first().waitFor()
    expect(await page.getByRole("option", { name: "management" }).count()).toBe(0)
    await page.getByRole("option", { name: "sales" }).first().click()
    await page.getByRole("combobox", { name: "Reports to" }).fill(person.username)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText(`New ${size} gets an e-mail with a link to choose a password.`).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/admin/people/new-${size}`)

    await page.getByRole("button", { name: "Deactivate" }).waitFor()
    expect(await page.getByRole("button", { name: "Set password" }).count()).toBe(0)
    expect(await page.getByRole("group", { name: "Duties" }).count()).toBe(0)
    await page.getByLabel("Full name").fill(`Renamed ${size}`)
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText(`The details of Renamed ${size} have been saved.`).waitFor()
    const { body } = await (await asAdmin()).get(`/api/v1/users/new-${size}`)
    expect(body).toMatchObject({ name: `Renamed ${size}`, manager: person.username, dept: "sales" })

    await page.getByText("You can reactivate it.").waitFor()
    await page.getByRole("button", { name: "Deactivate" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click()
    await page.getByText(`Renamed ${size} has been deactivated.`).waitFor()
    await page.getByRole("button", { name: "Reactivate" }).waitFor()
    expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0)

    await page.goto("/admin")
    await page.getByRole("combobox", { name: "Find a person by name" }).fill("admin")
    await page.getByRole("option", { name: "Admin of nothing" }).waitFor()
    expect(await page.getByRole("option", { name: "management" }).count()).toBe(0) // a superuser's account is not theirs
    for (const [username, links] of [
      ["admin", []],
      [person.username, ["Edit my profile", "History", "Look back"]],
    ] as const) {
      await page.goto(`/people/${username}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.waitForLoadState("networkidle")
      await becomes(() => page.getByRole("main").locator("p > a.btn").allInnerTexts(), [...links])
    }
  })

  test("with the duty people a file is imported, and a superuser in it is refused", async () => {
    const person = await personWith(["people"], `Ines ${size}`)
    await using one = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = one
    await openAs(page, person, "/admin/import")
    const import_ = async (row: string) =>
      page.locator("input[type=file]").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`name,email,dept\n${row}\n`),
      })
    await import_(`Boss ${size},boss-${size}@example.com,management`)
    await page.getByText("1 problem found.").waitFor()
    await import_(`Olga ${size},olga-${size}@example.com,sales`)
    await page.getByText("1 new person").first().waitFor()
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByText("Imported: 1 new person").waitFor()
  })

  test("with the duty rewards one keeps the catalogue and answers requests, which home counts", async () => {
    const person = await personWith(["rewards"], `Rita ${size}`)
    const buyer = await app.createUser(`Bea ${size}`, { points: 50 })
    await using one = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = one
    await openAs(page, person, "/admin/rewards")
    await page.getByRole("button", { name: "Add a reward" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill(`Mug ${size}`)
    await page.getByRole("dialog").getByLabel("Points", { exact: true }).fill("20")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await page.getByText(`Mug ${size}`).waitFor()
    const asBuyer = await callerOf(app.server.url, buyer)
    const { body } = await asBuyer.get<{ items: { id: number; name: string }[] }>("/api/v1/rewards")
    const mug = body.items.find(({ name }) => name === `Mug ${size}`)
    await asBuyer.post(`/api/v1/rewards/${mug?.id}/redemptions`, {})

    if (size === "desktop") {
      await page.goto("/")
      await page.getByRole("link", { name: /open requests? for/ }).click()
    } else await page.reload()
    const request = page.getByRole("listitem").filter({ hasText: buyer.name })
    await request.getByRole("button", { name: "Fulfil" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Fulfil" }).click()
    await page.getByText("1 request answered").waitFor()
  })

  test("with the duty insights one reads insights and points outstanding, and downloads the file of people", async () => {
    const person = await personWith(["insights"], `Isa ${size}`)
    await using one = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = one
    const refused = refusalsOf(page)
    await openAs(page, person, "/admin")
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Everyone and their balances" }).click(),
    ])
    expect(await Bun.file(await file.path()).text()).toContain(person.username)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await page.getByRole("link", { name: "Insights" }).click()
    await page.getByText("Outstanding by month").first().waitFor()
    await page.waitForLoadState("networkidle")
    expect(refused).toEqual([])
    await page.goto("/admin")
    await page.getByRole("link", { name: "Insights" }).waitFor()
    await enlargeText(page)
    expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
  })
})
