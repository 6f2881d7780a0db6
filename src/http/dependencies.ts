import type { ServerApp } from "../app/server-app.ts"
import type { Guards } from "./guards.ts"

/** What the routes of a resource get: the named parts of the app, and the guards. */
export interface Dependencies<Part extends keyof ServerApp> {
  readonly app: Pick<ServerApp, Part>
  readonly guards: Guards
}
