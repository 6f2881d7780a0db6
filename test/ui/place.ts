import type { Browser, Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { type ServerOptions, type StartedServer, startServer } from "../support/executable.ts"
import { startBrowser } from "./browser.ts"
import { type OpenPage, openPage } from "./page.ts"

/** Somebody with an account. */
export interface Colleague {
  readonly name: string
  readonly username: string
  readonly email: string
  readonly password: string
}

/** The executable with people in it, and a browser: one for a file of tests. */
export interface Place extends AsyncDisposable {
  readonly server: StartedServer
  readonly browser: Browser
  /** Creates somebody of this name, in `sales` unless told otherwise, with so many points. */
  colleague(
    name: string,
    options?: { readonly dept?: string; readonly points?: number; readonly username?: string; readonly email?: string },
  ): Promise<Colleague>
}

export async function openPlace(options: ServerOptions = {}): Promise<Place> {
  const server = await startServer(options)
  const browser = await startBrowser()
  const admin = await callerOf(server.url, { username: "admin", password: "admin" })

  return {
    server,
    browser,
    async colleague(name, { dept = "sales", points = 0, ...given } = {}) {
      const { username = name.toLowerCase().replaceAll(" ", "-"), email = `${username}@example.com` } = given
      const colleague = { name, username, email, password: `${username} comes in` }
      const created = await admin.post("/user/", { ...colleague, dept })
      if (created.status !== 201) throw new Error(`${name} could not be created: ${created.status}`)
      if (points > 0) await admin.post(`/transaction/${username}/`, { value: points })
      return colleague
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server.stop()
    },
  }
}

/** Somebody's home in a browser profile of its own, logged in and live. */
export async function openHome(
  { browser, server }: Place,
  who: Pick<Colleague, "username" | "password">,
  options: Parameters<typeof openPage>[2],
): Promise<OpenPage> {
  const opened = await openPage(browser, server.url, options)
  await opened.page.goto("/")
  await logIn(opened.page, who)
  await opened.page.getByText("Live", { exact: true }).waitFor()
  return opened
}

/** Logs in by the form, and is where the log-in leads when it is done. */
export async function logIn(page: Page, { username, password }: Pick<Colleague, "username" | "password">) {
  await page.getByRole("textbox", { name: "Username or e-mail", exact: true }).fill(username)
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.waitForURL((url) => url.pathname !== "/login")
}
