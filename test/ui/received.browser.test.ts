import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { becomes, hide, learnsReceived, openPage, type Size, sizes } from "./page.ts"
import { openAs, openHome, startTestApp, type TestApp, type User } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

async function give(from: User, to: User, value: number, reason?: string) {
  const caller = await callerOf(app.server.url, from)
  const given = await caller.post("/api/v1/transactions", { value, to: to.username, ...(reason && { reason }) })
  expect(given.status).toBe(201)
}

const card = (page: Page) => page.getByRole("status").filter({ hasText: "gave you" })

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("received points are announced on every screen, and counted until home shows them", async () => {
    const [ana, bruno] = [
      await app.createUser(`Ana ${size}`, { points: 100 }),
      await app.createUser(`Bruno ${size}`, { points: 100 }),
    ]
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("heading", { name: "People" }).waitFor()

    await give(bruno, ana, 25, "For the calm on Friday")
    await card(page).getByText(`${bruno.name} gave you 25 points`).waitFor()
    await card(page).getByText("For the calm on Friday").waitFor()
    expect(await page.title()).toBe("(1) People · Rewards")
    await page.getByRole("link", { name: "Home (1 new)" }).waitFor()

    // Neither sent points nor transfers to oneself count as received.
    await give(ana, bruno, 1)
    await (await callerOf(app.server.url, ana)).post(`/transaction/${ana.username}/`, { value: 1 })
    await give(bruno, ana, 7)
    await card(page).getByText(`${bruno.name} gave you 7 points`).waitFor()
    await card(page).getByText("and 1 more").waitFor()
    expect(await page.title()).toBe("(2) People · Rewards")

    await page.getByRole("button", { name: "Dismiss" }).focus()
    await page.keyboard.press("Enter")
    await card(page).waitFor({ state: "hidden" })
    await page.reload()
    await page.getByRole("link", { name: "Home (2 new)" }).waitFor()
    const beside = await opened.another()
    await beside.goto("/history")
    await becomes(() => beside.title(), "(2) History · Rewards")

    await page.getByRole("link", { name: "Home" }).click()
    const entry = page.getByRole("article").filter({ hasText: "For the calm on Friday" })
    await entry.getByText(new RegExp(`^You from .*${bruno.name}`)).waitFor()
    await entry.scrollIntoViewIfNeeded()
    expect(await entry.getAttribute("data-received")).toBe("true")
    await page
      .getByRole("article")
      .getByText(new RegExp(`^${bruno.name} from .*you`))
      .waitFor()
    await page.getByRole("definition").getByText("131", { exact: true }).first().waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    if (size === "phone") await page.getByRole("article").first().scrollIntoViewIfNeeded()
    await becomes(() => page.title(), "Home · Rewards")
    await becomes(() => beside.title(), "History · Rewards")
    expect(await page.getByRole("link", { name: "new" }).count()).toBe(0)
    await page.reload()
    await page.getByText("Live", { exact: true }).waitFor()
    expect(await page.title()).toBe("Home · Rewards")
  })

  test("points received while the feed is visible are announced, not counted; if scrolled down, a card appears", async () => {
    const [ana, bruno] = [
      await app.createUser(`Ana looks ${size}`),
      await app.createUser(`Bruno looks ${size}`, { points: 500 }),
    ]
    for (let value = 1; value <= 25; value += 1) await give(bruno, ana, value)
    await using opened = await openHome(app, ana, sizes[size])
    const { page } = opened
    await page.getByRole("article").first().scrollIntoViewIfNeeded()
    await give(bruno, ana, 40)
    await page.getByRole("article").getByText("+40").waitFor()
    await card(page).getByText(`${bruno.name} gave you 40 points`).waitFor({ state: "attached" })
    expect(await page.getByRole("button", { name: "Dismiss" }).count()).toBe(0)
    expect(await page.title()).toBe("Home · Rewards")

    await page.getByRole("article").last().scrollIntoViewIfNeeded()
    await give(bruno, ana, 50, "For reading to the end")
    await page.getByRole("button", { name: "Dismiss" }).waitFor()
    expect(await page.title()).toBe("(1) Home · Rewards")
    await card(page).getByRole("link", { name: "gave you" }).click()
    await page.getByRole("article").first().scrollIntoViewIfNeeded()
    await becomes(() => page.title(), "Home · Rewards")
    await page.getByRole("button", { name: "Dismiss" }).waitFor({ state: "hidden" })
  })
})

test("the card of points that several people got together names the others, on every receiver's screen", async () => {
  const [ida, jan] = [await app.createUser("Ida Group", { points: 100 }), await app.createUser("Jan Group")]
  await app.createUser("Kim Group")
  await using opened = await openHome(app, jan, sizes.desktop)
  const { page } = opened
  await page.getByRole("link", { name: "People" }).click()
  await page.getByRole("heading", { name: "People" }).waitFor()

  const caller = await callerOf(app.server.url, ida)
  await caller.post("/api/v1/transactions", { to: ["kim-group", jan.username], value: 25 })
  await card(page).getByText("Ida Group gave you 25 points").waitFor()
  await card(page).getByText("together with Kim Group").waitFor()
  expect(await page.title()).toBe("(1) People · Rewards")
  await page.evaluate(() => localStorage.setItem("language", "pt"))
  await page.goto("/")
  await page
    .getByRole("article")
    .getByText(/^Você e Kim Group de .*Ida Group/)
    .waitFor()
})

test("in Portuguese, dark and with reduced motion, the card says the same and does not move", async () => {
  const [ana, bruno] = [await app.createUser("Ana Pt"), await app.createUser("Bruno Pt", { points: 100 })]
  const look = { locale: "pt-BR", colorScheme: "dark", reducedMotion: "reduce" } as const
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.phone, ...look })
  const { page } = opened
  await page.goto("/people")
  await page.getByLabel("Nome de usuário").fill(ana.username)
  await page.getByLabel("Senha", { exact: true }).fill(ana.password)
  await Promise.all([learnsReceived(page), page.keyboard.press("Enter")])
  await page.getByRole("heading", { name: "Pessoas" }).waitFor()
  await give(bruno, ana, 25)
  const arrived = page.getByText("Bruno Pt deu 25 pontos para você")
  await arrived.waitFor()
  expect(
    await arrived.evaluate((one) => {
      const box = one.closest(".arrives")
      return box === null ? null : Number.parseFloat(getComputedStyle(box).animationDuration)
    }),
  ).toBeLessThan(0.001)
  await page.getByRole("link", { name: "Início (novos: 1)" }).waitFor()
})

test("a private reason is not in the pop-up", async () => {
  const [ana, bruno] = [await app.createUser("Ana Private"), await app.createUser("Bruno Private", { points: 100 })]
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  await page.getByRole("link", { name: "People" }).click()
  await page.getByRole("heading", { name: "People" }).waitFor()
  const caller = await callerOf(app.server.url, bruno)
  await caller.post("/api/v1/transactions", { value: 5, to: ana.username, reason: "For you alone", private: true })
  await card(page).getByText("private message").waitFor()
  expect(await page.getByText("For you alone").count()).toBe(0)
})

test("a hidden tab announces nothing but counts, and shows no burst when it becomes visible", async () => {
  const [ana, bruno] = [await app.createUser("Ana Away"), await app.createUser("Bruno Away", { points: 100 })]
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await page.clock.install()
  const lines: string[] = []
  page.on("websocket", (line) => lines.push(line.url()))
  await openAndLearn(page, ana, "/people")
  await page.getByRole("heading", { name: "People" }).waitFor()
  await becomes(async () => lines.length, 1)
  await hide(page, true)
  for (const value of [1, 2, 3]) await give(bruno, ana, value)
  await page.clock.fastForward(61_000)
  await becomes(() => page.title(), "(3) People · Rewards")
  await hide(page, false)
  await becomes(async () => lines.length, 2)
  await give(bruno, ana, 4)
  await card(page).getByText("and 3 more").waitFor()
  expect(await page.title()).toBe("(4) People · Rewards")
})

test("a hidden tab does not later count what another tab has shown", async () => {
  const [ana, bruno] = [await app.createUser("Ana Two"), await app.createUser("Bruno Two", { points: 100 })]
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await page.clock.install()
  await openAndLearn(page, ana, "/people")
  await page.getByRole("heading", { name: "People" }).waitFor()
  await hide(page, true)
  const beside = await opened.another()
  await beside.goto("/")
  await beside.getByText("Live", { exact: true }).waitFor()
  await give(bruno, ana, 9)
  await beside.getByRole("article").getByText("+9").waitFor()

  const asked = page.waitForResponse((response) => response.url().includes("/api/v1/feed"))
  await page.clock.fastForward(61_000)
  await asked
  await page.waitForLoadState("networkidle")
  await hide(page, false)
  await page.getByRole("link", { name: "Home" }).waitFor()
  await becomes(() => page.title(), "People · Rewards")
  expect(await card(page).count()).toBe(0)
})

test("what another device has seen is no longer counted after the next poll", async () => {
  const [ana, bruno] = [await app.createUser("Ana Three"), await app.createUser("Bruno Three", { points: 100 })]
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await page.clock.install()
  await openAndLearn(page, ana, "/people")
  await give(bruno, ana, 9)
  await page.getByRole("link", { name: "Home (1 new)" }).waitFor()
  const caller = await callerOf(app.server.url, ana)
  const { body } = await caller.get<{ items: { id: number }[] }>("/api/v1/notifications")
  await caller.post("/api/v1/notifications/seen", { through: body.items[0]?.id })

  await page.clock.fastForward(61_000)
  await becomes(() => page.title(), "People · Rewards")
  expect(await card(page).count()).toBe(0)
})

test("all screens share one live connection, which stays open", async () => {
  const ana = await app.createUser("Ana Line", { points: 10 })
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const lines: string[] = []
  page.on("websocket", (line) => lines.push(line.url()))
  await page.getByRole("link", { name: "People" }).click()
  await page.getByRole("heading", { name: "People" }).waitFor()
  await app.createUser("Zoe Line", { points: 3 })
  await page.getByRole("link", { name: "Ana Line" }).first().click()
  await page.getByText("Live", { exact: true }).waitFor()
  await page.getByRole("link", { name: "Home" }).click()
  // The feed has the entries that arrived while another screen was open.
  await page.getByRole("article").getByRole("link", { name: "Zoe Line" }).waitFor()
  expect(lines).toEqual([])
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("when the user returns, home says what happened since the last visit, once for all devices", async () => {
    const [ana, bruno] = [
      await app.createUser(`Ana returns ${size}`, { points: 10 }),
      await app.createUser(`Bruno returns ${size}`, { points: 100 }),
    ]
    {
      await using first = await openHome(app, ana, sizes[size])
      expect(await first.page.getByRole("heading", { name: "Since your last visit" }).count()).toBe(0)
      await becomes(() => unreadOf(ana), 0)
    }
    await give(bruno, ana, 25, "While you were away")
    const caller = await callerOf(app.server.url, ana)
    const { body } = await caller.post<{ id: number }>("/api/v1/transactions", { to: bruno.username, value: 1 })
    await (await callerOf(app.server.url, bruno)).post(`/api/v1/recognitions/${body.id}/replies`, { text: "Any time!" })

    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/people")
    await page.getByRole("link", { name: "Home (2 new)" }).waitFor()
    const beside = await opened.another()
    await beside.goto("/history")
    await becomes(() => beside.title(), "(2) History · Rewards")
    expect(await page.locator('link[rel="icon"]').getAttribute("href")).toContain("circle")
    await page.getByRole("link", { name: "Home" }).click()
    const since = page.getByRole("region", { name: "Since your last visit" })
    await since.getByRole("link", { name: `${bruno.name} gave you 25 points` }).waitFor()
    await since.getByRole("link", { name: `${bruno.name} replied: Any time!` }).waitFor()
    await becomes(() => page.title(), "Home · Rewards")
    await becomes(() => beside.title(), "History · Rewards")
    expect(await page.locator('link[rel="icon"]').getAttribute("href")).not.toContain("circle")
    await becomes(() => unreadOf(ana), 0)
    await since.getByRole("button", { name: "Close" }).press("Enter")
    await since.waitFor({ state: "hidden" })

    await using another = await openHome(app, ana, sizes[size])
    await another.page.getByRole("article").first().waitFor()
    expect(await another.page.getByRole("region", { name: "Since your last visit" }).count()).toBe(0)
    expect(await another.page.title()).toBe("Home · Rewards")
  })

  test("the card leads to the sender with thanks prepared, also after a dropped connection", async () => {
    const [ana, bruno] = [
      await app.createUser(`Ana drops ${size}`),
      await app.createUser(`Bruno drops ${size}`, { points: 100 }),
    ]
    await using opened = await openHome(app, ana, { ...sizes[size], outage: true })
    const { page } = opened
    await page.getByRole("link", { name: "People" }).click()
    await page.getByRole("heading", { name: "People" }).waitFor()
    await page.context().setOffline(true)
    await give(bruno, ana, 30)
    await page.context().setOffline(false)
    await card(page).getByText(`${bruno.name} gave you 30 points`).waitFor()
    await card(page).getByRole("link", { name: "Say thanks back" }).press("Enter")
    await page.getByRole("heading", { name: bruno.name, level: 1 }).waitFor()
    await page.locator("#give").getByText(bruno.name).first().waitFor()
  })
})

test("a user who turns on notifications gets them while the page is in the background, without private reasons", async () => {
  const [ana, bruno] = [await app.createUser("Ana Notified"), await app.createUser("Bruno Notified", { points: 100 })]
  await using opened = await openPage(app.browser, app.server.url, {
    ...sizes.desktop,
    permissions: ["notifications"],
  })
  const { page } = opened
  await page.addInitScript(() => {
    const shown: string[] = []
    class Recorded {
      static readonly permission = "granted"
      static readonly requestPermission = async () => "granted"
      onclick = null
      readonly #text: string
      constructor(title: string, { body }: { body: string }) {
        this.#text = `${title}: ${body}`
        shown.push(this.#text)
      }
      close() {
        shown.splice(shown.indexOf(this.#text), 1)
      }
    }
    Object.assign(window, { Notification: Recorded, shownNotifications: shown })
  })
  const shown = () => page.evaluate(() => (window as unknown as { shownNotifications: string[] }).shownNotifications)
  await page.clock.install()
  await openAs(page, ana, "/me")
  await page.getByRole("checkbox", { name: "Notify me on this device" }).check()
  await becomes(() => page.evaluate(() => localStorage.getItem("notifications")), "on")
  await Promise.all([learnsReceived(page), page.reload()])
  await page.getByRole("checkbox", { name: "Notify me on this device", checked: true }).waitFor()
  await hide(page, true)
  await give(bruno, ana, 3, "For the calm")
  await page.clock.fastForward(61_000)
  await becomes(shown, ["Bruno Notified gave you 3 points: For the calm"])
  const caller = await callerOf(app.server.url, bruno)
  await caller.post("/api/v1/transactions", { value: 5, to: ana.username, reason: "For you alone", private: true })
  await page.clock.fastForward(61_000)
  await becomes(shown, [
    "Bruno Notified gave you 3 points: For the calm",
    "Bruno Notified gave you 5 points: private message",
  ])
})

describe("in a browser whose pages may not show notifications, as on Android", () => {
  /** Replaces the constructor by one that throws, as Chrome's does there. */
  const forbidNotifications = (page: Page) =>
    page.addInitScript(() => {
      class Forbidden {
        static readonly permission = "granted"
        static readonly requestPermission = async () => "granted"
        constructor() {
          throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.")
        }
      }
      Object.assign(window, { Notification: Forbidden })
    })

  test("points received in the background are counted all the same", async () => {
    const [ana, bruno] = [await app.createUser("Ana Android"), await app.createUser("Bruno Android", { points: 100 })]
    await using opened = await openPage(app.browser, app.server.url, sizes.phone)
    const { page } = opened
    await forbidNotifications(page)
    // Left over from a version that let her switch them on.
    await page.addInitScript(() => localStorage.setItem("notifications", "on"))
    await page.clock.install()
    await openAndLearn(page, ana, "/people")
    await hide(page, true)
    await give(bruno, ana, 3)
    await page.clock.fastForward(61_000)
    await becomes(() => page.title(), "(1) People · Rewards")
    await page.getByRole("link", { name: "Home (1 new)" }).waitFor()
  })

  test("they cannot be switched on, and the page says so", async () => {
    const ana = await app.createUser("Ana Refused")
    await using opened = await openPage(app.browser, app.server.url, sizes.phone)
    const { page } = opened
    await forbidNotifications(page)
    await openAs(page, ana, "/me")
    await page.getByRole("checkbox", { name: "Notify me on this device" }).click()
    await page.getByText("Your browser shows no notifications of this site.").waitFor()
    expect(await page.getByRole("checkbox", { name: "Notify me on this device" }).isChecked()).toBe(false)
  })
})

async function openAndLearn(page: Page, who: User, address: string) {
  await Promise.all([learnsReceived(page), openAs(page, who, address)])
}

async function unreadOf(user: User): Promise<number> {
  return (await (await callerOf(app.server.url, user)).get<{ unread: number }>("/api/v1/me")).body.unread
}
