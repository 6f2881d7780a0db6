import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { openPage, sizes } from "./page.ts"
import { type Colleague, logIn, openHome, openPlace, type Place } from "./place.ts"

test("an answer that is lost: it is said to be unknown, asked again under the same key, and given once", async () => {
  await using place = await openPlace()
  const ana = await place.colleague("Ana Souza", { points: 100 })
  await place.colleague("Bruno Lima")
  await using opened = await openPage(place.browser, place.server.url, { ...sizes.phone, outage: true })
  const { page } = opened
  await page.goto("/")
  await logIn(page, ana)
  const keys: (string | undefined)[] = []
  await page.route("**/transaction/bruno-lima", async (route) => {
    keys.push(route.request().headers()["idempotency-key"])
    if (keys.length > 2) return route.continue()
    // The first arrives, and its answer is lost; the second does not arrive.
    if (keys.length === 1) await route.fetch()
    await route.abort("connectionreset")
  })
  // Nor does the feed tell of it.
  await page.routeWebSocket("**/api/v1/stream*", () => {})
  await page.reload()
  await give(page, "bruno", "For the night shift")

  const entry = page.getByRole("article").filter({ hasText: "For the night shift" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await entry.locator("time").waitFor()
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBe(3)
  await page.getByRole("definition").getByText("75", { exact: true }).waitFor()
  await page.reload()
  await entry.locator("time").waitFor()
  expect(await entry.count()).toBe(1)
})

test("what was on its way when the page was left is asked again when it comes back", async () => {
  await using place = await openPlace()
  const ana = await place.colleague("Ana Souza", { points: 100 })
  await place.colleague("Bruno Lima")
  await using opened = await openPage(place.browser, place.server.url, { ...sizes.desktop, outage: true })
  const { page } = opened
  await page.goto("/")
  await logIn(page, ana)
  await page.route("**/transaction/bruno-lima", (route) => route.abort("connectionreset"))
  await give(page, "bruno", "For the day shift")
  const entry = page.getByRole("article").filter({ hasText: "For the day shift" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await page.unroute("**/transaction/bruno-lima")
  await page.reload()
  await entry.locator("time").waitFor()
  await page.getByRole("definition").getByText("75", { exact: true }).waitFor()
})

test("the session ends elsewhere: the way leads to log in and back, with what was to be given still in the box", async () => {
  await using place = await openPlace()
  const ana = await place.colleague("Ana Souza", { points: 100 })
  await place.colleague("Bruno Lima")
  await using opened = await openHome(place, ana, sizes.desktop)
  const { page } = opened
  await page.context().clearCookies()
  await give(page, "bruno", "For the long breath")
  await page.getByText("Your session has ended").waitFor()
  await logIn(page, ana)
  const isInBox = async () => {
    await page.getByRole("button", { name: "Take Bruno Lima back" }).waitFor()
    await page.getByText("25 points, leaves you 75").waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("For the long breath")
    expect(await page.getByRole("article").filter({ hasText: "For the long breath" }).count()).toBe(0)
  }
  await isInBox()
  await page.context().clearCookies()
  await page.reload()
  await logIn(page, ana)
  await isInBox()
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await page.getByRole("button", { name: "Give 25 points" }).click()
  await page.getByRole("article").filter({ hasText: "For the long breath" }).locator("time").waitFor()
  await page.reload()
  await page.getByRole("article").filter({ hasText: "For the long breath" }).waitFor()
  expect(await page.getByRole("button", { name: "Take Bruno Lima back" }).count()).toBe(0)
})

test("the server is stopped under an open feed and started again: what happened meanwhile comes in order, once", async () => {
  await using folder = await temporaryFolder()
  await using place = await openPlace({ cwd: folder.path })
  const ana = await place.colleague("Ana Souza", { points: 100 })
  const bruno = await place.colleague("Bruno Lima", { points: 100 })
  await using opened = await openHome(place, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  const { port } = new URL(place.server.url)
  await place.server.stop()
  await page.getByText(/^Not live since \d/).waitFor({ timeout: 3000 })
  await page.getByRole("textbox", { name: "What for" }).fill("Typed while it was down")

  await using back = await startServer({ cwd: folder.path, args: ["--port", port] })
  for (const reason of ["first", "second", "third"]) await gives(back.url, bruno, ana, reason)
  await page.getByRole("article").getByText("third", { exact: true }).waitFor({ timeout: 12_000 })
  const reasons = await page
    .getByRole("article")
    .locator("p")
    .getByText(/^(first|second|third)$/)
    .allTextContents()
  expect(reasons).toEqual(["third", "second", "first"])
  expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("Typed while it was down")
})

async function give(page: Page, name: string, reason: string) {
  await page.getByRole("combobox", { name: "To whom" }).focus()
  await page.keyboard.type(name)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: /^Take / }).waitFor()
  await page.getByRole("group", { name: "Points" }).getByText("25", { exact: true }).click()
  await page.getByRole("textbox", { name: "What for" }).fill(reason)
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await page.getByRole("button", { name: "Give 25 points" }).click()
}

async function gives(url: Place["server"]["url"], from: Colleague, to: Colleague, reason: string) {
  await (await callerOf(url, from)).post(`/transaction/${to.username}/`, { value: 1, reason })
}
