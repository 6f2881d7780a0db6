import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { createClient } from "../support/client.ts"
import { becomes, openPage, sizes } from "./page.ts"
import { openAs, openGiveBox, openHome, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

test("every field of the give box shows a ring when it has the focus", async () => {
  await using opened = await openHome(app, await app.createUser("Ana Ring"), sizes.desktop)
  const { page } = opened
  await openGiveBox(page)
  await page.getByRole("textbox", { name: "What for" }).focus()
  for (const field of [
    page.getByRole("combobox", { name: "To whom" }),
    page.getByRole("textbox", { name: "Another amount" }),
    page.getByRole("textbox", { name: "What for" }),
  ]) {
    const before = await ringsAround(field)
    await field.focus()
    expect([before, await ringsAround(field)]).toEqual([0, 1])
  }
})

test("that nobody was found moves no button away from the click that leaves the field", async () => {
  await app.createUser("Bruno Form")
  const admin = { username: "admin", password: "admin" }
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, admin, "/admin/people/bruno-form")
  await page.getByRole("combobox", { name: "Reports to" }).fill("somebody else")
  await page.getByText("No one found").waitFor()
  await page.getByRole("button", { name: "Save changes" }).click()
  await page.getByText("Nobody has this username").waitFor()
})

test("a number beyond the largest is reported with the largest allowed, not with the smallest", async () => {
  await using opened = await openHome(app, { username: "admin", password: "admin" }, sizes.desktop)
  const { page } = opened
  const amount = page.getByRole("textbox", { name: "Another amount" })
  await openGiveBox(page)
  for (const [typed, words] of [
    ["9007199254740992", "At most 9,007,199,254,740,991 points."],
    ["99999999999999999999999", "At most 9,007,199,254,740,991 points."],
    ["0", "Enter a whole number, at least 1."],
    ["1.5", "Enter a whole number, at least 1."],
  ] as const) {
    await page.getByRole("combobox", { name: "To whom" }).fill("")
    await amount.fill(typed)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByText(words).waitFor()
  }
})

test("for a forgotten password, an invalid address is reported at the field, and nothing is sent", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  const sent: string[] = []
  page.on("request", (request) => sent.push(...(request.method() === "POST" ? [request.url()] : [])))
  await page.goto("/forgot")
  const field = page.getByLabel("E-mail address")
  for (const wrong of ["nonsense", "ana@", "@example.com", "ana souza@example.com"]) {
    await field.fill(wrong)
    await page.getByRole("button", { name: "Send link" }).click()
    await page.getByText("Enter a full e-mail address").waitFor()
    expect(await field.evaluate((one) => [one === document.activeElement, one.getAttribute("aria-invalid")])).toEqual([
      true,
      "true",
    ])
    await field.fill("")
    await page.getByRole("button", { name: "Send link" }).click()
    await page.getByText("Enter your e-mail address.").waitFor()
  }
  expect(sent).toEqual([])
  await field.fill("ana@example.com")
  await page.getByRole("button", { name: "Send link" }).click()
  await page.getByText("a link is on its way").waitFor()
})

test("after too many failed log-ins the page says how long to wait", async () => {
  const ana = await app.createUser("Ana Locked")
  const client = createClient(app.server.url)
  for (let attempt = 1; attempt <= 10; attempt += 1)
    await client.submit("/login", { username: ana.username, password: "a guess" })
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  const logIn = async (name: string, password: string, submit: string) => {
    await page.getByLabel(name).fill(ana.username)
    await page.getByLabel(password, { exact: true }).fill(ana.password)
    await page.getByRole("button", { name: submit }).click()
  }
  await page.goto("/login")
  await logIn("Username or e-mail", "Password", "Log in")
  await page
    .getByRole("alert")
    .getByText(/^Too many failed log-ins\. Try again in [345] minutes\.$/)
    .waitFor()
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.reload()
  await logIn("Nome de usuário ou e-mail", "Senha", "Entrar")
  const inPortuguese = /^Muitas tentativas de login sem sucesso\. Tente de novo em [345] minutos\.$/
  await becomes(async () => inPortuguese.test((await page.getByRole("alert").textContent()) ?? ""), true)
})

/** How many elements around the field, including itself, draw an outline. */
const ringsAround = (field: Locator): Promise<number> =>
  field.evaluate((one) => {
    const boxes = [one, one.parentElement, one.parentElement?.parentElement].filter((box) => box instanceof Element)
    return boxes.filter((box) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(box)
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2
    }).length
  })

test("fields have text of 16 pixels on a phone, which would otherwise enlarge the page", async () => {
  const ana = await app.createUser("Ana Sizes")
  await using opened = await openHome(app, ana, sizes.phone)
  const { page } = opened
  const seen: string[] = []
  for (const path of ["/people", "/me", "/history", "/", "/forgot"]) {
    await page.goto(path)
    await page.locator("main :is(input, select, textarea):visible, #give").first().waitFor()
    if (path === "/") await openGiveBox(page)
    const fields = page.locator(":is(input:not([type=radio], [type=checkbox], [type=file]), select, textarea):visible")
    for (const [kind, size] of await fields.evaluateAll((all) =>
      all.map((one) => [one.localName, getComputedStyle(one).fontSize]),
    )) {
      seen.push(`${kind}`)
      expect([path, kind, size]).toEqual([path, kind, "16px"])
    }
  }
  expect(new Set(seen)).toEqual(new Set(["input", "select", "textarea"]))
})

for (const [what, event] of [
  ["that Safari sends behind the word", { keyCode: 229, isComposing: false }],
  ["inside of a word", { keyCode: 13, isComposing: true }],
] as const)
  test(`the Enter of an input method ${what} sends and chooses nothing; the next Enter does`, async () => {
    const ana = await app.createUser(`Ana Kana ${event.keyCode}`, { points: 20 })
    const bruno = await app.createUser(`Bruno Kana ${event.keyCode}`)
    await using opened = await openHome(app, ana, sizes.desktop)
    const { page } = opened
    const press = (field: Locator, given: object) =>
      field.evaluate(
        (one, init) =>
          one.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init })),
        given,
      )
    await openGiveBox(page)
    const whom = page.getByRole("combobox", { name: "To whom" })
    await whom.fill(bruno.username)
    await page.getByRole("option").first().waitFor()
    await press(whom, event)
    expect(await whom.inputValue()).toBe(bruno.username)
    await press(whom, { keyCode: 13 })
    await becomes(() => whom.inputValue(), "")

    await page.getByRole("textbox", { name: "Another amount" }).fill("5")
    const reason = page.getByRole("textbox", { name: "What for" })
    await reason.fill("ありがとう")
    await press(reason, event)
    expect(await reason.inputValue()).toBe("ありがとう")
    await press(reason, { keyCode: 13 })
    await page.getByRole("button", { name: /^Undo/ }).waitFor()
  })
