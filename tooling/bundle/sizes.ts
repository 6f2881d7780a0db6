import type { BundledUi } from "./ui.ts"

/** Bytes over the wire, compressed with Brotli, to show a screen on a first visit. */
export interface FirstVisit {
  readonly screen: string
  readonly script: number
  /** With the style sheet and the icon. */
  readonly everything: number
}

/** For every screen, largest first. */
export function firstVisits({ files, entry, icon, screens }: BundledUi): FirstVisit[] {
  const sizeOf = (paths: Iterable<string>) =>
    files.filter(({ path }) => new Set(paths).has(path)).reduce((sum, { br }) => sum + br.length, 0)
  return Object.entries(screens)
    .map(([screen, loaded]) => {
      const script = sizeOf([entry.script, ...entry.preloads, ...loaded])
      return { screen, script, everything: script + sizeOf([entry.style, icon]) }
    })
    .toSorted((one, other) => other.everything - one.everything)
}

/** The text that a build prints. */
export function sizesOf(ui: BundledUi): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  const lines = firstVisits(ui).map(
    ({ screen, script, everything }) =>
      `  ${screen.padEnd(32)} ${kilobytes(script).padStart(8)} of script, ${kilobytes(everything).padStart(8)} in all`,
  )
  return ["first visit, compressed:", ...lines].join("\n")
}
