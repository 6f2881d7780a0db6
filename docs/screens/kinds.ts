import type { BrowserContextOptions } from "playwright-core"
import { sizes } from "../../test/ui/page.ts"

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

/** In the evening, when the wall is dim. */
export const night = Date.UTC(2026, 10, 20, 0, 42)
