import { storedValue } from "../../browser-storage.ts"

/** Whether this browser has shown the wall. The server does not know who watches it. */
const shown = storedValue("wall-shown")

export const wasWallShown = (): boolean => shown.get() !== null

export const noteWallShown = () => shown.set("1")
