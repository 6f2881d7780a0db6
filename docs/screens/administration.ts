import type { Page } from "playwright-core"
import { as, openGiveBox } from "./entering.ts"
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
  admin: {
    kinds: usual,
    async open(page) {
      await onAnotherMachine(page)
      await asCarla(page, "/admin", "Everything is fine")
    },
  },
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
      await openGiveBox(page)
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
  "admin-allowances": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/allowances", "Yours to give")
      await page.getByRole("button", { name: "Who gets what next" }).click()
      await page.getByText(/points for \d+ people/).waitFor()
      await page.mouse.move(0, 0) // the button that was clicked has moved
    },
  },
  "admin-insights": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/insights", "Participation")
      await page.getByRole("figure").nth(1).waitFor()
    },
  },
  "admin-programme": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/programme", "List of tags")
      await page.getByRole("textbox", { name: "Most to one person" }).fill("200")
      await page.getByText("Not saved yet.").waitFor()
    },
  },
  "admin-departments": {
    kinds: usual,
    async open(page) {
      await asCarla(page, "/admin/departments", "superusers")
      await page.getByRole("listitem").filter({ hasText: "design" }).getByRole("button", { name: "Rename" }).click()
      await page.getByLabel("New name").fill("product")
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByText("move from design to product.").waitFor()
    },
  },
  "admin-leavers": {
    kinds: usual,
    async open(page) {
      await page.route("**/api/v1/people?*active=false*", (route) =>
        route.fulfill({ json: { items: left, next: null } }),
      )
      const departments = left.map(({ dept }) => ({ name: dept, people: 1 }))
      await page.route("**/api/v1/departments?active=false", (route) => route.fulfill({ json: { items: departments } }))
      await asCarla(page, "/people?active=false", "Former colleague")
    },
  },
  "admin-tokens": {
    kinds: usual,
    async open(page) {
      await page.route("**/api/v1/service-tokens", (route) => route.fulfill({ json: { items: tokens } }))
      await asCarla(page, "/admin/tokens", "Birthdays")
    },
  },
  "admin-webhooks": {
    kinds: usual,
    async open(page) {
      await page.route("**/api/v1/webhooks", (route) => route.fulfill({ json: { items: webhooks } }))
      await asCarla(page, "/admin/webhooks", "The intranet")
    },
  },
  "admin-server": {
    kinds: usual,
    async open(page) {
      await onAnotherMachine(page)
      await asCarla(page, "/admin/server", "There is enough disk space")
    },
  },
}

/** Shows the same figures of the server, wherever the pictures are taken. */
const onAnotherMachine = (page: Page) =>
  page.route("**/api/v1/health", async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), ...elsewhere } })
  })

const elsewhere = {
  free_bytes: 41_200_000_000,
  database_bytes: 3_400_000,
  started_at: "2026-11-02T06:00:00.000Z",
  backup: { every_hours: 24, last_at: "2026-11-19T06:00:00.000Z", failed_at: null },
  sends_mail: true,
}

/** Nobody has left the team. */
const left = [
  { username: "henrik-dahl", name: "Henrik Dahl", dept: "support", avatar: null },
  { username: "erased-7", name: "Former colleague", dept: "sales", avatar: null },
]

/** What begins at random, and ends in other years. */
const token = { expires_at: null, created_at: "2026-03-02T09:00:00.000Z" }
const tokens = [
  {
    ...{ ...token, id: 1, name: "Birthdays", prefix: "rwd_Zq81mXp4", scopes: ["give"], username: "carla-mendes" },
    ...{ last_used_at: "2026-11-19T11:00:00.000Z", last_used_from: "10.0.0.12" },
  },
  {
    ...{ ...token, id: 2, name: "Intranet", prefix: "rwd_7Hk2bTn0", scopes: ["read"], username: "carla-mendes" },
    ...{ last_used_at: "2026-11-19T18:30:00.000Z", last_used_from: "10.0.0.20" },
  },
]
const webhook = { active: true, failing_since: null, retry_at: null, stopped_because: null }
const webhooks = [
  {
    ...{ ...webhook, id: 1, url: "https://intranet.example.com/hooks/rewards", format: "standard" },
    ...{ events: ["transaction.created"], description: "The intranet", last_success_at: "2026-11-19T18:30:00.000Z" },
  },
  {
    ...{ ...webhook, id: 2, url: "https://chat.example.com/hooks/4f1c", format: "slack", events: [] },
    ...{ description: "Thanks in the chat", last_success_at: "2026-11-19T18:30:00.000Z" },
  },
]

const asCarla = (page: Page, address: string, words: string) => as(page, carla, address, page.getByText(words).first())
