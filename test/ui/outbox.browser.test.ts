import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { cheapHashes, startServer, temporaryFolder } from "../support/executable.ts"
import { becomes, loseSession, openPage, sizes } from "./page.ts"
import { logIn, openAs, openGiveBox, openHome, sendHeld, startTestApp, type TestApp, type User } from "./test-app.ts"

test("after a lost answer the outcome is shown as unknown, and the retried transfer is made once under the same key", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.phone, outage: true })
  const { page } = opened
  await openAs(page, ana, "/")
  const keys: (string | undefined)[] = []
  await page.route("**/api/v1/transactions", async (route) => {
    keys.push(route.request().headers()["idempotency-key"])
    if (keys.length > 2) return route.continue()
    // The first request arrives and its response is lost; the second does not arrive.
    if (keys.length === 1) await route.fetch()
    await route.abort("connectionreset")
  })
  // The stream is silent, too.
  await page.routeWebSocket("**/api/v1/stream*", () => {})
  await page.reload()
  await give(page, "bruno", "For the night shift")

  const entry = page.getByRole("article").filter({ hasText: "For the night shift" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await entry.locator("time").waitFor()
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBe(3)
  await page.getByRole("definition").getByText("75", { exact: true }).first().waitFor()
  await page.reload()
  await entry.locator("time").waitFor()
  expect(await entry.count()).toBe(1)
})

test("after a lost answer the transfer is retried under its key until there is a definite answer", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  const keys = new Set<string | undefined>()
  const others = [503, 429, 500, 502, 404, 409, 422, 403, 401]
  const answered: number[] = []
  await page.route("**/api/v1/transactions", async (route) => {
    keys.add(route.request().headers()["idempotency-key"])
    if (keys.size === 1 && answered.length === 0) {
      await route.fetch() // it arrives, but its response is lost
      answered.push(0)
      return route.abort("connectionreset")
    }
    const status = others.shift()
    if (status === undefined) return route.continue()
    answered.push(status)
    await route.fulfill({ status, json: { detail: `Refused with ${status}` } })
  })
  // The stream is silent, too.
  await page.routeWebSocket("**/api/v1/stream*", () => {})
  await page.reload()
  await give(page, "bruno", "For the patience")

  const entry = page.getByRole("article").filter({ hasText: "For the patience" })
  const unknown = entry.getByText("It is not known whether this arrived.")
  for (const status of [503, 429, 500, 502, 404, 409, 422, 403]) {
    await unknown.waitFor()
    await becomes(async () => {
      if (!answered.includes(status)) await entry.getByRole("button", { name: "Try again" }).click()
      return answered.includes(status)
    }, true)
    expect(await page.getByText("Not given").count()).toBe(0)
  }
  await entry.getByRole("button", { name: "Try again" }).click()
  await page.getByText("Your session has ended").waitFor()
  await logIn(page, ana)
  await entry.locator("time").waitFor()
  expect([keys.size, await entry.count()]).toEqual([1, 1])
  await page.getByRole("definition").getByText("75", { exact: true }).first().waitFor()
  expect(await page.getByText("Not given").count()).toBe(0)
  expect(await page.getByRole("button", { name: "Remove Bruno Lima" }).count()).toBe(0)
})

test("a success answer that is not from the server does not count, and the transfer is retried", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const portal = ["<!doctype html><p>Welcome to our Wi-Fi", "{}", "null", '{"id":"7"}', '{"id":']
  const types = ["text/html", "application/json"]
  await page.route("**/api/v1/transactions", async (route) => {
    const body = portal.shift()
    if (body === undefined) return route.continue()
    await route.fulfill({ status: 200, body, contentType: types[portal.length === 4 ? 0 : 1] ?? "" })
  })
  await give(page, "bruno", "For the hotel")
  const entry = page.getByRole("article").filter({ hasText: "For the hotel" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await becomes(async () => {
    const again = entry.getByRole("button", { name: "Try again" })
    if (portal.length > 0 && (await again.count()) > 0) await again.click()
    return portal.length
  }, 0)
  // The next attempt may wait for the longest backoff.
  await entry.locator("time").waitFor()
  await page.getByRole("definition").getByText("75", { exact: true }).first().waitFor()
})

test("after a lost answer, a new username of sender and receiver loses neither the transfer nor a draft", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  const bruno = await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  let sent = 0
  await page.route("**/api/v1/transactions", async (route) => {
    sent += 1
    if (sent === 1) await route.fetch() // it arrives, but its response is lost
    await route.abort("connectionreset")
  })
  await page.routeWebSocket("**/api/v1/stream*", () => {})
  await page.reload()
  await give(page, "bruno", "For the wedding")
  const entry = page.getByRole("article").filter({ hasText: "For the wedding" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await compose(page, "bruno", "Half a sentence")

  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  await admin.patch(`/api/v1/users/${ana.username}`, { username: "ana-costa" })
  await admin.patch(`/api/v1/users/${bruno.username}`, { username: "bruno-costa" })
  await page.unroute("**/api/v1/transactions")
  await page.reload()
  await entry.getByText("It is not known whether this arrived.").waitFor({ state: "detached" })
  await becomes(() => entry.count(), 1)
  expect((await admin.get("/api/v1/users/ana-costa")).body).toMatchObject({ balance: 75 })
  const drafts = await page.evaluate(() => sessionStorage.getItem("drafts"))
  expect(JSON.parse(drafts ?? "{}")).toMatchObject({ username: "ana-costa" })
  expect(drafts).toContain("Half a sentence")
})

test("after a lost request, a refusal by the server ends the transfer", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  await page.route("**/api/v1/transactions", (route) => route.abort("connectionreset"))
  await give(page, "bruno", "For the hurry")
  const entry = page.getByRole("article").filter({ hasText: "For the hurry" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await (await callerOf(app.server.url, ana)).post("/transaction/admin/", { value: 90 })
  await page.unroute("**/api/v1/transactions")
  await page.getByRole("alert").filter({ hasText: "Not given: Insufficient balance" }).waitFor()
  await entry.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Remove Bruno Lima" }).waitFor()
})

test("a transfer whose key is too old is not sent again, even after a reload; a link leads to the history", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  let sent = 0
  await page.route("**/api/v1/transactions", (route) => {
    sent += 1
    return route.abort("connectionreset")
  })
  await give(page, "bruno", "For the day before")
  const entry = page.getByRole("article").filter({ hasText: "For the day before" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await page.goto("/healthz") // a page without the app, which would write its own state
  await page.evaluate(() => {
    const acts = JSON.parse(sessionStorage.getItem("outbox") ?? "") as { startedMs: number }[]
    const older = acts.map((act) => ({ ...act, startedMs: act.startedMs - 24 * 3_600_000 }))
    sessionStorage.setItem("outbox", JSON.stringify(older))
  })
  sent = 0
  for (const _ of ["once", "and again"]) {
    await page.goto("/")
    await entry.getByText("and it is too late to find out").waitFor()
  }
  expect(sent).toBe(0)
  await entry.getByRole("link", { name: "Look in your history" }).click()
  await page.waitForURL("**/history?from_user=ana-souza&user=bruno-lima")
  await page.goBack()
  await entry.getByRole("button", { name: "Dismiss" }).click()
  await entry.waitFor({ state: "detached" })
  expect(await page.evaluate(() => sessionStorage.getItem("outbox"))).toBeNull()
})

test("two equal transfers are both made, even if the feed shows one before either answer arrives", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  const bruno = await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  const both = Promise.withResolvers<void>()
  let sent = 0
  await page.route("**/api/v1/transactions", async (route) => {
    sent += 1
    const number = sent
    if (number > 2) return route.continue()
    if (number === 2) both.resolve()
    await both.promise
    if (number === 1) await route.fetch()
    await route.abort("connectionreset")
  })
  await give(page, "bruno", "Twice")
  await page.waitForTimeout(600) // or the second one counts as the other half of a double Enter
  await give(page, "bruno", "Twice")
  await page.getByRole("definition").getByText("50", { exact: true }).first().waitFor()
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  expect((await admin.get(`/user/${bruno.username}/?show_balance=true`)).body).toMatchObject({ balance: 50 })
  await becomes(() => page.getByRole("article").filter({ hasText: "Twice" }).locator("time").count(), 2)
  await becomes(() => page.getByRole("article").filter({ hasText: "Twice" }).count(), 2)
})

test("a transfer with an unknown outcome stays with its sender if another user logs in in the same tab", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  const carla = await app.createUser("Carla Dias", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  let isAnaHere = true
  let sentForAna = 0
  await page.route("**/api/v1/transactions", (route) => {
    if (isAnaHere) return route.abort("connectionreset")
    sentForAna += 1
    return route.continue()
  })
  await give(page, "bruno", "Mine")
  const entry = page.getByRole("article").filter({ hasText: "Mine" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await page.evaluate(() => fetch("/logout", { method: "POST" }))
  await page.goto("/login")
  isAnaHere = false
  await logIn(page, carla)
  for (const _ of ["after the log-in", "after a reload"]) {
    await page.getByRole("heading", { name: "Hello, Carla Dias" }).waitFor()
    await page.getByText("Live", { exact: true }).waitFor()
    expect([await entry.count(), sentForAna]).toEqual([0, 0])
    await page.reload()
  }
  await give(page, "bruno", "Hers")
  await page.getByRole("article").filter({ hasText: "Hers" }).locator("time").waitFor()

  await page.evaluate(() => fetch("/logout", { method: "POST" }))
  await page.goto("/login")
  await logIn(page, ana)
  await entry.locator("time").waitFor()
  await page.getByRole("definition").getByText("75", { exact: true }).first().waitFor()
})

test("a transfer that was being sent when the page was left is retried when the user returns", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.desktop, outage: true })
  const { page } = opened
  await openAs(page, ana, "/")
  await page.route("**/api/v1/transactions", (route) => route.abort("connectionreset"))
  await give(page, "bruno", "For the day shift")
  const entry = page.getByRole("article").filter({ hasText: "For the day shift" })
  await entry.getByText("It is not known whether this arrived.").waitFor()
  await page.unroute("**/api/v1/transactions")
  await page.reload()
  await entry.locator("time").waitFor()
  await page.getByRole("definition").getByText("75", { exact: true }).first().waitFor()
})

test("if the session ends elsewhere, a log-in leads back to the form, still filled in", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await app.createUser("Bruno Lima")
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  await compose(page, "bruno", "For the long breath")
  await loseSession(page)
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await sendHeld(page)
  await page.getByText("Your session has ended").waitFor()
  await logIn(page, ana)
  await page.getByRole("dialog").waitFor({ state: "hidden" })
  const isInBox = async () => {
    await page.getByRole("button", { name: "Remove Bruno Lima" }).waitFor()
    await page.getByText("25 points · 25 from what you earned").waitFor()
    expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("For the long breath")
    expect(await page.getByRole("article").filter({ hasText: "For the long breath" }).count()).toBe(0)
  }
  await isInBox()
  await loseSession(page)
  await page.reload()
  await logIn(page, ana)
  await isInBox()
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await sendHeld(page)
  await page.getByRole("article").filter({ hasText: "For the long breath" }).locator("time").waitFor()
  await page.reload()
  await page.getByRole("article").filter({ hasText: "For the long breath" }).waitFor()
  expect(await page.getByRole("button", { name: "Remove Bruno Lima" }).count()).toBe(0)
})

test("after a restart of the server an open feed shows what it missed, in order, once", async () => {
  await using folder = await temporaryFolder()
  await using app = await startTestApp({ cwd: folder.path })
  const ana = await app.createUser("Ana Souza", { points: 100 })
  const bruno = await app.createUser("Bruno Lima", { points: 100 })
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened
  const { port } = new URL(app.server.url)
  await app.server.stop()
  await page.getByText(/^Not live since \d/).waitFor()
  await page.getByRole("combobox", { name: "To whom" }).focus()
  await page.getByRole("textbox", { name: "What for" }).fill("Typed while it was down")

  await using back = await startServer({ cwd: folder.path, args: ["--port", port], env: cheapHashes })
  for (const reason of ["first", "second", "third"]) await gives(back.url, bruno, ana, reason)
  await page.getByRole("article").getByText("third", { exact: true }).waitFor()
  const reasons = await page
    .getByRole("article")
    .locator("p")
    .getByText(/^(first|second|third)$/)
    .allTextContents()
  expect(reasons).toEqual(["third", "second", "first"])
  expect(await page.getByRole("textbox", { name: "What for" }).inputValue()).toBe("Typed while it was down")
})

async function give(page: Page, name: string, reason: string) {
  await compose(page, name, reason)
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await sendHeld(page)
}

async function compose(page: Page, name: string, reason: string) {
  await openGiveBox(page)
  await page.getByRole("combobox", { name: "To whom" }).focus()
  await page.keyboard.type(name)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: /^Remove / }).waitFor()
  await page.getByRole("group", { name: "Points" }).getByText("25", { exact: true }).click()
  await page.getByRole("textbox", { name: "What for" }).fill(reason)
}

async function gives(url: TestApp["server"]["url"], from: User, to: User, reason: string) {
  await (await callerOf(url, from)).post(`/transaction/${to.username}/`, { value: 1, reason })
}
