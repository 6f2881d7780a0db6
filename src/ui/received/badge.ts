import { effect } from "@preact/signals"
import { titlePrefix } from "../screen.ts"
import { unseenCount } from "./unseen.ts"

/** The icon of the page; with a dot while something is unseen. */
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
const plainIcon = icon?.href ?? ""
const dottedIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1c6b50"/><path d="M16 6.5l2.6 6.9 6.9 2.6-6.9 2.6L16 25.5l-2.6-6.9L6.5 16l6.9-2.6z" fill="#fff"/><circle cx="25" cy="7" r="7" fill="#e8590c"/></svg>',
)}`

/** Shows in the tab of the browser that something is unseen, by the icon and the title. Returns how to end it. */
export function showUnseenInTab(): () => void {
  return effect(() => {
    const count = unseenCount.value
    if (icon !== null) icon.href = count === null ? plainIcon : dottedIcon
    titlePrefix.value = count === null ? "" : `(${count}) `
  })
}
