import { afterAll, beforeAll, expect, test } from "bun:test"
import { callerOf } from "../support/credentials.ts"
import { startServer } from "../support/executable.ts"
import { startScriptedSmtp } from "../support/scripted-smtp.ts"
import { until } from "../support/until.ts"
import { accessibilityViolations } from "./axe.ts"
import { overflowOf } from "./layout.ts"
import { openPage, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const admin = { username: "admin", password: "admin" }
const bo = { name: "Bo", email: "bo@example.com", dept: "sales" }

test("the server screen lists mail that the mail server refused, with its answer and the cure, and sends it again", async () => {
  await using smtp = await startScriptedSmtp({ tls: "plain" })
  smtp.sayAlways("MAIL", "550 5.7.60 Client does not have permissions to send as this sender")
  const sending = { REWARDS_EMAIL__DEBUG_MODE: "false", REWARDS_EMAIL__SMTP_SERVER: "127.0.0.1" }
  const port = { REWARDS_EMAIL__SMTP_PORT: String(smtp.port), REWARDS_EMAIL__SMTP_TLS: "off" }
  await using server = await startServer({ env: { ...sending, ...port } })
  await (await callerOf(server.url, admin)).post("/api/v1/users", bo)
  await until(() => smtp.commands.some((command) => command.startsWith("MAIL")))

  for (const size of [sizes.phone, sizes.desktop]) {
    await using opened = await openPage(app.browser, server.url, size)
    const { page } = opened
    await openAs(page, admin, "/admin/server")
    const entry = page.getByRole("listitem").filter({ hasText: "bo@example.com" })
    await entry.getByText("550 5.7.60").waitFor()
    await entry.getByText("Invitation").waitFor()
    await entry.getByText("Somebody has to correct the settings").waitFor()
    await entry.getByText(/set email\.smtp_sender/).waitFor()
    await page.getByText("The mail server refuses e-mails").waitFor()
    expect([await overflowOf(page), await accessibilityViolations(page)]).toEqual([0, []])
    if (size === sizes.phone) continue
    smtp.sayAlways("MAIL", null)
    await page.getByRole("button", { name: "Send all again" }).click()
    await page.getByText("1 e-mail is sent again now.").waitFor()
    await until(() => smtp.messages.length === 1)
    await page.reload()
    await page.getByText("Every e-mail was sent.").waitFor()
    await page.getByRole("button", { name: "Send me a test" }).click()
    await page.getByText("A test is on its way to your own address.").waitFor()
    await until(() => smtp.messages.length === 2)
  }
})

test("while mail is not set up, whoever is invited again has a link to copy on the page of the account", async () => {
  const caller = await callerOf(app.server.url, admin)
  await caller.post("/api/v1/users", { ...bo, invite: false })
  await using opened = await openPage(app.browser, app.server.url, sizes.desktop)
  const { page } = opened
  await openAs(page, admin, "/admin/people/bo")

  await page.getByText("Bo has never logged in.").waitFor()
  await page.getByRole("button", { name: "Invite again" }).click()
  await page.getByText("Mail is not set up, so nobody gets an e-mail.").waitFor()
  const link = await page.getByLabel("Mail is not set up: copy these links").inputValue()
  expect(link).toMatch(/\/reset-password\?pwd_reset_token=\S+$/)
  expect(await accessibilityViolations(page)).toEqual([])

  await page.goto("/admin/import")
  await page.getByRole("button", { name: "Invite everyone who never logged in" }).click()
  expect(await page.getByLabel("Mail is not set up: copy these links").inputValue()).toContain("pwd_reset_token=")
})
