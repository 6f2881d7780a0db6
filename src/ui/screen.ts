import type { FunctionComponent } from "preact"
import type { Me } from "./session.ts"

/** Path parameters and query of an address, as the router passes them. */
export interface ScreenLocation {
  readonly query: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
}

/** A screen component. `prefetch` requests the data of the first render. */
export type ScreenComponent = FunctionComponent & {
  prefetch?: (location: ScreenLocation, member: Me) => Promise<unknown>
}
