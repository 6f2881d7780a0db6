import { render } from "preact"
import { App } from "./app.tsx"
import { applyAppearance } from "./appearance.ts"
import { atMost } from "./at-most.ts"
import "./browser-notifications.ts" // they end with the session, whatever else is loaded
import { leaveKeysToInputMethods } from "./input-methods.ts"
import { preloadLocation } from "./screens.tsx"
import { loadSession } from "./session.ts"
import { loadPreferredLanguage } from "./texts/texts.ts"
import { takeResetToken, takeWallKey } from "./url-secrets.ts"

/**
 * How long the first render waits for the data of the page. If it arrives in time, the page is rendered only once; otherwise
 * the navigation and placeholders show first.
 */
const maxWaitMs = 100

// Before any request, because addresses end up in logs and browser histories.
takeResetToken()
takeWallKey()
applyAppearance()
leaveKeysToInputMethods()
void loadSession()
await Promise.all([loadPreferredLanguage(), atMost(maxWaitMs, preloadLocation(location))])

const place = document.getElementById("app")
if (place) {
  render(<App />, place)
  // Loaded now and not with the rest: nobody translates what is not shown yet.
  void import("./translated.ts").then(({ beTranslated }) => beTranslated(place)).catch(() => {})
}

setTimeout(() => void import("./device/device.ts").catch(() => {}), 2000)
