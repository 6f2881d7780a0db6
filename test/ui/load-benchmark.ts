import { copyFile, open } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Page } from "playwright-core"
import { database } from "../../bench/databases.ts"
import { aligned, median } from "../../bench/report.ts"
import { startServer, temporaryFolder } from "../support/executable.ts"
import { startBrowser } from "./browser.ts"
import { type Size, sizes } from "./page.ts"
import { type ExpectedContent, marked, visit } from "./page-load.ts"

/*
 * bun run bench:ui [NAME...] [--rounds N] [--size phone|desktop] [--database FILE]
 *
 * Measures in Chromium, with 10,000 people and 1,000,000 transactions: how long each screen takes from the navigation
 * until its content (not its skeleton) is painted, on a first and on a second visit; how soon points can be sent; and
 * how soon a sent transfer is painted. Each round uses a new browser profile; the first round does not count. The
 * database is generated once and reused; FILE is another database of `bench/generate.ts` that no server has open.
 */

/** A member with a long history, and a superuser, who sees everybody's history. */
const [member, superuser] = ["busy", "admin"]

interface Screen {
  readonly path: string
  readonly as: string | null
  readonly shows: ExpectedContent
}

const row = "main table tbody td time"
const screens: Readonly<Record<string, Screen>> = {
  // Shows the overhead of the browser itself and of a busy machine.
  "a line of text": { path: "/api/v1/nothing", as: null, shows: ["pre"] },
  "log-in": { path: "/login", as: null, shows: ["form input[type=password]"] },
  home: { path: "/", as: member, shows: ["main article time", "#give input", "main dd"] },
  people: { path: "/people", as: member, shows: ["main ul a[href^='/people/']"] },
  person: { path: "/people/quiet", as: member, shows: ["main h1", "main dd", "main article time"] },
  "history, one's own": { path: "/history", as: member, shows: [row, "main dd"] },
  "history, everybody's": { path: "/history", as: superuser, shows: [row, "main dd"] },
  "history, page 10,000 by points": {
    path: "/history?order_by=-value&page=10000",
    as: superuser,
    shows: [row, "main dd"],
  },
  leaderboard: { path: "/leaderboard?period=all", as: member, shows: ["main tbody tr"] },
  me: { path: "/me", as: member, shows: ["main form", "main ul.divide-y li"] },
  administration: { path: "/admin", as: superuser, shows: ["main input", "a[href='/admin/server'] .font-medium"] },
  wall: { path: "/wall", as: member, shows: ["article.wall-newest", ".wall-before li"] },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    size: { type: "string" },
    database: { type: "string" },
  },
})
const rounds = Number(values.rounds)
const isChosen = (name: string) => positionals.length === 0 || positionals.some((one) => name.startsWith(one))

await using folder = await temporaryFolder()
const given = values.database ?? (await database(1_000_000, join(import.meta.dir, "../../bench/.cache")))
await copyToDisk(given, join(folder.path, "rewards.db"))
await using server = await startServer({ cwd: folder.path })
await using browser = await startBrowser()

for (const size of (Object.keys(sizes) as Size[]).filter((one) => one === (values.size ?? one))) {
  const app = { server, browser, size }
  const rows = [["Milliseconds, median and worst", "First visit", "Again"]]
  for (const [name, { path, as, shows }] of Object.entries(screens).filter(([name]) => isChosen(name))) {
    const times = await repeated(async () => {
      await using visitor = await visit(app, as, shows)
      return [await visitor.open(path), await visitor.open(path)]
    })
    rows.push([name, ...times])
  }
  if (isChosen("give box")) {
    const times = await repeated(async () => {
      await using visitor = await visit(app, member, ["#give input"])
      return [await visitor.open("/", "response"), await visitor.open("/", "response")]
    })
    rows.push(["give box, from the response", ...times])
  }
  if (isChosen("gift")) {
    await using visitor = await visit(app, superuser, ["main article time"])
    await visitor.open("/")
    rows.push(["gift, from the key that confirms", "", ...(await repeated(async () => [await giftMs(visitor.page)]))])
  }
  console.log(`\n${size}\n\n${aligned(rows)}`)
}

/** Without this, the server's first sync would wait until the whole copy is written. */
async function copyToDisk(from: string, to: string) {
  await copyFile(from, to)
  await using file = await open(to, "r+")
  await file.sync()
}

/** Median and worst value of each figure; the first round is a warm-up and does not count. */
async function repeated(measure: () => Promise<readonly number[]>): Promise<string[]> {
  const all: (readonly number[])[] = []
  for (let round = 0; round <= rounds; round += 1) all.push(await measure())
  const counted = all.slice(1)
  return (counted[0] ?? []).map((_, index) => {
    const times = counted.map((one) => one[index] ?? Number.NaN)
    return `${Math.round(median(times))}, ${Math.round(Math.max(...times))}`
  })
}

/** Sends points by keyboard; measures until the entry is painted. */
async function giftMs(page: Page): Promise<number> {
  const reason = crypto.randomUUID()
  // Before that, the transfer box would treat Enter as the second half of a double press.
  await page.waitForTimeout(1000)
  await page.getByRole("combobox", { name: "To whom" }).focus()
  await page.keyboard.type("quiet")
  await page.getByRole("option").first().waitFor()
  await page.keyboard.press("Enter")
  await page
    .getByRole("group", { name: /^Points/ })
    .getByText("10", { exact: true })
    .click()
  await page.getByRole("textbox", { name: "What for" }).fill(reason)
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await page.getByRole("button", { name: "Give 10 points" }).waitFor()
  await page.evaluate((reason) => {
    const look = () => {
      const entries = [...document.querySelectorAll("article")]
      if (!entries.some(({ textContent }) => textContent.includes(reason))) return requestAnimationFrame(look)
      setTimeout(() => performance.mark(`given ${reason}`)) // after the current frame
    }
    const begin = ({ timeStamp }: KeyboardEvent) => {
      performance.mark(`confirmed ${reason}`, { startTime: timeStamp })
      requestAnimationFrame(look)
    }
    document.addEventListener("keydown", begin, { once: true, capture: true })
  }, reason)
  await page.keyboard.press("Enter")
  const givenMs = await marked(page, `given ${reason}`)
  return givenMs - (await marked(page, `confirmed ${reason}`))
}
