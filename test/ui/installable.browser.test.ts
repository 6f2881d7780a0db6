import { expect, test } from "bun:test"
import { startServer } from "../support/executable.ts"
import { startBrowser } from "./browser.ts"
import { openPage } from "./page.ts"

test("a browser has everything to install the app, under the name of the service", async () => {
  await using server = await startServer({ env: { REWARDS_SERVICE__NAME: 'Thanks & "Co"' } })
  await using browser = await startBrowser()
  await using opened = await openPage(browser, server.url)
  const { page } = opened
  await page.goto("/login")
  const tools = await page.context().newCDPSession(page)
  const { data, errors } = await tools.send("Page.getAppManifest")
  expect(errors).toEqual([])
  expect(JSON.parse(data ?? "")).toMatchObject({ name: 'Thanks & "Co"', start_url: "/", display: "standalone" })
  const { installabilityErrors } = await tools.send("Page.getInstallabilityErrors")
  // Tests use private profiles, in which nothing can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([])
})

test("each icon in the manifest is a picture of the stated size", async () => {
  await using server = await startServer()
  const manifest = await (await fetch(`${server.url}/manifest.webmanifest`)).json()
  expect(manifest.icons).toHaveLength(5)
  for (const { src, sizes, type } of manifest.icons) {
    const answer = await fetch(server.url + src)
    expect([src, answer.status, answer.headers.get("content-type")]).toEqual([src, 200, type])
    const bytes = Buffer.from(await answer.arrayBuffer())
    // A PNG has its width and height at byte 16.
    if (type === "image/png") expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
})
