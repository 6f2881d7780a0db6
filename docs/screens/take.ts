import { join } from "node:path"
import type { Page } from "playwright-core"
import { openPage, sizes } from "../../test/ui/page.ts"
import { type Colleague, logIn, openPlace } from "../../test/ui/place.ts"
import { thankEachOther } from "./recognition.ts"

/** Every picture, and how the page comes there: `bun run screens` takes them, or those that are named behind it. */
const screens: Readonly<Record<string, (page: Page, who: Colleague) => Promise<unknown>>> = {
  login: async (page) => {
    await page.goto("/login")
    await page.getByRole("heading", { name: "Log in" }).waitFor()
  },
  "login-refused": async (page, { username }) => {
    await page.goto("/login")
    await page.getByLabel("User name").fill(username)
    await page.getByLabel("Password", { exact: true }).fill("a guess")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "Incorrect" }).waitFor()
  },
  forgot: async (page) => {
    await page.goto("/forgot")
    await page.getByLabel("E-mail address").waitFor()
  },
  reset: async (page, { username }) => {
    await page.goto(`/reset-password?pwd_reset_token=a.${btoa(JSON.stringify({ sub: username }))}.c`)
    await page.getByLabel("New password").waitFor()
  },
  home: async (page, who) => {
    await atHome(page, who)
    await page.getByText("The customers never noticed").waitFor()
    await page.getByText("Live", { exact: true }).waitFor()
  },
  give: async (page, who) => {
    await atHome(page, who)
    await fillGiveBox(page)
  },
  "give-look": async (page, who) => {
    await atHome(page, who)
    await fillGiveBox(page)
    await page.getByRole("button", { name: "Give", exact: true }).click()
    await page.getByRole("button", { name: "Give 50 points" }).waitFor()
  },
  people: async (page, who) => {
    await page.goto("/people")
    await logIn(page, who)
    await page.getByRole("link", { name: who.name }).waitFor()
  },
  person: async (page, who) => {
    await page.goto("/people/bruno-lima")
    await logIn(page, who)
    await page.getByRole("article").first().waitFor()
  },
  leaderboard: async (page, who) => {
    await page.goto("/leaderboard")
    await logIn(page, who)
    await page.getByRole("table").waitFor()
  },
  me: async (page, who) => {
    await page.goto("/me")
    await logIn(page, who)
    await page.getByText("This browser").waitFor()
  },
  account: async (page, who) => {
    await atHome(page, who)
    await page.getByRole("button", { name: "Account" }).click()
  },
  wall: async (page, who) => {
    await page.setViewportSize({ width: 1920, height: 1080 })
    await page.goto("/login?next=/wall")
    await logIn(page, who)
    await page.locator(".wall-newest").waitFor()
  },
  history: async (page, who) => {
    await page.goto("/history")
    await logIn(page, who)
    await page.locator(".chart canvas").waitFor()
    await page.locator("time").first().waitFor()
  },
  missing: async (page, who) => {
    await page.goto("/admin/nothing")
    await logIn(page, who)
    await page.getByRole("heading", { name: "Nothing here" }).waitFor()
  },
}

const depts = ["sales", "support", "engineering", "people and culture"]
const team = [
  ...["Bruno Lima", "Carla Mendes", "Søren Øst", "João Araújo", "Mariana Prado", "Zoë Quinn", "Diego Ramos"],
  ...["Elena Petrova", "Fatima al-Sayed", "Henrik Dahl", "Inês Duarte", "Kenji Mori", "Lucía Vega"],
]

if (import.meta.main) await takeAll(process.argv.slice(2))

async function takeAll(named: readonly string[]) {
  await using place = await openPlace({ env: { REWARDS_RECOGNITION__TAGS: "teamwork,courage,care" } })
  const ana = await place.colleague("Ana Souza", { points: 1250 })
  for (const [index, name] of team.entries())
    await place.colleague(name, { points: 40 + ((index * 97) % 230), dept: depts[index % depts.length] ?? "sales" })
  await thankEachOther(place)
  for (const [name, open] of Object.entries(screens).filter(([name]) => named.length === 0 || named.includes(name)))
    for (const [size, options] of Object.entries(sizes))
      for (const colorScheme of ["light", "dark"] as const) {
        await using opened = await openPage(place.browser, place.server.url, { ...options, colorScheme })
        await open(opened.page, ana)
        await opened.page.screenshot({ path: join(import.meta.dir, `${name}-${size}-${colorScheme}.png`) })
      }
}

async function atHome(page: Page, who: Colleague) {
  await page.goto("/")
  await logIn(page, who)
  await page.getByText("Your balance").waitFor()
}

async function fillGiveBox(page: Page) {
  for (const name of ["mendes", "araujo"]) {
    await page.getByRole("combobox", { name: "To whom" }).fill(name)
    await page.getByRole("option").first().click()
  }
  await page
    .getByRole("group", { name: /^Points/ })
    .getByText("25", { exact: true })
    .click()
  await page.getByRole("textbox", { name: "What for" }).fill("You made the launch look easy.")
  await page.getByRole("group", { name: "Tags" }).getByText("#teamwork").click()
}
