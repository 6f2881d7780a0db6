import type { Browser, BrowserContext, Page } from "playwright-core"
import { password } from "../../bench/generate.ts"
import type { StartedServer } from "../support/executable.ts"
import { type Size, sizes } from "./page.ts"

/** The selectors of the expected content: the page counts as loaded once all are painted, without skeletons. */
export type ExpectedContent = readonly string[]

/** A user with an empty browser profile. */
export interface Visitor extends AsyncDisposable {
  readonly page: Page
  /** Milliseconds from the navigation, or from its response, until the content is painted. */
  open(path: string, from?: "navigation" | "response"): Promise<number>
}

/** `who`: a user of the generated database who is logged in; null: nobody. */
export async function visit(
  { browser, server, size }: { readonly browser: Browser; readonly server: StartedServer; readonly size: Size },
  who: string | null,
  shows: ExpectedContent,
): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: server.url, locale: "en-GB", ...sizes[size] })
  if (who !== null) await context.addCookies([await sessionOf(server, who)])
  await context.addInitScript(watch, shows)
  const page = await context.newPage()
  return {
    page,
    async open(path, from = "navigation") {
      // The page reports by itself: polling it would make it parse 300 kB of scripts during the measurement.
      await Promise.all([page.waitForEvent("console", (message) => message.text() === "shown"), page.goto(path)])
      const shownMs = await marked(page, "shown")
      return from === "navigation" ? shownMs : shownMs - (await responseMs(page))
    },
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Waits for a performance mark; returns its time in milliseconds after the navigation. */
export async function marked(page: Page, name: string): Promise<number> {
  const mark = await page.waitForFunction((name) => performance.getEntriesByName(name)[0]?.startTime, name)
  return Number(await mark.jsonValue())
}

const responseMs = (page: Page) =>
  page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation")
    return navigation instanceof PerformanceNavigationTiming ? navigation.responseEnd : Number.NaN
  })

/** Runs in the page: sets a mark once all content is painted. */
function watch(shows: ExpectedContent) {
  const isThere = (selector: string) => {
    const found = document.querySelector(selector)
    return found !== null && found.querySelector(".skeleton") === null && found.checkVisibility()
  }
  const look = () => {
    if (!shows.every(isThere)) return requestAnimationFrame(look)
    setTimeout(() => {
      performance.mark("shown") // after the current frame
      console.debug("shown")
    })
  }
  requestAnimationFrame(look)
}

type Cookie = Parameters<BrowserContext["addCookies"]>[0][number]
const cookies = new Map<string, Promise<Cookie>>()

function sessionOf({ url }: StartedServer, username: string): Promise<Cookie> {
  const key = `${url} ${username}`
  const known = cookies.get(key) ?? logIn(url, username)
  cookies.set(key, known)
  return known
}

async function logIn(url: string, username: string): Promise<Cookie> {
  const answer = await fetch(`${url}/login`, { method: "POST", body: new URLSearchParams({ username, password }) })
  const [name = "", value = ""] = answer.headers.get("set-cookie")?.split(";")[0]?.split("=") ?? []
  if (value === "") throw new Error(`${username} cannot log in: ${answer.status}`)
  return { name, value, url }
}
