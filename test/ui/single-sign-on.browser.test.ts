import { afterAll, beforeAll, expect, test } from "bun:test"
import { startServer } from "../support/executable.ts"
import { startProvider } from "../support/openid-provider.ts"
import { openPage, sizes } from "./page.ts"
import { logIn, startTestApp, type TestApp } from "./test-app.ts"

let provider: Awaited<ReturnType<typeof startProvider>>
let app: TestApp
beforeAll(async () => {
  provider = await startProvider()
  app = await startTestApp({ env: environmentOf(provider.issuer, { REWARDS_OIDC__BUTTON: "Log in with Example" }) })
  await provider.register(app.server.url)
})
afterAll(async () => {
  for (const one of [app, provider]) await one[Symbol.asyncDispose]()
})

const environmentOf = (issuer: string, more: Record<string, string> = {}) => ({
  REWARDS_OIDC__ISSUER: issuer,
  REWARDS_OIDC__CLIENT_ID: "rewards",
  REWARDS_OIDC__CLIENT_SECRET: "the secret of rewards at the provider",
  ...more,
})

test("the button leads through the provider's form to the requested page, and log-out through the provider back", async () => {
  const ana = await app.createUser("Ana")
  provider.knows("ana-1", { email: ana.email, email_verified: true, name: "Ana" })
  await using opened = await openPage(app.browser, app.server.url, {
    ...sizes.desktop,
    elsewhere: provider.issuer,
  })
  const { page } = opened
  await page.goto("/people?q=a")
  await page.getByRole("link", { name: "Log in with Example" }).click()
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.getByLabel("Who").fill("ana-1")
  await page.getByRole("button", { name: "Continue" }).click()
  await page.waitForURL(`${app.server.url}/people?q=a`)
  await page.getByRole("heading", { name: "People" }).waitFor()

  await page.getByRole("button", { name: "Account" }).click()
  await page.getByRole("button", { name: "Log out" }).click()
  await page.waitForURL((url) => url.origin === provider.issuer)
  await page.getByRole("button", { name: "Log out there" }).click()
  await page.waitForURL(`${app.server.url}/login`)
  await page.getByRole("heading", { name: "Log in" }).waitFor()
})

test("a refusal is a plain sentence above the ways to log in, until one of them is used", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await page.goto("/login?error=no_account&next=%2Fpeople")
  await page.getByRole("alert").filter({ hasText: "There is no account here with your e-mail address." }).waitFor()
  expect(await page.getByRole("link", { name: "Log in with Example" }).getAttribute("href")).toBe(
    "/oidc/login?next=%2Fpeople",
  )
  const bea = await app.createUser("Bea")
  await page.getByLabel("Username or e-mail").fill(bea.username)
  await page.getByLabel("Password", { exact: true }).fill(bea.password)
  await page.keyboard.press("Enter")
  await page.waitForURL(`${app.server.url}/people`)
})

test("superusers connect their company account in their profile, which says if that fails", async () => {
  const sofia = await app.createUser("Sofia", { dept: "management" })
  provider.knows("wrong-1", { email: "somebody@example.com", email_verified: true })
  provider.knows("sofia-1", { email: sofia.email, email_verified: true })
  for (const [subject, seen] of [
    ["wrong-1", "There is no account here with your e-mail address."],
    ["sofia-1", "Connect it to log in here without a password."],
  ] as const) {
    await using opened = await openPage(app.browser, app.server.url, { ...sizes.desktop, elsewhere: provider.issuer })
    const { page } = opened
    await page.goto("/login?next=/me")
    await logIn(page, sofia)
    await page.getByRole("link", { name: "Connect company account" }).click()
    await page.getByLabel("Who").fill(subject)
    await page.getByRole("button", { name: "Continue" }).click()
    await page.waitForURL((url) => url.pathname === "/me")
    await page.getByText(seen).waitFor()
    expect(await page.getByRole("alert").count()).toBe(subject === "wrong-1" ? 1 : 0)
  }
})

test("if passwords are off, the button is the only way to log in", async () => {
  await using server = await startServer({ env: environmentOf(provider.issuer, { REWARDS_LOGIN__PASSWORD: "off" }) })
  await using opened = await openPage(app.browser, server.url, sizes.phone)
  const { page } = opened
  await page.goto("/")
  await page.getByRole("link", { name: "Log in with your company account" }).waitFor()
  expect(await page.getByRole("textbox").count()).toBe(0)
  expect(await page.getByRole("link").count()).toBe(1)
})
