import { effect, signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"

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
