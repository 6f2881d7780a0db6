import type { Page } from "playwright-core"
import { administration } from "./administration.ts"
import { as, openGiveBox } from "./entering.ts"
import type { Kind, Picture } from "./kinds.ts"
import { ana, carla } from "./team.ts"

const usual: readonly Kind[] = ["phone", "desktop", "desktop-dark"]

/** Every picture by its name: `bun run screens` takes them, or those that are named behind it. */
export const pictures: Readonly<Record<string, Picture>> = {
  login: { kinds: usual, open: (page) => page.goto("/login").then(() => heading(page, "Log in")) },
  "login-refused": {
    kinds: ["phone"],
    async open(page) {
      await page.goto("/login")
      await page.getByLabel("Username").fill(ana.username)
      await page.getByLabel("Password", { exact: true }).fill("a guess")
      await page.keyboard.press("Enter")
      await page.getByRole("alert").filter({ hasText: "Incorrect" }).waitFor()
    },
  },
  forgot: { kinds: ["phone", "desktop"], open: (page) => page.goto("/forgot").then(() => heading(page, "Forgot")) },
  reset: {
    kinds: ["phone", "desktop"],
    async open(page) {
      await page.goto(`/reset-password?pwd_reset_token=a.${btoa(JSON.stringify({ sub: ana.username }))}.c`)
      await page.getByLabel("New password").waitFor()
    },
  },
  home: { kinds: ["phone", "phone-dark", "desktop", "desktop-dark"], open: atHome },
  "home-pt": { kinds: ["phone", "desktop"], house: "portuguese", open: atHome },
  "home-first": {
    kinds: usual,
    house: "new",
    async open(page) {
      await as(page, { username: "admin", password: "admin" }, "/", page.getByText("Put up the wall"))
      // Beside the feed on a desktop.
      if ((page.viewportSize()?.width ?? 0) > 1000) await page.getByText("No recognition in this period").waitFor()
      await page.evaluate(() => innerWidth < 1024 && scrollTo(0, document.body.scrollHeight))
    },
  },
  give: {
    kinds: usual,
    async open(page) {
      await atHome(page)
      await fillGiveBox(page)
    },
  },
  "give-look": {
    kinds: usual,
    async open(page) {
      await atHome(page)
      await fillGiveBox(page)
      await page.getByRole("button", { name: "Give", exact: true }).click()
      await page.getByRole("button", { name: "Give 50 points" }).waitFor()
    },
  },
  people: { kinds: usual, open: (page) => as(page, ana, "/people", page.getByRole("link", { name: ana.name })) },
  person: { kinds: usual, open: (page) => as(page, ana, "/people/bruno-lima", page.getByRole("article").first()) },
  recap: {
    kinds: usual,
    open: (page) => as(page, ana, "/recap/2026", page.getByRole("heading", { name: ana.name })),
  },
  team: { kinds: usual, open: (page) => as(page, carla, "/team", page.getByRole("button", { name: "Thank" }).first()) },
  leaderboard: { kinds: usual, open: (page) => as(page, ana, "/leaderboard", page.getByRole("table")) },
  history: {
    kinds: usual,
    async open(page) {
      await as(page, ana, "/history", page.locator("main time").first())
      // On a phone the chart is folded.
      if ((page.viewportSize()?.width ?? 0) > 1000) await page.locator(".chart canvas").waitFor()
    },
  },
  me: { kinds: usual, open: (page) => as(page, ana, "/me", page.getByText("This browser")) },
  "second-factor": {
    kinds: usual,
    async open(page) {
      await page.route("**/api/v1/me/totp", (route) => route.fulfill({ json: setup }))
      await as(page, ana, "/me", page.getByText("This browser"))
      await page.getByRole("button", { name: "Set up an authenticator app" }).click()
      await page
        .getByRole("heading", { name: "Second factor" })
        .evaluate((one) => one.scrollIntoView({ block: "center" }))
      await page.getByLabel("Code from your app").evaluate((one) => one.scrollIntoView({ block: "center" }))
    },
  },
  rewards: { kinds: usual, open: (page) => as(page, ana, "/rewards", page.getByText("An oak, if you can.").first()) },
  recognition: {
    kinds: ["phone", "desktop"],
    async open(page) {
      await atHome(page)
      await page.getByRole("article").first().locator("a[href^='/recognition/']").first().click()
      await page.getByRole("button", { name: "Copy link" }).waitFor()
    },
  },
  account: {
    kinds: usual,
    async open(page) {
      await atHome(page)
      await page.getByRole("button", { name: "Account" }).click()
    },
  },
  palette: {
    kinds: usual,
    async open(page) {
      await atHome(page)
      await page.getByRole("button", { name: /^Search or jump to…/ }).click()
      await page.getByRole("combobox", { name: /^Search people/ }).fill("ma")
      await page.getByRole("option", { name: "Mariana Prado" }).waitFor()
    },
  },
  keys: {
    kinds: ["desktop", "desktop-dark"],
    async open(page) {
      await atHome(page)
      await page.keyboard.press("?")
      await heading(page, "Keyboard shortcuts")
    },
  },
  ...administration,
  missing: {
    kinds: ["phone"],
    open: (page) => as(page, ana, "/admin/nothing", page.getByRole("heading", { name: "Page not found" })),
  },
  wall: {
    kinds: ["day", "night"],
    async open(page) {
      await as(page, ana, "/wall", page.locator(".wall-newest"))
      await page.locator(".wall-controls[data-shown=false]").waitFor({ state: "attached" })
    },
  },
}

/** A secret is another one each time. */
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
const setup = { secret, uri: `otpauth://totp/Rewards:ana-souza?secret=${secret}&issuer=Rewards` }

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor()

function atHome(page: Page) {
  return as(page, ana, "/", page.locator("[role=status] .bg-success"))
}

async function fillGiveBox(page: Page) {
  await openGiveBox(page)
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
