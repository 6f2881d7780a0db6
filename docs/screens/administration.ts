import type { Page } from "playwright-core"
import { as } from "./entering.ts"
import type { Picture } from "./kinds.ts"
import { carla } from "./team.ts"

const file = `name,email,dept
Nils Berg,nils.berg@example.com,sales
Olga Sanz,olga.sanz.example.com,support
Pedro Lins,pedro.lins@example.com,engineering
Rita Faro,rita.faro@example.com,`

const usual = ["phone", "desktop", "desktop-dark"] as const

/** The screens of superusers. */
export const administration: Readonly<Record<string, Picture>> = {
  admin: { kinds: usual, open: (page) => asCarla(page, "/admin", "Everything is fine") },
  "admin-create": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/new", "Create a person")
      await page.getByLabel("Full name").fill("Nils Berg")
      await page.getByLabel("E-mail address").fill("ana-souza@example.com")
      await page.getByRole("combobox", { name: "Department" }).fill("sales")
      await page.keyboard.press("Tab")
      await page.getByLabel("Initial password").fill("for the first day")
      await page.getByRole("button", { name: "Create" }).click()
      await page.getByText("Someone already has this e-mail address.").waitFor()
    },
  },
  "admin-import": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/import", "Choose a file")
      const people = { name: "new-people.csv", mimeType: "text/csv", buffer: Buffer.from(file) }
      await page.locator("input[type=file]").setInputFiles(people)
      await page.getByText("2 problems found.").waitFor()
    },
  },
  "admin-account": {
    kinds: usual,
    open: (page) => asCarla(page, "/admin/people/bruno-lima", "bruno-lima@example.com"),
  },
  "admin-grant": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/", "Granted this month")
      await page.getByRole("combobox", { name: "To whom" }).fill("supp")
      await page.getByRole("option", { name: "Everyone in support" }).click()
      await page
        .getByRole("group", { name: /^Points/ })
        .getByText("25", { exact: true })
        .click()
      await page
        .getByRole("textbox", { name: "What for" })
        .fill("For the week in which nobody waited longer than an hour.")
      await page.getByRole("button", { name: "Give", exact: true }).click()
      await page.getByRole("button", { name: "Give 100 points" }).waitFor()
    },
  },
  "admin-rewards": { kinds: usual, open: (page) => asCarla(page, "/admin/rewards", "An oak, if you can.") },
  "admin-budgets": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/allowances", "Yours to give")
      await page.getByRole("button", { name: "Who gets what next" }).click()
      await page.getByText(/points for \d+ people/).waitFor()
    },
  },
  "admin-insights": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/insights", "Not thanked for 30 days")
      await page.locator(".chart canvas").waitFor()
    },
  },
  "admin-server": {
    kinds: usual,
    async open(page) {
      await page.route("**/api/v1/health", async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ json: { ...(await answer.json()), ...elsewhere } })
      })
      await asCarla(page, "/admin/server", "There is enough disk space")
    },
  },
}

/** What would be another figure on each machine. */
const elsewhere = {
  free_bytes: 41_200_000_000,
  database_bytes: 3_400_000,
  started_at: "2026-11-02T06:00:00.000Z",
  backup: { every_hours: 24, last_at: "2026-11-19T06:00:00.000Z", failed_at: null },
  sends_mail: true,
}

const asCarla = (page: Page, address: string, words: string) => as(page, carla, address, page.getByText(words).first())
