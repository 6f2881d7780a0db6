import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { barriersOn } from "./axe.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { logIn, openPlace, type Place } from "./place.ts"

let place: Place
beforeAll(async () => {
  place = await openPlace()
})
afterAll(() => place[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a session that ended elsewhere leads to log in and back to the same place, with everything on it", async () => {
    const ana = await place.colleague(`Ana ${size}`, { points: 100 })
    await using opened = await openPage(place.browser, place.server.url, { ...sizes[size], outage: true })
    const { page } = opened
    await page.goto("/?kept=1")
    await logIn(page, ana)
    await page.getByText("Live", { exact: true }).waitFor()
    // Whatever a screen holds: what was typed, what was opened.
    await page.evaluate(() => {
      const box = document.createElement("textarea")
      box.setAttribute("aria-label", "Reason")
      document.querySelector("main")?.append(box)
    })
    await page.getByLabel("Reason").fill("Thank you for the pati")

    // The stream says it within a second, without an act.
    await page.evaluate(() => fetch("/logout", { method: "POST" }))
    await page.getByText("Your session has ended. Log in to go on where you were.").waitFor()
    expect(await page.getByLabel("Reason").isVisible()).toBe(true) // in the page, beneath
    expect(await page.evaluate(() => document.elementFromPoint(200, 200)?.closest("dialog") !== null)).toBe(true)
    for (const _ of ["once", "twice", "and again"]) await page.keyboard.press("Escape")
    expect(await barriersOn(page)).toEqual([])

    await logIn(page, ana)
    await page.getByText("Live", { exact: true }).waitFor()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expect(page.url()).toBe(`${place.server.url}/?kept=1`)
    expect(await page.title()).toBe("Home · Rewards")
    expect(await page.getByLabel("Reason").inputValue()).toBe("Thank you for the pati")
    await page.keyboard.type("ent review")
    expect(await page.getByLabel("Reason").inputValue()).toBe("Thank you for the patient review")
  })
})

test("of one person nothing stays for the next", async () => {
  const bruno = await place.colleague("Bruno Lima")
  const carla = await place.colleague("Carla Dias")
  await using opened = await openPage(place.browser, place.server.url, { outage: true })
  const { page } = opened
  await page.goto("/")
  await logIn(page, bruno)
  await page.getByText("Live", { exact: true }).waitFor()
  await page.locator("main").evaluate((main) => main.setAttribute("data-of", "Bruno"))
  await page.evaluate(() => fetch("/logout", { method: "POST" }))
  await page.getByRole("dialog").waitFor()
  await logIn(page, carla)

  await page.getByRole("heading", { name: "Hello, Carla Dias" }).waitFor()
  expect(await page.locator("[data-of]").count()).toBe(0)
})
