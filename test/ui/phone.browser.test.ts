import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import type { Page, Worker } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { temporaryFolder } from "../support/executable.ts"
import { createPushService, type PushService, type Subscription } from "../support/push-service.ts"
import { until } from "../support/until.ts"
import { accessibilityViolations } from "./axe.ts"
import { becomes, connectionOpens, openPage, sizes } from "./page.ts"
import { logIn, openAs, startTestApp, type TestApp, type User } from "./test-app.ts"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let service: PushService
let app: TestApp

beforeAll(async () => {
  folder = await temporaryFolder()
  service = await createPushService("localhost")
  writeFileSync(`${folder.path}/ca.pem`, service.ca)
  app = await startTestApp({
    env: {
      REWARDS_PUSH__ALLOW_PRIVATE: "127.0.0.0/8",
      REWARDS_WEBHOOKS__PORTS: `${service.port}`,
      REWARDS_WEBHOOKS__CA: `${folder.path}/ca.pem`,
    },
  })
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await service.close()
  await folder[Symbol.asyncDispose]()
})

/** A browser whose service worker may run, and whose permission for notifications is granted or refused. */
const openPhone = (permissions: string[] = []) =>
  openPage(app.browser, app.server.url, { ...sizes.phone, serviceWorkers: "allow", permissions, outage: true })

/** Waits until the service worker controls the page. */
async function workerOf(page: Page): Promise<Worker> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated")
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error("no service worker runs")
  return worker
}

const give = async (from: User, to: User, value: number, more: object = {}) =>
  (
    await (
      await callerOf(app.server.url, from)
    ).post<{ id: number }>("/api/v1/transactions", { to: to.username, value, ...more })
  ).body.id

describe("without a connection", () => {
  test("the app opens with the last feed, marked as old, and loads by itself when it is back", async () => {
    const [ana, bruno] = [await app.createUser("Ana Tunnel"), await app.createUser("Bruno Tunnel", { points: 100 })]
    await give(bruno, ana, 7, { reason: "For the <b>calm</b>", tags: [] })
    await give(bruno, ana, 8, { reason: "For you alone", private: true })
    await using opened = await openPhone()
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByText("For the <b>calm</b>").waitFor()
    await workerOf(page)
    await becomes(() => page.evaluate(() => localStorage.getItem("feed") !== null), true)

    await page.context().setOffline(true)
    await page.goto("/people")
    const old = page.getByRole("region", { name: "What you saw last" })
    await old.getByText("For the <b>calm</b>").waitFor()
    await old.getByText(/What ana-tunnel saw .*Without a connection you can only read\./).waitFor()
    expect(await old.getByText("For you alone").count()).toBe(0)
    expect(await old.getByRole("button").count()).toBe(0)
    await page.getByRole("alert").getByText("The server can't be reached.").waitFor()

    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityViolations(page)).toEqual([])
    }

    await page.context().setOffline(false)
    await page.getByRole("heading", { name: "People" }).waitFor()
    expect(new URL(page.url()).pathname).toBe("/people")
  })

  test("nothing is left of somebody who has logged out", async () => {
    const [ana, bruno] = [await app.createUser("Ana Unrenewed"), await app.createUser("Bruno Gone", { points: 100 })]
    await give(bruno, ana, 7, { reason: "For the lift" })
    await using opened = await openPhone()
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByText("For the lift").waitFor()
    await workerOf(page)
    await becomes(() => page.evaluate(() => localStorage.getItem("feed")?.includes("lift") ?? false), true)
    const cached = () =>
      page.evaluate(async () => {
        const names = await caches.keys()
        const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return kept.flat().map(({ url }) => new URL(url).pathname)
      })
    expect((await cached()).every((path) => path === "/" || path.startsWith("/assets/"))).toBe(true)
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("button", { name: "Log out" }).click()
    await page.waitForURL(/login/)
    expect(await page.evaluate(() => localStorage.getItem("feed"))).toBeNull()
    await page.context().setOffline(true)
    await page.goto("/")
    await page.getByRole("alert").getByText("The server can't be reached.").waitFor()
    expect(await page.getByText("For the lift").count()).toBe(0)
  })
})

test("a full storage keeps no script from loading, and no browser from having notifications", async () => {
  const ana = await app.createUser("Ana Full")
  await using opened = await openPhone(["notifications"])
  const { page } = opened
  await page.goto("/login")
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: app.server.url, quotaSize: 1 })
  await openAs(page, ana, "/")
  const worker = await workerOf(page)
  await page.goto("/history")
  await page.getByRole("heading", { name: "History" }).waitFor()
  const refusal = worker.evaluate(async () => {
    const cache = await caches.open("another")
    return cache.put("/", new Response("x".repeat(9999))).then(String, ({ name }) => name)
  })
  expect(await refusal).toBe("QuotaExceededError")
})

/**
 * Chromium's push service needs the internet, and its shell without windows shows no notifications, so that the parts of both are
 * played here. What the app and its service worker do is their own.
 */
const withPushService = (page: Page, browser: Subscription) =>
  page.addInitScript((json) => {
    Object.defineProperty(Notification, "permission", { get: () => "granted" })
    Notification.requestPermission = async () => "granted"
    // A cookie outlives the page, as a subscription does: it holds the key.
    const keep = (value: string) => cookieStore.set({ name: "subscribed", value, expires: Date.now() + 3_600_000 })
    const subscriptionTo = (key: string) => ({
      ...json,
      options: { applicationServerKey: Uint8Array.fromBase64(key, { alphabet: "base64url" }).buffer },
      toJSON: () => json,
      unsubscribe: async () => {
        await cookieStore.delete("subscribed")
        return true
      },
    })
    PushManager.prototype.getSubscription = async () => {
      const key = (await cookieStore.get("subscribed"))?.value
      return key === undefined ? null : (subscriptionTo(key) as never)
    }
    PushManager.prototype.subscribe = async (options) => {
      const key = String(options?.applicationServerKey)
      await keep(key)
      return subscriptionTo(key) as never
    }
  }, browser.json)

/** What a browser does after months without a visit, or when somebody takes the permission back for a while. */
const dropSubscription = (page: Page) => page.evaluate(() => cookieStore.delete("subscribed"))

interface Shown {
  readonly title: string
  readonly body: string
  readonly data: string
}

/** Hands an event to the service worker, as the browser does, and returns what it showed. */
const happens = (worker: Worker, type: "push" | "notificationclick", given: unknown) =>
  worker.evaluate(
    async ([type, given]) => {
      const shown: Shown[] = []
      ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
        shown.push({ title, body: options?.body ?? "", data: options?.data })
      }
      // It takes a person's click.
      Object.assign((globalThis as unknown as { WindowClient: { prototype: object } }).WindowClient.prototype, {
        focus: async () => {},
      })
      const work: Promise<unknown>[] = []
      const event = Object.assign(new Event(type), {
        data: { json: () => given },
        notification: { data: given, close() {} },
        waitUntil: (one: Promise<unknown>) => work.push(one),
      })
      self.dispatchEvent(event)
      await Promise.all(work)
      return shown
    },
    [type, given] as const,
  )

const devicesOf = async (user: User) =>
  (await (await callerOf(app.server.url, user)).get<{ devices: object[] }>("/api/v1/me/push")).body.devices.length

const box = (page: Page) => page.getByRole("checkbox", { name: "Notify me on this device" })

test("a push with the page closed is shown, and leads to the entry", async () => {
  const [ana, bruno] = [await app.createUser("Ana Pushed"), await app.createUser("Bruno Pushed", { points: 100 })]
  await using opened = await openPhone(["notifications"])
  const { page } = opened
  const browser = await service.subscribe()
  await withPushService(page, browser)
  await openAs(page, ana, "/me")
  await box(page).check()
  await page.getByRole("heading", { name: "Devices that get them while this page is closed" }).waitFor()
  await page
    .getByText(/^Chrome, Linux/)
    .first()
    .waitFor()
  const { body } = await (await callerOf(app.server.url, ana)).get<{ public_key: string; devices: object[] }>(
    "/api/v1/me/push",
  )
  expect(body.devices).toHaveLength(1)
  const worker = await workerOf(page)
  await page.goto("about:blank")

  const id = await give(bruno, ana, 7, { reason: "For the review" })
  await until(() => service.received.length > 0)
  const [message] = await service.messagesFor(browser, body.public_key)
  expect(message).toMatchObject({ title: "Bruno Pushed thanked you: 7 points", body: "For the review" })

  const shown = await happens(worker, "push", message)
  const { title, body: reason, url } = message ?? {}
  expect(shown).toEqual([{ title, body: reason, data: url } as Shown])
  expect(url).toBe(`/recognition/${id}`)

  await page.goto("/people")
  await workerOf(page)
  await happens(worker, "notificationclick", url)
  await page.waitForURL((at) => at.pathname === `/recognition/${id}`)
  await page.getByText("For the review").waitFor()
})

test("they end in this browser with a log-out, and nobody has them after that without asking", async () => {
  const [ana, bruno] = [await app.createUser("Ana Shared"), await app.createUser("Bruno Shared")]
  await using opened = await openPhone(["notifications"])
  const { page } = opened
  await withPushService(page, await service.subscribe())
  await openAs(page, ana, "/me")
  await box(page).check()
  await page.getByRole("heading", { name: "Devices that get them while this page is closed" }).waitFor()
  expect(await devicesOf(ana)).toBe(1)
  const subscription = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription())
  expect(await subscription()).not.toBeNull()
  await page.getByRole("button", { name: "Account" }).click()
  await page.getByRole("button", { name: "Log out" }).click()
  await page.waitForURL(/login/)
  expect(await devicesOf(ana)).toBe(0)
  await becomes(async () => (await subscription()) ?? null, null)
  for (const person of [bruno, ana]) {
    const isLive = connectionOpens(page)
    await openAs(page, person, "/me")
    await isLive
    await box(page).waitFor()
    expect(await box(page).isChecked()).toBe(false)
    expect(await devicesOf(person)).toBe(0)
    await page.evaluate(() => fetch("/logout", { method: "POST" }))
  }
})

test("they come back with the next log-in of the same person after the session has ended, and not when the device was removed", async () => {
  const ana = await app.createUser("Ana Expired")
  await using opened = await openPhone(["notifications"])
  const { page } = opened
  await withPushService(page, await service.subscribe())
  await openAs(page, ana, "/me")
  await box(page).check()
  await becomes(() => devicesOf(ana), 1)
  await page.evaluate(() => fetch("/logout", { method: "POST" }))
  await page.getByRole("dialog").waitFor()
  expect(await devicesOf(ana)).toBe(0)
  await logIn(page, ana)
  await becomes(() => devicesOf(ana), 1)
  expect(await box(page).isChecked()).toBe(true)
  // Without the answer the app would subscribe once more after the reload, perhaps behind the removal.
  await becomes(() => page.evaluate(() => localStorage.getItem("push-device") !== null), true)
  await page.reload()
  await page.getByRole("button", { name: /^Remove/ }).click()
  await becomes(() => devicesOf(ana), 0)
  await becomes(() => box(page).isChecked(), false)
})

/** Ana gets notifications; returns the id of her browser among her devices. */
async function switchOn(page: Page, ana: User) {
  await withPushService(page, await service.subscribe())
  await openAs(page, ana, "/me")
  await box(page).check()
  await becomes(async () => (await deviceIn(page)) !== null, true)
  return deviceIn(page)
}

const deviceIn = (page: Page) => page.evaluate(() => localStorage.getItem("push-device"))

test("a subscription that the browser has dropped is renewed at the next visit, in place of the old one", async () => {
  const ana = await app.createUser("Ana Dropped")
  await using opened = await openPhone(["notifications"])
  const { page } = opened
  const before = await switchOn(page, ana)
  await page.reload()
  await page.getByRole("button", { name: /^Remove/ }).waitFor()
  expect(await deviceIn(page)).toBe(before)

  await dropSubscription(page)
  await page.reload()
  await becomes(async () => ![before, null].includes(await deviceIn(page)), true)
  await becomes(() => devicesOf(ana), 1)
  expect(await box(page).isChecked()).toBe(true)
})

test("a subscription that the browser has dropped and cannot renew is shown as off", async () => {
  const ana = await app.createUser("Ana Gone")
  await using opened = await openPhone(["notifications"])
  const { page } = opened
  await switchOn(page, ana)
  await dropSubscription(page)
  await page.addInitScript(() => {
    PushManager.prototype.subscribe = async () => Promise.reject(new Error("the push service cannot be reached"))
  })
  await page.reload()
  await becomes(() => box(page).isChecked(), false)
  await becomes(() => devicesOf(ana), 0)
})

test("a browser that refuses them leaves the switch off, and the page says so", async () => {
  const ana = await app.createUser("Ana Refused")
  await using opened = await openPhone()
  const { page } = opened
  await openAs(page, ana, "/me")
  await box(page).click()
  await page.getByText("Your browser shows no notifications of this site.").waitFor()
  await becomes(() => box(page).isChecked(), false)
  const { body } = await (await callerOf(app.server.url, ana)).get<{ devices: object[] }>("/api/v1/me/push")
  expect(body.devices).toEqual([])
})
