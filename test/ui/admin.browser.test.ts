import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { plainly } from "../storage/files.ts"
import { createClient } from "../support/client.ts"
import { callerOf } from "../support/credentials.ts"
import { startServer } from "../support/executable.ts"
import { accessibilityViolations } from "./axe.ts"
import { clippedFieldTexts, clippedTexts, enlargeText, overflowOf } from "./layout.ts"
import { becomes, openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp } from "./test-app.ts"

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const admin = { username: "admin", password: "admin" }

const canLogIn = async (username: string, password: string) =>
  (await createClient(app.server.url).submit("/token", { username, password })).status === 200

const csv = (...rows: string[]) => ({
  name: "people.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(["name,email,dept", ...rows].join("\n")),
})

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a person is created; a taken username and a taken e-mail address are reported at their fields", async () => {
    const ana = await app.createUser(`Ana ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const described = () =>
      page.evaluate(() => [
        (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent,
        document.getElementById(document.activeElement?.getAttribute("aria-describedby") ?? "")?.textContent,
      ])
    await openAs(page, admin, "/admin")
    await page.getByRole("link", { name: "Create a person" }).click()
    await page.getByLabel("Full name").fill(ana.name)
    await page.getByRole("button", { name: "Create" }).click()
    await becomes(described, ["E-mail address", "Enter the e-mail address."])

    await page.getByLabel("E-mail address").fill(ana.email)
    await page.getByRole("combobox", { name: "Department" }).fill(`New ${size}`)
    await page.keyboard.press("Tab")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByText(`There is no department “New ${size}” yet.`).waitFor()
    await page.getByRole("combobox", { name: "Department" }).click()
    await page.getByRole("option", { name: `New department “New ${size}”` }).click()
    await page.getByText(`“New ${size}” is a new department.`).waitFor()
    await page.getByRole("button", { name: "Suggest one" }).click()
    const password = page.getByLabel("Initial password")
    await becomes(async () => /^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/.test(await password.inputValue()), true)
    const suggested = await password.inputValue()
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByText("Username already taken").waitFor()
    await becomes(described, ["Username", "Username already taken"])

    const other = `other-${size}`
    await page.getByLabel("Username").fill(other)
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByText("Someone already has this e-mail address.").waitFor()
    await becomes(described, ["E-mail address", "Someone already has this e-mail address."])
    expect(await password.inputValue()).toBe(suggested)

    await page.getByLabel("E-mail address").fill(`${other}@example.com`)
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByText(`${ana.name} can now log in.`).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/admin/people/${other}`)
    expect(await canLogIn(other, suggested)).toBe(true)

    // The password cannot be looked up later, so the panel stays until it is closed.
    const handover = page.getByLabel(`Password to hand over to ${ana.name}`)
    expect(await handover.inputValue()).toBe(suggested)
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("button", { name: "Copy" }).click()
    await page.getByText("Copied").waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(suggested)
    await page.getByRole("link", { name: "People", exact: true }).click()
    await page.waitForURL("**/people")
    await page.goBack()
    expect(await handover.inputValue()).toBe(suggested)
    await page.getByRole("button", { name: "Close" }).click()
    await handover.waitFor({ state: "detached" })
  })

  test("an import file is checked first and its invalid rows are listed; once corrected, it is imported completely", async () => {
    const bruno = await app.createUser(`Bruno ${size}`)
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const file = page.locator("input[type=file]")
    const right = [`Carla ${size},carla-${size}@example.com,sales`, `Dora ${size},dora-${size}@example.com,sales`]
    await openAs(page, admin, "/admin/import")
    await file.setInputFiles(csv(right[0] ?? "", `Dora ${size},dora,sales`, `Eva ${size},eva-${size}@example.com,`))
    await page.getByText("2 problems found.").waitFor()
    expect(await page.locator("tbody tr").allInnerTexts()).toEqual([
      "3\temail\tOne plain address of at most 254 characters",
      "4\tdept\t1 to 100 visible characters on one line",
    ])
    expect(await page.getByRole("button", { name: "Import" }).count()).toBe(0)

    await file.setInputFiles(csv(...right, `${bruno.name},${bruno.email},support ${size}`))
    await page.getByText("2 new people, 1 changed").waitFor()
    await page.getByText(`New department: support ${size}`).waitFor()
    expect((await createClient(app.server.url).get(`/user/carla-${size}/`)).status).toBe(404)
    expect(await page.getByLabel("Invite new people by e-mail").isChecked()).toBe(true)
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByText("Imported: 2 new people, 1 changed. Mail is not set up, so nobody gets an e-mail.").waitFor()
    expect(await createClient(app.server.url).get(`/user/carla-${size}/`)).toMatchObject({ body: { dept: "sales" } })
    expect(await createClient(app.server.url).get(`/user/${bruno.username}/`)).toMatchObject({
      body: { dept: `support ${size}` },
    })

    const leaver = `Leaver ${size}`
    await app.createUser(leaver, { username: `leaver-${size}` })
    const leaving = `username,active\nleaver-${size},no\n`
    await file.setInputFiles({ ...csv(), buffer: Buffer.from(leaving) })
    const whom = page.locator("section").filter({ hasText: "1 person will be deactivated" })
    await whom.getByText(leaver).waitFor()
    expect(await canLogIn(`leaver-${size}`, `leaver-${size} comes in`)).toBe(true)
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByText("Imported: 1 changed.").waitFor()
    expect(await canLogIn(`leaver-${size}`, `leaver-${size} comes in`)).toBe(false)
  })

  test("the file of a personnel system is mapped once: five rows, unknown columns, dates; next time it is read at once", async () => {
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    const person = (name: string, day: string) =>
      `Jörg;${name} ${size};${name}-${size}@example.com;Vertrieb;Lager ${size};${day};`.toLowerCase()
    const rows = ["Vorname;Nachname;E-Mail;Bereich;Ort;Einstellungsdatum;", person("müller", "1/2/2024")]
    const fileOf = (lines: readonly string[]) => ({
      name: "personio.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(lines.join("\r\n"), "latin1"),
    })
    const file = page.locator("input[type=file]")
    await openAs(page, admin, "/admin/import")
    await file.setInputFiles(fileOf(rows.map((row) => row.replace("Ort;", "Ort;;").replace(/(lager.*?);/, "$1;x;"))))

    const means = (header: string) => page.getByLabel(header, { exact: true })
    await page.getByText("Windows-1252, with semicolons between the cells.").waitFor()
    await page.getByText("2 columns are not known: Ort and Column 6").waitFor()
    expect(await means("Nachname").inputValue()).toBe("last_name")
    expect(await page.getByRole("list", { name: "First five rows" }).nth(1).textContent()).toBe(`müller ${size}`)
    await page.getByText("It can begin with the day or the month; say which with dates, dmy or mdy").waitFor()
    expect(await page.getByRole("button", { name: "Import" }).count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)

    await page.getByLabel("Dates such as 1/2/2026 begin with").selectOption({ label: "the month" })
    await means("Bereich").focus()
    await page.keyboard.press("l")
    await page.getByText("1 problem found.").waitFor()
    expect(await means("Bereich").evaluate((one) => one === document.activeElement)).toBe(true)
    await means("Ort").selectOption({ label: "Department" })
    await page.getByLabel("Leave out what is not known").check()
    await page.getByText("1 new person").waitFor()
    await page.getByText(`New department: lager ${size}`).waitFor()
    await page.getByLabel("Invite new people by e-mail").uncheck()
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByText("Imported: 1 new person.").waitFor()
    const users = createClient(app.server.url)
    expect(await users.get(`/user/jörg-müller-${size}/`)).toMatchObject({ body: { dept: `lager ${size}` } })

    await page.reload()
    await file.setInputFiles(
      fileOf(
        [...rows, person("maier", "3/4/2024")].map((row) =>
          row.replace("Ort;", "Ort;;").replace(/(lager.*?);/, "$1;x;"),
        ),
      ),
    )
    await page.getByText("1 new person, 1 unchanged").waitFor()
    expect(await means("Ort").inputValue()).toBe("dept")
    expect(await page.getByLabel("Leave out what is not known").isChecked()).toBe(true)
  })

  test("a superuser finds a user by name, and sets a password", async () => {
    const fabio = await app.createUser(`Fábio ${size}`, { username: `fabio-${size}`, points: 1250 })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, "/admin")
    await page.getByRole("combobox", { name: "Find a person by name" }).fill(`fabio ${size}`)
    await page.getByRole("option", { name: fabio.name }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: fabio.name }).waitFor()
    await page.goto(`/people/${fabio.username}`)
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByText("1,250 points").waitFor()
    await page.getByText(fabio.email).waitFor()

    await page.getByLabel("New password").fill("handed over")
    await page.getByRole("button", { name: "Set password" }).click()
    await page.getByText(`The password for ${fabio.name} has been changed.`).waitFor()
    expect([await canLogIn(fabio.username, fabio.password), await canLogIn(fabio.username, "handed over")]).toEqual([
      false,
      true,
    ])
  })

  test("a department gets points by the box on home, after a confirmation of the sum", async () => {
    const dept = `care ${size}`
    const [ivo, jan] = [`ivo-${size}`, `jan-${size}`]
    for (const username of [ivo, jan]) await app.createUser(`Name of ${username}`, { username, dept })
    await using opened = await openPage(app.browser, app.server.url, sizes[size])
    const { page } = opened
    await openAs(page, admin, "/admin")
    await page.getByRole("link", { name: "Give to many" }).click()
    await page.waitForFunction(() => document.activeElement?.closest("#give") != null)
    await page.keyboard.type(dept)
    await page.getByRole("option", { name: `Everyone in ${dept}` }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("25", { exact: true }).click()
    await page.getByRole("button", { name: "Give", exact: true }).click()
    const look = page.getByRole("dialog", { name: "Give 25 points to each?" })
    await look.getByText("2 × 25 = 50 points").waitFor()
    const answer = page.waitForResponse((response) => response.url().endsWith("/api/v1/grants"))
    await look.getByRole("button", { name: "Give 50 points" }).click()
    expect((await answer).status()).toBe(201)
    await page.goto(`/admin/people/${jan}`)
    await page.getByText("25 points").waitFor()
  })
})

test("no administration screen has an accessibility fault, light or dark, and large text is not cut off", async () => {
  const name = '<b>Gil "the man"</b> שרה'
  const gil = await app.createUser(name, { username: "gil", points: 40 })
  await app.createUser(name, { username: "shira", email: "shira@example.com", points: 40 })
  await (await callerOf(app.server.url, admin)).patch("/api/v1/users/shira", { active: false })
  await using opened = await openPage(app.browser, app.server.url, { viewport: { width: 320, height: 640 } })
  const { page } = opened
  await openAs(page, admin, "/admin")
  for (const [path, open] of [
    ["/admin", () => page.getByText("It works, but something deserves a look").waitFor()],
    [
      "/admin/new",
      async () => {
        await page.getByRole("button", { name: "Suggest one" }).click()
        await page.getByRole("button", { name: "Create" }).click()
        await page.getByText("Enter the full name.").waitFor()
      },
    ],
    [
      `/admin/people/${gil.username}`,
      async () => {
        await page.getByRole("combobox", { name: "Department" }).fill("Nowhere yet")
        await page.keyboard.press("Tab")
        await page.getByRole("button", { name: "Save changes" }).click()
        await page.getByText("There is no department").waitFor()
      },
    ],
    [
      "/admin/people/gil?deactivate",
      async () => {
        await page.getByRole("button", { name: "Deactivate" }).click()
        await page.getByText("Return the remaining 40 points").click()
      },
    ],
    [
      "/admin/people/shira",
      async () => {
        await page.getByRole("button", { name: "Erase" }).click()
        await page.getByRole("button", { name: "Erase for good" }).click()
        await page.getByText("Type “shira”.").waitFor()
      },
    ],
    ["/people?active=false", () => page.getByText("No longer active").first().waitFor()],
    [
      "/admin/import",
      async () => {
        await page.locator("input[type=file]").setInputFiles(csv("Ana,a-rather-long-address-without-a-host,sales"))
        await page.locator("tbody tr").waitFor()
      },
    ],
    ["/admin/server", () => page.getByText("There is enough disk space").waitFor()],
  ] as const) {
    await page.goto(path)
    await open()
    expect([path, await overflowOf(page), await clippedTexts(page), await clippedFieldTexts(page)]).toEqual([
      path,
      0,
      [],
      [],
    ])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      expect([path, await accessibilityViolations(page)]).toEqual([path, []])
    }
    await enlargeText(page)
    for (const { viewport } of Object.values(sizes)) {
      await page.setViewportSize(viewport)
      expect([path, await overflowOf(page), await clippedTexts(page)]).toEqual([path, 0, []])
    }
    await page.setViewportSize({ width: 320, height: 640 })
  }
})

test("with backups scheduled and nothing lost, the server screen says that everything is fine", async () => {
  await using server = await startServer({ env: { REWARDS_BACKUP__EVERY_HOURS: "24" } })
  await using opened = await openPage(app.browser, server.url, sizes.desktop)
  await openAs(opened.page, admin, "/admin/server")
  await opened.page.getByText("Everything is fine").waitFor()
})

test("the server's health is shown in words, and only to superusers", async () => {
  const helena = await app.createUser("Helena")
  {
    using client = plainly(join(app.server.cwd, "rewards.db"))
    client.run(
      `INSERT INTO jobs (kind, payload, state, max_attempts, retry_until, run_at, last_error, created_at, finished_at)
       VALUES ('invitation', '{}', 'discarded', 1, 0, 0, '550 ana@example.com is unknown', 0, ?)`,
      [Date.now()],
    )
  }
  await using opened = await openPage(app.browser, app.server.url, { ...sizes.desktop, locale: "pt-BR" })
  const { page } = opened
  await page.goto("/admin/server")
  await page.getByLabel("Nome de usuário").fill("admin")
  await page.getByLabel("Senha", { exact: true }).fill("admin")
  await page.keyboard.press("Enter")
  await page.getByText("Funciona, mas algo merece atenção").waitFor()
  expect(await page.getByText("Está tudo bem").count()).toBe(0)
  for (const words of ["O banco de dados aceita gravações", "Há espaço suficiente no disco", "Nenhum backup agendado"])
    expect(await page.getByText(words).count()).toBe(1)
  await page.getByText(/1 e-mail não pôde ser enviado: .* 550 …@… is unknown/).waitFor()

  await using others = await openPage(app.browser, app.server.url, sizes.desktop)
  await openAs(others.page, helena, "/admin/server")
  await others.page.getByRole("heading", { name: "Only superusers can open this" }).waitFor()
  await others.page.goto("/people/helena")
  await others.page.getByRole("link", { name: "Edit my profile" }).waitFor()
  expect(await others.page.getByRole("link", { name: "Account" }).count()).toBe(0)
  expect(await others.page.getByRole("link", { name: "Admin" }).count()).toBe(0)
})
