import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { becomes, holdBack, openPage, type Size, sizes } from "./page.ts"
import { logIn, openAs, openHome, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { REWARDS_RECOGNITION__TAGS: "help,care" } })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Returns the id of the recognition. */
async function give(from: User, to: User, reason: string, more: object = {}): Promise<number> {
  const caller = await callerOf(app.server.url, from)
  const { body } = await caller.post<{ id: number }>("/api/v1/transactions", {
    to: to.username,
    value: 5,
    reason,
    ...more,
  })
  return body.id
}

const entryOf = (page: Page, reason: string) => page.getByRole("article").filter({ hasText: reason })

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("reactions and replies work by keyboard; others see both, and a reply can be deleted and hidden", async () => {
    const [ana, bruno] = [
      await app.createUser(`Ana reacts ${size}`),
      await app.createUser(`Bruno reacts ${size}`, { points: 100 }),
    ]
    const reason = `For the review on ${size}`
    await give(bruno, ana, reason)
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    const entry = entryOf(page, reason)

    const react = entry.getByRole("button", { name: "React or reply" })
    await react.focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await entry.getByRole("button", { name: "❤️ 1", pressed: true }).waitFor()
    expect(await react.evaluate(isFocused)).toBe(true)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Escape")
    expect(await entry.getByRole("button", { name: "👏", exact: true }).count()).toBe(0)
    expect(await react.evaluate(isFocused)).toBe(true)
    await page.keyboard.press("Enter")
    for (let step = 0; step < 5; step += 1) await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await entry.getByRole("button", { name: "👍", exact: true }).and(page.locator(":focus")).waitFor()
    await entry.getByRole("button", { name: "🚀", exact: true }).press("Enter")
    await entry.getByRole("button", { name: "🚀 1", pressed: true }).press("Enter")
    await entry.getByRole("button", { name: "🚀 1" }).waitFor({ state: "detached" })

    await react.press("Enter")
    await entry.getByRole("button", { name: "Reply", exact: true }).press("Enter")
    await entry
      .getByRole("textbox", { name: `Reply to ${bruno.name}` })
      .and(page.locator(":focus"))
      .waitFor()
    await page.keyboard.type("Any time!")
    await page.keyboard.press(size === "phone" ? "Enter" : "Shift+Enter")
    await page.keyboard.type("Always.")
    await page.keyboard.press("Control+Enter")
    expect(await entry.getByText("Any time!").textContent()).toBe("Any time!\nAlways.")
    await entry.getByRole("button", { name: "1 reply" }).waitFor()

    await using other = await openHome(app, { username: "admin", password: "admin" }, sizes[size])
    const theirs = entryOf(other.page, reason)
    await theirs.getByRole("button", { name: "❤️ 1", pressed: false }).click()
    await theirs.getByRole("button", { name: "❤️ 2", pressed: true }).waitFor()
    await theirs.getByRole("button", { name: "1 reply" }).click()
    await theirs.getByRole("button", { name: "Hide" }).click()
    await theirs.getByText("hidden", { exact: true }).waitFor()

    await entry.getByRole("button", { name: "Delete" }).click()
    await entry.getByText("Any time!").waitFor({ state: "hidden" })
    await entry.getByRole("button", { name: "Reply", expanded: true }).waitFor()
  })

  test("each recognition has an address, which shows nothing to somebody who may not see it", async () => {
    const [ana, bruno, carla] = [
      await app.createUser(`Ana links ${size}`),
      await app.createUser(`Bruno links ${size}`, { points: 100 }),
      await app.createUser(`Carla links ${size}`),
    ]
    const id = await give(bruno, ana, `Between us on ${size}`, { private: true })
    await using opened = await openHome(app, ana, {
      ...sizes[size],
      permissions: ["clipboard-read", "clipboard-write"],
    })
    const { page } = opened
    await entryOf(page, `Between us on ${size}`)
      .getByRole("link")
      .filter({ has: page.locator("time") })
      .click()
    await page.waitForURL(`**/recognition/${id}`)
    await entryOf(page, `Between us on ${size}`)
      .getByRole("textbox", { name: `Reply to ${bruno.name}` })
      .waitFor()
    await page.getByRole("button", { name: "Copy link" }).click()
    await page.getByRole("status").getByText("Link copied").waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toBe(`${app.server.url}/recognition/${id}`)

    await using other = await openPage(app.browser, app.server.url, sizes[size])
    await other.page.goto(link)
    await logIn(other.page, carla)
    await other.page.getByRole("heading", { name: "Recognition not found" }).waitFor()
    expect(await other.page.getByText("Between us").count()).toBe(0)
    await other.page.getByRole("link", { name: "All recognition" }).click()
    await entryOf(other.page, ana.name).getByText("private message").waitFor()
    expect(await entryOf(other.page, ana.name).getByRole("button").count()).toBe(0)
  })

  test("filters are in the address and survive a reload and the back button", async () => {
    const [ana, bruno, carla] = [
      await app.createUser(`Ana filters ${size}`, { dept: `dept ${size}` }),
      await app.createUser(`Bruno filters ${size}`, { points: 100 }),
      await app.createUser(`Carla filters ${size}`),
    ]
    await give(bruno, ana, `Café ${size}`, { tags: ["help"] })
    await give(bruno, carla, `Cafeteria ${size}`, { tags: ["care"] })
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    await entryOf(page, "Cafeteria").first().waitFor()

    const filters = page.getByRole("button", { name: "Filter", exact: true })
    const chips = page.getByRole("list", { name: "Filters that are set" }).getByRole("button")
    await filters.click()
    await page.getByRole("link", { name: "About me" }).click()
    await entryOf(page, "Cafeteria").first().waitFor({ state: "hidden" })
    await entryOf(page, `Café ${size}`).waitFor()
    expect(new URL(page.url()).search).toBe("?about=me")
    expect(await chips.allTextContents()).toEqual(["About me"])
    await chips.press("Enter")
    await entryOf(page, "Cafeteria").first().waitFor()
    expect(new URL(page.url()).search).toBe("")
    const search = page.getByRole("searchbox", { name: "Search reasons" })
    await search.fill(`cafe ${size}`)
    await search.press("Enter")
    await page.waitForURL((url) => url.searchParams.get("q") === `cafe ${size}`)
    await page.reload()
    await entryOf(page, `Café ${size}`).waitFor()
    expect(await chips.allTextContents()).toEqual([`“cafe ${size}”`])
    await filters.click()
    expect(await search.inputValue()).toBe(`cafe ${size}`)
    expect(await entryOf(page, "Cafeteria").count()).toBe(0)

    await page.goBack()
    await page.getByRole("combobox", { name: "Person" }).fill("carla fil")
    await page.getByRole("option", { name: carla.name }).click()
    await entryOf(page, `Cafeteria ${size}`).waitFor()
    await entryOf(page, `Café ${size}`).waitFor({ state: "hidden" })
    expect(new URL(page.url()).search).toBe(`?username=${carla.username}`)
    await page.reload()
    await becomes(() => chips.allTextContents(), [carla.name])
    await filters.click()
    await page.getByRole("button", { name: `Person: remove ${carla.name}` }).press("Delete")
    await page.getByLabel("Department", { exact: true }).selectOption(`dept ${size}`)
    await entryOf(page, `Café ${size}`).waitFor()
    await entryOf(page, `Cafeteria ${size}`).waitFor({ state: "hidden" })
    expect(new URL(page.url()).searchParams.get("department")).toBe(`dept ${size}`)
    await page.goto(`/?q=cafe+${size}`)
    await entryOf(page, `Café ${size}`).waitFor()
    await filters.click()

    await page.getByLabel("Tag", { exact: true }).selectOption("care")
    await page.getByText("Nothing found. Try another filter.").waitFor()
    await page.goBack()
    await entryOf(page, `Café ${size}`).waitFor()
    await page.getByRole("link", { name: "My department" }).click()
    await page.waitForURL((url) => url.searchParams.get("department") === `dept ${size}`)
    await entryOf(page, `Café ${size}`).waitFor()
    await give(bruno, ana, `cafe ${size} again`)
    await entryOf(page, `cafe ${size} again`).waitFor()
  })
})

test("reactions, replies and reversals by others are shown when the user returns to the page", async () => {
  const [ana, bruno] = [await app.createUser("Ana returns"), await app.createUser("Bruno returns", { points: 100 })]
  const id = await give(bruno, ana, "For coming back")
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const entry = entryOf(page, "For coming back")
  await entry.getByRole("button", { name: "React or reply" }).waitFor()
  const beside = await opened.another()
  await beside.goto("/history")
  await beside.getByText("For coming back").waitFor()

  const [asBruno, admin] = [
    await callerOf(app.server.url, bruno),
    await callerOf(app.server.url, { username: "admin", password: "admin" }),
  ]
  await asBruno.put(`/api/v1/recognitions/${id}/reactions/${encodeURIComponent("🎉")}`)
  await asBruno.post(`/api/v1/recognitions/${id}/replies`, { text: "Always" })
  await admin.post(`/api/v1/transactions/${id}/reversal`, { reason: "A mistake" })
  const comeBack = (one: Page) => one.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))

  await comeBack(page)
  await entry.getByText("taken back").waitFor()
  await entry.getByRole("button", { name: "🎉 1" }).waitFor()
  await entry.getByRole("button", { name: "1 reply" }).click()
  await entry.getByText("Always").waitFor()
  await comeBack(beside)
  await beside.getByText("A mistake").waitFor()
  await beside.getByText("taken back", { exact: true }).waitFor()

  await beside.goto(`/recognition/${id}`)
  await beside.getByText("Always").waitFor()
  await asBruno.post(`/api/v1/recognitions/${id}/replies`, { text: "And again" })
  await comeBack(beside)
  await beside.getByText("And again").waitFor()
})

test("the newest entry is brought up to date too if it thanks several people", async () => {
  const [ana, bruno] = [await app.createUser("Ana stands"), await app.createUser("Bruno stands", { points: 100 })]
  const carla = await app.createUser("Carla stands")
  const asBruno = await callerOf(app.server.url, bruno)
  const to = [ana.username, carla.username]
  const { body } = await asBruno.post<{ group: number }>("/api/v1/transactions", {
    to,
    value: 1,
    reason: "For the stand",
  })
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const entry = entryOf(page, "For the stand")
  await entry.getByRole("button", { name: "React or reply" }).waitFor()

  await asBruno.put(`/api/v1/recognitions/${body.group + 1}/reactions/${encodeURIComponent("🎉")}`)
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
  await entry.getByRole("button", { name: "🎉 1" }).waitFor()
})

test("a page that stays open shows the activity of others after half a minute", async () => {
  const [ana, bruno] = [await app.createUser("Ana stays"), await app.createUser("Bruno stays", { points: 100 })]
  const id = await give(bruno, ana, "For staying")
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await page.clock.install()
  await openAs(page, ana, "/")
  const entry = entryOf(page, "For staying")
  await entry.getByRole("button", { name: "React or reply" }).waitFor()

  const asBruno = await callerOf(app.server.url, bruno)
  await asBruno.put(`/api/v1/recognitions/${id}/reactions/${encodeURIComponent("🎉")}`)
  await page.clock.fastForward(31_000)
  await entry.getByRole("button", { name: "🎉 1" }).waitFor()
})

test("an action that fails while the server cannot be reached says so and loses no text", async () => {
  const [ana, bruno] = [await app.createUser("Ana away"), await app.createUser("Bruno away", { points: 100 })]
  await give(bruno, ana, "For holding the line")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  const entry = entryOf(page, "For holding the line")
  await entry.hover()
  await entry.getByRole("button", { name: "Reply", exact: true }).click()
  const field = entry.getByRole("textbox", { name: `Reply to ${bruno.name}` })
  await field.fill("Glad to")
  await page.context().setOffline(true)
  await field.press("Enter")
  await entry.getByRole("alert").waitFor()
  expect(await field.inputValue()).toBe("Glad to")
  await page.context().setOffline(false)
  await field.press("Enter")
  await entry.getByText("Glad to").waitFor()
  expect(await entry.getByRole("alert").count()).toBe(0)

  // The answer is lost, not the reply: sent again, it is there once.
  const replies = "**/api/v1/recognitions/*/replies"
  let posts = 0
  await page.route(replies, async (route) => {
    posts += 1
    if (posts > 1) return route.continue()
    await route.fetch()
    await route.abort("connectionreset")
  })
  await field.fill("Any  time")
  await field.press("Enter")
  await entry.getByRole("alert").waitFor()
  await field.press("Enter")
  await becomes(() => field.inputValue(), "")
  await entry.getByText("Any time").waitFor()
  expect(posts).toBe(2)
  expect(await entry.getByRole("alert").count()).toBe(0)
  // The same words later are another reply.
  await page.unroute(replies)
  await field.fill("Any time")
  await field.press("Enter")
  await becomes(() => entry.getByText("Any time").count(), 2)
})

test("on a slow network, neither an older answer nor a reply being sent removes typed text", async () => {
  const [ana, bruno] = [await app.createUser("Ana slow"), await app.createUser("Bruno slow", { points: 100 })]
  const id = await give(bruno, ana, "For patience")
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const list = await holdBack(page, `**/api/v1/recognitions/${id}`)
  const post = await holdBack(page, `**/api/v1/recognitions/${id}/replies`)
  const entry = entryOf(page, "For patience")
  await entry.hover()
  await entry.getByRole("button", { name: "Reply", exact: true }).click()
  const field = entry.getByRole("textbox", { name: `Reply to ${bruno.name}` })
  await becomes(async () => list.length, 1)
  await field.fill("It was nothing")
  await field.press("Enter")
  await becomes(async () => post.length, 1)
  await field.press("End")
  await page.keyboard.type(" really")
  post[0]?.()
  await becomes(async () => list.length, 2)
  expect(await field.inputValue()).toBe("really")
  list[1]?.()
  await entry.getByText("It was nothing").waitFor()
  const isAnswered = page.waitForResponse(`**/api/v1/recognitions/${id}`)
  list[0]?.()
  await (await isAnswered).finished()
  await field.fill("And now?")
  expect(await entry.getByText("It was nothing").count()).toBe(1)

  await page.route(`**/api/v1/recognitions/${id}/replies`, (route) =>
    route.fulfill({ status: 429, json: { detail: "Too many replies in a minute; try again later" } }),
  )
  await field.press("Enter")
  await entry.getByRole("alert").waitFor()
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
  await becomes(async () => list.length, 3)
  list[2]?.()
  await page.waitForLoadState("networkidle")
  expect(await entry.getByText("Too many replies in a minute").count()).toBe(1)
})

const isFocused = (element: Element) => element === document.activeElement
