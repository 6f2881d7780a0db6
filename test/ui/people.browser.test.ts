import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { bearer, callerOf, logIn as tokensOf } from "../support/credentials.ts"
import { clippedTexts, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, openGiveBox, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
let ana: User
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("João Araújo", { dept: "support", points: 70 })
  await app.createUser("<b>שרה</b>", { username: "sarah", dept: "support" })
  await hire(10_000)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Creates the people of a large company, in departments of 1,000. */
async function hire(count: number) {
  const rows = Array.from({ length: count }, (_, index) => {
    const number = String(index).padStart(5, "0")
    return `Person ${number},person-${number}@example.com,Department ${Math.floor(index / 1000)}`
  })
  const { access_token } = await tokensOf(app.server.url, "admin", "admin")
  const answer = await fetch(`${app.server.url}/api/v1/users/import`, {
    method: "POST",
    headers: { ...bearer(access_token), "content-type": "text/csv" },
    body: `name,email,dept\n${rows.join("\n")}\n`,
  })
  if (!answer.ok) throw new Error(`the company could not be hired: ${answer.status}`)
}

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("one of 10,000 people is found by part of the name, without accents, and opened by keyboard", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/people")
    await page.getByRole("link", { name: "Ana Souza" }).waitFor()
    await page.getByLabel("Name or username").focus()
    await page.keyboard.type("arau")
    await page.waitForURL(/\?q=arau$/)
    const found = page.getByRole("main").getByRole("link")
    await page.getByRole("link", { name: "Ana Souza" }).waitFor({ state: "detached" })
    await becomes(() => found.allTextContents(), ["JAJoão Araújojoão-araújosupport"])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")

    await page.getByRole("heading", { name: "João Araújo" }).waitFor()
    await becomes(() => page.title(), "João Araújo · Rewards")
    expect(await page.getByRole("definition").allTextContents()).toEqual(["701 time", "00 times", "support"])
    await page.reload()
    await page.getByRole("heading", { name: "João Araújo" }).waitFor()
    await page.goBack()
    expect(await page.getByLabel("Name or username").inputValue()).toBe("arau")
    await page.getByRole("link", { name: "João Araújo" }).waitFor()
  })

  test("points can be given on a user's page, and its totals update", async () => {
    const bruno = await app.createUser(`Bruno ${size}`)
    const carla = await app.createUser(`Carla ${size}`, { points: 60 })
    await using mine = await openPage(app.browser, app.server.url, sizes[size])
    await using theirs = await openPage(app.browser, app.server.url, sizes[size])
    for (const [{ page }, who] of [[mine, carla] as const, [theirs, bruno] as const]) {
      await openAs(page, who, `/people/${bruno.username}`)
      await page.getByText("No recognition yet.").waitFor()
    }
    expect(await theirs.page.getByRole("form", { name: "Give points" }).count()).toBe(0)

    await openGiveBox(mine.page)
    await mine.page.locator("#give").getByText("50", { exact: true }).click()
    await mine.page.getByLabel("What for").fill("For the <b>quiet</b> handover")
    await mine.page.getByRole("button", { name: "Give", exact: true }).click()
    await mine.page.getByRole("dialog").getByRole("button", { name: "Give 50 points" }).click()
    for (const { page } of [mine, theirs]) {
      await page.getByRole("article").getByText("For the <b>quiet</b> handover").waitFor()
      await page.getByRole("definition").filter({ hasText: "501 time" }).waitFor()
    }
    expect(await theirs.page.getByRole("article").count()).toBe(1)
  })

  test("a person's page says for what colleagues thanked, with their nicest words, and where the person belongs", async () => {
    const [dora, edu] = [await app.createUser(`Dora ${size}`, { points: 50 }), await app.createUser(`Edu ${size}`)]
    const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
    await admin.patch(`/api/v1/users/${edu.username}`, { manager: dora.username, joined: "2024-03-01" })
    const giver = await callerOf(app.server.url, dora)
    await giver.post("/api/v1/transactions", { to: edu.username, value: 5, reason: "For the calm voice" })
    await giver.post("/api/v1/transactions", { to: edu.username, value: 5, reason: "Only for you", private: true })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, `/people/${edu.username}`)

    await page.getByText("1 person said thanks within a year").waitFor()
    const words = page.getByRole("region", { name: "Nicest words" })
    expect(await words.getByRole("blockquote").allTextContents()).toEqual(["For the calm voice"])
    const about = page.getByRole("region", { name: "About" })
    await about.getByText("1 March 2024").waitFor()
    await about.getByRole("link", { name: dora.name }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: dora.name }).waitFor()
    expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
  })

  test("a click on a person right after typing opens that person, even if the screen loads slowly", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/people")
    const person = page.getByRole("link", { name: "Person 00001" }).first()
    await person.waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const loads = Promise.withResolvers<void>()
    await page.route("**/assets/**", async (route) => {
      await loads.promise
      await route.continue()
    })

    await page.getByRole("searchbox").fill("Person")
    await person.evaluate((link) => (link as HTMLAnchorElement).click())
    await page.clock.runFor(1000)
    loads.resolve()

    await page.getByRole("heading", { name: "Person 00001" }).waitFor()
    expect(new URL(page.url()).pathname).toBe("/people/person-00001")
  })

  test("a filter chosen right after typing is applied together with the text", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, { username: "admin", password: "admin" }, "/people")
    const inactive = page.getByRole("link", { name: "Deactivated" })
    await inactive.waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)

    await page.getByRole("searchbox").fill("Person")
    await inactive.evaluate((link) => (link as HTMLAnchorElement).click())
    await page.clock.runFor(1000)

    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: "Person", active: "false" })
  })

  test("a department and its pages have an address that survives a reload, the back button and sharing", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/people?q=person")
    await page.getByLabel("Department").selectOption("Department 4 (1,000)")
    await page.getByRole("link", { name: "Person 04039" }).waitFor()
    await page.getByRole("link", { name: "Next page" }).click()
    await page.getByRole("link", { name: "Person 04040" }).waitFor()
    const address = page.url()
    expect(new URL(address).searchParams.get("department")).toBe("Department 4")

    await page.reload()
    await page.getByRole("link", { name: "Person 04040" }).waitFor()
    await page.goBack()
    await page.getByRole("link", { name: "Person 04000" }).waitFor()
    const sent = await opened.another()
    await sent.goto(address)
    await sent.getByRole("link", { name: "Person 04079" }).waitFor()
    expect(await sent.getByLabel("Department").inputValue()).toBe("Department 4")
    await sent.getByRole("link", { name: "First page" }).click()
    await sent.getByRole("link", { name: "Person 04000" }).waitFor()
  })
})

test("an empty search and the page of an unknown user offer a way on", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, ana, "/people/nobody")
  await page.getByRole("heading", { name: "Person not found" }).waitFor()
  await page.getByRole("link", { name: "Find people" }).click()
  await page.getByLabel("Name or username").fill("zzz")
  await page.getByText("No one found for “zzz”.").waitFor()
  await page.getByRole("link", { name: "Show everyone" }).click()
  await page.getByRole("link", { name: "Ana Souza" }).waitFor()
  expect(await page.getByLabel("Name or username").inputValue()).toBe("")
})

test("a name with markup is shown as text, and only superusers get a link to the history of others", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, ana, "/people/sarah")
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("<b>שרה</b>")
  expect(await page.getByRole("main").getByRole("link", { name: "History" }).count()).toBe(0)
  await page.goto("/people/ana-souza")
  await page.getByRole("link", { name: "Edit my profile" }).waitFor()
  expect(await page.getByRole("main").getByRole("link", { name: "History" }).getAttribute("href")).toBe("/history")

  await using other = await openPage(app.browser, app.server.url)
  await openAs(other.page, { username: "admin", password: "admin" }, "/people/sarah")
  await other.page.getByRole("main").getByRole("link", { name: "History" }).waitFor()
})
