import { render } from "preact"
import { App } from "./app.tsx"
import { applyAppearance } from "./appearance.ts"
import { preloadLocation } from "./screens.ts"
import { loadSession } from "./session.ts"
import { speakAsChosen } from "./texts/texts.ts"
import { takeResetToken, takeWallKey } from "./url-secrets.ts"

const maxWaitMs = 100

// Before anything is asked of the server: addresses end up in logs and histories.
takeResetToken()
takeWallKey()
applyAppearance()
void loadSession()
await Promise.all([speakAsChosen(), waitBriefly(preloadLocation(location))])

const place = document.getElementById("app")
if (place) render(<App />, place)

/** Where everything is there at once, it is drawn once; who waits sees the frame before what stands in it. */
function waitBriefly(wanted: Promise<unknown>): Promise<unknown> {
  return Promise.race([wanted.catch(() => {}), new Promise((resolve) => setTimeout(resolve, maxWaitMs))])
}
