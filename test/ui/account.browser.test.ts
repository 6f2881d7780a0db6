import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Secret, TOTP } from "otpauth"
import { createClient } from "../support/client.ts"
import { callerOf } from "../support/credentials.ts"
import { becomes, holdBack, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const admin = { username: "admin", password: "admin" }

const loginStatus = async (username: string) =>
  (await createClient(app.server.url).submit("/token", { username, password: `${username} comes in` })).status

const accountOf = async (username: string) =>
  (await (await callerOf(app.server.url, admin)).get<Record<string, unknown>>(`/api/v1/users/${username}`)).body

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("name, e-mail address and department are corrected; a department in another spelling becomes the existing one", async () => {
    const ana = await app.createUser(`Ana ${size}`, { dept: `Lab ${size}` })
    const bruno = await app.createUser(`Bruno ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const save = page.getByRole("button", { name: "Save changes" })
    const dept = page.getByRole("combobox", { name: "Department" })
    await openAs(page, admin, `/admin/people/${bruno.username}`)
    await becomes(() => dept.inputValue(), "sales")
    await page.getByLabel("Full name").fill(`Bruno Lima ${size}`)
    await page.getByLabel("E-mail address").fill(ana.email)
    await page.getByText("Links that were sent to the old address stop working.").waitFor()
    await dept.fill(`LAB  ${size}`)
    await page.keyboard.press("Tab")
    await save.click()
    await page.getByText("Someone already has this e-mail address.").waitFor()
    await becomes(() => dept.inputValue(), `Lab ${size}`)
    await page.getByLabel("E-mail address").fill(`lima-${size}@example.com`)
    await save.click()
    await page.getByText(`The details of Bruno Lima ${size} have been saved.`).waitFor()
    await page.getByRole("heading", { name: `Bruno Lima ${size}` }).waitFor()
    expect(await accountOf(bruno.username)).toMatchObject({ email: `lima-${size}@example.com`, dept: `Lab ${size}` })

    // What is typed elsewhere on the page stays when the account cannot be loaded anew.
    const isRead = (url: URL) => url.pathname === `/api/v1/users/${bruno.username}`
    await page.route(isRead, (route) =>
      route.request().method() === "GET"
        ? route.fulfill({ status: 429, json: { detail: "The server has too much to do" } })
        : route.continue(),
    )
    await page.getByLabel("New password").fill("typed and not saved")
    await page.getByLabel("E-mail address").fill(`lima-again-${size}@example.com`)
    await save.click()
    await page.getByText("too much to do").waitFor()
    expect(await page.getByLabel("New password").inputValue()).toBe("typed and not saved")
    await page.unroute(isRead)
    await page.getByText("too much to do").waitFor({ state: "detached" })

    await dept.fill("Management")
    await page.keyboard.press("Tab")
    await save.click()
    await page.getByText("Choose “management” from the list if this person should be a superuser.").waitFor()
    await dept.fill("manag")
    await page.getByRole("option", { name: "management" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("People in management can give without limit").waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("· superuser").waitFor()
  })

  test("a username is changed; links to the former one lead to the person, and to the account", async () => {
    const former = `souza-${size}`
    const present = `costa-${size}`
    const ana = await app.createUser(`Ana Souza ${size}`, { username: former })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, `/admin/people/${former}`)
    const username = page.getByLabel("Username")
    await becomes(() => username.inputValue(), former)
    await username.fill("")
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("Enter a username.").waitFor()
    await username.fill("admin")
    await page.getByText(`“${former}” no longer logs in`).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("Username already taken").waitFor()
    await username.fill(present)
    await page.keyboard.press("Enter")
    await page.getByText(`The details of ${ana.name} have been saved.`).waitFor()
    await becomes(async () => new URL(page.url()).pathname, `/admin/people/${present}`)
    await becomes(() => username.inputValue(), present)

    for (const path of ["/people/", "/admin/people/"]) {
      await page.goto(`${app.server.url}${path}${former}`)
      await becomes(async () => new URL(page.url()).pathname, `${path}${present}`)
      await page.getByRole("heading", { name: ana.name }).waitFor()
    }
    await page.goto(`${app.server.url}/admin/people/admin`)
    await page.getByLabel("E-mail address").waitFor()
    expect(await username.count()).toBe(0)
  })

  test("an open page follows when its user gets another username", async () => {
    const ana = await app.createUser(`Open Page ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, ana, "/me")
    await page.getByText(`${ana.username} · ${ana.email}`).waitFor()
    const caller = await callerOf(app.server.url, admin)
    await caller.patch(`/api/v1/users/${ana.username}`, { username: `followed-${size}` })
    await page.getByText(`followed-${size} · ${ana.email}`).waitFor()
    expect(await page.getByText("Your session has ended").count()).toBe(0)
  })

  test("the spelling of a department is corrected even if the list arrives after the field was left", async () => {
    await app.createUser(`Rui ${size}`, { dept: `Hub ${size}` })
    const late = await app.createUser(`Late ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const dept = page.getByRole("combobox", { name: "Department" })
    const { promise: fieldLeft, resolve: leaveField } = Promise.withResolvers<void>()
    await page.route("**/api/v1/departments*", async (route) => {
      await fieldLeft
      await route.continue()
    })
    await openAs(page, admin, `/admin/people/${late.username}`)
    await becomes(() => dept.inputValue(), "sales")
    await dept.fill(`HUB  ${size}`)
    await page.keyboard.press("Tab")
    leaveField()
    await becomes(() => dept.inputValue(), `Hub ${size}`)
  })

  test("a department that does not exist is reported even if the list arrives after the button was pressed", async () => {
    const hasty = await app.createUser(`Hasty ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const held = await holdBack(page, "**/api/v1/departments*")
    await openAs(page, admin, `/admin/people/${hasty.username}`)
    const dept = page.getByRole("combobox", { name: "Department" })
    await becomes(() => dept.inputValue(), "sales")
    await dept.fill("Slaes")
    await page.getByRole("button", { name: "Save changes" }).click()
    await becomes(async () => held.length, 2)
    for (const release of held) release()
    await page.getByText("There is no department “Slaes” yet.").waitFor()
    expect(await accountOf(hasty.username)).toMatchObject({ dept: "sales" })
  })

  test("an account is deactivated with its points, found again, reactivated, and erased after a warning of what is lost", async () => {
    const username = `zoe-${size}`
    const zoe = await app.createUser(`Zoë ${size}`, { username, points: 40 })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const dialog = page.getByRole("dialog")
    await openAs(page, admin, `/people/${username}`)
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByRole("button", { name: "Deactivate" }).click()
    await page
      .getByRole("dialog", { name: `Deactivate ${zoe.name}?` })
      .getByText(username)
      .waitFor()
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    expect(await loginStatus(username)).toBe(200)

    await page.getByRole("button", { name: "Deactivate" }).click()
    await dialog.getByText("Otherwise they stay in the account").waitFor()
    await dialog.getByLabel("Return the remaining 40 points to Admin").check()
    await dialog.getByText("Reactivating doesn't bring the points back.").waitFor()
    await dialog.getByRole("button", { name: "Deactivate" }).click()
    await page.getByText(`${zoe.name} has been deactivated. What was left has gone back to Admin.`).waitFor()
    await page.getByText("Deactivated now").waitFor()
    expect([await loginStatus(username), await accountOf(username)]).toMatchObject([401, { active: false, balance: 0 }])

    await page.goto("/admin")
    await page.getByRole("link", { name: "People who left" }).click()
    await page.getByRole("searchbox").fill(zoe.name)
    await page.getByRole("link", { name: `${username} · No longer active` }).click()
    await page.getByText("No longer active").waitFor()
    expect(await page.getByRole("combobox", { name: "To whom" }).count()).toBe(0)

    await page.getByRole("link", { name: "Account" }).click()
    await page.getByRole("button", { name: "Reactivate" }).click()
    await dialog.getByText("Logging in works again").waitFor()
    await page.keyboard.press("Enter")
    await page.getByText(`${zoe.name} can log in again.`).waitFor()
    expect(await loginStatus(username)).toBe(200)

    await page.getByRole("button", { name: "Deactivate" }).click()
    await dialog.getByText("All sessions end at once").waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Erase" }).click()
    await dialog.getByText("This can't be undone. Backups made before still have everything.").waitFor()
    await dialog.getByLabel(`Erase what ${zoe.name} wrote`).check()
    await dialog.getByRole("button", { name: "Erase for good" }).click()
    await dialog.getByText(`Type “${username}”.`).waitFor()
    await dialog.getByLabel("To confirm, type the username").fill(username)
    await page.keyboard.press("Enter")
    await page.getByText(`${zoe.name} has been erased.`).waitFor()
    await page.getByText("Only its transactions are left").waitFor()
    expect(await page.getByRole("button", { name: /Reactivate|Erase/ }).count()).toBe(0)
    const erased = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "")
    expect(await accountOf(erased)).toMatchObject({ name: "Former colleague", erased: true })
  })
})

test("a refusal is shown in the dialog, in Portuguese; members see only that somebody has left", async () => {
  const dora = await app.createUser("Dora Alves")
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.phone, locale: "pt-BR", outage: true })
  const { page } = opened
  await page.goto("/admin/people/dora-alves")
  await page.getByLabel("Nome de usuário").fill("admin")
  await page.getByLabel("Senha", { exact: true }).fill("admin")
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Desativar" }).click()
  const dialog = page.getByRole("dialog", { name: "Desativar a conta de Dora Alves?" })
  await dialog.waitFor()
  await page.route("**/api/v1/users/dora-alves", (route) =>
    route.fulfill({ status: 503, json: { detail: "The database is busy" } }),
  )
  await dialog.getByRole("button", { name: "Desativar" }).click()
  await dialog.getByRole("alert").waitFor()
  await page.unroute("**/api/v1/users/dora-alves")
  await dialog.getByRole("button", { name: "Desativar" }).click()
  await page.getByText("A conta de Dora Alves foi desativada.").waitFor()

  const eva = await app.createUser("Eva Reis")
  await using others = await openPage(app.browser, app.server.url)
  await openAs(others.page, eva, "/people/dora-alves")
  await others.page.getByText("No longer active").waitFor()
  expect(await others.page.getByRole("link", { name: "Account" }).count()).toBe(0)
  await others.page.goto("/people?active=false")
  await others.page.getByRole("link", { name: "Eva Reis" }).waitFor()
  expect(await others.page.getByText(dora.name).count()).toBe(0)
  expect(await others.page.getByText("Deactivated").count()).toBe(0)
})

test("a superuser removes the second factor of somebody who lost it, who can then log in with the password only", async () => {
  const olga = await app.createUser("Olga Sanz")
  const asOlga = await callerOf(app.server.url, olga)
  const { body } = await asOlga.post<{ secret: string }>("/api/v1/me/totp")
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
  expect((await asOlga.post("/api/v1/me/totp/confirmation", { code })).status).toBe(201)
  expect(await loginStatus(olga.username)).toBe(401)
  await using opened = await openPage(app.browser, app.server.url, sizes.phone)
  const { page } = opened
  await openAs(page, admin, `/admin/people/${olga.username}`)

  await page.getByRole("button", { name: "Remove second factors" }).click()
  const dialog = page.getByRole("dialog", { name: "Remove the second factors of Olga Sanz?" })
  await dialog.getByRole("button", { name: "Cancel" }).click()
  expect(await loginStatus(olga.username)).toBe(401)
  await page.getByRole("button", { name: "Remove second factors" }).click()
  await dialog.getByRole("button", { name: "Remove" }).click()

  await page.getByText("Olga Sanz can log in with the password alone.").waitFor()
  await page.getByRole("button", { name: "Remove second factors" }).waitFor({ state: "detached" })
  expect(await loginStatus(olga.username)).toBe(200)
})
