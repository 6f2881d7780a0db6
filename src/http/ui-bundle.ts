/** A file of the app, compressed at build time. */
interface UiFile {
  /** Holds a hash of the content. */
  readonly path: string
  readonly type: string
  readonly br: Blob
  readonly gzip: Blob
}

/** A square PNG icon. */
export interface InstalledIcon {
  readonly path: string
  /** Width and height, in pixels. */
  readonly size: number
  /** A `maskable` icon fills the square, so that a device may cut it to a circle. */
  readonly purpose: "any" | "maskable"
}

export interface UiBundle {
  readonly files: readonly UiFile[]
  /** Paths of the files that every page loads at once. */
  readonly entry: { readonly script: string; readonly preloads: readonly string[]; readonly style: string }
  /** Paths of the files that a page loads in addition, by its address in the router's form. */
  readonly preloads: Readonly<Record<string, readonly string[]>>
  /** Paths of the files with the texts of such a page, by the tag of the language and the address. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly icon: string
  /** Icons of the installed app. */
  readonly icons: readonly InstalledIcon[]
  /** The text for browsers without scripts, by language. */
  readonly noScript: Readonly<Record<string, string>>
}

export interface Ui {
  /** The app's addresses, in the router's form. */
  readonly addresses: readonly string[]
  bundle(): Promise<UiBundle>
}

/** The browser app; null when running from source. `tooling/bundle/plugin.ts` replaces this module with the bundle. */
export const ui: Ui | null = null
