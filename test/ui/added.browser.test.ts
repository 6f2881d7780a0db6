import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { becomes, connectionOpens, learnsReceived, type Size, sizes, stopUndoTime } from "./page.ts"
import { openAs, openHome, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Bruno thanks the receivers with a reason of their own. */
async function thanked(name: string, receivers = 1, ownPoints = 100) {
  const sender = await app.createUser(`Bruno ${name}`, { points: 100 })
  const to: User[] = []
  for (let number = 0; number < receivers; number += 1) to.push(await app.createUser(`Carla ${name} ${number}`))
  const ana = await app.createUser(`Ana ${name}`, { points: ownPoints })
  const reason = `For the ${name}`
  const usernames = to.map(({ username }) => username)
  const { body } = await (await callerOf(app.server.url, sender)).post<{ id?: number; group: number }>(
    "/api/v1/transactions",
    { to: usernames.length === 1 ? usernames[0] : usernames, value: 2, reason },
  )
  return { sender, to, ana, reason, id: body.id ?? body.group }
}

const entryOf = (page: Page, reason: string) => page.getByRole("article").filter({ hasText: reason })

async function sentBy(user: User): Promise<number[]> {
  const { body } = await (await callerOf(app.server.url, user)).get<{ items: { value: number; adds_to: number }[] }>(
    `/api/v1/transactions?from_user=${user.username}`,
  )
  return body.items.filter(({ adds_to }) => adds_to !== null).map(({ value }) => value)
}

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("one tap adds five points to a colleague's entry after a moment; the receiver and others see it without a reload", async () => {
    const { ana, reason, to, id } = await thanked(`fair on a ${size}`)
    await using opened = await openHome(app, ana, sizes[size])
    const [receiver] = to
    if (!receiver) throw new Error("nobody was thanked")
    await using theirs = await openHome(app, receiver, sizes[size])
    const follows = [learnsReceived(theirs.page), connectionOpens(theirs.page)]
    await Promise.all([...follows, openAs(theirs.page, receiver, "/people")])
    const entry = entryOf(opened.page, reason)
    const add = entry.getByRole("button", { name: `Add 5 points for ${receiver.name}` })

    const endUndoTime = await stopUndoTime(opened.page)
    await add.click()
    await entry.getByText("You add 5 points").waitFor()
    await entry.getByRole("button", { name: "Undo" }).click()
    await add.click()
    await entry.getByText("You add 5 points").waitFor()
    await endUndoTime()
    await entry.getByText("+5 from you").waitFor()
    await entry.getByText("You add 5 points").waitFor({ state: "detached" })
    expect(await sentBy(ana)).toEqual([5])

    await theirs.page.getByRole("status").getByText(`${ana.name} added 5 points for you`).waitFor()
    await openAs(theirs.page, receiver, `/recognition/${id}`)
    await entryOf(theirs.page, reason).getByText("+5 from 1 person").waitFor()
    expect(await theirs.page.getByRole("button", { name: /^Add / }).count()).toBe(0)
  })
})

test("other amounts open by keyboard and go to each receiver; what cannot be afforded is not offered", async () => {
  const { ana, sender, reason } = await thanked("stand", 2, 60)
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const entry = entryOf(page, reason)

  const others = entry.getByRole("button", { name: "Other amounts" })
  await others.focus()
  await page.keyboard.press("Enter")
  const offered = entry.getByRole("group", { name: "Other amounts" }).getByRole("button")
  await becomes(() => offered.allInnerTexts(), ["+10", "+25"])
  await page.keyboard.press("Escape")
  await offered.first().waitFor({ state: "detached" })
  await page.keyboard.press("Enter")
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  // The button that was pressed is gone; the focus is on Undo.
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), "Undo")
  await entry.getByText("+25 from you").waitFor()
  expect(await sentBy(ana)).toEqual([25, 25])
  await becomes(() => entry.getByRole("button", { name: "Other amounts" }).count(), 0)

  await using own = await openHome(app, sender, sizes.desktop)
  await entryOf(own.page, reason).getByText("+25 from 1 person").waitFor()
  expect(await entryOf(own.page, reason).getByRole("button", { name: /^Add / }).count()).toBe(0)
})

test("a refusal says why at the entry", async () => {
  const { ana, reason, id } = await thanked("mistake")
  await using opened = await openHome(app, ana, sizes.desktop)
  const entry = entryOf(opened.page, reason)
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const endUndoTime = await stopUndoTime(opened.page)

  await entry.getByRole("button", { name: /^Add 5 points/ }).click()
  await admin.post(`/api/v1/transactions/${id}/reversal`, { reason: "a mistake" })
  await endUndoTime()

  await entry.getByRole("alert").getByText("This recognition was taken back").waitFor()
  expect(await sentBy(ana)).toEqual([])
})

test("points whose answer was lost are sent again, and added once", async () => {
  const { ana, reason } = await thanked("storm")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  const entry = entryOf(page, reason)
  let lost = 0
  await page.route("**/api/v1/recognitions/*/points", async (route) => {
    if (lost > 1) return route.continue()
    lost += 1
    await route.fetch()
    await route.abort()
  })

  await entry.getByRole("button", { name: /^Add 5 points/ }).click()
  const unknown = entry.getByText("It is not known whether this arrived.")
  await unknown.waitFor()
  await unknown.waitFor({ state: "detached" })
  await entry.getByText("+5 from you").waitFor()
  expect(lost).toBe(2)
  expect(await sentBy(ana)).toEqual([5])
})

test("a page that is closed sends what it still holds", async () => {
  const { ana, reason } = await thanked("train")
  await using opened = await openHome(app, ana, sizes.desktop)
  const entry = entryOf(opened.page, reason)
  await stopUndoTime(opened.page)

  await entry.getByRole("button", { name: /^Add 5 points/ }).click()
  await entry.getByRole("button", { name: "Undo" }).waitFor()
  await opened.page.goto("about:blank")

  await becomes(() => sentBy(ana), [5])
  await opened.page.goto(app.server.url)
  await entryOf(opened.page, reason).getByText("+5 from you").waitFor()
  expect(await sentBy(ana)).toEqual([5])
})
