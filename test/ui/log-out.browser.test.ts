import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { createClient } from "../support/client.ts"
import { callerOf, sessionIn } from "../support/credentials.ts"
import { runCommand } from "../support/executable.ts"
import { becomes, hide, type OpenPage, openPage, sizes } from "./page.ts"
import { logIn, openAs, openGiveBox, openHome, sendHeld, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { REWARDS_STREAM__POLL_INTERVAL_SECONDS: "60" } })
  await app.createUser("Receiver Silva", { username: "receiver" })
})
afterAll(() => app[Symbol.asyncDispose]())

/** How long an open page may still show a user's data after the session has ended. */
const patienceMs = 2000

const logOut = async (page: Page) => {
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByRole("button", { name: "Log out" }).click()
}

/** Whether the document, its title included, has any of these words. */
const shows = (page: Page, words: readonly string[]) =>
  page.evaluate(
    (words) => words.filter((word) => `${document.title} ${document.documentElement.outerHTML}`.includes(word)),
    words,
  )

/** Waits until the page shows the log-in, and fails when it took too long. */
async function learnsOfTheEnd(page: Page, sinceMs: number, words: readonly string[]) {
  await page.getByText("Your session has ended. Log in").waitFor()
  expect(await shows(page, words)).toEqual([])
  expect(performance.now() - sinceMs).toBeLessThan(patienceMs)
}

const give = async (from: User, to: User, value: number, reason: string) =>
  (await callerOf(app.server.url, from)).post("/api/v1/transactions", { to: to.username, value, reason })

describe("a log-out sends its request", () => {
  const acts: readonly [string, (page: Page) => Promise<unknown>][] = [
    ["when no part of the app can be loaded", (page) => page.route("**/assets/**", (route) => route.abort())],
    ["when no part of the app is ever loaded", (page) => page.route("**/assets/**", () => {})],
    [
      "when points that can still be undone are never answered",
      async (page) => {
        await page.route(/\/api\/v1\/(transactions|grants)/, () => {})
        await openGiveBox(page)
        await page.getByRole("combobox", { name: "To whom" }).fill("Receiver")
        await page.getByRole("option", { name: "Receiver Silva" }).click()
        await page.getByRole("group", { name: "Points" }).getByText("25", { exact: true }).click()
        await page.getByRole("textbox", { name: "What for" }).fill("Never answered")
        await page.getByRole("button", { name: "Give", exact: true }).click()
        await page.getByRole("article").filter({ hasText: "Never answered" }).getByText("Not sent yet.").waitFor()
      },
    ],
  ]
  test.each(acts)("%s", async (_, hinder) => {
    const ana = await app.createUser(`Ana ${crypto.randomUUID().slice(0, 8)}`, { points: 100 })
    await using opened = await openPage(app.browser, app.server.url, { ...sizes.desktop, outage: true })
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByRole("heading", { name: `Hello, ${ana.name}` }).waitFor()
    await hinder(page)
    const answered = page.waitForResponse("**/logout")
    await logOut(page)
    expect((await answered).status()).toBe(200)
    expect(await (await page.request.get("/api/v1/session")).json()).toBeNull()
    // A page whose scripts are missing may load itself again meanwhile.
    await becomes(() => shows(page, [ana.name]).catch(() => null), [])
  })
})

test("a log-out that the server does not answer says that the user is still logged in", async () => {
  const ana = await app.createUser("Ana Still")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  await page.route("**/logout", (route) => route.abort())
  await logOut(page)
  await page.getByRole("alert").getByText("You are still logged in. The server can't be reached.").waitFor()
  await page.unroute("**/logout")
  await page.getByRole("button", { name: "Log out" }).click()
  await page.getByRole("heading", { name: "Log in" }).waitFor()
})

test("a log-out in one tab leaves nothing in the others, on the screen or behind Back, and nothing stored", async () => {
  const [ana, bruno] = [
    await app.createUser("Ana Tabs", { points: 43 }),
    await app.createUser("Bruno Tabs", { points: 100 }),
  ]
  await give(bruno, ana, 7, "For the two tabs")
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const beside = await opened.another()
  await beside.goto("/")
  await beside.getByText("For the two tabs").waitFor()
  await beside.goto("/history")
  await beside.getByRole("heading", { name: "History" }).waitFor()
  await beside.getByRole("button", { name: "Account" }).click()
  await beside.getByText("Português").click()
  await beside.getByRole("heading", { name: "Histórico" }).waitFor()
  await beside.evaluate(() => {
    localStorage.setItem("notifications", "on")
    localStorage.setItem("feed", "{}")
    for (const key of ["outbox", "additions", "request-keys", "drafts"]) sessionStorage.setItem(key, "[]")
  })
  const another = await opened.another()
  await another.goto("/me")
  await another.getByRole("heading", { name: "Meu perfil" }).waitFor()
  await hide(another, true)

  const answered = page.waitForResponse("**/logout")
  await logOut(page)
  await answered
  const sinceMs = performance.now()
  const words = ["Ana Tabs", "ana-tabs", "For the two tabs", "Bruno", ">50<"]
  for (const tab of [beside, another]) await learnsOfTheEnd(tab, sinceMs, words)
  await page.getByRole("heading", { name: "Log in" }).waitFor()
  expect(await shows(page, words)).toEqual([])
  for (const tab of [page, beside, another])
    expect(
      await tab.evaluate(() => [
        ...Object.keys(localStorage),
        ...Object.keys(sessionStorage),
        document.documentElement.lang,
      ]),
    ).toEqual(["en"])
  await beside.goBack()
  await beside.getByRole("heading", { name: "Log in" }).waitFor()
  expect(await shows(beside, words)).toEqual([])

  await logIn(page, bruno)
  for (const tab of [page, beside, another]) {
    await becomes(() => shows(tab, ["Bruno Tabs"]), ["Bruno Tabs"])
    expect(await shows(tab, ["Ana Tabs, ", "Histórico"])).toEqual([])
  }
})

describe("a wall beside a tab in which somebody logs out", () => {
  const [key, more] = ["Key-of-the-wall-1234567890abcdef", "Given after the log-out"]
  const walls = [
    ["of everybody", { REWARDS_STREAM__ACCESS: "public" }, "/wall", true],
    ["with a key", { REWARDS_STREAM__ACCESS: "auth", REWARDS_STREAM__WALL_KEY: key }, `/wall#key=${key}`, true],
    ["for users alone", { REWARDS_STREAM__ACCESS: "auth" }, "/wall", false],
  ] as const
  test.each(walls)(
    "%s",
    async (_, env, address, goesOn) => {
      await using own = await startTestApp({ env })
      const ana = await own.createUser("Ana Wall", { points: 43 })
      const bruno = await own.createUser("Bruno Wall", { points: 100 })
      const says = async (reason: string) =>
        (await callerOf(own.server.url, bruno)).post("/api/v1/transactions", { to: ana.username, value: 7, reason })
      await says("For the wall")
      await using opened = await openHome(own, ana, { ...sizes.desktop, outage: true })
      const wall = await opened.another()
      await wall.goto(address)
      await wall.getByText("For the wall").waitFor()
      await logOut(opened.page)
      await opened.page.getByRole("heading", { name: "Log in" }).waitFor()
      const sinceMs = performance.now()
      if (goesOn) {
        await wall.getByText("Live", { exact: true }).waitFor()
        await says(more)
        await wall.getByText(more).waitFor()
        return
      }
      await becomes(() => shows(wall, ["Bruno Wall", "Ana Wall", "For the wall"]), [])
      expect(performance.now() - sinceMs).toBeLessThan(patienceMs)
      await wall.getByText("This wall needs its key").waitFor()
    },
    30_000,
  )
})

describe("a page learns within two seconds that its session has ended elsewhere", () => {
  type End = (user: User, page: Page) => Promise<unknown>
  const ofOwn = async (user: User) => {
    const anybody = createClient(app.server.url)
    const { username, password } = user
    const id = sessionIn(await anybody.submit("/login", { username, password }))
    return createClient(app.server.url, { cookie: `session_id=${id}` })
  }
  const ends: readonly [string, End][] = [
    ["by a log-out everywhere", async (user) => (await ofOwn(user)).delete("/api/v1/me/sessions")],
    [
      "by a new password",
      async (user) =>
        (await ofOwn(user)).post("/api/v1/me/password", {
          current_password: user.password,
          password: "another one",
          password_confirm: "another one",
        }),
    ],
    [
      "by a deactivation",
      async ({ username }) =>
        (await callerOf(app.server.url, { username: "admin", password: "admin" })).patch(`/api/v1/users/${username}`, {
          active: false,
        }),
    ],
    ["by an operator", async ({ username }) => runCommand(["session", "revoke", username], { cwd: app.server.cwd })],
  ]
  test.each(ends)("%s", async (how, end) => {
    const ana = await app.createUser(`Ana ${how.replaceAll(" ", "")}`, { points: 43 })
    const bruno = await app.createUser(`Bruno ${how.replaceAll(" ", "")}`, { points: 100 })
    await give(bruno, ana, 7, `For what ends ${how}`)
    await using opened: OpenPage = await openHome(app, ana, sizes.desktop)
    const { page } = opened
    await page.getByText(`For what ends ${how}`).waitFor()
    await end(ana, page)
    await learnsOfTheEnd(page, performance.now(), [ana.name, bruno.name, `For what ends ${how}`, ">50<"])
    expect(await page.evaluate(() => localStorage.getItem("feed"))).toBeNull()
  })
})

test("whoever logs in after a session has ended finds nothing of the user before, who finds what was typed", async () => {
  const [ana, bruno] = [await app.createUser("Ana Before", { points: 43 }), await app.createUser("Bruno After")]
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  await openGiveBox(page)
  await page.getByRole("textbox", { name: "What for" }).fill("Half a thou")
  await page.evaluate(() => localStorage.setItem("notifications", "on"))
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByText("Português").click()
  await page.getByRole("heading", { name: "Olá, Ana Before" }).waitFor()
  await page.evaluate(() => fetch("/logout", { method: "POST" }))
  await page.getByRole("dialog").waitFor()
  await page.getByRole("textbox", { name: "Usuário ou e-mail" }).fill(bruno.username)
  await page.getByRole("textbox", { name: "Senha", exact: true }).fill(bruno.password)
  await page.getByRole("button", { name: "Entrar" }).click()
  await page.getByRole("heading", { name: "Hello, Bruno After" }).waitFor()
  expect(await shows(page, ["Olá", "Hello, Ana", "Half a thou", ">43<"])).toEqual([])
  expect(await page.evaluate(() => [localStorage.getItem("notifications"), localStorage.getItem("user")])).toEqual([
    null,
    "bruno-after",
  ])
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("ana-before")))).toEqual([])
})

test("what a user has typed or not yet sent waits for nobody after a log-out", async () => {
  const ana = await app.createUser("Ana Typed", { points: 100 })
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  await page.route("**/api/v1/transactions", (route) => route.abort())
  await openGiveBox(page)
  await page.getByRole("combobox", { name: "To whom" }).fill("Receiver")
  await page.getByRole("option", { name: "Receiver Silva" }).click()
  await page.getByRole("group", { name: "Points" }).getByText("25", { exact: true }).click()
  await page.getByRole("textbox", { name: "What for" }).fill("On its way")
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await sendHeld(page)
  await page.getByText("It is not known whether this arrived.").waitFor()
  await openGiveBox(page)
  await page.getByRole("textbox", { name: "What for" }).fill("Half a thought")
  await logOut(page)
  await page.getByRole("heading", { name: "Log in" }).waitFor()
  await page.unroute("**/api/v1/transactions")
  const sent: string[] = []
  page.on("request", (request) => request.method() === "POST" && sent.push(new URL(request.url()).pathname))
  await logIn(page, ana)
  await openGiveBox(page)
  expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("")
  expect(await shows(page, ["On its way", "Half a thought"])).toEqual([])
  expect(sent.filter((path) => path.endsWith("/transactions"))).toEqual([])
})

test("an answer that comes late changes nothing for whoever is logged in by then", async () => {
  const [ana, bruno] = [
    await app.createUser("Ana Late", { points: 43 }),
    await app.createUser("Bruno Late", { points: 12 }),
  ]
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let held = 0
  await page.route("**/api/v1/me", async (route) => {
    const response = await route.fetch()
    held += 1
    await released
    await route.fulfill({ response })
  })
  await give(await app.createUser("Carla Late", { points: 9 }), ana, 1, "Reloads the balance")
  await becomes(async () => held > 0, true)
  await logOut(page)
  await logIn(page, bruno)
  await page.getByRole("definition").getByText("12", { exact: true }).first().waitFor()
  const answered = page.waitForResponse("**/api/v1/me")
  release()
  await answered
  await page.waitForLoadState("networkidle")
  expect(await page.getByRole("definition").getByText("44", { exact: true }).count()).toBe(0)
})

test("a page that the browser has kept shows nothing until it is known who is logged in", async () => {
  const ana = await app.createUser("Ana Kept")
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const passes = (type: string) =>
    page.evaluate((type) => {
      dispatchEvent(new PageTransitionEvent(type, { persisted: true }))
      return document.body.checkVisibility()
    }, type)
  expect(await passes("pagehide")).toBe(false)
  await page.context().clearCookies()
  expect(await passes("pageshow")).toBe(false)
  await page.getByRole("heading", { name: "Log in" }).waitFor()
  expect(await shows(page, ["Ana Kept"])).toEqual([])
})
