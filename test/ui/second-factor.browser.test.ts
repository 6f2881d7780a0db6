import { afterAll, beforeAll, expect, test } from "bun:test"
import { Secret, TOTP } from "otpauth"
import type { Browser, Page } from "playwright-core"
import { type StartedServer, startServer } from "../support/executable.ts"
import { forge } from "../support/tokens.ts"
import { accessibilityViolations } from "./axe.ts"
import { startBrowser } from "./browser.ts"
import { becomes, openPage } from "./page.ts"

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  // Browsers make no passkeys for an IP address.
  const env = { REWARDS_LOGIN__SECOND_FACTOR: "superusers" }
  server = await startServer({ args: ["--host", "localhost"], env })
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** A device with one key, as the browser knows it. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
}

async function enterPassword(page: Page) {
  await page.getByRole("textbox", { name: "Username or e-mail", exact: true }).fill("admin")
  await page.getByRole("textbox", { name: "Password", exact: true }).fill("admin")
  await page.getByRole("button", { name: "Log in" }).click()
}

const isHome = (page: Page) => page.getByRole("heading", { name: /^Hello, / }).waitFor()

/** From no page of the app: one that is open would connect again, and be refused. */
async function logOut(page: Page) {
  await page.goto("about:blank")
  await page.request.post("/logout")
  await page.goto("/login")
}

test("a superuser must first set up a passkey, then logs in with passkey, app code and recovery code", async () => {
  await using opened = await openPage(browser, server.url)
  const { page } = opened
  await plugIn(page)
  await page.goto("/")
  await enterPassword(page)

  await page.getByText("so it needs more than a password").waitFor()
  expect(await page.getByRole("navigation").count()).toBe(0)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByLabel("Name, to tell it apart").fill("Laptop")
  await page.getByRole("button", { name: "Create passkey" }).click()
  const codes = (await page.getByLabel(/^Recovery codes:/).inputValue()).split("\n")
  expect(codes).toHaveLength(10)
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole("button", { name: "Close" }).click()
  await page.getByText("10 recovery codes left").waitFor()
  await page.getByRole("button", { name: "Continue" }).click()
  await isHome(page)

  await logOut(page)
  await enterPassword(page)
  await page.getByText("Your account has a second factor.").waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole("button", { name: "Use a passkey" }).click()
  await isHome(page)

  await page.goto("/me")
  await page.getByRole("button", { name: "Set up an authenticator app" }).click()
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor()
  const totp = new TOTP({ secret: Secret.fromBase32((await page.locator("code").textContent()) ?? "") })
  const confirmedAt = Date.now()
  await page.getByLabel("Code from your app").fill("000000")
  await page.getByRole("button", { name: "Confirm" }).click()
  await page.getByText("The code that the app shows now").waitFor()
  await page.getByLabel("Code from your app").fill(totp.generate({ timestamp: confirmedAt }))
  await page.getByRole("button", { name: "Confirm" }).click()
  await page.getByRole("listitem").filter({ hasText: "Authenticator app" }).first().waitFor()

  await logOut(page)
  await enterPassword(page)
  await page.evaluate(() => {
    navigator.credentials.get = () => Promise.reject(new DOMException("cancelled", "NotAllowedError"))
  })
  await page.getByRole("button", { name: "Use a passkey" }).click()
  await page.getByText("No passkey was used. Try again.").waitFor()
  // The code that confirmed is used up. That of the next 30 seconds is taken too, so there is no need to wait for it.
  const timestamp = Math.max(Date.now(), confirmedAt + 30_000)
  await page.getByLabel("Code from your app").fill(totp.generate({ timestamp }))
  await page.getByRole("button", { name: "Log in" }).click()
  await isHome(page)

  await logOut(page)
  await enterPassword(page)
  await page.getByRole("button", { name: "Use a recovery code" }).click()
  await page.getByLabel("Recovery code").fill(codes[0] ?? "")
  await page.getByRole("button", { name: "Log in" }).click()
  await isHome(page)

  await logOut(page)
  const reset = { sub: "admin", scope: "pwd_reset", exp: Math.floor(Date.now() / 1000) + 600 }
  await page.goto(`/reset-password?pwd_reset_token=${forge(reset)}`)
  await page.getByLabel("New password").fill("admin")
  await page.getByLabel("Repeat password").fill("admin")
  await page.getByRole("button", { name: "Set password" }).click()
  await page.getByText("Your account has a second factor.").waitFor()
  await page.getByRole("button", { name: "Use a passkey" }).click()
  await isHome(page)

  await page.goto("/me")
  await page.getByText("9 recovery codes left").waitFor()
  await page.getByRole("button", { name: "Remove Laptop" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click()
  await becomes(() => page.getByRole("button", { name: "Remove Laptop" }).count(), 0)
}, 120_000)
