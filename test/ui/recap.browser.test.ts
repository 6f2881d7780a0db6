import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
let ana: User
let bruno: User
let carla: User
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 100 })
  bruno = await app.createUser("Bruno Lima", { points: 50, dept: "support" })
  carla = await app.createUser("Carla Mendes", { dept: "design" })
  await give(bruno, ana, 20, "You stayed until it worked.")
  await give(ana, carla, 5, "For the drawings.")
})
afterAll(() => app[Symbol.asyncDispose]())

async function give(from: User, to: User, value: number, reason: string) {
  const caller = await callerOf(app.server.url, from)
  const { status } = await caller.post("/api/v1/transactions", { to: to.username, value, reason })
  expect(status).toBe(201)
}

const year = new Date().getUTCFullYear()
const text = async (page: Page) => (await page.locator("article").allInnerTexts()).join().replace(/\s+/g, " ")
const inParts = (page: Page, name: string) => page.getByRole("region", { name })

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("somebody looks back at a year from the account's panel, with the keyboard, and then at the one before", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("link", { name: "Look back" }).click()
    await page.getByRole("heading", { name: "Ana Souza" }).waitFor()
    expect(new URL(page.url()).pathname).toBe("/recap")

    await page.getByRole("link", { name: "Year" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForURL(`**/recap/${year}`)
    await becomes(() => page.title(), `Look back: ${year} · Rewards`)
    await page.getByText(`${year} · so far`).waitFor()
    expect(await text(page)).toContain("Received 120 points 2 times, from 2 people Given 5 points 1 time, to 1 person")
    expect((await inParts(page, "The nicest words").allInnerTexts()).join()).toContain(
      "You stayed until it worked.\nBruno Lima, ",
    )
    expect(await inParts(page, "The first and the last").getByRole("link").allInnerTexts()).toEqual([
      expect.stringMatching(/Admin.* thanked .*Ana Souza/),
      expect.stringMatching(/Ana Souza.* thanked .*Carla Mendes/),
    ])
    expect(await inParts(page, "You and your colleagues").getByRole("link").count()).toBe(3)
    expect(await page.locator("li", { hasText: "received 0 times" }).count()).toBeGreaterThan(0)
    expect(await page.getByRole("link", { name: /^On to/ }).count()).toBe(0)

    await page.getByRole("link", { name: `Back to ${year - 1}` }).press("Enter")
    await page.waitForURL(`**/recap/${year - 1}`)
    await page.getByText("Nobody gave or received anything here in this time.").waitFor()
    await page.goBack()
    await page.getByRole("heading", { name: "Ana Souza" }).waitFor()
  })

  test("axe finds nothing, and large text is whole, in both schemes", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await openPage(app.browser, app.server.url, { ...sizes[size], colorScheme })
      const { page } = opened
      await openAs(page, { username: "admin", password: "admin" }, `/recap/${year}?of=company`)
      await page.getByRole("heading", { name: "Thanked most often" }).waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await enlargeText(page)
      expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
      if (size === "phone") await page.setViewportSize({ width: 320, height: 640 })
      expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
    }
  })
})

test("superusers look back at the company, with its departments; others see their own under the same address", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, { username: "admin", password: "admin" }, "/recap")
  await page.getByRole("link", { name: "The company's" }).click()
  await page.waitForURL(/\/recap\/\d{4}-Q\d\?of=company$/)
  await inParts(page, "Departments, by how often thanked").getByText("support").waitFor()
  expect(await text(page)).toContain(
    "Recognition 4 times 175 points Thanked by colleagues 3 people 3 people gave thanks",
  )

  await openAs(page, ana, `/recap/${year}?of=company`)
  await page.getByRole("heading", { name: "Ana Souza" }).waitFor()
  expect(await page.getByRole("link", { name: "The company's" }).count()).toBe(0)
})

test("the look back is downloaded as a picture, in the language of the page", async () => {
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.phone, locale: "pt-BR" })
  const { page } = opened
  await openAs(page, ana, `/recap/${year}`)
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Como imagem" }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`recap-${year}.png`)
  expect(download.url()).toEndWith("&language=pt")
  const bytes = await Bun.file(await download.path()).bytes()
  expect(Buffer.from(bytes.subarray(1, 4)).toString()).toBe("PNG")
})

test("whoever has the duty insights looks back at the company", async () => {
  const dora = await app.createUser("Dora Alves")
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  await admin.patch("/api/v1/users/dora-alves", { duties: ["insights"] })
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  await openAs(opened.page, dora, "/recap")
  await opened.page.getByRole("link", { name: "The company's" }).click()
  await opened.page.getByRole("heading", { name: "Rewards" }).waitFor()
})

test("a year with the longest words fits on one sheet of paper", async () => {
  await using many = await startTestApp()
  const name = (index: number) => `Maria Aparecida Gonçalves de Albuquerque ${index}`
  const zoe = await many.createUser("Zoë Quinn", { username: "zoe" })
  const admin = await callerOf(many.server.url, { username: "admin", password: "admin" })
  for (let index = 0; index < 5; index += 1) {
    const from = await many.createUser(name(index), {
      username: `maria${index}`,
      points: 100,
      dept: `department ${index}`,
    })
    const caller = await callerOf(many.server.url, from)
    const reason = "Whatever it was, you found a way. "
      .repeat(14)
      .concat(index === 4 ? "And more." : "")
      .trim()
    const { body } = await caller.post<{ id: number }>("/api/v1/transactions", { to: "zoe", value: 5, reason })
    // The longest words are not among the nicest then, and come fourth.
    if (index < 3) await admin.put(`/api/v1/recognitions/${body.id}/reactions/${encodeURIComponent("🎉")}`)
  }
  await using opened = await openPage(many.browser, many.server.url, sizes.desktop)
  const { page } = opened
  for (const [user, address] of [
    [zoe, `/recap/${year}`],
    [{ username: "admin", password: "admin" }, `/recap/${year}?of=company`],
  ] as const) {
    await openAs(page, user, address)
    await page.getByRole("heading", { name: "The longest words" }).waitFor()
    const margin = { top: "1cm", right: "1cm", bottom: "1cm", left: "1cm" }
    const sheets = (await page.pdf({ format: "A4", margin })).toString("latin1").match(/\/Type\s*\/Page\b/g)
    expect(sheets?.length).toBe(1)
    await page.emulateMedia({ media: "print" })
    expect(await page.getByRole("heading", { name: "Look back" }).isVisible()).toBe(false)
    expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
  }
})

test.each(["de-DE", "es-ES", "fr-FR"])(
  "in %s nothing is cut off at 320 pixels, with large text neither",
  async (locale) => {
    await using opened = await openPage(app.browser, app.server.url, {
      ...sizes.phone,
      locale,
      viewport: { width: 320, height: 640 },
    })
    const { page } = opened
    for (const address of [
      `/recap/${year}-Q${Math.ceil((new Date().getUTCMonth() + 1) / 3)}`,
      `/recap/${year}?of=company`,
    ]) {
      await openAs(page, { username: "admin", password: "admin" }, address)
      await page.locator("article").waitFor()
      expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
      await enlargeText(page)
      expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
    }
  },
)

test("a look back speaks Portuguese, and says for which addresses there is none", async () => {
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.phone, locale: "pt-BR" })
  const { page } = opened
  await openAs(page, ana, `/recap/${year}`)
  await page.getByText("2 vezes, de 2 pessoas").waitFor()
  await page.getByRole("heading", { name: "As palavras mais bonitas" }).waitFor()
  await page.goto("/recap/yesterday")
  await page.getByRole("heading", { name: "Página não encontrada" }).waitFor()
})
