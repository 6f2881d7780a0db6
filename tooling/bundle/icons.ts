import { mkdir } from "node:fs/promises"
import { join } from "node:path"

/** The icons of the installed app, by name: `any` is the icon itself, `maskable` fills the square for devices that crop it. */
export const iconSizes: ReadonlyMap<string, { readonly size: number; readonly purpose: "any" | "maskable" }> = new Map([
  ["icon-192", { size: 192, purpose: "any" }],
  ["icon-512", { size: 512, purpose: "any" }],
  ["icon-180-maskable", { size: 180, purpose: "maskable" }],
  ["icon-512-maskable", { size: 512, purpose: "maskable" }],
])

const source = join(import.meta.dir, "../../src/ui")

// Run `bun tooling/bundle/icons.ts` to redraw them after icon.svg has changed.
if (import.meta.main) await draw()

async function draw() {
  const { startBrowser } = await import("../../test/ui/browser.ts")
  await using browser = await startBrowser()
  const svg = await Bun.file(join(source, "icon.svg")).text()
  await mkdir(join(source, "icons"), { recursive: true })
  for (const [name, { size, purpose }] of iconSizes) {
    await using page = await browser.newPage({ viewport: { width: size, height: size } })
    const shown = purpose === "maskable" ? svg.replace(' rx="8"', "") : svg
    await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw }</style>${shown}`)
    await page.screenshot({ path: join(source, `icons/${name}.png`), omitBackground: true })
  }
}
