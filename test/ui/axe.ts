import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type axe from "axe-core"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Violations of WCAG 2.2 AA and of axe's best practices, one line for each element. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // `evaluate` bypasses the Content-Security-Policy.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source)
  // In the middle of a transition, a color is neither the old nor the new one.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map((one) => one.finished))
  })
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run(document))
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
