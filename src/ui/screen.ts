import { effect, signal } from "@preact/signals"
import type { FunctionComponent } from "preact"
import { useLayoutEffect } from "preact/hooks"
import type { Me } from "./session.ts"

/** The setting `service.name`. */
export const serviceName = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? ""

/** The title of the current screen; empty until a screen has set it. */
export const screenTitle = signal("")

/** Text before the title, such as `(2) `. */
export const titlePrefix = signal("")

effect(() => {
  if (screenTitle.value !== "") document.title = `${titlePrefix.value}${screenTitle.value} · ${serviceName}`
})

/** Sets the title of the browser tab. */
export function useTitle(title: string) {
  useLayoutEffect(() => {
    screenTitle.value = title
  }, [title])
}

/** Path parameters and query of an address, as the router passes them. */
export interface ScreenLocation {
  readonly query: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
}

/** A screen component. `prefetch` requests the data of the first render. */
export type ScreenComponent = FunctionComponent & {
  prefetch?: (location: ScreenLocation, member: Me) => Promise<unknown>
}
