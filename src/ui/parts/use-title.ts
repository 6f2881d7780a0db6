import { useLayoutEffect } from "preact/hooks"

const serviceName = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? ""

/** How the service calls itself: the setting `service.name`. */
export const nameOfService = (): string => serviceName

/** Says in the browser's tab where one is. */
export function useTitle(title: string) {
  useLayoutEffect(() => {
    document.title = `${title} · ${serviceName}`
  }, [title])
}
