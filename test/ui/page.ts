import { expect } from "bun:test"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"

/** A phone and a desktop: every journey is made on both. */
export const sizes = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1440, height: 900 } },
} as const satisfies Record<string, BrowserContextOptions>

export type Size = keyof typeof sizes

export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** A second page of the same browser, with the same session. */
  another(): Promise<Page>
  /** What a page may not do: say something on the console, fail, break the policy, or ask another host. */
  readonly faults: readonly string[]
}

type PageOptions = Omit<BrowserContextOptions, "timezoneId"> & {
  readonly outage?: boolean
  readonly timezoneId?: string | null
}

/** How long a page may take for what it is waited for. */
const patienceMs = 8000

/** `SLOWDOWN=6 bun test test/ui` makes each journey on a machine that is six times slower. */
const { SLOWDOWN = "1" } = process.env
const slowdown = Number(SLOWDOWN)

/**
 * A page of its own browser profile. When the scope of `await using` ends, it fails the test for everything that the
 * page said on its console, every other host that it asked, and every report of the Content-Security-Policy. `outage`:
 * the test takes the server away, and Chromium may note that. `timezoneId`: null leaves it to the test to change it.
 */
export async function openPage(
  browser: Browser,
  url: string,
  { outage = false, timezoneId = "America/Sao_Paulo", ...options }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    locale: "en-GB",
    ...(timezoneId !== null && { timezoneId }),
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  const faults: string[] = []
  context.on("console", (message) => {
    const text = message.text()
    if (!isRefusal(text, message.location().url, url) && !(outage && isOutage(text)))
      faults.push(`${message.type()}: ${text}`)
  })
  context.on("weberror", (error) => faults.push(`uncaught: ${error.error().message}`))
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith("http") && origin !== url) faults.push(`request to ${origin}`)
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
      if (faults.length > 0) throw new Error(`the page did what no page may:\n${faults.join("\n")}`)
    },
  }
}

/** Waits until the page says this: what follows from an act is drawn a moment later. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const untilMs = performance.now() + patienceMs
  while (!Bun.deepEquals(await read(), expected) && performance.now() < untilMs) await Bun.sleep(20)
  expect<unknown>(await read()).toEqual(expected)
}

/** Chromium itself notes every answer of 400 and more: what the server refused is no fault of the page. */
const isRefusal = (text: string, from: string, url: string) => {
  const [, status = ""] = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text) ?? []
  // A taken e-mail address is a 500 by contract.
  return from.startsWith(url) && (status.startsWith("4") || (status === "500" && from === `${url}/user`))
}

const isOutage = (text: string) => /net::ERR_|WebSocket connection to |status of 5\d\d/.test(text)
