import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const admin = { username: "admin", password: "admin" }

async function roleOf(username: string) {
  const caller = await callerOf(app.server.url, admin)
  const { body } = await caller.get<{ manager: string | null; duties: string[] }>(`/api/v1/users/${username}`)
  return { manager: body.manager, duties: body.duties }
}

/** The label of the field that has the focus, and the error at it. */
const fault = (page: Page) =>
  page.evaluate(() => [
    (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent,
    document.getElementById(document.activeElement?.getAttribute("aria-describedby") ?? "")?.textContent,
  ])

const manager = (page: Page) => page.getByRole("combobox", { name: "Reports to" })

async function save(page: Page) {
  await page.getByRole("button", { name: "Save changes" }).click()
}

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a superuser says whom somebody reports to; what the server refuses stands at the field", async () => {
    const [ana, bruno] = [await app.createUser(`Ana ${size}`), await app.createUser(`Bruno ${size}`)]
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, `/admin/people/${bruno.username}`)
    await manager(page).fill(`ana ${size}`)
    await page.getByRole("option", { name: ana.name }).click()
    expect(await manager(page).inputValue()).toBe(ana.username)
    await page.getByRole("main").getByText(ana.name, { exact: true }).waitFor()
    await save(page)
    await page.getByText(`The details of ${bruno.name} have been saved.`).waitFor()
    expect(await roleOf(bruno.username)).toEqual({ manager: ana.username, duties: [] })
    await page.reload()
    await becomes(() => manager(page).inputValue(), ana.username)

    await page.goto(`/admin/people/${ana.username}`)
    const cycle = "Nobody can report to themselves or to somebody who reports to them"
    for (const [typed, said] of [
      [ana.username, cycle],
      [bruno.username, cycle],
      ["nobody-at-all", "Nobody has this username"],
    ] as const) {
      await manager(page).fill(typed)
      if (said === cycle) {
        await page.getByRole("option").first().waitFor()
        await page.keyboard.press("Escape")
      } else await page.getByText("No one found").waitFor() // goes with the focus, but moves no button under the pointer
      // Twice the same is said: not before the answer.
      const answered = page.waitForResponse((answer) => answer.request().method() === "PATCH")
      await save(page)
      await answered
      await page.locator("main [aria-busy=true]").waitFor({ state: "detached" })
      await becomes(() => fault(page), ["Reports to", said])
      expect(await manager(page).inputValue()).toBe(typed)
    }
    expect(await roleOf(ana.username)).toEqual({ manager: null, duties: [] })

    await page.goto(`/admin/people/${bruno.username}`)
    await becomes(() => manager(page).inputValue(), ana.username)
    await manager(page).fill("")
    await save(page)
    await page.getByText(`The details of ${bruno.name} have been saved.`).waitFor()
    expect(await roleOf(bruno.username)).toEqual({ manager: null, duties: [] })
  })

  test("a superuser gives duties and takes them back; a superuser has none", async () => {
    const carla = await app.createUser(`Carla ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, `/admin/people/${carla.username}`)
    const duties = page.getByRole("group", { name: "Duties" })
    await duties.getByRole("checkbox", { name: "People" }).check()
    await duties.getByRole("checkbox", { name: "Insights" }).check()
    await save(page)
    await page.getByText(`The details of ${carla.name} have been saved.`).waitFor()
    expect(await roleOf(carla.username)).toEqual({ manager: null, duties: ["insights", "people"] })

    await page.reload()
    await becomes(() => duties.getByRole("checkbox", { checked: true }).count(), 2)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await duties.getByRole("checkbox", { name: "People" }).uncheck()
    await save(page)
    await becomes(() => roleOf(carla.username), { manager: null, duties: ["insights"] })

    await page.goto("/admin/people/admin")
    await manager(page).waitFor()
    expect(await duties.count()).toBe(0)
    await page.goto(`/admin/people/${carla.username}`)
    await enlargeText(page)
    expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
  })

  test("a person is created with manager and duties; a manager whom the server refuses is shown on the new account", async () => {
    const dora = await app.createUser(`Dora ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const create = async (name: string, of: string) => {
      await page.goto("/admin/new")
      await page.getByLabel("Full name").fill(name)
      await page.getByLabel("E-mail address").fill(`${name.toLowerCase().replaceAll(" ", "-")}@example.com`)
      await page.getByRole("combobox", { name: "Department" }).fill("sales")
      await page.getByRole("option", { name: "sales" }).first().click()
      await manager(page).fill(of)
      await page.keyboard.press("Escape")
      await page.getByRole("checkbox", { name: "Rewards" }).check()
      await page.getByLabel("Initial password").fill("a password to begin with")
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await page.getByText(`${name} can now log in.`).waitFor()
    }
    await openAs(page, admin, "/admin")
    await create(`Eva ${size}`, dora.username)
    expect(await roleOf(`eva-${size}`)).toEqual({ manager: dora.username, duties: ["rewards"] })

    await create(`Fabio ${size}`, "nobody-at-all")
    await becomes(() => fault(page), ["Reports to", "Nobody has this username"])
    expect(await roleOf(`fabio-${size}`)).toEqual({ manager: null, duties: [] })
    await manager(page).fill(dora.username)
    await page.keyboard.press("Escape")
    await save(page)
    await becomes(() => roleOf(`fabio-${size}`), { manager: dora.username, duties: ["rewards"] })
  })
})
