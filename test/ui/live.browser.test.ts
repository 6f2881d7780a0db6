import { expect, test } from "bun:test"
import { callerOf } from "../support/credentials.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { sizes } from "./page.ts"
import { openHome, startTestApp } from "./test-app.ts"

test("the balance updates without a reload when others give", async () => {
  await using app = await startTestApp()
  const ana = await app.createUser("Ana Souza", { points: 100 })
  const bruno = await app.createUser("Bruno Lima", { points: 100 })
  await using opened = await openHome(app, ana, sizes.phone)
  const { page } = opened

  await (await callerOf(app.server.url, bruno)).post(`/transaction/${ana.username}/`, { value: 25 })
  await page.getByText("125", { exact: true }).first().waitFor()
})

test("a page says when the server cannot be reached, and recovers by itself", async () => {
  await using folder = await temporaryFolder()
  await using app = await startTestApp({ cwd: folder.path })
  const ana = await app.createUser("Ana Souza", { points: 100 })
  await using opened = await openHome(app, ana, { ...sizes.desktop, outage: true })
  const { page } = opened

  const { port } = new URL(app.server.url)
  await app.server.stop()
  await page.getByText(/^Not live since \d/).waitFor()
  await page.getByRole("definition").getByText("100", { exact: true }).waitFor()

  await using back = await startServer({ cwd: folder.path, args: ["--port", port] })
  expect(back.url).toBe(app.server.url)
  await page.getByText("Live", { exact: true }).waitFor()
})
