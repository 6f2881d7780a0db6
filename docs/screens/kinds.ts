import type { BrowserContextOptions, Page } from "playwright-core"
import { sizes } from "../../test/ui/page.ts"
import type { House } from "./house.ts"

const phone = { ...sizes.phone, deviceScaleFactor: 2 }
const television: BrowserContextOptions = { viewport: { width: 1920, height: 1080 } }

/** On what a screen is seen; the last word of a picture's name. */
export const kinds = {
  phone: { ...phone, colorScheme: "light" },
  "phone-dark": { ...phone, colorScheme: "dark" },
  desktop: { ...sizes.desktop, colorScheme: "light" },
  "desktop-dark": { ...sizes.desktop, colorScheme: "dark" },
  day: television,
  night: television,
} as const satisfies Record<string, BrowserContextOptions>

export type Kind = keyof typeof kinds

export interface Picture {
  readonly kinds: readonly Kind[]
  /** Brings the page there, and waits until it is as it stays. */
  readonly open: (page: Page) => Promise<unknown>
  /** Where; the team's own when absent. */
  readonly house?: House
}

/** In the evening, when the wall is dim. */
export const night = Date.UTC(2026, 10, 20, 0, 42)
