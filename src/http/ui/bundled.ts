/** A file that browsers are given, compressed when it was bundled. */
export interface UiFile {
  /** Where it is asked for; other content has another path. */
  readonly path: string
  readonly type: string
  readonly br: Blob
  readonly gzip: Blob
}

/** A square picture in PNG form. */
export interface InstalledIcon {
  readonly path: string
  /** Width and height, in points. */
  readonly size: number
  /** `maskable` goes to the edge and may be cut to a circle. */
  readonly purpose: "any" | "maskable"
}

export interface UiBundle {
  readonly files: readonly UiFile[]
  /** What the page loads at once, by path. */
  readonly entry: { readonly script: string; readonly preloads: readonly string[]; readonly style: string }
  /** What the page at an address loads besides, by the address in the router's form. */
  readonly preloads: Readonly<Record<string, readonly string[]>>
  readonly icon: string
  /** What an installed app is shown by. */
  readonly icons: readonly InstalledIcon[]
  /** What the page says where no script runs, by language. */
  readonly noScript: Readonly<Record<string, string>>
}

export interface Ui {
  /** The app's own addresses, in the router's form. */
  readonly addresses: readonly string[]
  bundle(): Promise<UiBundle>
}

/** The browser app. The sources alone have none: `tooling/bundle/plugin.ts` puts the bundle in the place of this module. */
export const ui: Ui | null = null
