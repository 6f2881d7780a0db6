import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startServer } from "../support/executable.ts"

/**
 * `bun run audit:ui`: runs Lighthouse on the log-in and home screens, on a phone and a desktop. Lighthouse is
 * downloaded for each run, because its hundred packages, which include telemetry, should not be a dependency of
 * everybody who builds this.
 */
const lighthouse = "lighthouse@13.5.0"
const least = { performance: 95, accessibility: 100, "best-practices": 100 }
const pages = ["/login", "/"]

const chrome = [process.env.CHROME_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  (path) => path !== undefined && existsSync(path),
)

if (chrome === undefined) {
  console.error("The audit needs Chrome or Chromium: install it, or name its executable in CHROME_PATH.")
  process.exitCode = 1
} else if (!(await auditAll(chrome))) process.exitCode = 1

/** Returns whether every score is high enough. */
async function auditAll(path: string): Promise<boolean> {
  await using server = await startServer()
  const cookie = await sessionOf(server.url)
  let isGood = true
  for (const page of pages)
    for (const preset of ["mobile", "desktop"] as const) {
      const scores = await audit(path, { url: server.url + page, preset, cookie: page === "/login" ? null : cookie })
      isGood &&= Object.entries(least).every(([name, score]) => (scores[name] ?? 0) >= score)
      console.log(
        `${page.padEnd(8)} ${preset.padEnd(8)} ${Object.entries(scores)
          .map((pair) => pair.join(" "))
          .join(", ")}`,
      )
    }
  return isGood
}

async function sessionOf(url: string): Promise<string> {
  const body = new URLSearchParams({ username: "admin", password: "admin" })
  const answer = await fetch(`${url}/login`, { method: "POST", body })
  return answer.headers.get("set-cookie")?.split(";")[0] ?? ""
}

interface Asked {
  readonly url: string
  readonly preset: "mobile" | "desktop"
  readonly cookie: string | null
}

/** Scores out of 100 by category. */
async function audit(path: string, { url, preset, cookie }: Asked): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), "audit-"))
  const output = join(folder, "report.json")
  const options = [
    ...["--quiet", "--output=json", `--output-path=${output}`, `--only-categories=${Object.keys(least).join(",")}`],
    ...["--no-enable-error-reporting", "--chrome-flags=--headless=new --no-sandbox --disable-gpu"],
    ...(preset === "desktop" ? ["--preset=desktop"] : []),
    ...(cookie === null ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
  ]
  const run = Bun.spawn(["npx", "-y", lighthouse, url, ...options], {
    env: { ...process.env, CHROME_PATH: path },
    stdout: "inherit",
    stderr: "inherit",
  })
  if ((await run.exited) !== 0) throw new Error(`lighthouse failed at ${url}`)
  const { categories } = JSON.parse(readFileSync(output, "utf8")) as { categories: Record<string, { score: number }> }
  rmSync(folder, { recursive: true })
  return Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)]))
}
