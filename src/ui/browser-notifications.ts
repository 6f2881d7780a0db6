import { signal } from "@preact/signals"
import { addresses, recognitionAddress } from "./addresses.ts"
import { storedValue } from "./browser-storage.ts"
import type { Recognition } from "./live.ts"
import { fill, formatPoints } from "./texts/format.ts"
import { t } from "./texts/texts.ts"

const choice = storedValue("notifications")

/** Whether this browser has notifications. Those on Android refuse to show one from a page, which only a try reveals. */
export const canNotify = "Notification" in window

/** Whether this person wants notifications in this browser, and the browser permits them. */
export const isNotifying = signal(canNotify && choice.get() === "on" && Notification.permission === "granted")

/** Asks the browser for permission if needed. False when it refuses, or cannot show any. */
export async function setNotifications(on: boolean): Promise<boolean> {
  const isPermitted = on && canNotify && (await Notification.requestPermission()) === "granted" && canShow()
  choose(isPermitted)
  return isPermitted === on
}

function choose(on: boolean) {
  choice.set(on ? "on" : null)
  isNotifying.value = on
}

/** Tries a silent one, and closes it at once. */
function canShow(): boolean {
  const shown = show("", { silent: true })
  shown?.close()
  return shown !== null
}

/** Null when this browser shows none from a page. */
function show(title: string, options: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options)
  } catch {
    return null
  }
}

/**
 * Shows a notification of points received, if the person wants it. It never contains a private reason. People see all points that they receive. In a browser
 * that shows none it switches them off.
 */
export function notifyOf(received: Recognition) {
  if (!isNotifying.peek()) return
  const { received: texts, feed } = t()
  const title = fill(texts.arrived, { from: received.from_name, points: formatPoints(received.value ?? 0) })
  const body = received.private ? feed.hidden : (received.reason ?? "")
  const shown = show(title, { body, tag: `recognition-${received.id}` })
  if (shown === null) return choose(false)
  shown.onclick = () => {
    focus()
    location.assign(received.private ? addresses.home : recognitionAddress(received.id))
  }
}
