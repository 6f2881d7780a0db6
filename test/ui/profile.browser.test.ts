import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { logIn, openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** A photograph like one from a phone, but smaller: red at the sides, green in the middle. */
const photograph = (page: Page) =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1200, 600)
    const context = canvas.getContext("2d")
    if (context === null) throw new Error("this browser cannot draw")
    context.fillStyle = "red"
    context.fillRect(0, 0, 1200, 600)
    context.fillStyle = "lime"
    context.fillRect(300, 0, 600, 600)
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer())
    return Array.from(bytes)
  })

const sourceOf = (page: Page) => page.getByRole("region", { name: "Picture" }).locator("img")

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a picture is previewed before it is saved, reduced in size, and then shown everywhere", async () => {
    const bruno = await app.createUser(`Bruno ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, bruno, "/")
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("link", { name: "My profile" }).click()
    await page.getByRole("heading", { name: "My profile" }).waitFor()
    expect(await page.getByRole("button", { name: "Account" }).getAttribute("aria-expanded")).toBe("false")

    await page.getByLabel("Choose picture").setInputFiles({
      name: "notes.png",
      mimeType: "image/png",
      buffer: Buffer.from("no picture"),
    })
    await page.getByText("This file can't be shown as a picture.").waitFor()
    const bytes = Buffer.from(await photograph(page))
    await page.getByLabel("Choose picture").setInputFiles({ name: "me.png", mimeType: "image/png", buffer: bytes })
    await page.getByText("Not saved yet.").waitFor()
    expect(await sourceOf(page).getAttribute("src")).toStartWith("blob:")
    await page.getByRole("button", { name: "Save picture" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    const src = (await sourceOf(page).getAttribute("src")) ?? ""
    expect(src).toMatch(/^\/api\/v1\/avatars\/[0-9a-f]{64}$/)
    expect(await page.locator("header img").getAttribute("src")).toBe(src)
    expect(await cornerOf(page, src)).toEqual({ side: 256, isGreen: true })

    await page.getByRole("link", { name: "See it as others do" }).click()
    await page.getByRole("heading", { name: bruno.name }).waitFor()
    expect(await page.locator("main img").getAttribute("src")).toBe(src)
    await page.goBack()
    await page.getByRole("button", { name: "Remove picture" }).click()
    await page.getByRole("button", { name: "Save picture" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await page.locator("img").count()).toBe(0)
  })

  test("a right-to-left name and a bio with markup are shown as text; an empty or taken name is reported at its field", async () => {
    const carla = await app.createUser(`Carla ${size}`)
    const sara = `שרה <i>כהן</i> ${size}`
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, carla, "/me")
    await page.getByLabel("Full name").fill(" ")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Enter your name.").waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true")
    await page.getByLabel("Full name").fill("ADMIN")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Name looks like another person's").waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"))).toBe("true")
    await page.getByLabel("Full name").fill(sara)
    await page.getByLabel("A few words").fill("<img src=x onerror=alert(1)>\n\nCoffee & calm")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    await page.getByRole("link", { name: "See it as others do" }).click()
    await page.getByRole("heading", { name: sara }).waitFor()
    await page.getByText("<img src=x onerror=alert(1)>").waitFor()
    expect(await page.locator("main img").count()).toBe(0)
  })

  test("changing the password ends the other sessions and keeps this one, which can also end others", async () => {
    const dora = await app.createUser(`Dora ${size}`)
    await using here = await openPage(app.browser, app.server.url, sizes[size])
    await using there = await openPage(app.browser, app.server.url, sizes[size])
    await using again = await openPage(app.browser, app.server.url, sizes[size])
    for (const { page } of [here, there, again]) {
      await openAs(page, dora, "/me")
      await page.getByText("This browser").waitFor()
    }
    const { page } = here
    await page.reload()
    const rows = page.getByRole("region", { name: "Where you are logged in" }).getByRole("listitem")
    await rows.nth(2).waitFor()
    await rows.nth(2).getByRole("button", { name: "End" }).click()
    await page.getByText("1 session has ended.").waitFor()
    await becomes(() => rows.count(), 2)

    await page.getByLabel("New password").fill("the new one")
    await page.getByLabel("Repeat password").fill("the new one")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Enter your password.").waitFor()
    await page.getByLabel("Current password").fill("a guess")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Not your present password").waitFor()
    await page.getByLabel("Current password").fill(dora.password)
    await page.getByLabel("Repeat password").fill("the new 1")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("The passwords don't match.").waitFor()
    await page.getByLabel("Repeat password").fill("the new one")
    await page.keyboard.press("Enter")
    await page.getByText("All other sessions have ended; this one stays open.").waitFor()
    await becomes(() => rows.count(), 1)
    await page.getByText("This browser").waitFor()
    for (const other of [there, again]) {
      await other.page.reload()
      await other.page.getByRole("heading", { name: "Log in" }).waitFor()
    }
    await logIn(there.page, { ...dora, password: "the new one" })
    await there.page.getByRole("heading", { name: "My profile" }).waitFor()
  })
})

test("an avatar address without a picture shows the initials and a message, and a host that is not allowed is refused", async () => {
  await using strict = await startTestApp({ config: '[ui]\navatar_hosts = ["pictures.example.com"]\n' })
  const ana = await strict.createUser("Ana Souza")
  await using opened = await openPage(strict.browser, strict.server.url)
  const { page } = opened
  await openAs(page, ana, "/me")
  await page.getByRole("button", { name: "Use an address" }).click()
  const address = page.getByLabel("Picture address")
  await address.fill("ftp://example.com/me.png")
  await page.getByText("Enter an address that begins with https://").waitFor()
  for (const foreign of ["https://elsewhere.example.com/me.png", `${strict.server.url}/api/v1/users.csv`]) {
    await address.fill("")
    await page.getByText("Pictures from this address are not shown here.").waitFor({ state: "detached" })
    await address.fill(foreign)
    await page.getByText("Pictures from this address are not shown here.").waitFor()
  }
  await address.fill(`${strict.server.url}/api/v1/avatars/${"0".repeat(64)}`)
  await page.getByText("There is no picture at this address.").waitFor()
  expect(await page.getByRole("button", { name: "Save picture" }).count()).toBe(0)
  await page.getByRole("button", { name: "Cancel" }).click()
  await address.waitFor({ state: "detached" })
})

test("an avatar address on this server that is not a picture is never requested", async () => {
  const ana = await app.createUser("Ana Face")
  await using opened = await openPage(app.browser, app.server.url)
  const { page } = opened
  const asked: string[] = []
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname))
  // Such an avatar may have been stored before the server had this address.
  await page.route("**/api/v1/people/ana-face**", async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), avatar: "/api/v1/transactions.csv" } })
  })
  await openAs(page, ana, "/people/ana-face")
  await page.getByRole("heading", { name: ana.name }).waitFor()

  expect(await page.locator("main img").count()).toBe(0)
  expect(asked.filter((path) => path.startsWith("/api/v1/people/"))).not.toEqual([])
  expect(asked.filter((path) => path.endsWith(".csv"))).toEqual([])
})

async function cornerOf(page: Page, src: string) {
  return page.evaluate(async (src) => {
    const picture = await createImageBitmap(await (await fetch(src)).blob())
    const context = new OffscreenCanvas(1, 1).getContext("2d")
    context?.drawImage(picture, 0, 0)
    const [red = 0, green = 0] = context?.getImageData(0, 0, 1, 1).data ?? []
    return { side: picture.width, isGreen: green > 200 && red < 60 }
  }, src)
}
