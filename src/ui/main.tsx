import { render } from "preact"
import { App } from "./app.tsx"
import { applyAppearance } from "./appearance.ts"
import { takeResetToken } from "./screens/reset/token.ts"
import { loadSession } from "./session.ts"
import { speakAsChosen } from "./texts/texts.ts"

// Before anything is asked of the server: addresses end up in logs and histories.
takeResetToken()
applyAppearance()
void loadSession()
await speakAsChosen()

const place = document.getElementById("app")
if (place) render(<App />, place)
