import { expect } from "bun:test"
import type { Browser, BrowserContextOptions, Page, Route } from "playwright-core"

/** The window sizes of a phone and a desktop; most tests run on both. */
export const sizes = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1440, height: 900 } },
} as const satisfies Record<string, BrowserContextOptions>

export type Size = keyof typeof sizes

export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** A second page of the same browser, with the same session. */
  another(): Promise<Page>
  /** Console messages, uncaught errors, policy violations, and requests to other hosts. */
  readonly faults: readonly string[]
}

type PageOptions = Omit<BrowserContextOptions, "timezoneId"> & {
  readonly outage?: boolean
  readonly timezoneId?: string | null
  /** Another origin to which pages may go. Console messages of its own pages are ignored. */
  readonly elsewhere?: string
}

/** The default timeout of all waits. */
const patienceMs = 60_000

/** `SLOWDOWN=6 bun test test/ui` runs each test with the CPU throttled to a sixth. */
const { SLOWDOWN = "1" } = process.env
const slowdown = Number(SLOWDOWN)

/**
 * A page in a new browser profile. At the end of the `await using` scope it fails the test if the page wrote to its
 * console, requested another host, or violated the Content-Security-Policy. `outage`: the test stops the server, so
 * Chromium's network errors are allowed. `timezoneId`: null lets the test change the zone.
 */
export async function openPage(
  browser: Browser,
  url: string,
  { outage = false, timezoneId = "America/Sao_Paulo", elsewhere = url, ...options }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    locale: "en-GB",
    // Requests that a service worker makes pass by `page.route`.
    serviceWorkers: "block",
    ...(timezoneId !== null && { timezoneId }),
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  const faults: string[] = []
  context.on("console", (message) => {
    const text = message.text()
    const from = message.location().url
    if (elsewhere !== url && from.startsWith(elsewhere)) return
    if (!isRefusal(text, from, url) && !(outage && isOutage(text)) && !isAboutWorkers(text))
      faults.push(`${message.type()}: ${text}`)
  })
  context.on("weberror", (error) => faults.push(`uncaught: ${error.error().message}`))
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith("http") && origin !== url && origin !== elsewhere) faults.push(`request to ${origin}`)
  })
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  const newPage = async () => {
    const page = await context.newPage()
    if (slowdown > 1) {
      const devtools = await context.newCDPSession(page)
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
    }
    return page
  }
  return {
    page: await newPage(),
    another: newPage,
    faults,
    async [Symbol.asyncDispose]() {
      await context.close()
      if (faults.length > 0) throw new Error(`forbidden on every page:\n${faults.join("\n")}`)
    },
  }
}

/** Polls until `read` returns the expected value; fails after the default timeout. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const untilMs = performance.now() + patienceMs
  let value = await read()
  while (!Bun.deepEquals(value, expected) && performance.now() < untilMs) {
    await Bun.sleep(20)
    value = await read()
  }
  expect<unknown>(value).toEqual(expected)
}

/** Chromium logs every response of 400 and above, so refusals of the server do not count as faults. */
const isRefusal = (text: string, from: string, url: string) => {
  const [, status = ""] = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text) ?? []
  // A taken e-mail address is a 500 by contract.
  return from.startsWith(url) && (status.startsWith("4") || (status === "500" && from === `${url}/user`))
}

/** Playwright says that it blocks workers; Chromium that one took over the page between a preload and its use. */
const isAboutWorkers = (text: string) =>
  text === "Service Worker registration blocked by Playwright" ||
  text.endsWith("because it is a cross-world service worker resource mismatch.")

const isOutage = (text: string) => /net::ERR_|WebSocket connection to |status of 5\d\d/.test(text)

/**
 * Ends the session without the page's knowledge. Waits until the page has no open request, because a late answer would
 * open the log-in before the test acts.
 */
export async function loseSession(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle")
  await page.context().clearCookies()
}

/**
 * Resolves when the page has opened its next live connection. Call it before the action that opens the connection, and
 * end the session only after it resolves: otherwise the server would refuse the handshake, which Chromium logs and no
 * page can prevent.
 */
export async function connectionOpens(page: Page): Promise<void> {
  const connection = await page.waitForEvent("websocket")
  await connection.waitForEvent("framereceived")
}

/**
 * Resolves when the page has asked what its user received so far: only what comes later is announced as new. Call it
 * before the page is opened.
 */
export async function learnsReceived(page: Page): Promise<void> {
  const answerTo = (path: string, parameter: string) =>
    page.waitForResponse((response) => {
      const { pathname, searchParams } = new URL(response.url())
      return pathname === path && searchParams.has(parameter)
    })
  await Promise.all([answerTo("/api/v1/feed", "username"), answerTo("/api/v1/notifications", "size")])
}

/**
 * Stops the seconds in which giving can be undone, which may be too few on a busy machine. The returned function ends
 * them.
 */
export async function stopUndoTime(page: Page): Promise<() => Promise<void>> {
  await page.evaluate((undoMs) => {
    const begin = window.setTimeout
    const waiting: (() => void)[] = []
    const setTimeout = (act: () => void, ms?: number) => (ms === undoMs ? waiting.push(act) && 0 : begin(act, ms))
    const endUndoTime = () => {
      Object.assign(window, { setTimeout: begin })
      for (const act of waiting) act()
    }
    Object.assign(window, { setTimeout, endUndoTime })
  }, undoMs)
  return () => page.evaluate(() => (window as unknown as { endUndoTime: () => void }).endUndoTime())
}

/** As in the app. */
const undoMs = 5000

/** Makes the browser report that the tab is in the background, or in front again. */
export async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event("visibilitychange"))
  }, isHidden)
}

/**
 * Answers the next request to this address with `answer`; later ones reach the server. The route stays: Playwright's
 * `times: 1` would end all interception, and a request that Chromium holds at that moment never gets an answer.
 */
export async function answerOnce(page: Page, pattern: string, answer: (route: Route) => Promise<void>): Promise<void> {
  let isAnswered = false
  await page.route(pattern, (route) => {
    if (isAnswered) return route.fallback()
    isAnswered = true
    return answer(route)
  })
}

/** Lets requests through to the server, and holds back each answer until its function is called. */
export async function holdBack(page: Page, pattern: string): Promise<readonly (() => void)[]> {
  const held: (() => void)[] = []
  await page.route(pattern, async (route) => {
    const response = await route.fetch()
    const { promise, resolve } = Promise.withResolvers<void>()
    held.push(resolve)
    await promise
    // The page may have given up on this request.
    await route.fulfill({ response }).catch(() => {})
  })
  return held
}
