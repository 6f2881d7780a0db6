import { signal } from "@preact/signals"

/** The server no longer knows the session that this page had. */
export const sessionEnded = signal(false)
