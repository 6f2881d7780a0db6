import { existsSync } from "node:fs"
import { type Browser, chromium as playwright } from "playwright-core"

/**
 * A headless Chromium: from npm on Linux x64, with all the libraries that it needs; elsewhere the installed one that
 * CHROME_PATH names. `await using browser = await startBrowser()` ends it.
 */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await executablePath(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-background-networking",
    ],
  })
}

async function executablePath(): Promise<string> {
  const { CHROME_PATH: installed } = process.env
  if (installed !== undefined) {
    if (existsSync(installed)) return installed
    throw new Error(`there is no ${installed}, which CHROME_PATH names`)
  }
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("tests of the browser app need Chrome here: install it and set CHROME_PATH to its executable")
  // Or the package leaves the system's libraries packed; it looks when it is loaded.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x"
  const { default: packed } = await import("@sparticuz/chromium")
  return packed.executablePath()
}
