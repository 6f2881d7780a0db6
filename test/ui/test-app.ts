import type { Browser, Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { cheapHashes, type ServerOptions, type StartedServer, startServer } from "../support/executable.ts"
import { startBrowser } from "./browser.ts"
import { learnsReceived, type OpenPage, openPage } from "./page.ts"

/** A user with an account. */
export interface User {
  readonly name: string
  readonly username: string
  readonly email: string
  readonly password: string
}

/** The running executable with users, and a browser. One per test file. */
export interface TestApp extends AsyncDisposable {
  readonly server: StartedServer
  readonly browser: Browser
  /** Creates a user of this name; by default in `sales` and without points. */
  createUser(
    name: string,
    options?: { readonly dept?: string; readonly points?: number; readonly username?: string; readonly email?: string },
  ): Promise<User>
}

export async function startTestApp(options: ServerOptions = {}): Promise<TestApp> {
  const server = await startServer({ ...options, env: { ...cheapHashes, ...options.env } })
  const browser = await startBrowser()
  const admin = await callerOf(server.url, { username: "admin", password: "admin" })

  return {
    server,
    browser,
    async createUser(name, { dept = "sales", points = 0, ...given } = {}) {
      const { username = name.toLowerCase().replaceAll(" ", "-"), email = `${username}@example.com` } = given
      const createUser = { name, username, email, password: `${username} comes in` }
      const created = await admin.post("/user/", { ...createUser, dept })
      if (created.status !== 201) throw new Error(`${name} could not be created: ${created.status}`)
      if (points > 0) await admin.post(`/transaction/${username}/`, { value: points })
      return createUser
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server.stop()
    },
  }
}

/** Logs a user in, in a new browser profile, and waits until the home screen is live and announces what is received. */
export async function openHome(
  { browser, server }: TestApp,
  who: Pick<User, "username" | "password">,
  options: Parameters<typeof openPage>[2],
): Promise<OpenPage> {
  const opened = await openPage(browser, server.url, options)
  await Promise.all([learnsReceived(opened.page), openAs(opened.page, who, "/")])
  await opened.page.getByText("Live", { exact: true }).waitFor()
  return opened
}

/** Opens a page of the app as somebody who has logged in. To show and fill the form for each would double the time. */
export async function openAs(page: Page, { username, password }: Pick<User, "username" | "password">, address: string) {
  const answer = await page.request.post("/login", { form: { username, password } })
  if (!answer.ok()) throw new Error(`${username} could not log in: ${answer.status()}`)
  await page.goto(address)
  await page.locator("main").first().waitFor()
}

/** Opens the line that gives points: in place on a desktop, and as a sheet on a phone. */
export async function openGiveBox(page: Page): Promise<void> {
  await page.locator("#give").waitFor()
  if ((await page.locator("#give textarea").count()) > 0) return
  const line = page.locator("#give > button")
  if ((await line.count()) > 0) await line.click()
  else await page.getByRole("combobox", { name: "To whom" }).click()
  await page.locator("#give textarea").waitFor()
}

/** Sends at once what can still be undone, as a page does when it is left. */
export const sendHeld = (page: Page) => page.evaluate(() => dispatchEvent(new Event("pagehide")))

/** Logs in through the form and waits for the redirect. */
export async function logIn(page: Page, { username, password }: Pick<User, "username" | "password">) {
  await page.getByRole("textbox", { name: "Username or e-mail", exact: true }).fill(username)
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.waitForURL((url) => url.pathname !== "/login")
}
