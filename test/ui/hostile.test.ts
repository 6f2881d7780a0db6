import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { overflowOf } from "./layout.ts"
import { openPage } from "./page.ts"
import { logIn, startTestApp, type User } from "./test-app.ts"

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
  "Z̴̙̤̞͉͚̯̞̠͍͑ͫ̓ͪ̂ͫ̽A̴̵̜̰͔ͫ͗͢L",
  "%s %d & &lt;b&gt; \\u003cb\\u003e",
]

/** The same text, reduced to what a username may contain. */
const usernameOf = (name: string, index: number) =>
  `${name
    .replace(/[/?#%\\\p{M}]/gu, "")
    .toLowerCase()
    .replaceAll(" ", "-")
    .slice(0, 60)}-${index}`

test("names, bios and reasons are shown as they are written, at 320 pixels, dark, still and in Portuguese", async () => {
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

/** Fields for text that people write; their direction follows the content. */
const wordFields = "textarea, input:is([type=text], [type=search], :not([type])):not([inputmode], [readonly])"

const valuesOf = (fields: Element[]) => fields.map((field) => (field as HTMLInputElement).value)

const shows = (page: Page, text: string) =>
  page.locator("main").getByText(text).filter({ visible: true }).first().waitFor()
