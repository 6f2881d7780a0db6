import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { clippedTexts, overflowOf } from "./layout.ts"
import { openPage } from "./page.ts"
import { logIn, openGiveBox, startTestApp, type User } from "./test-app.ts"

/** Texts by people with bad intentions, or in another script. */
const hostile = [
  "<img src=x onerror=alert(1)>",
  "</title><script>alert(1)</script>",
  "{{7*7}}#{7*7}<%=7*7%>",
  '"><svg/onload=alert(1)>',
  "javascript:alert(1)//",
  "שרה כהן",
  "مرحبا بالعالم",
  "W".repeat(90),
  "Z̴͑ͫ̓ͪ̂ͫ̽A̴̵̜̰͔ͫ͗͢L",
  "%s %d & &lt;b&gt; \\u003cb\\u003e",
]

/** The same text, reduced to what a username may contain. */
const usernameOf = (name: string, index: number) =>
  `${name
    .replace(/[/?#%\\\p{M}]/gu, "")
    .toLowerCase()
    .replaceAll(" ", "-")
    .slice(0, 60)}-${index}`

test("names, bios and reasons are shown as plain text, at 320 pixels, dark, with reduced motion and in Portuguese", async () => {
  await using app = await startTestApp()
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const people: User[] = []
  for (const [index, name] of hostile.entries()) {
    const dept = index === 0 ? "management" : name
    const person = await app.createUser(name, {
      username: usernameOf(name, index),
      email: `x-${index}@example.com`,
      dept,
    })
    const path = `${encodeURIComponent(person.username)}/`
    expect((await admin.call("PATCH", `/user/${path}`, { json: { bio: name } })).status).toBe(200)
    expect((await admin.post(`/transaction/${path}`, { value: 1 + index, reason: name })).status).toBe(201)
    people.push(person)
  }

  await using opened = await openPage(app.browser, app.server.url, {
    viewport: { width: 320, height: 640 },
    colorScheme: "dark",
    reducedMotion: "reduce",
  })
  const { page } = opened
  page.on("dialog", () => {
    throw new Error("something was run that is text")
  })
  const isWhole = async (address: string) => expect([address, await overflowOf(page)]).toEqual([address, 0])
  await page.goto("/")
  const [first] = people
  if (first !== undefined) await logIn(page, first)
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  for (const address of ["/", "/people", "/leaderboard", "/wall"]) {
    await page.goto(address)
    for (const text of hostile) await shows(page, text)
    await isWhole(address)
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("pt")
  }
  await page.goto("/history")
  // The page does not name the user's own account.
  for (const { name } of people.slice(1)) await shows(page, name)
  await isWhole("/history")
  await page.goto("/me")
  await page.getByLabel("Nome completo").waitFor()
  expect(await page.locator("main form").first().locator("input, textarea").evaluateAll(valuesOf)).toEqual([
    hostile[0] ?? "",
    hostile[0] ?? "",
  ])
  await isWhole("/me")
  for (const address of ["/", "/people", "/me", "/admin/new"]) {
    await page.goto(address)
    if (address === "/") await openGiveBox(page)
    await page.locator(`main :is(${wordFields})`).first().waitFor()
    expect([address, await page.locator(`main :is(${wordFields}):not([dir=auto])`).count()]).toEqual([address, 0])
  }
  for (const { name, username } of people)
    for (const address of [
      `/people/${encodeURIComponent(username)}`,
      `/admin/people/${encodeURIComponent(username)}`,
    ]) {
      await page.goto(address)
      await page.getByRole("heading", { name, exact: true }).waitFor()
      await isWhole(address)
    }
})

test("long words wrap in the lists of every screen, on a phone and beside the feed on a desktop", async () => {
  await using app = await startTestApp()
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const word = "w".repeat(58)
  const wide = await app.createUser(`${word} Long`, { username: word, dept: word, points: 1_234_567 })
  for (const [path, body] of [
    ["/api/v1/rewards", { name: word, description: word + word, cost: 1_234_567, limit_per_person: 3 }],
    ["/api/v1/service-tokens", { name: word, username: wide.username, scopes: ["give"], expires_at: null }],
    [
      "/api/v1/allowances",
      { name: word, value: 1_234_567, mode: "add", period: "month", audience: { dept: word }, reason: word },
    ],
    ["/api/v1/webhooks", { url: `https://example.com/${word}${word}`, description: word, active: false }],
  ] as const)
    expect([path, (await admin.post(path, body)).status]).toEqual([path, 201])
  const asWide = await callerOf(app.server.url, wide)
  expect((await asWide.post("/api/v1/rewards/1/redemptions", { comment: word + word })).status).toBe(201)

  for (const width of [390, 1280]) {
    await using opened = await openPage(app.browser, app.server.url, {
      viewport: { width, height: 900 },
      locale: "pt-BR",
    })
    const { page } = opened
    await page.goto("/login")
    await page.request.post("/login", { form: { username: "admin", password: "admin" } })
    for (const [address, text] of [
      ...(width > 390 ? [["/", "Classificação completa"] as const] : []),
      ["/rewards", "3 por pessoa"],
      ["/admin/tokens", "Ler e dar"],
      ["/admin/allowances", word],
      ["/admin/webhooks", word],
      ["/admin/rewards", word],
      ["/admin/departments", word],
    ] as const) {
      await page.goto(address)
      await shows(page, text)
      expect([width, address, await overflowOf(page)]).toEqual([width, address, 0])
    }
  }
})

test("a long name is shown whole in every list, and where it is chosen", async () => {
  await using app = await startTestApp()
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const name = `Maria Antônia ${"Wolfeschlegelsteinhausen".repeat(2)} de Albuquerque`
  const long = await app.createUser(name, {
    username: `${"long-name-".repeat(5)}x`,
    email: "l@example.com",
    dept: "management",
  })
  await app.createUser("Bea Cruz", { dept: "Department of everything that nobody else takes care of" })
  const audience = { dept: "management" }
  const allowance = { name: "Monthly", value: 10, mode: "add", period: "month", audience, reason: null }
  expect((await admin.post("/api/v1/allowances", allowance)).status).toBe(201)

  for (const width of [390, 1440]) {
    await using opened = await openPage(app.browser, app.server.url, { viewport: { width, height: 900 } })
    const { page } = opened
    await page.goto("/login")
    await page.request.post("/login", { form: { username: long.username, password: long.password } })
    const isWhole = async (where: string) => {
      await shows(page, name)
      const cut = await clippedTexts(page)
      expect({ width, where, cut }).toEqual({ width, where, cut: [] })
    }
    await page.goto("/")
    await page.getByRole("button", { name: "Account" }).click()
    await isWhole("home")
    await page.goto("/people")
    await isWhole("people")
    for (const [address, field] of [
      ["/admin", "Find a person by name"],
      ["/history", "From"],
    ] as const) {
      await page.goto(address)
      if (address === "/history") await page.getByRole("button", { name: "Filter" }).click()
      await page.getByRole("combobox", { name: field }).first().fill("wolfe")
      await page.getByRole("option", { name }).waitFor()
      await isWhole(`options of ${address}`)
    }
    await page.getByRole("option", { name }).click()
    await isWhole("chosen person")
    await page.goto("/admin/allowances")
    await page.getByRole("button", { name: "Who gets what next" }).click()
    await isWhole("allowances")
  }
})

/** Fields for text that people write; their direction follows the content. */
const wordFields = "textarea, input:is([type=text], [type=search], :not([type])):not([inputmode], [readonly])"

const valuesOf = (fields: Element[]) => fields.map((field) => (field as HTMLInputElement).value)

const shows = (page: Page, text: string) =>
  page.locator("main").getByText(text).filter({ visible: true }).first().waitFor()
