import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { becomes, loseSession, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp, type User } from "./test-app.ts"

const admin = { username: "admin", password: "admin" }

let app: TestApp
let ana: User
let bruno: User

/** Ana has 1000 from admin and sent João 1, 2, … 30; Bruno sent her 50. João has nothing else, Carla nothing at all. */
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 1000 })
  bruno = await app.createUser("Bruno Lima", { points: 100 })
  await app.createUser("João Prado", { username: "joão" })
  await app.createUser("Carla Reis")
  const giving = await as(ana)
  for (const value of Array.from({ length: 30 }, (_, index) => index + 1))
    expect(await giving.post("/transaction/jo%C3%A3o/", { value })).toMatchObject({ status: 201 })
  expect(await (await as(bruno)).post("/transaction/ana-souza/", { value: 50 })).toMatchObject({ status: 201 })
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (who: User) => callerOf(app.server.url, who)

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("one's own entries are filtered, ordered and paged, and the address shows the same to others", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByRole("link", { name: "History" }).click()

    await status(page, "32 entries · 1 to 25")
    expect(await rows(page)).toHaveLength(25)
    expect((await rows(page)).slice(0, 2)).toEqual(["Bruno Lima You +50", "You João Prado −30"])
    await page.getByRole("link", { name: "Next page" }).click()
    await status(page, "32 entries · 26 to 32")
    expect((await rows(page)).at(-1)).toBe("Admin You +1,000")
    await becomes(() => page.title(), "History, page 2 · Rewards")

    await page.getByRole("link", { name: "Points", exact: true }).click()
    await first(page, "Admin You +1,000")
    await page.getByRole("link", { name: "Points", exact: true }).click()
    await first(page, "You João Prado −1")
    expect(search(page)).toBe("?order_by=value")
    await openFilters(page)
    await page.getByRole("link", { name: "Given" }).click()
    await status(page, "30 entries · 1 to 25")
    await page.getByLabel("Per page").selectOption("50")
    await status(page, "30 entries")
    expect(await rows(page)).toHaveLength(30)

    await page.goBack()
    await status(page, "30 entries · 1 to 25")
    await page.goBack()
    await status(page, "32 entries · 1 to 25")
    await page.goForward()
    await status(page, "30 entries · 1 to 25")
    await page.reload()
    await first(page, "You João Prado −1")

    const beside = await opened.another()
    await beside.goto(page.url())
    await first(beside, "You João Prado −1")
    expect(await rows(beside)).toEqual(await rows(page))
  })

  test("a person is picked by typing and removed by a key; without a match there is a way on", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/history")
    await openFilters(page)
    await page.getByRole("combobox", { name: "From" }).fill("carl")
    await page.getByRole("option", { name: "Carla Reis" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("Nothing matches these filters.").waitFor()
    expect(search(page)).toBe("?from_user=carla-reis")
    await becomes(() => page.evaluate(() => document.activeElement?.textContent), "Carla Reis")

    await page.keyboard.press("Backspace")
    await status(page, "32 entries · 1 to 25")
    await becomes(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "From")
    await page.keyboard.type("joao")
    await page.getByRole("option", { name: "João Prado" }).click()
    await page.getByRole("link", { name: "Show all" }).click()
    await status(page, "32 entries · 1 to 25")
    expect(search(page)).toBe("")
  })

  test("kind, text and days filter, in any language; the address and the file have the same filters", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const today = new Date().toISOString().slice(0, 10)
    await openAs(page, ana, "/history")
    await status(page, "32 entries · 1 to 25")
    await openFilters(page)
    await page.getByLabel("Kind").selectOption("Recognition")
    await status(page, "25 entries and older ones")
    await page.getByRole("link", { name: "Older" }).click()
    await status(page, "7 entries")
    expect((await rows(page)).at(-1)).toBe("Admin You +1,000")
    await page.getByRole("link", { name: "Newest" }).click()
    await first(page, "Bruno Lima You +50")

    await page.getByLabel("Kind").selectOption("Reward")
    await page.getByText("Nothing matches these filters.").waitFor()
    await page.getByRole("link", { name: "Show all" }).click()
    await status(page, "32 entries · 1 to 25")
    await page.getByLabel("First day").fill(today)
    await page.getByLabel("First day").blur()
    await page.getByLabel("Reason contains").fill("nothing says this")
    await page.keyboard.press("Enter")
    await page.getByText("Nothing matches these filters.").waitFor()
    expect(search(page)).toBe(`?from=${today}&q=nothing+says+this`)
    const file = await page.getByRole("link", { name: "CSV" }).getAttribute("href")
    expect(file).toStartWith(`/api/v1/transactions.csv?q=nothing+says+this&from=${today}`)

    await page.evaluate(() => localStorage.setItem("language", "pt"))
    await page.reload()
    await page.getByText("Nenhum resultado para estes filtros.").waitFor()
    await page.getByRole("button", { name: "Filtrar" }).click()
    expect(await page.getByLabel("O motivo contém").inputValue()).toBe("nothing says this")
  })

  test("one range of dates counts for the list, the chart and the file; what else is set shows as chips", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    await openAs(page, ana, "/history?from_user=ana-souza&q=nothing")
    await page.getByText("Nothing matches these filters.").waitFor()
    const chips = page.getByRole("list", { name: "Filters that are set" })
    expect(await chips.getByRole("listitem").allTextContents()).toEqual(["Given", "“nothing”"])
    await chips.getByRole("button", { name: "Remove “nothing”" }).click()
    await status(page, "30 entries · 1 to 25")
    await chips.getByRole("button", { name: "Remove Given" }).click()
    await status(page, "32 entries · 1 to 25")
    expect(await chips.count()).toBe(0)

    await page.getByRole("link", { name: "90 days" }).click()
    await status(page, "25 entries and older ones")
    expect(search(page)).toBe("?days=90")
    expect(await page.getByLabel("First day").inputValue()).toBe(day(89))
    expect(await page.getByLabel("Last day").inputValue()).toBe(day(0))
    await unfoldChart(page, size)
    const chart = page.getByRole("slider", { name: "Balance at the end of each day" })
    await becomes(() => chart.getAttribute("aria-valuemax"), "89")
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toContain(`from=${day(89)}`)

    await page.getByLabel("Last day").fill(day(10))
    await page.getByLabel("Last day").blur()
    await page.getByText("Nothing matches these filters.").waitFor()
    expect(search(page)).toBe(`?from=${day(89)}&to=${day(10)}`)
    await becomes(() => chart.getAttribute("aria-valuemax"), "79")
    await page.getByRole("link", { name: "All time" }).click()
    await status(page, "32 entries · 1 to 25")
    expect(search(page)).toBe("")
  })

  test("the chart's kind and period are in the address; arrow keys move through its days; a table shows the same values", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/history?page=2")
    await unfoldChart(page, size)
    const chart = page.getByRole("slider", { name: "Balance at the end of each day" })
    await page.locator(".chart canvas").waitFor()
    await becomes(() => page.getByRole("definition").allTextContents(), ["0", "585", "1,050", "465"])
    await chart.press("ArrowLeft")
    await becomes(() => told(chart), "balance 585")
    await chart.press("Home")
    await becomes(() => told(chart), "balance 0")

    await page.getByRole("link", { name: "Points per day" }).click()
    const points = page.getByRole("slider", { name: "Points per day" })
    await becomes(() => points.getAttribute("aria-valuemax"), "29")
    // The new chart may not be drawn yet.
    await becomes(async () => {
      await points.press("End")
      return told(points)
    }, "received 1,050, given 465")
    expect(search(page)).toBe("?page=2&chart=points")
    await page.reload()
    await unfoldChart(page, size)
    await points.waitFor()

    await page.getByText("As a table").click()
    const table = page.getByRole("table").filter({ hasText: "midnight (UTC)" })
    await becomes(() => table.getByRole("cell").allTextContents(), ["1,050", "465", "585"])
  })
})

test("a regular user sees only their own entries, in the current time zone, and is refused those of others", async () => {
  await using opened = await openPage(app.browser, app.server.url, { timezoneId: null })
  const { page } = opened
  const travelTo = await travels(page)
  await travelTo("America/Sao_Paulo")
  await openAs(page, bruno, "/history")
  const time = page.locator("main tbody time").first()
  const shown = async () => [await time.textContent(), await time.getAttribute("title")]
  const ms = Date.parse((await time.getAttribute("datetime")) ?? "")
  await becomes(shown, asIn("America/Sao_Paulo", ms))
  await travelTo("Asia/Kathmandu")
  // As if the laptop was opened again.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
  await becomes(shown, asIn("Asia/Kathmandu", ms))
  await status(page, "2 entries")
  expect(await rows(page)).toEqual(["You Ana Souza −50", "Admin You +100"])
  await page.goto("/history?username=ana-souza")
  await page.getByRole("alert").filter({ hasText: "You can only see your own transactions" }).waitFor()
  expect(await page.getByRole("table").count()).toBe(0)
})

test("superusers see all entries, and each person's with the balance", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, admin, "/history")
  await status(page, "33 entries · 1 to 25")
  await first(page, "Bruno Lima Ana Souza 50")
  await page.getByRole("slider", { name: "Points per day" }).waitFor()

  await openFilters(page)
  await page.getByRole("combobox", { name: "History of" }).fill("bru")
  await page.getByRole("option", { name: "Bruno Lima" }).click()
  await page.getByRole("heading", { name: "History of Bruno Lima" }).waitFor()
  await status(page, "2 entries")
  expect(await rows(page)).toEqual(["Bruno Lima Ana Souza −50", "You Bruno Lima +100"])
  await page.locator(".chart canvas").waitFor()
  await becomes(() => page.getByRole("definition").first().textContent(), "50")

  await page.goto("/history?username=nobody")
  await page.getByRole("alert").filter({ hasText: "User not found" }).first().waitFor()
})

test("a superuser takes points back after a confirmation; both entries and the feed show it", async () => {
  await app.createUser("Davi Melo")
  const admins = await callerOf(app.server.url, admin)
  await (await as(bruno)).post("/transaction/davi-melo/", { value: 30, reason: "For the wrong Davi" })
  await admins.post("/api/v1/grants", { value: 5, usernames: ["davi-melo"], reason: "Budget of May" })
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, admin, "/history?username=davi-melo")
  await page.getByText("Budget of May").waitFor()
  await page.getByRole("button", { name: "Take back 30 points from Davi Melo" }).click()

  const dialog = page.getByRole("dialog", { name: "Take points back" })
  const submit = dialog.getByRole("button", { name: "Take back" })
  await submit.click()
  await dialog.getByText("Say why.").waitFor()
  await dialog.getByLabel("Reason").fill("Another Davi was meant")
  await dialog.getByLabel("Points").fill("31")
  await submit.click()
  await dialog.getByText("Enter 1 to 30 points.").waitFor()
  await dialog.getByLabel("Points").fill("10")
  await submit.click()

  await dialog.waitFor({ state: "detached" })
  await first(page, "Davi Melo Bruno Lima −10")
  await page.getByText("Another Davi was meant").waitFor()
  await page.getByText("10 points taken back").waitFor()
  expect(await page.getByRole("button", { name: /^Take back/ }).count()).toBe(2)
  await page.goto("/people/davi-melo")
  await page.getByText("10 points taken back").waitFor()
  expect(await admins.get("/api/v1/people/davi-melo")).toMatchObject({ body: { received: { points: 20 } } })
})

test("the CSV file has the filtered entries, in the format of the reader's language, with accents", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, ana, "/history?user=jo%C3%A3o&order_by=value&page=2")
  await status(page, "30 entries · 26 to 30")
  const download = async () => {
    const waiting = page.waitForEvent("download")
    await page.getByRole("link", { name: "CSV" }).click()
    const file = await waiting
    expect(file.suggestedFilename()).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/)
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await Bun.file(await file.path()).arrayBuffer())
    const [head, ...lines] = text.trimEnd().split("\r\n")
    expect(lines).toHaveLength(30)
    return [head, lines[0]?.replace(/^\d+(.)[-\d]+ [:\d]+/, "1$1now")]
  }
  expect(await download()).toEqual([
    "\uFEFFid,date,time_zone,kind,from_user,from_name,from_dept,user,name,dept,value,reason,tags,group,reference,adds_to",
    "1,now,UTC,transfer,ana-souza,Ana Souza,sales,joão,João Prado,sales,1,,,,,",
  ])

  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.reload()
  await status(page, "30 registros · 26 a 30")
  expect(await download()).toEqual([
    "\uFEFFid;date;time_zone;kind;from_user;from_name;from_dept;user;name;dept;value;reason;tags;group;reference;adds_to",
    "1;now;UTC;transfer;ana-souza;Ana Souza;sales;joão;João Prado;sales;1;;;;;",
  ])
})

test("an empty history invites to begin; a page beyond the end leads to the first; print shows only the entries", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, { username: "carla-reis", password: "carla-reis comes in" }, "/history")
  await page.getByText("No recognition yet. Thank someone.").waitFor()

  await loseSession(page)
  await openAs(page, ana, "/history?page=7")
  await page.getByText("There's nothing on this page.").waitFor()
  await page.getByRole("link", { name: "Go to the first page" }).click()
  await first(page, "Bruno Lima You +50")

  await page.emulateMedia({ media: "print", colorScheme: "dark" })
  for (const hidden of [page.locator("header"), page.locator(".chart"), page.getByRole("search")])
    expect(await hidden.isVisible()).toBe(false)
  expect(await page.locator("table").first().isVisible()).toBe(true)
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(0, 0, 0)")
})

/** On a phone, the chart is folded away. */
async function unfoldChart(page: Page, size: Size) {
  if (size === "phone") await page.locator("summary").getByText("Chart", { exact: true }).click()
}

const openFilters = (page: Page) => page.getByRole("button", { name: "Filter" }).click()

const status = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true }).waitFor()
/** What a chart says about the selected day. */
const told = async (chart: Locator) => (await chart.getAttribute("aria-valuetext"))?.split(": ").at(-1)
const search = (page: Page) => new URL(page.url()).search

/** Sender, receiver and points of each entry. */
const rows = (page: Page) =>
  page.locator("main > div table tbody tr:has(time)").evaluateAll((entries) =>
    entries.map((entry) =>
      [...entry.querySelectorAll("td")]
        .slice(1)
        .map((cell) => (cell.querySelector("a > span[dir]") ?? cell).textContent)
        .join(" "),
    ),
  )

/** Waits until the first entry has this text. */
const first = (page: Page, text: string) => becomes(async () => (await rows(page))[0], text)

/** Moves the browser to another time zone. */
async function travels(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  return (timezoneId: string) => devtools.send("Emulation.setTimezoneOverride", { timezoneId })
}

const asIn = (timeZone: string, ms: number): string[] =>
  [{ timeStyle: "short" } as const, { dateStyle: "full", timeStyle: "medium" } as const].map((style) =>
    new Intl.DateTimeFormat("en-GB", { ...style, timeZone }).format(ms),
  )

test("the totals of one's own history show both pockets of the balance", async () => {
  const iris = await app.createUser("Iris Ramos")
  const asAdmin = await callerOf(app.server.url, admin)
  await asAdmin.post("/api/v1/grants", { usernames: [iris.username], value: 60, reason: "To give" })
  await asAdmin.post("/api/v1/transactions", { to: iris.username, value: 25 })
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, iris, "/history")
  const totals = page.getByRole("region", { name: "Over time" }).locator("dl > div")
  await becomes(() => totals.allInnerTexts(), ["Budget to give\n60", "Earned\n25", "Received\n25", "Given\n0"])
})

test("an entry of several people who were thanked at once says so, and leads to all of them", async () => {
  const eva = await app.createUser("Eva Reis", { points: 20 })
  for (const name of ["Caio Pinto", "Lia Rocha"]) await app.createUser(name)
  await (await as(eva)).post("/api/v1/transactions", {
    to: ["caio-pinto", "lia-rocha"],
    value: 5,
    reason: "For the fair",
  })
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, eva, "/history")
  const mark = page.getByRole("link", { name: "with others" })
  await mark.first().waitFor()
  expect(await mark.count()).toBe(2)
  await mark.first().click()
  await page.waitForURL("**/recognition/*")
  for (const name of ["Caio Pinto", "Lia Rocha"])
    await page.getByRole("main").getByRole("link", { name }).first().waitFor()
})

test("the budgets paid on one day are one line, which opens; whoever looks for them sees each", async () => {
  await using paid = await startTestApp()
  const { username } = await paid.createUser("Rui Alves")
  await paid.createUser("Sara Nunes")
  await using opened = await openPage(paid.browser, paid.server.url)
  const { page } = opened
  const asAdmin = await callerOf(paid.server.url, admin)
  const audience = { usernames: [username, "sara-nunes"] }
  const budget = { name: "Monthly", value: 15, mode: "add", period: "month", on: 1, audience }
  const { body } = await asAdmin.post<{ id: number }>("/api/v1/allowances", budget)
  expect(await asAdmin.post(`/api/v1/allowances/${body.id}/run`, {})).toMatchObject({ status: 201 })
  await openAs(page, admin, "/history")
  const line = page.getByRole("button", { name: "2 budgets paid" })
  await line.waitFor()
  expect(await page.locator("main tbody tr", { has: line }).textContent()).toContain("30")
  expect(await page.getByRole("main").getByRole("link", { name: "Rui Alves" }).count()).toBe(0)
  await line.press("Enter")
  await page.getByRole("main").getByRole("link", { name: "Rui Alves" }).waitFor()
  await page.goto("/history?kind=allowance")
  await page.getByRole("main").getByRole("link", { name: "Sara Nunes" }).waitFor()
  expect(await line.count()).toBe(0)
})
