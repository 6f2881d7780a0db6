import { render } from "preact"
import { App } from "./app.tsx"
import { applyAppearance } from "./appearance.ts"
import "./browser-notifications.ts" // they end with the session, whatever else is loaded
import { preloadLocation } from "./screens.tsx"
import { loadSession } from "./session.ts"
import { loadPreferredLanguage } from "./texts/texts.ts"
import { takeResetToken, takeWallKey } from "./url-secrets.ts"

const maxWaitMs = 100

// Before any request, because addresses end up in logs and browser histories.
takeResetToken()
takeWallKey()
applyAppearance()
void loadSession()
await Promise.all([loadPreferredLanguage(), waitBriefly(preloadLocation(location))])

const place = document.getElementById("app")
if (place) render(<App />, place)

setTimeout(() => void import("./device/device.ts").catch(() => {}), 2000)

/**
 * Waits at most 100 ms for `wanted`. If the data arrives in time, the page is rendered only once; otherwise the
 * navigation and placeholders show first.
 */
function waitBriefly(wanted: Promise<unknown>): Promise<unknown> {
  return Promise.race([wanted.catch(() => {}), new Promise((resolve) => setTimeout(resolve, maxWaitMs))])
}
