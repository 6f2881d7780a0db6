import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage } from "./page.ts"
import { logIn, startTestApp, type TestApp, type User } from "./test-app.ts"

const television = { viewport: { width: 1920, height: 1080 } }

let app: TestApp
let ana: User
let bruno: User
beforeAll(async () => {
  app = await startTestApp()
  ana = await app.createUser("Ana Souza", { points: 1000 })
  bruno = await app.createUser("Bruno Lima", { points: 1000 })
})
afterAll(() => app[Symbol.asyncDispose]())

test("without an account, ten simultaneous entries are shown one by one, long enough to read, with public reasons", async () => {
  await using opened = await openPage(app.browser, app.server.url, television)
  const { page } = opened
  const frames = framesOf(page)
  await page.clock.install()
  await page.goto("/wall")
  await page.getByText("Live", { exact: true }).waitFor()
  await newest(page, "+1,000").waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)

  const give = await giverOf(app.server.url, ana)
  for (let value = 1; value <= 10; value++) await give(bruno, { value })
  await becomes(async () => frames.length >= 12, true)
  await page.clock.runFor(100)
  for (let value = 1; value <= 10; value++) {
    await newest(page, `+${value}`).waitFor()
    await page.clock.runFor(1800)
    expect(await newest(page, `+${value}`).count()).toBe(1)
    await page.clock.runFor(200)
  }
  expect(await page.locator(".wall-points [aria-hidden]").allTextContents()).toEqual([
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((value) => `+${value}`),
    "+1,000",
    "+1,000",
  ])
  expect(await clippedTexts(page)).toEqual([])
  const names = await sizesOf(page, ".wall-to")
  expect(Math.min(...names)).toBeGreaterThanOrEqual(48)

  // A long text stays longer.
  const seen = frames.length
  await give(bruno, { value: 11, reason: "For the hundred characters of this text, ".repeat(3), private: false })
  await give(bruno, { value: 12, reason: "between us", private: true })
  await becomes(async () => frames.length >= seen + 2, true)
  await page.clock.runFor(100)
  await newest(page, "+11").waitFor()
  await page.clock.runFor(6000)
  expect(await newest(page, "+11").count()).toBe(1)
  expect(await page.locator(".wall-reason").textContent()).toContain("For the hundred characters")
  await page.clock.runFor(4000)
  await newest(page, "+12").waitFor()
  expect(await page.getByText("between us").count()).toBe(0)

  // In quiet times the week and earlier entries take turns, until something new comes.
  await page.clock.runFor(100)
  await page.clock.fastForward(180_000)
  const week = page.getByRole("region", { name: "This week" })
  await week.getByText("14 thank-yous").waitFor()
  await week.getByRole("img", { name: "QR code of this app" }).locator("path").waitFor({ state: "attached" })
  expect(await page.locator(".wall-before").count()).toBe(0)
  await page.clock.fastForward(60_000)
  await page.locator(".wall-before").waitFor()
  await page.clock.fastForward(60_000)
  await week.waitFor()
  await page.clock.resume()
  await give(bruno, { value: 13 })
  await newest(page, "+13").waitFor()
  expect(await week.count()).toBe(0)
})

test("over hours everything on the wall moves slightly and stays visible, and at night it is dimmed", async () => {
  await using opened = await openPage(app.browser, app.server.url, { ...television, reducedMotion: "reduce" })
  const { page } = opened
  await page.clock.install({ time: new Date("2026-11-21T15:00:00Z") })
  await page.goto("/wall")
  await page.locator(".wall-newest").waitFor()
  // The page is in English, the reader's region is Great Britain.
  expect(await page.locator(".wall-head time").textContent()).toBe("12:00")
  const seen = new Map<string, Set<string>>()
  for (let hour = 0; hour < 6; hour++) {
    for (const selector of [".wall-head h1", ".wall-head time", ".wall-newest", "main > :last-child"]) {
      // In one step: the newest entry is drawn anew when the week's totals come and go.
      const box = await page.evaluate((of) => {
        const { x, y, width } = document.querySelector(of)?.getBoundingClientRect() ?? new DOMRect()
        return { x, y, width }
      }, selector)
      const places = seen.get(selector) ?? new Set()
      seen.set(selector, places.add(`${Math.round(box.x)} ${Math.round(box.y)}`))
      expect(box.x).toBeGreaterThan(0)
      expect(box.x + box.width).toBeLessThan(1920)
      expect(box.y).toBeGreaterThan(0)
    }
    expect(await brightness(page)).toBe("none")
    await page.clock.fastForward(3_600_000)
  }
  for (const [selector, places] of seen) expect([selector, places.size > 4]).toEqual([selector, true])

  await page.clock.fastForward(3 * 3_600_000)
  await page.locator('.wall[data-night="true"]').waitFor()
  await becomes(() => brightness(page), "brightness(0.5)")
})

test("with a session the wall shows reasons, but never a private one, not even to sender and receiver; markup is shown as text", async () => {
  await using opened = await openPage(app.browser, app.server.url, television)
  const { page } = opened
  await page.goto("/login?next=/wall")
  await logIn(page, bruno)
  await page.getByText("Live", { exact: true }).waitFor()
  const give = await giverOf(app.server.url, ana)
  await give(bruno, { value: 21, reason: "between us", private: true })
  await newest(page, "+21").waitFor()
  await give(bruno, { value: 22, reason: "<b>two rows</b> found" })
  await newest(page, "+22").waitFor()

  expect(await page.locator(".wall-reason").textContent()).toBe("<b>two rows</b> found")
  expect(await page.getByText("between us").count()).toBe(0)
})

test("the screen stays awake, and F switches full screen on and off", async () => {
  await using opened = await openPage(app.browser, app.server.url, television)
  const { page } = opened
  await page.addInitScript(() => {
    const request = async (kind: string) => {
      document.documentElement.dataset.awake = kind
      return { release: async () => {} }
    }
    Object.defineProperty(navigator, "wakeLock", { value: { request } })
  })
  await page.goto("/wall")
  await page.locator('html[data-awake="screen"]').waitFor()
  await page.keyboard.press("f")
  await page.getByRole("button", { name: "Exit full screen" }).waitFor()
  await page.keyboard.press("f")
  await page.getByRole("button", { name: "Full screen", exact: false }).and(page.getByText(/^Full/)).waitFor()
})

test("if the stream requires a session, the wall explains its key, and offers a log-in that leads back", async () => {
  await using server = await startServer({ env: { REWARDS_STREAM__ACCESS: "auth" } })
  await using opened = await openPage(app.browser, server.url, television)
  const { page } = opened
  await page.goto("/wall?night=off")
  await page.getByText("This wall needs its key").waitFor()
  await page.getByText("/wall#key=…").waitFor()
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.reload()
  await page.getByText("Este mural precisa da sua chave").waitFor()
  await page.evaluate(() => localStorage.removeItem("language"))
  await page.reload()
  await page.getByRole("link", { name: "Or log in" }).click()
  await page.getByRole("heading", { name: "Log in" }).waitFor()
  await logIn(page, { username: "admin", password: "admin" })
  await page.waitForURL(`${server.url}/wall?night=off`)
  await page.getByText("No recognition yet").waitFor()
})

test("a wall with its key needs no log-in, even after it is reopened; with an old key it says so", async () => {
  const key = "the-key-of-this-wall-0123456789"
  const auth = { REWARDS_STREAM__ACCESS: "auth", REWARDS_STREAM__WALL_KEY: key }
  await using server = await startServer({ env: auth })
  await using opened = await openPage(app.browser, server.url, television)
  const { page } = opened
  await page.goto(`/wall?night=off#key=${key}`)
  await page.getByText("Live", { exact: true }).waitFor()
  expect(page.url()).toBe(`${server.url}/wall?night=off`)
  const dora = await doraAt(server.url)
  await (await giverOf(server.url, admin))(dora, { value: 5, reason: "for everybody" })
  await newest(page, "+5").waitFor()
  expect(await page.locator(".wall-reason").textContent()).toBe("for everybody")
  const [{ expires = 0 } = {}] = await page.context().cookies()
  expect(expires).toBeGreaterThan(Date.now() / 1000 + 365 * 24 * 3600)
  await page.goto("/wall")
  await newest(page, "+5").waitFor()

  await page.goto("/wall#key=the-one-before")
  await page.reload()
  await page.getByText("This wall's key no longer works").waitFor()
})

test("the wall says that the server cannot be reached, and later shows what it missed", async () => {
  await using folder = await temporaryFolder()
  const first = await startServer({ cwd: folder.path })
  await using opened = await openPage(app.browser, first.url, { ...television, outage: true })
  const { page } = opened
  await page.goto("/wall")
  await page.getByText("Live", { exact: true }).waitFor()
  const dora = await doraAt(first.url)
  await (await giverOf(first.url, admin))(dora, { value: 5 })
  await newest(page, "+5").waitFor()

  const { port } = new URL(first.url)
  await first.stop()
  await page.getByText(/^Not live since \d/).waitFor()
  await using back = await startServer({ cwd: folder.path, args: ["--port", port] })
  const give = await giverOf(back.url, admin)
  for (const value of [6, 7]) await give(dora, { value })
  await page.getByText("Live", { exact: true }).waitFor()
  await newest(page, "+7").waitFor()
  expect(await page.locator(".wall-points [aria-hidden]").allTextContents()).toEqual(["+7", "+6", "+5"])
})

test("points sent to oneself are never on the wall, with or without an account", async () => {
  await using own = await startTestApp()
  const carla = await own.createUser("Carla Dias", { points: 500 })
  const give = await giverOf(own.server.url, carla)
  await give(carla, { value: 41 })
  await using stranger = await openPage(own.browser, own.server.url, television)
  await using member = await openPage(own.browser, own.server.url, television)
  await member.page.goto("/login")
  await logIn(member.page, carla)
  await member.page.getByRole("link", { name: "Home" }).first().waitFor()
  for (const { page } of [stranger, member]) {
    await page.goto("/wall")
    await newest(page, "+500").waitFor()
  }
  await give(carla, { value: 42 })
  await give(admin, { value: 43 })

  for (const { page } of [stranger, member]) {
    await newest(page, "+43").waitFor()
    expect(await page.locator(".wall-points [aria-hidden]").allTextContents()).toEqual(["+43", "+500"])
  }
})

test("several people who were thanked at once are one entry on the wall, with their faces, with and without an account", async () => {
  await using own = await startTestApp()
  const carla = await own.createUser("Carla Dias", { points: 500 })
  for (const name of ["Davi Reis", "Elena Luz", "Farid Nur"]) await own.createUser(name)
  await using stranger = await openPage(own.browser, own.server.url, television)
  await using member = await openPage(own.browser, own.server.url, television)
  await member.page.goto("/login")
  await logIn(member.page, carla)
  await member.page.getByRole("link", { name: "Home" }).first().waitFor()
  for (const { page } of [stranger, member]) {
    await page.goto("/wall")
    await newest(page, "+500").waitFor()
  }
  const to = ["davi-reis", "elena-luz", "farid-nur"]
  await (await callerOf(own.server.url, carla)).post("/api/v1/transactions", { to, value: 25 })

  for (const { page } of [stranger, member]) {
    await newest(page, "+25").waitFor()
    expect(await page.locator(".wall-newest .wall-to").textContent()).toBe("Davi Reis, Elena Luz and Farid Nur")
    expect(await page.locator(".wall-newest .face").count()).toBe(3)
    expect(await page.locator(".wall-newest .wall-points").textContent()).toContain("each")
    expect(await page.locator(".wall-points [aria-hidden]").allTextContents()).toEqual(["+25", "+500"])
    expect(await clippedTexts(page)).toEqual([])
  }
})

const admin = { username: "admin", password: "admin" }

/** Creates a receiver on a server of its own. */
async function doraAt(url: string) {
  const dora = { name: "Dora Reis", username: "dora-reis", email: "dora@example.com", password: "x", dept: "sales" }
  expect((await (await callerOf(url, admin)).post("/user/", dora)).status).toBe(201)
  return dora
}

const newest = (page: Page, points: string) =>
  page.locator(".wall-newest .wall-points").getByText(points, { exact: true })

/** The frames that the page has received from the stream. */
function framesOf(page: Page): unknown[] {
  const frames: unknown[] = []
  page.on("websocket", (socket) => socket.on("framereceived", (frame) => frames.push(frame)))
  return frames
}

const brightness = (page: Page) => page.locator(".wall").evaluate((wall) => getComputedStyle(wall).filter)

const sizesOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)))

/** Rows that are only partly on the screen. */
const clippedTexts = (page: Page) =>
  page.locator(".wall-before li").evaluateAll((lines) => {
    const glass = lines[0]?.parentElement?.getBoundingClientRect()
    return lines
      .map((line) => line.getBoundingClientRect())
      .filter((line) => glass && line.left < glass.right - 1 && line.bottom > glass.bottom + 1)
  })

async function giverOf(url: string, who: Pick<User, "username" | "password">) {
  const client = await callerOf(url, who)
  return async (to: Pick<User, "username">, what: { value: number; reason?: string; private?: boolean }) => {
    const { status } = await client.post(`/transaction/${to.username}/`, what)
    expect(status).toBe(201)
  }
}

test("on a phone the newest names are whole, and on a desktop the buttons cover no entry", async () => {
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const long = await app.createUser("Maximiliana Albuquerque de Vasconcelos")
  await admin.post("/api/v1/transactions", { to: [ana.username, bruno.username, long.username], value: 3 })
  await using opened = await openPage(app.browser, app.server.url, { viewport: { width: 390, height: 844 } })
  const { page } = opened
  await page.goto("/wall?night=off")
  const names = page.locator(".wall-newest .wall-to")
  await names.filter({ hasText: "Vasconcelos" }).waitFor()
  expect(await names.evaluate((element) => element.scrollHeight <= element.clientHeight + 1)).toBe(true)

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.mouse.move(100, 100)
  const [controls, newest] = await Promise.all(
    [page.locator(".wall-controls"), page.locator(".wall-newest")].map((part) => part.boundingBox()),
  )
  expect((controls?.y ?? Number.NaN) + (controls?.height ?? 0)).toBeLessThanOrEqual(newest?.y ?? 0)
})

test("the wall's text doubles in size with the browser's setting, and names are not cut off", async () => {
  await using opened = await openPage(app.browser, app.server.url, { ...television, reducedMotion: "reduce" })
  const { page } = opened
  // What does not fit gets smaller.
  await (await callerOf(app.server.url, admin)).post("/api/v1/transactions", { to: ana.username, value: 3 })
  await page.goto("/wall?night=off")
  await page.locator(".wall-newest").getByText(ana.name, { exact: true }).waitFor()
  const usual = await sizesOf(page, ".wall-newest .wall-to")
  await enlargeText(page)
  expect(await sizesOf(page, ".wall-newest .wall-to")).toEqual(usual.map((size) => size * 2))
  expect(await page.locator(".wall-newest .wall-to").evaluate((name) => name.scrollWidth <= name.clientWidth)).toBe(
    true,
  )
  expect(await overflowOf(page)).toBe(0)
})

test("on 1280 by 720 the wall cuts nothing: long names, long words, groups, from right to left, large text", async () => {
  await using own = await startTestApp()
  const caller = await callerOf(own.server.url, admin)
  const long = await own.createUser("Maximiliana Albuquerque de Vasconcelos e Donaudampfschifffahrtsgesellschaft", {
    username: "max",
    email: "max@example.com",
  })
  const arabic = await own.createUser("عبد الرحمن بن محمد المنصوري", { username: "abd" })
  const others = [await own.createUser("Zoë Quinn"), await own.createUser("Kenji Mori")]
  const all = [long, arabic, ...others].map(({ username }) => username)
  const words = "You stayed until the last customer had an answer, and told everybody what we learnt. "
    .repeat(6)
    .slice(0, 500)
  const thank = async (to: string | string[], reason: string) =>
    expect((await caller.post("/api/v1/transactions", { to, value: 25, reason })).status).toBe(201)

  await using opened = await openPage(own.browser, own.server.url, {
    viewport: { width: 1280, height: 720 },
    reducedMotion: "reduce",
  })
  const { page } = opened
  await thank("zoë-quinn", "Short")
  await thank(long.username, "For the fair")
  await thank(all, words)
  await thank("kenji-mori", "Thank you")
  for (const [to, reason] of [
    [all, words],
    [arabic.username, "شكرا لك على المساعدة في المعرض. ".repeat(15).trim()],
    [long.username, "Donaudampfschifffahrtsgesellschaftskapitän".repeat(11)],
  ] as const) {
    await thank([...[to].flat()].length === 1 ? String(to) : [...to], reason)
    await page.goto("/wall?night=off")
    await page.locator(".wall-newest").getByText(reason).waitFor()
    for (const size of ["100%", "200%"]) {
      await page.evaluate((one) => document.documentElement.style.setProperty("font-size", one), size)
      await becomes(() => cutOnWall(page), [])
    }
  }
})

/** Texts of the wall that are only partly on the glass. */
const cutOnWall = (page: Page) =>
  page.evaluate(() => {
    const newest = document.querySelectorAll(".wall-newest, .wall-newest p, .wall-head h1")
    const rows = [...document.querySelectorAll(".wall-before > li")].flatMap((row) => [
      row,
      ...row.querySelectorAll("p"),
    ])
    // The list hides what is beside it, wherever the wall has moved against burn-in.
    const edge = document.querySelector(".wall-before")?.getBoundingClientRect().right ?? 0
    const shown = rows.filter((row) => row.getBoundingClientRect().left < edge)
    return [...newest, ...shown]
      .filter((part) => {
        const { bottom, right, left, top } = part.getBoundingClientRect()
        const isOff = bottom > innerHeight + 1 || right > innerWidth + 1 || left < -1 || top < -1
        return isOff || part.scrollWidth > part.clientWidth + 1
      })
      .map((part) => part.className || part.textContent)
  })
