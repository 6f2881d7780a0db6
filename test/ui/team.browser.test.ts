import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes, stopUndoTime } from "./page.ts"
import { openAs, openGiveBox, sendHeld, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const asAdmin = () => callerOf(app.server.url, { username: "admin", password: "admin" })

async function reportsTo({ username }: User, manager: User) {
  const admin = await asAdmin()
  const answer = await admin.patch(`/api/v1/users/${username}`, { manager: manager.username })
  if (answer.status !== 200) throw new Error(`${username} could not report to ${manager.username}: ${answer.status}`)
}

/** A manager, who thanked nobody yet; Bruno, whom nobody has thanked; Carla, who was thanked; Dora, who reports to Carla. */
async function hireTeam(of: string) {
  const [ana, bruno, carla, dora] = [
    await app.createUser(`Ana ${of}`, { points: 100 }),
    await app.createUser(`Bruno ${of}`),
    await app.createUser(`Carla ${of}`, { points: 30, dept: "support" }),
    await app.createUser(`Dora ${of}`),
  ]
  await reportsTo(bruno, ana)
  await reportsTo(carla, ana)
  await reportsTo(dora, carla)
  return { ana, bruno, carla, dora }
}

/** Fills the box that "Thank" has opened, on a phone as a sheet, and gives. Nothing is sent before the test says so. */
async function fillBox(page: Page, reason: string) {
  await stopUndoTime(page)
  await page.locator("#give textarea").waitFor()
  await page.locator("#give").getByText("25", { exact: true }).click()
  await page.getByLabel("What for").fill(reason)
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await page.getByText("Not sent yet.").waitFor()
}

const group = (page: Page, name: string) => page.getByRole("region", { name })
const rowsOf = (page: Page, name: string) => group(page, name).getByRole("listitem").allInnerTexts()

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("managers see who of their team was not thanked, thank them there, and can undo it", async () => {
    const { ana, bruno, carla } = await hireTeam(`of ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "My team" }).click()
    await page.getByText("Thanked in the last 30 days: 1 of 2 people").waitFor()
    await becomes(() => page.title(), "My team · Rewards")
    const [waiting = "", ...others] = await rowsOf(page, "Not thanked for 30 days")
    expect({ waiting: waiting.includes(bruno.name), never: waiting.includes("never yet"), others }).toEqual({
      waiting: true,
      never: true,
      others: [],
    })
    const thanked = group(page, "Thanked in the last 30 days").getByRole("listitem")
    expect(await thanked.getByRole("definition").allInnerTexts()).toEqual([
      "today",
      "1 time, 30 points",
      "nothing in 30 days",
    ])
    await thanked.getByText("support").waitFor()

    await page.getByRole("button", { name: `Thank ${bruno.name}` }).click()
    await fillBox(page, "For the calm handover")
    await sendHeld(page)
    await page.getByText(`Sent to ${bruno.name}`).first().waitFor()
    await page.locator("#give").waitFor({ state: "detached" })
    // Nobody moves while the manager reads, but what is said of them is what the server says.
    const row = group(page, "Not thanked for 30 days").getByRole("listitem").filter({ hasText: bruno.name })
    await becomes(
      () => row.getByRole("definition").allInnerTexts(),
      ["today", "1 time, 25 points", "nothing in 30 days"],
    )
    await page.getByText("Thanked in the last 30 days: 2 of 2 people").waitFor()
    const received = await (await asAdmin()).get<{ items: { reason: string }[] }>(
      `/api/v1/transactions?username=${bruno.username}`,
    )
    expect(received.body.items.map(({ reason }) => reason)).toEqual(["For the calm handover"])

    await page.getByRole("button", { name: `Thank ${carla.name}` }).click()
    await fillBox(page, "Too soon")
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("Not sent yet.").waitFor({ state: "detached" })
    await openGiveBox(page)
    await becomes(() => page.getByLabel("What for").inputValue(), "Too soon")
    await page.getByLabel("What for").fill("")
    await sendHeld(page)

    await page.reload()
    await group(page, "Thanked in the last 30 days").getByRole("link", { name: bruno.name }).waitFor()
    await page.getByText("1 time, 30 points").waitFor()
    expect(await group(page, "Not thanked for 30 days").count()).toBe(0)
    await page.getByRole("link", { name: carla.name }).click()
    await page.getByRole("heading", { name: carla.name }).waitFor()
    await page.goto("/me")
    await page.getByText("On the first of a month you hear who in your team was not thanked").waitFor()
  })

  test("everybody below a manager is an address of its own, with whom they report to", async () => {
    const { ana, carla, dora } = await hireTeam(`deep ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/team")
    expect(await page.getByRole("link", { name: dora.name }).count()).toBe(0)
    await page.getByRole("link", { name: "Everyone below me" }).click()
    await page.waitForURL("**/team?depth=all")
    await page.getByText(`reports to ${carla.name}`).waitFor()
    await page.reload()
    await page.getByRole("link", { name: dora.name }).waitFor()
  })

  test("the button that thanks somebody is called by verb and name as people say it in German", async () => {
    const { ana, bruno } = await hireTeam(`auf Deutsch ${size}`)
    await using opened = await openPage(app.browser, app.server.url, { ...sizes[size], locale: "de-DE" })
    await openAs(opened.page, ana, "/team")
    await opened.page.getByRole("button", { name: `${bruno.name} danken`, exact: true }).waitFor()
  })

  test("who manages nobody finds no way to the screen, and there what it is for", async () => {
    const eva = await app.createUser(`Eva ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, eva, "/")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" }).waitFor()
    expect(await page.getByRole("link", { name: "My team" }).count()).toBe(0)
    await page.getByRole("button", { name: "Search or jump to…" }).click()
    await page.getByRole("option", { name: "My profile" }).waitFor()
    expect(await page.getByRole("option", { name: "My team" }).count()).toBe(0)
    await page.goto("/team")
    await page.getByText("Nobody reports to you.").waitFor()
    await page.getByRole("link", { name: "Show everyone" }).click()
    await page.waitForURL("**/people")
    await page.goto("/me")
    await page.getByText("On Mondays you also get a summary").waitFor()
    expect(await page.getByText("On the first of a month").count()).toBe(0)
  })

  test("the palette and the keys G Y lead managers to their team; what a phone has no room for is in the account's menu", async () => {
    const { ana, bruno } = await hireTeam(`keys ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "My team" }).waitFor()
    await page.getByRole("button", { name: "Search or jump to…" }).click()
    await page.getByRole("option", { name: "My profile" }).waitFor()
    await page.keyboard.type("my team")
    await page.getByRole("option", { name: "My team" }).click()
    await page.getByRole("link", { name: bruno.name }).waitFor()
    await page.goBack()
    await page.keyboard.press("g")
    await page.keyboard.press("y")
    await page.waitForURL("**/team")

    const entries = page.getByRole("navigation", { name: "Main" }).getByRole("link")
    expect(await entries.filter({ hasText: "History" }).isVisible()).toBe(size === "desktop")
    await page.getByRole("button", { name: "Account" }).click()
    const history = page.getByRole("banner").getByRole("link", { name: "History" })
    await history.filter({ visible: true }).click()
    await page.waitForURL("**/history")
  })

  test("the team is accessible, light and dark, also with large text, in Portuguese and with the box open", async () => {
    const { ana, carla } = await hireTeam(`seen ${size}`)
    for (const locale of ["en-GB", "pt-BR"]) {
      await using opened = await openPage(app.browser, app.server.url, { ...sizes[size], locale })
      const { page } = opened
      await openAs(page, ana, "/team")
      const row = page.getByRole("listitem").filter({ hasText: carla.name })
      await row.waitFor()
      if (size === "desktop") await row.getByRole("button").click()
      if (size === "desktop") await page.locator("#give textarea").waitFor()
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        expect(await accessibilityViolations(page)).toEqual([])
      }
      const { width, height } = sizes[size].viewport
      await page.setViewportSize({ width: size === "phone" ? 320 : 640, height })
      expect([locale, await overflowOf(page), await clippedTexts(page)]).toEqual([locale, 0, []])
      await page.setViewportSize({ width, height })
      await enlargeText(page)
      expect([locale, await overflowOf(page), await clippedTexts(page)]).toEqual([locale, 0, []])
    }
  })
})
