import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { defaultProgramme } from "../../src/domain/programme/model.ts"
import { callerOf } from "../support/credentials.ts"
import { clippedTexts, overflowOf } from "./layout.ts"
import { openPage, type Size, sizes } from "./page.ts"
import { openAs, startTestApp, type TestApp, type User } from "./test-app.ts"

// Whole journeys in German by keyboard only: what lies between the screens, which have suites of their own.

const superuser = { username: "admin", password: "admin" }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (who: Pick<User, "username" | "password">) => callerOf(app.server.url, who)

async function open(size: Size, who: Pick<User, "username" | "password">, address: string) {
  const opened = await openPage(app.browser, app.server.url, { ...sizes[size], locale: "de-DE" })
  await openAs(opened.page, who, address)
  return opened
}

/** Presses Tab until the element has the focus. */
async function tabTo(wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab") {
  await wanted.waitFor()
  for (let presses = 0; presses < 120; presses += 1) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return
    await wanted.page().keyboard.press(key)
  }
  throw new Error(`${wanted} is not reached by ${key}`)
}

async function enter(wanted: Locator, key?: "Tab" | "Shift+Tab") {
  await tabTo(wanted, key)
  await wanted.page().keyboard.press("Enter")
}

/** Replaces what is in the field. */
async function type(field: Locator, text: string) {
  await tabTo(field)
  await field.page().keyboard.press("Control+A")
  await field.page().keyboard.type(text)
}

/** Tab leads to the chosen or first radio of the group, and arrows to the others. */
async function choose(group: Locator, name: string) {
  const { keyboard } = group.page()
  const radio = group.getByRole("radio", { name, exact: true })
  await radio.waitFor({ state: "attached" })
  const isInside = () => group.evaluate((one) => one.contains(document.activeElement))
  for (let presses = 0; presses < 120 && !(await isInside()); presses += 1) await keyboard.press("Tab")
  await keyboard.press("Space")
  for (let presses = 0; presses < 10 && !(await radio.isChecked()); presses += 1) await keyboard.press("ArrowRight")
  expect(await radio.isChecked()).toBe(true)
}

/** Opens the line that gives points, where it is closed. */
async function openBox(page: Page) {
  const line = page.locator("#give > button")
  await page.locator("#give").waitFor()
  if ((await line.count()) > 0) await enter(line)
  else await tabTo(page.locator("#give").getByRole("combobox", { name: "Wem" }))
  await page.locator("#give textarea").waitFor()
}

async function give(page: Page, reason: string) {
  const box = page.locator("#give")
  await choose(box.getByRole("group", { name: "Punkte" }), "10 Punkte")
  await type(box.getByRole("textbox", { name: "Wofür" }), reason)
  await enter(box.getByRole("button", { name: "Geben", exact: true }))
}

const goTo = (page: Page, screen: string) =>
  enter(page.getByRole("navigation", { name: "Haupt" }).getByRole("link", { name: screen, exact: true }))

const entryOf = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text })

async function isWhole(page: Page) {
  expect([await overflowOf(page), await clippedTexts(page)]).toEqual([0, []])
}

describe.each(Object.keys(sizes) as Size[])("on a %s", (size) => {
  test("a new colleague gets an account under another username than the taken one, and logs in with its password", async () => {
    const taken = await app.createUser(`Zora ${size}`)
    await using opened = await open(size, superuser, "/admin")
    const { page } = opened
    await enter(page.getByRole("main").getByRole("link", { name: "Person anlegen" }))
    await type(page.getByLabel("Vollständiger Name"), taken.name)
    await type(page.getByLabel("E-Mail-Adresse"), `zora-new-${size}@example.com`)
    await type(page.getByRole("combobox", { name: "Abteilung" }), "sales")
    await page.getByRole("option", { name: "sales" }).waitFor()
    await page.keyboard.press("Enter")
    await enter(page.getByRole("button", { name: "Vorschlagen" }))
    await enter(page.getByRole("button", { name: "Anlegen", exact: true }))
    const username = page.getByLabel("Benutzername")
    await username.and(page.locator(":focus[aria-invalid=true]")).waitFor()
    await isWhole(page)
    await page.keyboard.press("Control+A")
    await page.keyboard.type(`zora-new-${size}`)
    await page.keyboard.press("Enter")
    await page.waitForURL(`**/admin/people/zora-new-${size}`)
    const password = await page.getByLabel(`Passwort, das ${taken.name} bekommt`).inputValue()
    await isWhole(page)

    await using theirs = await openPage(app.browser, app.server.url, { ...sizes[size], locale: "de-DE" })
    await theirs.page.goto("/leaderboard?period=year")
    await type(theirs.page.getByLabel("Benutzername"), `zora-new-${size}`)
    await type(theirs.page.getByLabel("Passwort", { exact: true }), password)
    await theirs.page.keyboard.press("Enter")
    await theirs.page.waitForURL("**/leaderboard?period=year")
    await theirs.page.getByRole("heading", { name: "Rangliste", level: 1 }).waitFor()
    await isWhole(theirs.page)
  })

  test("points that are given without a connection arrive once when it is back, as the page says meanwhile", async () => {
    const ana = await app.createUser(`Ana reist ${size}`, { points: 50 })
    const leo = await app.createUser(`Leo wartet ${size}`)
    const reason = `Aus dem Tunnel, ${size}`
    await using opened = await openPage(app.browser, app.server.url, { ...sizes[size], locale: "de-DE", outage: true })
    const { page } = opened
    await openAs(page, ana, "/")
    await page.getByText("Live", { exact: true }).waitFor()
    await openBox(page)
    await type(page.getByRole("combobox", { name: "Wem" }), leo.username)
    await page.getByRole("option", { name: leo.name }).waitFor()
    await page.keyboard.press("Enter")
    await page.context().setOffline(true)
    await give(page, reason)
    await entryOf(page, reason).getByText("Es ist nicht bekannt, ob das angekommen ist.").waitFor()
    await isWhole(page)

    await page.context().setOffline(false)
    await entryOf(page, reason).locator("time").waitFor()
    await page.getByText("Live", { exact: true }).waitFor()
    await page.reload()
    await entryOf(page, reason).locator("time").waitFor()
    expect(await entryOf(page, reason).count()).toBe(1)
    const { body } = await (await as(ana)).get<{ items: object[] }>(`/api/v1/transactions?from_user=${ana.username}`)
    expect(body.items).toMatchObject([{ value: 10, reason }])
  })

  test("a colleague is found among the people and thanked there, and sees it without a reload", async () => {
    const ana = await app.createUser(`Ana findet ${size}`, { points: 50 })
    const joao = await app.createUser(`João Araújo ${size}`, { username: `joao-${size}` })
    await using mine = await open(size, ana, "/")
    await using theirs = await open(size, joao, "/")
    const { page } = mine
    await theirs.page.getByText("Live", { exact: true }).waitFor()

    await goTo(page, "Personen")
    await type(page.getByLabel("Name oder Benutzername"), `arau`)
    await enter(page.getByRole("main").getByRole("link", { name: joao.name }))
    await page.waitForURL(`**/people/${joao.username}`)
    await openBox(page)
    await give(page, `Für die Geduld, ${size}`)
    await entryOf(page, "Für die Geduld").getByText("Noch nicht gesendet.").waitFor()
    await isWhole(page)
    await entryOf(page, "Für die Geduld").locator("time").waitFor()
    await entryOf(theirs.page, `Für die Geduld, ${size}`).locator("time").waitFor()
    await isWhole(theirs.page)
  })

  test("one's history is narrowed, turned over and downloaded, and its address shows the same after a reload", async () => {
    const ana = await app.createUser(`Ana blättert ${size}`, { points: 500, username: `ana-history-${size}` })
    const zoe = await app.createUser(`Zoë Größe ${size}`, { username: `zoe-${size}` })
    const giving = await as(ana)
    for (let value = 1; value <= 26; value += 1)
      expect((await giving.post("/api/v1/transactions", { to: zoe.username, value, reason: "Für Übung" })).status).toBe(
        201,
      )
    await using opened = await open(size, ana, "/")
    const { page } = opened

    await goTo(page, "Verlauf")
    await page.getByText("27 Einträge · 1 bis 25").first().waitFor()
    await enter(page.getByRole("button", { name: "Filter", exact: true }))
    await enter(page.getByRole("link", { name: "Gegeben" }))
    await page.getByText("26 Einträge · 1 bis 25").first().waitFor()
    await enter(page.getByRole("link", { name: "Nächste Seite" }))
    await page.getByText("26 Einträge · 26 bis 26").first().waitFor()
    const address = page.url()
    await page.reload()
    await page.getByText("26 Einträge · 26 bis 26").first().waitFor()
    await page.goBack()
    await page.getByText("26 Einträge · 1 bis 25").first().waitFor()
    await page.goForward()
    await page.waitForURL(address)
    await isWhole(page)

    const downloaded = page.waitForEvent("download")
    await enter(page.getByRole("link", { name: "CSV", exact: true }))
    const file = Bun.file(await (await downloaded).path())
    // With this mark, spreadsheets read the accents right.
    expect([...(await file.bytes()).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect((await file.text()).match(/Für Übung/g)).toHaveLength(26)
  })

  test("points are added to a colleague's entry with a reaction and a reply of two lines, which the receiver reads", async () => {
    const [ana, bruno, carla] = [
      await app.createUser(`Ana liest ${size}`, { points: 50 }),
      await app.createUser(`Bruno dankt ${size}`, { points: 50 }),
      await app.createUser(`Carla bekommt ${size}`),
    ]
    const reason = `Für den Abend, ${size}`
    await (await as(bruno)).post("/api/v1/transactions", { to: carla.username, value: 10, reason })
    await using opened = await open(size, ana, "/")
    const { page } = opened
    const entry = entryOf(page, reason)

    await enter(entry.getByRole("button", { name: `5 Punkte für ${carla.name} dazugeben` }))
    await entry.getByText("Du gibst 5 Punkte dazu").waitFor()
    await entry.getByRole("button", { name: "Rückgängig" }).and(page.locator(":focus")).waitFor()
    await entry.getByText("+5 von dir").waitFor()
    await enter(entry.getByRole("button", { name: "Reagieren oder antworten" }))
    await enter(entry.getByRole("button", { name: "👏", exact: true }))
    await entry.getByRole("button", { name: "👏 1", pressed: true }).waitFor()
    await enter(entry.getByRole("button", { name: "Reagieren oder antworten" }))
    await enter(entry.getByRole("button", { name: "Antworten", exact: true }))
    await entry.getByRole("textbox").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("Schön war es!")
    await page.keyboard.press(size === "phone" ? "Enter" : "Shift+Enter")
    await page.keyboard.type("Bis bald.")
    await page.keyboard.press("Control+Enter")
    await entry.getByRole("button", { name: "1 Antwort" }).waitFor()
    await isWhole(page)

    await using theirs = await open(size, carla, "/")
    const received = entryOf(theirs.page, reason)
    await received.getByText("+5 von 1 Person").waitFor()
    await received.getByRole("button", { name: "👏 1", pressed: false }).waitFor()
    await enter(received.getByRole("button", { name: "1 Antwort" }))
    expect(await received.getByText("Schön war es!").textContent()).toBe("Schön war es!\nBis bald.")
    await isWhole(theirs.page)
  })

  test("a manager thanks the one of the team who waits longest, and takes it back with everything kept", async () => {
    const manager = await app.createUser(`Mara leitet ${size}`, { points: 50 })
    const nikhil = await app.createUser(`Nikhil wartet ${size}`)
    const administering = await as(superuser)
    await administering.patch(`/api/v1/users/${nikhil.username}`, { manager: manager.username })
    await using opened = await open(size, manager, "/")
    const { page } = opened

    await goTo(page, "Team")
    await page.getByText("In den letzten 30 Tagen gedankt: 0 von 1").waitFor()
    const waiting = page.getByRole("region", { name: "Seit 30 Tagen ohne Dank" }).getByRole("listitem")
    expect(await waiting.getByText(nikhil.name).count()).toBeGreaterThan(0)
    expect(await page.getByText("Guthaben").count()).toBe(0)
    await enter(waiting.getByRole("button"))
    await give(page, `Für die Ruhe, ${size}`)
    await page.getByText("Noch nicht gesendet.").waitFor()
    await isWhole(page)
    await enter(page.getByRole("button", { name: "Rückgängig" }), "Shift+Tab")
    await page.getByText("Noch nicht gesendet.").waitFor({ state: "detached" })
    await openBox(page)
    expect(await page.getByLabel("Wofür").inputValue()).toBe(`Für die Ruhe, ${size}`)
    expect((await administering.get(`/api/v1/transactions?username=${nikhil.username}`)).body).toMatchObject({
      items: [],
    })
  })

  test("what a superuser saves on the programme's screen holds at once in the page that a colleague has open", async () => {
    const [ana, leo] = [await app.createUser(`Ana gibt ${size}`, { points: 50 }), await app.createUser(`Leo ${size}`)]
    await using theirs = await open(size, ana, "/")
    await theirs.page.getByText("Live", { exact: true }).waitFor()
    await using opened = await open(size, superuser, "/admin/programme")
    const { page } = opened
    const save = async (name: string) => {
      const part = page.getByRole("region", { name, exact: true })
      await enter(part.getByRole("button", { name: "Speichern" }))
      await part.getByText("Gespeichert. Es gilt ab jetzt.").waitFor()
    }
    try {
      await choose(page.getByRole("group", { name: "Begründung", exact: true }), "Verpflichtend")
      await save("Geben")
      await type(page.getByRole("textbox", { name: "Name in der Einzahl" }), "Stern")
      await type(page.getByRole("textbox", { name: "Name in der Mehrzahl" }), "Sterne")
      await choose(page.getByRole("group", { name: "Rangliste", exact: true }), "Niemand: es gibt keine")
      await save("Was alle sehen")
      await isWhole(page)

      const board = theirs.page.getByRole("navigation", { name: "Haupt" }).getByRole("link", { name: "Rangliste" })
      await board.waitFor({ state: "detached" })
      await openBox(theirs.page)
      await type(theirs.page.getByRole("combobox", { name: "Wem" }), `leo ${size}`)
      await theirs.page.getByRole("option", { name: leo.name }).waitFor()
      await theirs.page.keyboard.press("Enter")
      await choose(theirs.page.getByRole("group", { name: "Sterne" }), "10 Sterne")
      await enter(theirs.page.locator("#give").getByRole("button", { name: "Geben", exact: true }))
      await theirs.page.getByText("Sag, wofür.").waitFor()
      await theirs.page.getByRole("textbox", { name: "Wofür" }).and(theirs.page.locator(":focus")).waitFor()
      await isWhole(theirs.page)
    } finally {
      expect(await (await as(superuser)).patch("/api/v1/programme", defaultProgramme)).toMatchObject({ status: 200 })
    }
  })

  test("the quarter is opened from the account's panel, fits on one sheet, and is kept as a picture", async () => {
    const ana = await app.createUser(`Ana blickt zurück ${size}`, { points: 50, username: `ana-recap-${size}` })
    await using opened = await open(size, ana, "/")
    const { page } = opened
    await enter(page.getByRole("button", { name: "Konto" }))
    await enter(page.getByRole("link", { name: "Rückblick" }))
    await enter(page.getByRole("link", { name: "Quartal", exact: true }))
    await page.waitForURL(/\/recap\/\d{4}-Q\d$/)
    await page.getByRole("heading", { name: ana.name }).waitFor()
    await isWhole(page)
    const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g)
    expect(sheets).toHaveLength(1)

    const downloaded = page.waitForEvent("download")
    await enter(page.getByRole("link", { name: "Als Bild" }))
    const picture = await Bun.file(await (await downloaded).path()).bytes()
    expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe("PNG")
  })
})
