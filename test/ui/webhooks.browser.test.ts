import { afterAll, beforeAll, expect, test } from "bun:test"
import { createReceiver, type Receiver } from "../support/receiver.ts"
import { until } from "../support/until.ts"
import { accessibilityViolations } from "./axe.ts"
import { overflowOf } from "./layout.ts"
import { openPage, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
let receiver: Receiver
beforeAll(async () => {
  receiver = await createReceiver(null)
  const env = { REWARDS_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.0/8", REWARDS_WEBHOOKS__PORTS: `${receiver.port}` }
  app = await startTestApp({ env })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await receiver.close()
})

test("a superuser adds a webhook, sees its secret once, tests it, reads and skips a delivery, sends it again and removes it", async () => {
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, { username: "admin", password: "admin" }, "/admin")
  await page.getByRole("link", { name: "Webhooks" }).click()

  await page.getByLabel("Address (https)").fill("https://10.0.0.1/")
  await page.getByRole("button", { name: "Add webhook" }).click()
  await page.getByText("it has an address that is not public").waitFor()
  await page.getByLabel("Address (https)").fill(receiver.url)
  await page.getByLabel("What it is for (optional)").fill("The intranet")
  for (const type of ["user.created", "user.updated", "transaction.created"]) await page.getByLabel(type).check()
  await page.getByLabel("transaction.created").uncheck()
  await page.getByRole("button", { name: "Add webhook" }).click()
  expect(await page.getByLabel("Secret that signs the deliveries").inputValue()).toStartWith("whsec_")
  await page.getByRole("button", { name: "Close" }).click()

  const item = page.getByRole("listitem").filter({ hasText: "The intranet" })
  await item.getByText("user.created, user.updated").waitFor()
  await item.getByText("Nothing delivered yet").waitFor()
  receiver.answer({ status: 500, body: "not today" })
  await item.getByRole("button", { name: "Send a test" }).click()
  await item.getByText("The test was not delivered: answered 500").waitFor()
  await item.getByText("not today").waitFor()
  receiver.take()

  receiver.alwaysAnswer({ status: 400 })
  await app.createUser("Carla")
  await until(() => receiver.received.length > 0)
  await until(async () => {
    // A click before the answer to the last one would make that answer an old one.
    const answered = page.waitForResponse("**/api/v1/webhooks/*/deliveries*")
    await item.getByRole("button", { name: "Reload" }).click()
    await (await answered).finished()
    return (await item.getByText(/^event \d+$/).count()) > 0
  })
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await item.getByText("Waiting for another attempt").waitFor()
  await item.getByRole("button", { name: "Skip" }).click()
  await item.getByText("Skipped").waitFor()
  receiver.alwaysAnswer({})
  receiver.take()
  await item.getByRole("button", { name: "Send again" }).click()
  await until(() => receiver.received.length > 0)
  await item.getByRole("button", { name: "Deactivate" }).click()
  await item.getByText("This webhook is inactive.").waitFor()

  // The secret is shown only once, so it stays when the list cannot be loaded anew.
  const list = "**/api/v1/webhooks"
  await page.route(list, (route) => route.fulfill({ status: 429, json: { detail: "The server has too much to do" } }))
  await item.getByRole("button", { name: "New secret" }).click()
  await page.getByText("too much to do").waitFor()
  expect(await item.getByLabel("Secret that signs the deliveries").inputValue()).toStartWith("whsec_")
  await page.unroute(list)
  await page.getByText("too much to do").waitFor({ state: "detached" })
  await item.getByRole("button", { name: "Close" }).click()

  await item.getByRole("button", { name: "Remove" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
  await item.waitFor({ state: "detached" })
  await page.locator("p:focus", { hasText: "Each event is sent to these addresses" }).waitFor()
})
