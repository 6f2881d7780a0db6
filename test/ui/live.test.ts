import { expect, test } from "bun:test"
import { callerOf } from "../support/credentials.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { sizes } from "./page.ts"
import { openHome, openPlace } from "./place.ts"

test("the balance follows what others give, without a reload", async () => {
  await using place = await openPlace()
  const ana = await place.colleague("Ana Souza", { points: 100 })
  const bruno = await place.colleague("Bruno Lima", { points: 100 })
  await using opened = await openHome(place, ana, sizes.phone)
  const { page } = opened

  await (await callerOf(place.server.url, bruno)).post(`/transaction/${ana.username}/`, { value: 25 })
  await page.getByText("125", { exact: true }).waitFor()
})

test("a page says within three seconds that the server is gone, and recovers by itself when it is back", async () => {
  await using folder = await temporaryFolder()
  await using place = await openPlace({ cwd: folder.path })
  const ana = await place.colleague("Ana Souza", { points: 100 })
  await using opened = await openHome(place, ana, { ...sizes.desktop, outage: true })
  const { page } = opened

  const { port } = new URL(place.server.url)
  await place.server.stop()
  await page.getByText(/^Not live since \d/).waitFor({ timeout: 3000 })
  expect(await page.getByRole("definition").textContent()).toBe("100")

  await using back = await startServer({ cwd: folder.path, args: ["--port", port] })
  expect(back.url).toBe(place.server.url)
  await page.getByText("Live", { exact: true }).waitFor({ timeout: 12_000 })
})
