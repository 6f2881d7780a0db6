import { afterAll, beforeAll, describe, test } from "bun:test"
import { openPage, type Size, sizes } from "./page.ts"
import { logIn, openPlace, type Place } from "./place.ts"

let place: Place
beforeAll(async () => {
  place = await openPlace()
})
afterAll(() => place[Symbol.asyncDispose]())

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("whoever logs out is asked to log in again, by the back button too, and in every page of the session", async () => {
    const ana = await place.colleague(`Ana ${size}`)
    await using opened = await openPage(place.browser, place.server.url, sizes[size])
    const { page } = opened
    await page.goto("/")
    await logIn(page, ana)
    const beside = await opened.another()
    await beside.goto("/")
    await beside.getByText("Your balance").waitFor()

    await page.goto("/people")
    await page.goto("/")
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("button", { name: "Log out" }).click()
    await page.getByRole("heading", { name: "Log in" }).waitFor()
    await page.goBack()
    await page.getByRole("heading", { name: "Log in" }).waitFor()

    await beside.reload()
    await beside.getByRole("heading", { name: "Log in" }).waitFor()
  })
})
