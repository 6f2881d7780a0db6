import { addresses, screenModules } from "../../src/ui/addresses.ts"
import type { BundledUi } from "./ui.ts"

/** Bytes over the wire, compressed with Brotli, to show a screen on a first visit. */
export interface FirstVisit {
  readonly screen: string
  readonly script: number
  /** With the style sheet and the icon. */
  readonly everything: number
}

/** For every screen, in the language whose texts are largest; the largest screen first. */
export function firstVisits({ files, entry, icon, screens, texts }: BundledUi): FirstVisit[] {
  const sizeOf = (paths: Iterable<string>) =>
    files.filter(({ path }) => new Set(paths).has(path)).reduce((sum, { br }) => sum + br.length, 0)
  const largestTexts = (screen: string) => {
    const address = addressOf(screen)
    return Math.max(...Object.values(texts).map((byAddress) => sizeOf(byAddress[address] ?? [])))
  }
  return Object.entries(screens)
    .map(([screen, loaded]) => {
      const script = sizeOf([entry.script, ...entry.preloads, ...loaded]) + largestTexts(screen)
      return { screen, script, everything: script + sizeOf([entry.style, icon]) }
    })
    .toSorted((one, other) => other.everything - one.everything)
}

/** The address of a screen; of a part of home, that of home. */
function addressOf(module: string): string {
  const [name] = Object.entries(screenModules).find(([, one]) => one === module) ?? ["home"]
  return addresses[name as keyof typeof addresses]
}

/** The text that a build prints. */
export function sizesOf(ui: BundledUi): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  const lines = firstVisits(ui).map(
    ({ screen, script, everything }) =>
      `  ${screen.padEnd(32)} ${kilobytes(script).padStart(8)} of script, ${kilobytes(everything).padStart(8)} in all`,
  )
  return ["first visit, compressed, in the language with the largest texts:", ...lines].join("\n")
}
