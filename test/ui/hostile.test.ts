import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { createClient } from "../support/client.ts"
import { bearer } from "../support/server.ts"
import { openPage } from "./page.ts"
import { logIn, openPlace } from "./place.ts"

/** What somebody may write who means no good, or merely writes another script. */
const hostile = [
  "<img src=x onerror=alert(1)>",
  "</title><script>alert(1)</script>",
  "{{7*7}}#{7*7}<%=7*7%>",
  '"><svg/onload=alert(1)>',
  "javascript:alert(1)//",
  "שרה כהן",
  "مرحبا بالعالم",
  "W".repeat(90),
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L",
  "%s %d & &lt;b&gt; \\u003cb\\u003e",
]

test("names, bios and reasons are shown as they are written, at 320 pixels, dark, still and in Portuguese", async () => {
  await using place = await openPlace()
  const { body } = await createClient(place.server.url).submit<{ access_token: string }>("/token", {
    username: "admin",
    password: "admin",
  })
  const admin = createClient(place.server.url, bearer(body.access_token))
  for (const [index, name] of hostile.entries()) {
    const { username } = await place.colleague(name, { username: `x-${index}` })
    expect((await admin.call("PATCH", `/user/${username}/`, { json: { bio: name } })).status).toBe(200)
    expect((await admin.post(`/transaction/${username}/`, { value: 1 + index, reason: name })).status).toBe(201)
  }

  await using opened = await openPage(place.browser, place.server.url, {
    viewport: { width: 320, height: 640 },
    colorScheme: "dark",
    reducedMotion: "reduce",
  })
  const { page } = opened
  page.on("dialog", () => {
    throw new Error("something was run that is text")
  })
  await page.goto("/")
  await logIn(page, { username: "x-0", password: "x-0 comes in" })
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  for (const address of ["/", "/people", "/leaderboard", "/wall"]) {
    await page.goto(address)
    for (const text of hostile) await shows(page, text)
    expect([address, await overflowOf(page)]).toEqual([address, 0])
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("pt")
  }
  for (const [index, text] of hostile.entries()) {
    await page.goto(`/people/x-${index}`)
    await shows(page, text)
    expect([text, await overflowOf(page)]).toEqual([text, 0])
  }
})

const shows = (page: Page, text: string) => page.locator("main").getByText(text).first().waitFor()

/** Beside the room that is kept for a scroll bar. */
const overflowOf = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
