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
  "/admin/programme",
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
  programme: {
    screens: ["/admin", "/admin/allowances", "/admin/departments", "/admin/programme"],
    links: ["/admin/departments", "/admin/allowances", "/admin/programme"],
  },
} as const

const notOpen = /^(You need (a|the) duty|Only superusers can open this)/

/** Addresses that the server refused to the page. */
function refusalsOf(page: Page): readonly string[] {
  const refused: string[] = []
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  return refused
}

const entries = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link")

test.each(["insights", "rewards", "people", "programme"] as const)(
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
      if ((await page.getByRole("heading", { name: notOpen }).count()) === 0) found.push(path)
    }
    expect({ found, refused }).toEqual({ found: [...opened[duty].screens], refused: [] })

    await page.goto("/")
    await page.getByRole("button", { name: "Search or jump to…" }).click()
    await page.getByRole("option", { name: "My profile" }).waitFor()
    const actions = page.getByRole("group", { name: "Actions" }).getByRole("option")
    expect(
      (await actions.allInnerTexts()).filter((text) => /person|Import|Departments|tokens|Webhooks/.test(text)),
    ).toEqual({ people: ["Create a person", "Import from a file"], programme: ["Departments"] }[duty as string] ?? [])
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
  await page.goto("/admin")
  await page.getByText("Superusers give duties. Ask Admin.").waitFor()
  await page.goto("/people")
  await (await asAdmin()).patch(`/api/v1/users/${zoe.username}`, { duties: ["people"] })
  await page.reload()
  await entries(page).filter({ hasText: "Admin" }).waitFor()
  await page.getByRole("link", { name: "Deactivated" }).waitFor()
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("with the duty people one creates, corrects and deactivates accounts, sets no password and gives no duties", async () => {
    const person = await personWith(["people"], `Paula ${size}`)
    const lead = await app.createUser(`Lead ${size}`)
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
    const manager = page.getByRole("combobox", { name: "Reports to" })
    await manager.fill(size) // everybody of this size but herself
    await page.getByRole("option", { name: `Lead ${size}` }).click()
    expect(await page.getByRole("option", { name: person.name }).count()).toBe(0)
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByText("Mail is not set up, so nobody gets an e-mail.").waitFor()
    expect(new URL(page.url()).pathname).toBe(`/admin/people/new-${size}`)

    await page.getByRole("button", { name: "Deactivate" }).waitFor()
    expect(await page.getByRole("button", { name: "Set password" }).count()).toBe(0)
    expect(await page.getByRole("group", { name: "Duties" }).count()).toBe(0)
    await page.getByLabel("Full name").fill(`Renamed ${size}`)
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText(`The details of Renamed ${size} have been saved.`).waitFor()
    const { body } = await (await asAdmin()).get(`/api/v1/users/new-${size}`)
    expect(body).toMatchObject({ name: `Renamed ${size}`, manager: lead.username, dept: "sales" })

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

  test("whoever opens a screen that is not theirs reads which duty it needs, and which superusers to ask", async () => {
    const person = await app.createUser(`Nora ${size}`)
    await using one = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = one
    const refused = refusalsOf(page)
    await openAs(page, person, "/admin/allowances")
    await page.getByRole("heading", { name: "You need the duty “Programme”" }).waitFor()
    await page.getByText("Superusers give duties. Ask").waitFor()
    const boss = await app.createUser(`Boss of ${size}`, { dept: "management" })
    const texts = {
      "/admin": ["You need a duty for this", "Superusers give duties. Ask"],
      "/admin/rewards": ["You need the duty “Rewards”", "Superusers give duties. Ask"],
      "/admin/tokens": ["Only superusers can open this", "Ask"],
    }
    for (const [path, [title = "", text = ""]] of Object.entries(texts)) {
      await page.goto(path)
      await page.getByRole("heading", { name: title }).waitFor()
      await page.getByRole("main").getByText(text, { exact: false }).first().waitFor()
      expect(await page.title()).toStartWith(title)
      expect(await page.getByRole("link", { name: "Admin", exact: true }).count()).toBe(0)
      await page.getByRole("link", { name: boss.name }).waitFor()
    }
    expect(refused).toEqual([])
    expect([await overflowOf(page), await accessibilityViolations(page)]).toEqual([0, []])
    await page.getByRole("link", { name: boss.name }).click()
    await page.getByRole("heading", { name: boss.name, level: 1 }).waitFor()
  })

  test("with the duty programme somebody changes the programme, allowances and departments, but not their own", async () => {
    const person = await personWith(["programme"], `Petra ${size}`)
    await app.createUser(`Carla ${size}`, { dept: `care-${size}` })
    await using one = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = one
    const refused = refusalsOf(page)
    await openAs(page, person, "/admin")
    await page.getByRole("link", { name: "Programme" }).click()
    await page
      .getByRole("heading", { name: "The programme", level: 1 })
      .or(page.getByRole("heading", { level: 1 }))
      .first()
      .waitFor()
    await page.goto("/admin/departments")
    await page.getByText(`care-${size}`).waitFor()
    const named = (dept: string) => page.getByRole("listitem").filter({ hasText: dept })
    await named("sales").getByText("your own: a superuser renames it").waitFor()
    expect(await named("sales").getByRole("button", { name: "Rename" }).count()).toBe(0)
    await named(`care-${size}`).getByRole("button", { name: "Rename" }).click()
    await page.getByRole("dialog").getByLabel("New name").fill(`support-${size}`)
    await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click()
    await page.getByText(`support-${size}`).first().waitFor()

    await page.goto("/admin/allowances")
    const form = page.getByRole("main").locator("form").last()
    await form.getByLabel("Name", { exact: true }).fill(`Own ${size}`)
    await form.getByLabel("Points for each person").fill("5")
    await form.getByLabel("For", { exact: true }).selectOption("usernames")
    await form.getByLabel("Usernames").fill(person.username)
    expect(refused).toEqual([])
    await form.getByRole("button", { name: "Add allowance" }).click()
    await page.getByText("This concerns yourself; somebody else has to decide").waitFor()
    await form.getByLabel("Usernames").fill(`${person.username}, carla-${size}`)
    await form.getByRole("button", { name: "Add allowance" }).click()
    await page.getByRole("heading", { name: `Own ${size}` }).waitFor()
    expect(await overflowOf(page)).toBe(0)
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
    await (await asAdmin()).post(`/transaction/${person.username}/`, { value: 20 })
    await (await callerOf(app.server.url, person)).post(`/api/v1/rewards/${mug?.id}/redemptions`, {})
    await page.reload()
    const own = page.getByRole("listitem").filter({ hasText: person.name })
    await own.getByText("Somebody else has to answer your own request.").waitFor()
    expect([await own.getByRole("button").count(), await own.getByRole("checkbox").count()]).toEqual([0, 0])
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
