import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { callerOf } from "../support/credentials.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, openHome, startTestApp, type TestApp, type User } from "./test-app.ts"

/** Where it is about noon, so that what is celebrated today was due at nine, and the day does not end during a test. */
const hoursToNoon = 12 - new Date().getUTCHours()
const zone = `Etc/GMT${hoursToNoon > 0 ? "-" : "+"}${Math.abs(hoursToNoon)}`

/** A day in that zone, some days from today. */
const dayIn = (days: number): string => Temporal.Now.plainDateISO(zone).add({ days }).toString()

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ env: { REWARDS_SERVICE__TIME_ZONE: zone } })
  await admin("/api/v1/programme", {
    occasions: {
      birthday: { active: true, points: 20 },
      anniversary: { active: true, points: 0, text: "{name} has been here for {years} years." },
    },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

async function admin(path: string, json: object) {
  await patch({ username: "admin", password: "admin" }, path, json)
}

async function patch(who: Pick<User, "username" | "password">, path: string, json: object) {
  expect((await (await callerOf(app.server.url, who)).patch(path, json)).status).toBe(200)
}

const celebrate = (user: User) => patch(user, "/api/v1/me", { celebrates: true })
const setDays = ({ username }: User, days: { birthday?: string; joined?: string }) =>
  admin(`/api/v1/users/${username}`, days)
const today = () => dayIn(0).slice(5)

const articleOf = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text })

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a birthday is told to the person on every screen and home, once, and colleagues add points and reply to it", async () => {
    const [ana, bruno] = [await app.createUser(`Ana ${size}`), await app.createUser(`Bruno ${size}`, { points: 100 })]
    await setDays(ana, { birthday: today() })
    await using theirs = await openHome(app, ana, sizes[size])
    expect(await theirs.page.getByRole("heading", { name: `Hello, ${ana.name}` }).count()).toBe(1)
    await theirs.page.getByRole("link", { name: "People" }).click()
    await theirs.page.getByRole("heading", { name: "People" }).waitFor()
    await using opened = await openHome(app, bruno, sizes[size])
    const entry = articleOf(opened.page, `Happy birthday, ${ana.name}!`)
    expect(await entry.count()).toBe(0)

    await celebrate(ana)
    await entry.getByText("20 points").waitFor({ state: "attached" })
    const told = theirs.page.getByRole("status").getByText(`Happy birthday, ${ana.name}!`)
    await told.waitFor()
    await becomes(() => theirs.page.title(), "(1) People · Rewards")
    expect(await theirs.page.getByRole("link", { name: "Say thanks back" }).count()).toBe(0)

    await entry.getByRole("button", { name: `Add 5 points for ${ana.name}` }).click()
    await entry.getByText("+5 from you").waitFor()
    if (size === "phone") await entry.getByRole("button", { name: "React or reply" }).click()
    else await entry.hover()
    await entry.getByRole("button", { name: "Reply", exact: true }).first().click()
    await entry.getByRole("textbox").fill("All the best!")
    await entry.locator("form").getByRole("button", { name: "Reply" }).click()
    await entry.getByRole("listitem").getByText("All the best!").waitFor()

    await openAs(theirs.page, ana, "/")
    await theirs.page.getByRole("heading", { name: `Happy birthday, ${ana.name}!` }).waitFor()
    const own = articleOf(theirs.page, `Happy birthday, ${ana.name}!`)
    await own.getByText("+5 from 1 person").waitFor()
    expect(await own.getAttribute("data-received")).toBe("true")
    expect(await own.getByRole("button", { name: /^Add / }).count()).toBe(0)
    await own.scrollIntoViewIfNeeded()
    await becomes(() => theirs.page.title(), "Home · Rewards")
    await theirs.page.reload()
    await theirs.page.getByText("Live", { exact: true }).waitFor()
    expect(await theirs.page.title()).toBe("Home · Rewards")
  })

  test("what is celebrated in the next days is listed, and on the day it leads to the box with this person", async () => {
    const [carla, diego, elena, ana] = [
      await app.createUser(`Carla ${size}`),
      await app.createUser(`Diego ${size}`),
      await app.createUser(`Elena ${size}`),
      await app.createUser(`Reader ${size}`, { points: 100 }),
    ]
    const threeYearsAgo = Temporal.PlainDate.from(dayIn(0)).subtract({ years: 3 }).toString()
    await setDays(carla, { joined: threeYearsAgo })
    await setDays(diego, { birthday: dayIn(1).slice(5) })
    await setDays(elena, { birthday: dayIn(1).slice(5) }) // who has not agreed
    await celebrate(diego)

    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, size === "phone" ? "/people" : "/")
    const list = page.getByRole("region", { name: "Coming up" })
    await list.waitFor()
    const more = list.getByRole("button", { name: / more$/ })
    if ((await more.count()) > 0) await more.click()
    await list.getByRole("listitem").filter({ hasText: carla.name }).getByText("3 years here · today").waitFor()
    await list.getByRole("listitem").filter({ hasText: diego.name }).getByText("Birthday · tomorrow").waitFor()
    expect(await list.getByText(elena.name).count()).toBe(0)
    expect(await list.getByRole("button", { name: `Congratulate ${diego.name}` }).count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    await enlargeText(page)
    expect(await clippedTexts(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.evaluate(() => document.documentElement.style.removeProperty("font-size"))

    await list.getByRole("button", { name: `Congratulate ${carla.name}` }).click()
    if (size === "phone") {
      await page.getByRole("dialog").getByText(carla.name).first().waitFor()
      expect(new URL(page.url()).pathname).toBe(`/people/${carla.username}`)
    } else {
      await page
        .locator("#give")
        .getByRole("button", { name: `Remove ${carla.name}` })
        .waitFor()
      await page.locator("#give textarea").waitFor()
      expect(new URL(page.url()).pathname).toBe("/")
    }
  })

  test("the list asks for what it shows, and for more page by page", async () => {
    const reader = await app.createUser(`Lister ${size}`)
    const joined = Temporal.PlainDate.from(dayIn(3)).subtract({ years: 1 }).toString()
    const many: User[] = []
    for (let number = 10; number < 70; number++) {
      const one = await app.createUser(`Many ${size} ${number}`)
      await setDays(one, { joined })
      many.push(one)
    }
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const asked: string[] = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === "/api/v1/occasions") asked.push(searchParams.get("size") ?? "all")
    })
    await openAs(page, reader, size === "phone" ? "/people" : "/")
    const list = page.getByRole("region", { name: "Coming up" })
    const more = list.getByRole("button", { name: "Show more" })
    await more.waitFor()
    expect(await list.getByRole("listitem").count()).toBe(size === "phone" ? 3 : 4)
    expect(new Set(asked)).toEqual(new Set(["6"]))
    while ((await more.count()) > 0) {
      const before = await list.getByRole("listitem").count()
      await more.click({ timeout: 5000 }).catch(() => {}) // after the last page it may have left since it was counted
      await becomes(async () => (await list.getByRole("listitem").count()) > before || (await more.count()) === 0, true)
    }
    for (const { name } of many) expect(await list.getByText(name, { exact: true }).count()).toBe(1)
    expect(new Set(asked)).toEqual(new Set(["6", "50"]))
  })

  test("the answer to whether to celebrate, and the day, are saved at once, without a year", async () => {
    const fatima = await app.createUser(`Fatima ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, fatima, "/me")
    const section = page.getByRole("region", { name: "Birthday and anniversaries" })
    expect(await section.getByRole("radio", { name: /but not my birthday/ }).isChecked()).toBe(true)
    expect(await section.getByRole("combobox").count()).toBe(0)

    await section.getByRole("radio", { name: /^Yes/ }).check()
    await section.getByText(/^Saved/).waitFor()
    await section.getByRole("combobox", { name: "Month of your birthday" }).selectOption({ label: "February" })
    const days = section.getByRole("combobox", { name: "Day", exact: true })
    expect(await days.getByRole("option").last().textContent()).toBe("29")
    await days.selectOption({ label: "29" })
    const own = async () =>
      (await (await callerOf(app.server.url, fatima)).get<{ birthday: string; celebrates: boolean }>("/api/v1/me")).body
    await becomes(async () => (await own()).birthday, "02-29")

    await page.reload()
    await section.getByRole("radio", { name: /^Neither/ }).check()
    await becomes(async () => (await own()).celebrates, false)
  })
})

test("the history says which points were added to a recognition, and leads to it", async () => {
  const [ana, bruno] = [await app.createUser("Ana adds", { points: 50 }), await app.createUser("Bruno celebrates")]
  await setDays(bruno, { birthday: today() })
  await celebrate(bruno)
  await using opened = await openHome(app, ana, sizes.desktop)
  const { page } = opened
  const entry = articleOf(page, `Happy birthday, ${bruno.name}!`)
  await entry.getByRole("button", { name: `Add 5 points for ${bruno.name}` }).click()
  await entry.getByText("+5 from you").waitFor()

  await openAs(page, ana, "/history")
  await page.getByRole("link", { name: "added to a recognition" }).click()
  await page.getByRole("heading", { name: "Recognition" }).waitFor()
  await articleOf(page, `Happy birthday, ${bruno.name}!`).getByText("+5 from you").waitFor()
})

test("the wall shows an occasion without a giver, also one without points, to those who have no account", async () => {
  await using opened = await openPage(app.browser, app.server.url, { viewport: { width: 1280, height: 720 } })
  const { page } = opened
  const elena = await app.createUser("Elena stays")
  await setDays(elena, { joined: Temporal.PlainDate.from(dayIn(0)).subtract({ years: 2 }).toString() })
  const read = async () =>
    (await (await callerOf(app.server.url, elena)).get<{ items: { reason: string }[] }>("/api/v1/feed")).body.items
  await becomes(async () => (await read())[0]?.reason, `${elena.name} has been here for 2 years.`)

  await page.goto("/wall?night=off")
  const newest = page.locator(".wall-newest")
  await newest.getByText(`${elena.name} has been here for 2 years.`).waitFor()
  expect(await newest.getByText("Admin").count()).toBe(0)
  expect(await newest.locator(".wall-points").count()).toBe(0)
})
