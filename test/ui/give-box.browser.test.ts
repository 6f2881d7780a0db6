import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { callerOf } from "../support/credentials.ts"
import { type Size, sizes, stopUndoTime } from "./page.ts"
import { openGiveBox, openHome, sendHeld, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("on focus the box suggests people, every field has its label, and a quiet message confirms what was sent", async () => {
    const zoe = await app.createUser(`Zoë ${size}`, { dept: "support", username: `zoe-${size}` })
    const ana = await app.createUser(`Ana ${size}`, { dept: size, points: 50 })
    await app.createUser(`Colleague ${size}`, { dept: size })
    const mine = await callerOf(app.server.url, ana)
    await mine.post("/api/v1/transactions", { to: zoe.username, value: 1 })
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    await openGiveBox(page)
    for (const label of ["To whom", "Points", "What for"])
      await page.locator("#give").getByText(label, { exact: true }).waitFor()

    const field = page.getByRole("combobox", { name: "To whom" })
    await field.focus()
    const options = page.getByRole("listbox", { name: "To whom" }).getByRole("option")
    await options.nth(1).waitFor()
    expect(await options.allTextContents()).toEqual([
      expect.stringMatching(new RegExp(`Zoë ${size}.*recently$`)),
      expect.stringMatching(new RegExp(`Colleague ${size}.*not for a while$`)),
    ])
    // Nobody is picked by Enter alone.
    await page.keyboard.press("Enter")
    await page.getByText("Choose who to give to.").waitFor()
    await field.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: `Remove Zoë ${size}` }).waitFor()
    expect(await options.count()).toBe(0)

    await page.locator("#give").getByText("10", { exact: true }).click()
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await sendHeld(page)
    await page
      .getByRole("status")
      .filter({ hasText: `Sent to Zoë ${size}` })
      .waitFor()
    expect(await options.count()).toBe(0)
    await openGiveBox(page)
    await field.click()
    await options.first().waitFor()
    await page.keyboard.press("Escape")
    expect(await page.getByText("Sent to Zoë").count()).toBe(0)
  })
})

test("what cannot be afforded is not offered, and points that are undone within seconds are never sent", async () => {
  const iris = await app.createUser("Iris Lunn", { points: 60 })
  for (const name of ["Jo Lunn", "Kai Lunn"]) await app.createUser(name)
  for (const size of ["desktop", "phone"] as const) {
    await using opened = await openHome(app, iris, sizes[size])
    const { page } = opened
    let sent = 0
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/transactions")) sent += 1
    })
    await stopUndoTime(page)
    await openGiveBox(page)
    const amounts = page.getByRole("group", { name: "Points" }).getByRole("radio")
    const offered = () => amounts.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))
    const before = await offered()
    expect(before.filter((label) => label?.startsWith("100 "))).toEqual([])
    const choose = async (name: string) => {
      await page.getByRole("combobox", { name: "To whom" }).fill(name)
      await page.getByRole("option", { name }).click()
    }
    await choose("Jo Lunn")
    await page.getByRole("group", { name: "Points" }).getByText("25", { exact: true }).click()
    await page.getByRole("textbox", { name: "What for" }).fill("Too soon")
    await page.getByRole("button", { name: "Give", exact: true }).click()

    const entry = page.getByRole("article").filter({ hasText: "Too soon" })
    await entry.getByText("Not sent yet.").waitFor()
    await page.getByRole("button", { name: "Undo", exact: true }).click()
    await entry.waitFor({ state: "detached" })
    await sendHeld(page)
    await openGiveBox(page)
    await page.getByRole("button", { name: "Remove Jo Lunn" }).waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("Too soon")
    expect(sent).toBe(0)
    await choose("Kai Lunn")
    await page.getByText("2 × 25 = 50 points").waitFor()
    expect((await offered()).filter((label) => label?.startsWith("50 "))).toEqual([])
  }
})

test("a double tap on Give in the sheet of a phone gives once, and does nothing to what lies below", async () => {
  const dan = await app.createUser("Dan Double", { points: 100 })
  const tia = await app.createUser("Tia Twice")
  await using opened = await openHome(app, dan, sizes.phone)
  const { page } = opened
  const doubleTap = async (amount: string) => {
    await openGiveBox(page)
    await page.getByRole("combobox", { name: "To whom" }).fill(tia.name)
    await page.getByRole("option", { name: tia.name }).click()
    await page.locator("#give").getByText(amount, { exact: true }).click()
    const { x = 0, y = 0 } = (await page.getByRole("button", { name: "Give", exact: true }).boundingBox()) ?? {}
    for (const _ of ["first", "second"]) await page.touchscreen.tap(x + 10, y + 10)
  }
  await stopUndoTime(page)
  await doubleTap("10")
  await page.getByText("Not sent yet.").waitFor()
  await sendHeld(page)
  await page.getByText(`Sent to ${tia.name}`).waitFor()
  expect(new URL(page.url()).pathname).toBe("/")

  await doubleTap("50")
  const look = page.getByRole("dialog", { name: "Give 50 points?" })
  await look.getByRole("button", { name: "Give 50 points" }).click()
  await look.waitFor({ state: "detached" })
  await page.getByText(`Sent to ${tia.name}`).waitFor()

  const caller = await callerOf(app.server.url, dan)
  const given = await caller.get("/api/v1/transactions?from_user=dan-double")
  expect(given.body).toMatchObject({ items: [{ value: 50 }, { value: 10 }] })
})

test("a department of more than fifty people is too many to thank at once, which the box says before anything is sent", async () => {
  const eva = await app.createUser("Eva Everybody", { points: 1000 })
  await using opened = await openHome(app, eva, sizes.phone)
  const { page } = opened
  await page.route("**/api/v1/departments", (route) =>
    route.fulfill({ json: { items: [{ name: "Operations", people: 63 }] } }),
  )
  await page.reload()
  await openGiveBox(page)
  await page.getByRole("combobox", { name: "To whom" }).focus()
  await page.keyboard.type("operations")
  await page.getByRole("option", { name: "Everyone in Operations" }).click()
  await page.locator("#give").getByText("10", { exact: true }).click()
  await page.getByRole("button", { name: "Give", exact: true }).click()

  await page.getByText("You can thank at most 50 people at once; these are 63.").waitFor()
  expect(await page.getByRole("dialog", { name: /^Give 10 points/ }).count()).toBe(0)
  expect(await page.getByText("Grant: to pass on").count()).toBe(0)
})

test("saved reasons are stored with the account, on every device, also in Portuguese", async () => {
  const eva = await app.createUser("Eva Templates")
  await using opened = await openHome(app, eva, sizes.phone)
  const { page } = opened
  const reason = page.getByRole("textbox", { name: "What for" })
  await openGiveBox(page)
  await page.getByRole("button", { name: "My templates" }).click()
  await page.getByText("Write a reason, then save it here").waitFor()
  await reason.fill("Thank you for the late shift")
  await page.getByRole("button", { name: "Save this reason" }).click()
  await page.getByRole("button", { name: "Delete “Thank you for the late shift”" }).waitFor()

  await using elsewhere = await openHome(app, eva, sizes.desktop)
  const other = elsewhere.page
  await other.evaluate(() => localStorage.setItem("language", "pt"))
  await other.reload()
  await other.getByRole("combobox", { name: "Para quem" }).focus()
  await other.getByRole("button", { name: "Meus modelos" }).click()
  await other.getByRole("button", { name: "Thank you for the late shift", exact: true }).click()
  const motivo = other.getByRole("textbox", { name: "Motivo" })
  expect(await motivo.inputValue()).toBe("Thank you for the late shift")
  await other.getByRole("button", { name: "Meus modelos" }).click()
  await other.getByRole("button", { name: "Apagar “Thank you for the late shift”" }).click()
  await other.getByText("Escreva um motivo").waitFor()
})
