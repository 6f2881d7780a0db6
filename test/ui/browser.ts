import { existsSync } from "node:fs"
import { type Browser, chromium as playwright } from "playwright-core"

/**
 * Starts a headless Chromium: on Linux x64 the one from npm, which includes its libraries; elsewhere the executable in
 * CHROME_PATH. `await using browser = await startBrowser()` closes it.
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
    throw new Error(`CHROME_PATH names ${installed}, which does not exist`)
  }
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("tests of the browser app need Chrome here: install it and set CHROME_PATH to its executable")
  // Makes the package unpack its system libraries. It reads this when it is loaded.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x"
  const { default: packed } = await import("@sparticuz/chromium")
  return packed.executablePath()
}
