import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { accessibilityViolations } from "./axe.ts"
import { becomes, connectionOpens, hide, holdBack, loseSession, openPage, type Size, sizes } from "./page.ts"
import { logIn, openHome, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { REWARDS_RECOGNITION__FEED: "own" } })
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("after a session ends elsewhere, the next action leads to log-in and back, and nothing typed is lost", async () => {
    const ana = await app.createUser(`Ana ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    // The stream stays silent, and the session ends as the action is sent: so its answer is the first to report the end.
    await page.routeWebSocket("**/*", () => {})
    await page.goto("/me?kept=1")
    await logIn(page, ana)
    await page.getByLabel("A few words").fill("I help with the im")
    let isEnded = false
    await page.route("**/api/v1/me", async (route) => {
      if (route.request().method() === "PATCH" && !isEnded) {
        isEnded = true
        await endSession(page)
      }
      await route.continue()
    })
    await page.getByRole("button", { name: "Save" }).click()

    await logsInAgain(page, ana)
    await page.getByText("Your session had ended, and nothing was sent. Send it again.").waitFor()
    await finishesWords(page)
  })

  test("when the stream reports that a session ended elsewhere, log-in leads back, and nothing typed is lost", async () => {
    const lena = await app.createUser(`Lena ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.goto("/me?kept=1")
    await logInLive(page, lena)
    await page.getByLabel("A few words").fill("I help with the im")
    await endSession(page)

    await logsInAgain(page, lena)
    expect(await page.getByText("nothing was sent").count()).toBe(0)
    await finishesWords(page)
  })

  test("unsaved input survives a reload without a session, but only for the user who typed it", async () => {
    const dora = await app.createUser(`Dora ${size}`)
    const eva = await app.createUser(`Eva ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const words = page.getByLabel("A few words")
    await page.goto("/me")
    await logInLive(page, dora)
    await words.fill("Ask me about tents")
    await page.getByLabel("Full name").fill(`Dora Alves ${size}`)
    await endSession(page)
    await page.reload()
    await logInLive(page, eva)
    await words.waitFor()
    expect([await page.getByLabel("Full name").inputValue(), await words.inputValue()]).toEqual([eva.name, ""])

    await endSession(page)
    await page.reload()
    await logInLive(page, dora)
    await page.getByText("Not saved yet.").waitFor()
    expect(await words.inputValue()).toBe("Ask me about tents")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    const isLive = connectionOpens(page)
    await page.reload()
    await isLive
    await words.waitFor()
    expect([await page.getByLabel("Full name").inputValue(), await words.inputValue()]).toEqual([
      `Dora Alves ${size}`,
      "Ask me about tents",
    ])
    expect(await page.getByText("Not saved yet.").count()).toBe(0)

    await words.fill("Nobody's business")
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("button", { name: "Log out" }).click()
    await page.getByRole("heading", { name: "Log in" }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })
})

test("no data of one user stays for the next, whether the session ended elsewhere or by log-out", async () => {
  const bruno = await app.createUser("Bruno Lima", { points: 100 })
  const carla = await app.createUser("Carla Dias")
  await using opened = await openHome(app, bruno, { outage: true })
  const { page } = opened
  const [entry, sessions] = [page.getByRole("article"), page.getByText("This browser")]
  const late = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = late.map(({ promise }) => promise)
  await page.route("**/api/v1/me/sessions", async (route) => {
    const response = await route.fetch()
    await held.shift()
    await route.fulfill({ response })
  })
  await entry.filter({ hasText: "You from" }).waitFor()
  await toProfile(page)
  await page.goBack()
  await entry.waitFor()
  await page.locator("main").evaluate((main) => main.setAttribute("data-of", "Bruno"))
  await endSession(page)
  // An open stream reports the end of the session at once.
  await page.getByRole("dialog").waitFor()
  await logIn(page, carla)

  await page.getByRole("heading", { name: "Hello, Carla Dias" }).waitFor()
  await page.getByText("No recognition yet.").waitFor()
  expect([await page.locator("[data-of]").count(), await entry.count()]).toEqual([0, 0])
  const isAnswered = page.waitForResponse("**/api/v1/me/sessions")
  late[0]?.resolve()
  await isAnswered
  await toProfile(page)
  expect(await sessions.count()).toBe(0)
  late[1]?.resolve()
  await sessions.waitFor()
  await page.goBack()
  await page.getByText("No recognition yet.").waitFor()

  await page.getByRole("button", { name: "Account" }).click()
  await page.getByRole("button", { name: "Log out" }).click()
  await logIn(page, bruno)
  await page.getByRole("heading", { name: "Hello, Bruno Lima" }).waitFor()
  await entry.filter({ hasText: "You from" }).waitFor()
})

test("after the session ended, a log-in loads what was missing, with the username filled in", async () => {
  const dina = await app.createUser("Dina Prado", { points: 25 })
  await using opened = await openHome(app, dina, sizes.desktop)
  const { page } = opened
  await loseSession(page)
  await page.getByRole("link", { name: "People" }).click()
  await page.getByText("Your session has ended. Log in").waitFor()
  expect(await page.getByText("Send it again").count()).toBe(0)
  expect(await page.getByRole("textbox", { name: "Username or e-mail", exact: true }).inputValue()).toBe("dina-prado")
  await page.getByRole("textbox", { name: "Password", exact: true }).and(page.locator(":focus")).fill(dina.password)
  await page.keyboard.press("Enter")
  await page.getByRole("main").getByRole("link", { name: "Dina Prado" }).waitFor()
  expect(await page.getByText("Send it again").count()).toBe(0)
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0)
})

test("log-out and log-in in one tab apply to all tabs, for any user", async () => {
  const enzo = await app.createUser("Enzo Faria", { points: 25 })
  const flora = await app.createUser("Flora Gil", { points: 50 })
  await using opened = await openHome(app, enzo, sizes.desktop)
  const { page } = opened
  const beside = await opened.another()
  await beside.goto("/people")
  await beside.getByRole("heading", { name: "People" }).waitFor()

  await logOut(page)
  await beside.getByText("Your session has ended. Log in").waitFor()
  await logIn(beside, enzo)
  await beside.getByRole("dialog").waitFor({ state: "detached" })
  await beside.getByRole("main").getByRole("link", { name: "Enzo Faria" }).waitFor()
  await page.getByRole("heading", { name: "Hello, Enzo Faria" }).waitFor()

  await beside.goto("/")
  await beside.getByRole("heading", { name: "Hello, Enzo Faria" }).waitFor()
  await beside.getByText("Live", { exact: true }).waitFor() // a connection that opens during the log-out would be refused
  await logOut(page)
  await logIn(page, flora)
  await page.getByRole("heading", { name: "Hello, Flora Gil" }).waitFor()
  await beside.getByRole("heading", { name: "Hello, Flora Gil" }).waitFor()
  await beside.getByRole("definition").getByText("50", { exact: true }).first().waitFor()
})

describe("the app opens no live connection for an ended session, because Chromium would log the refusal as an error", () => {
  test("when the connection was lost: it checks the session, also before it reconnects", async () => {
    const gil = await app.createUser("Gil Lost")
    await using opened = await openHome(app, gil, sizes.desktop)
    const { page } = opened
    await page.clock.install()
    const handshakes = countHandshakes(page)
    const held = await holdBack(page, "**/api/v1/session")
    await endSession(page)
    await becomes(async () => held.length, 1)
    // The delay before the next connection is over, and the answer is still on its way.
    await page.clock.fastForward(5000)
    await becomes(async () => held.length, 2)
    expect(handshakes.count).toBe(0)
    for (const release of held) release()
    await page.getByText("Your session has ended. Log in").waitFor()
    await page.clock.fastForward(60_000)
    expect([held.length, handshakes.count]).toEqual([2, 0])
  })

  test("when the page was hidden, or offline", async () => {
    const hugo = await app.createUser("Hugo Hidden")
    await using opened = await openHome(app, hugo, sizes.desktop)
    const { page } = opened
    const handshakes = countHandshakes(page)
    await hide(page, true)
    await loseSession(page)
    await hide(page, false)
    await page.getByText("Your session has ended. Log in").waitFor()
    expect(handshakes.count).toBe(0)
  })

  test("when the user logs out: it closes the connection first, and the log-in does not say that the session ended", async () => {
    const iris = await app.createUser("Iris Out")
    await using opened = await openHome(app, iris, sizes.desktop)
    const { page } = opened
    await page.clock.install()
    const [connection] = await Promise.all([page.waitForEvent("websocket"), page.reload()])
    await page.getByText("Live", { exact: true }).waitFor()
    const handshakes = countHandshakes(page)
    const isClosed = connection.waitForEvent("close")
    const held = await holdBack(page, "**/logout")
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("button", { name: "Log out" }).click()
    await Promise.all([isClosed, becomes(async () => held.length, 1)])
    await page.clock.fastForward(5000)
    for (const release of held) release()
    await page.getByRole("heading", { name: "Log in" }).waitFor()
    expect(handshakes.count).toBe(0)
    expect(await page.getByText("Your session has ended").count()).toBe(0)
  })
})

/** Waits for the log-in, which covers the page and cannot be closed, and returns to the page through it. */
async function logsInAgain(page: Page, user: User) {
  await page.getByText("Your session has ended. Log in to continue where you left off.").waitFor()
  const isCovered = () => page.evaluate(() => document.elementFromPoint(200, 200)?.closest("dialog") !== null)
  for (const _ of ["once", "twice", "and again"]) await page.keyboard.press("Escape")
  await becomes(isCovered, true)
  await becomes(() => page.title(), "Log in · Rewards")
  expect(await accessibilityViolations(page)).toEqual([])

  await logIn(page, user)
  await page.getByRole("dialog").waitFor({ state: "detached" })
  expect(page.url()).toBe(`${app.server.url}/me?kept=1`)
  await becomes(() => page.title(), "My profile · Rewards")
}

/** Types the rest of the words that were begun before, and saves them. */
async function finishesWords(page: Page) {
  await page.getByLabel("A few words").press("End")
  await page.keyboard.type("port")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Saved", { exact: true }).waitFor()
  await page.reload()
  await page.getByLabel("A few words").waitFor()
  expect(await page.getByLabel("A few words").inputValue()).toBe("I help with the import")
}

async function logOut(page: Page) {
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByRole("button", { name: "Log out" }).click()
  await page.getByRole("heading", { name: "Log in" }).waitFor()
}

async function toProfile(page: Page) {
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByRole("link", { name: "My profile" }).click()
  await page.getByRole("heading", { name: "My profile" }).waitFor()
}

const endSession = (page: Page) => page.evaluate(() => fetch("/logout", { method: "POST" }))

/** Logs in and waits for the live connection, so that no handshake is on its way when the session ends. */
async function logInLive(page: Page, user: User) {
  const isLive = connectionOpens(page)
  await logIn(page, user)
  await isLive
}

/** Counts the live connections that the page begins to open from now on. */
function countHandshakes(page: Page): { readonly count: number } {
  const handshakes = { count: 0 }
  page.on("websocket", () => {
    handshakes.count += 1
  })
  return handshakes
}
