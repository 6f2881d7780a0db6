import type { FunctionComponent } from "preact"
import type { Me } from "./session.ts"

/** What an address says, as the router tells it. */
export interface ScreenLocation {
  readonly query: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
}

/** A screen; `prefetch` asks the server, before it is drawn, what it shows first to this person. */
export type ScreenComponent = FunctionComponent & {
  prefetch?: (location: ScreenLocation, member: Me) => Promise<unknown>
}
