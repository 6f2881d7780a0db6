import { expect, test } from "bun:test"
import { join } from "node:path"
import { addresses, screenModules } from "../../src/ui/addresses.ts"
import { firstVisits } from "../../tooling/bundle/sizes.ts"
import { bundleUi } from "../../tooling/bundle/ui.ts"

/** In the language with the longest texts. The goal is 60 kB for the administration, too. */
const mostOf = (screen: string): number => (screen.startsWith("screens/admin/") ? 63_200 : 61_000)

test("a first visit loads at most 61 kB of scripts and 90 kB in all, on any screen and in any language", async () => {
  const visits = firstVisits(await bundleUi())
  expect(visits.length).toBeGreaterThan(3)
  expect(visits.filter(({ screen, script, everything }) => script > mostOf(screen) || everything > 90_000)).toEqual([])
})

test("home stays within 62 kB of scripts with its second column on a desktop, too", async () => {
  const ui = await bundleUi()
  const [home = [], aside = []] = ["home", "aside"].map((name) => ui.screens[`screens/home/${name}.tsx`])
  const [visit] = firstVisits({ ...ui, screens: { home: [...home, ...aside] } })
  expect(home.length).toBeGreaterThan(0)
  expect(aside.length).toBeGreaterThan(0)
  expect(visit?.script).toBeLessThanOrEqual(62_000)
})

test("the same sources make the same files", async () => {
  const [one, other] = [await bundleUi(), await bundleUi()]
  expect(one).toEqual(other)
})

test("a first visit requests few scripts, and the page of each address names all scripts of its screen", async () => {
  const { entry, preloads, screens, texts } = await bundleUi()
  for (const [name, module] of Object.entries(screenModules)) {
    const address = addresses[name as keyof typeof screenModules]
    const named = [entry.script, ...entry.preloads, ...(preloads[address] ?? [])]
    expect({ name, named: named.toSorted() }).toEqual({
      name,
      named: [...new Set([entry.script, ...entry.preloads, ...(screens[module] ?? [])])].toSorted(),
    })
    for (const inLanguage of Object.values(texts))
      expect(named.length + (inLanguage[address]?.length ?? Number.NaN)).toBeLessThanOrEqual(12)
  }
})

test("the page knows the module of every screen that loads on demand", async () => {
  const routes = (await Bun.file(join(import.meta.dir, "../../src/ui/screens.tsx")).text()).replace(/\s+/g, " ")
  const loads = routes.matchAll(/"(\w+)", async \(\) => (?:for\w+\()?\(await import\("\.\/([^"]+)"\)/g)
  const modules = [...loads].map(([, name = "", module = ""]) => [name, module] as const)
  expect(modules.length).toBe(routes.split("await import(").length - 1)
  expect<Readonly<Record<string, string>>>(screenModules).toEqual(Object.fromEntries(modules))
})
