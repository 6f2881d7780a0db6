import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { callerOf } from "../support/credentials.ts"
import { temporaryFolder } from "../support/executable.ts"
import { type SmtpServer, startSmtpServer } from "../support/smtp.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { logIn, openAs, startTestApp, type TestApp } from "./test-app.ts"

let mail: SmtpServer
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let app: TestApp
beforeAll(async () => {
  mail = await startSmtpServer()
  folder = await temporaryFolder()
  const authority = join(folder.path, "authority.pem")
  await Bun.write(authority, mail.ca)
  app = await startTestApp({
    env: {
      REWARDS_EMAIL__SMTP_CA: authority,
      REWARDS_SECURITY__PASSWORD_MIN_LENGTH: "12",
      REWARDS_EMAIL__DEBUG_MODE: "false",
      REWARDS_EMAIL__SMTP_SERVER: mail.host,
      REWARDS_EMAIL__SMTP_PORT: String(mail.port),
    },
  })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await mail.stop()
  await folder[Symbol.asyncDispose]()
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("the link in the e-mail resets a forgotten password, once", async () => {
    const ana = await app.createUser(`Ana ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await page.goto("/login")
    await page.getByLabel("Username or e-mail").fill(ana.email)
    await page.getByRole("link", { name: "Forgot your password?" }).click()
    const expected = mail.mails.length + 1
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(ana.email)
    await page.getByRole("button", { name: "Send link" }).click()
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor()

    const link = linkOf((await mail.received(expected)).at(-1)?.text)
    expect(link).toStartWith(`${app.server.url}/reset-password?`)
    const referrers: string[] = []
    page.on("request", (request) => referrers.push(request.headers().referer ?? ""))
    await page.goto(link)
    await page.getByRole("heading", { name: "Set a new password" }).waitFor()
    expect(page.url()).toBe(`${app.server.url}/reset-password`)
    expect(new Set(referrers)).toEqual(new Set([""]))

    await page.getByText("At least 12 characters").waitFor()
    await page.getByLabel("New password").fill("é".repeat(11))
    await page.getByLabel("Repeat password").fill("the new 1")
    await page.getByRole("button", { name: "Set password" }).click()
    await page.getByText("The passwords don't match.").waitFor()
    await page.getByLabel("Repeat password").fill("é".repeat(11))
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "At least 12 characters" }).waitFor()
    expect(await page.getByText("At least 12 characters").count()).toBe(1)
    expect(await page.getByLabel("New password").evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByLabel("New password").fill("é".repeat(12))
    await page.getByLabel("Repeat password").fill("é".repeat(12))
    await page.keyboard.press("Enter")
    await page.locator("main").getByText("Budget to give").waitFor()
    expect(page.url()).toBe(`${app.server.url}/`)

    await using after = await openPage(app.browser, app.server.url, sizes[size])
    await after.page.goto("/login")
    await after.page.getByLabel("Username").fill(ana.username)
    await after.page.getByLabel("Password", { exact: true }).fill(ana.password)
    await after.page.keyboard.press("Enter")
    await after.page.getByText("Incorrect username or password").waitFor()
    await logIn(after.page, { ...ana, password: "é".repeat(12) })
    await after.page.locator("main").getByText("Budget to give").waitFor()

    await using later = await openPage(app.browser, app.server.url, sizes[size])
    await later.page.goto(link)
    await later.page.getByRole("heading", { name: "This link no longer works" }).waitFor()
    await later.page.getByRole("link", { name: "Request a new link" }).click()
    await later.page.getByLabel("E-mail address").waitFor()
  })
})

test("a username that was typed at the log-in is not taken for an address", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await page.goto("/login")
  await page.getByLabel("Username or e-mail").fill("ana")
  await page.getByRole("link", { name: "Forgot your password?" }).click()
  expect(await page.getByLabel("E-mail address").inputValue()).toBe("")
  await page.getByRole("link", { name: "Back to log in" }).click()
  expect(await page.getByLabel("Username or e-mail").inputValue()).toBe("ana")
})

test("an unknown address gets the same answer as a known one, and no e-mail is sent", async () => {
  const before = mail.mails.length
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await page.goto("/forgot")
  await page.getByLabel("E-mail address").fill("nobody@example.com")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor()
  expect(mail.mails.length).toBe(before)
})

test("a link that is spent meanwhile sets no password in a browser where its owner is logged in", async () => {
  const eva = await app.createUser("Eva Open")
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await openAs(page, eva, "/")
  await page.getByText("Live", { exact: true }).waitFor()
  // As when the link was still good.
  await page.route("**/password?*", (route) =>
    route.request().postData() === "{}"
      ? route.fulfill({ status: 422, json: { detail: "Invalid" } })
      : route.continue(),
  )
  await page.goto(`/reset-password?pwd_reset_token=${unsigned(eva.username)}`)
  await page.getByLabel("New password").fill("another's words")
  await page.getByLabel("Repeat password").fill("another's words")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor()
})

test("without a token the page says what is missing", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  await opened.page.goto("/reset-password?pwd_reset_token=cut.off")
  await opened.page.getByRole("heading", { name: "The link is incomplete" }).waitFor()
})

test("an unsigned token adds no text to the page and requests no invalid username", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  for (const sub of ["..", "a/../..", "%2e%2e", "call +55 11 5555\n", "a\u202Eb", "x".repeat(65), ""]) {
    await page.goto(`/reset-password?pwd_reset_token=${unsigned(sub)}`)
    await page.getByRole("heading", { name: "The link is incomplete" }).waitFor()
  }
  const asked: string[] = []
  page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto(`/reset-password?pwd_reset_token=${unsigned("pay ünï & co")}`)
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor()
  expect(await page.getByText("pay").count()).toBe(0)
  expect(asked).toContain(`POST /user/${encodeURIComponent("pay ünï & co")}/password`)
})

test("an invitation greets by name, and its link says at once that it was used", async () => {
  const admin = await callerOf(app.server.url, { username: "admin", password: "admin" })
  const expected = mail.mails.length + 1
  const file = "name,username,email,dept\nInês Prado,ines,ines@example.com,sales\n"
  const headers = { "content-type": "text/csv" }
  const imported = await admin.call("POST", "/api/v1/users/import?invite=true", { body: file, headers })
  expect(imported.status).toBe(200)
  const link = linkOf((await mail.received(expected)).at(-1)?.text)
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await page.goto(link)
  await page.getByRole("heading", { name: "Welcome, Inês Prado. Choose your password." }).waitFor()
  await page.getByLabel("New password").fill("the very first one")
  await page.getByLabel("Repeat password").fill("the very first one")
  await page.keyboard.press("Enter")
  await page.locator("main").getByText("Budget to give").waitFor()

  await page.goto(link)
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor()
})

test("a name in an unsigned token is not shown", async () => {
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  await page.route("**/password?*", (route) => route.fulfill({ status: 429, json: { detail: "Busy" } }))
  await page.goto(`/reset-password?pwd_reset_token=${unsigned("ana", "call +55 11 5555")}`)
  await page.getByRole("heading", { name: "Welcome. Choose your password." }).waitFor()
  expect(await page.getByText("call").count()).toBe(0)
})

const unsigned = (sub: string, name?: string) =>
  `e30.${Buffer.from(JSON.stringify({ sub, name })).toString("base64url")}.`

const linkOf = (text = ""): string => /^http\S+$/m.exec(text)?.[0] ?? ""
