import { effect, signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"

const serviceName = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? ""

/** How the service calls itself: the setting `service.name`. */
export const nameOfService = (): string => serviceName

/** What the browser's tab says before the name of the service; empty until a screen has said it. */
export const screenTitle = signal("")

/** Stands before the title, such as `(2) `. */
export const titlePrefix = signal("")

effect(() => {
  if (screenTitle.value !== "") document.title = `${titlePrefix.value}${screenTitle.value} · ${serviceName}`
})

/** Says in the browser's tab where one is. */
export function useTitle(title: string) {
  useLayoutEffect(() => {
    screenTitle.value = title
  }, [title])
}
