import { signal } from "@preact/signals"
import { addresses, recognitionAddress } from "./addresses.ts"
import { storedValue } from "./browser-storage.ts"
import type { Recognition } from "./live.ts"
import { fill, formatPoints } from "./texts/format.ts"
import { t } from "./texts/texts.ts"

const choice = storedValue("notifications")

/** Whether this browser can show notifications at all. */
export const canNotify = "Notification" in window

/** Whether this person wants notifications in this browser, and the browser permits them. */
export const isNotifying = signal(canNotify && choice.get() === "on" && Notification.permission === "granted")

/** Asks the browser for permission if needed. False when it refuses. */
export async function setNotifications(on: boolean): Promise<boolean> {
  const isPermitted = on && canNotify && (await Notification.requestPermission()) === "granted"
  choice.set(isPermitted ? "on" : null)
  isNotifying.value = isPermitted
  return isPermitted === on
}

/** Shows a notification of points received, if the person wants it. It never contains a private reason. */
export function notifyOf(received: Recognition) {
  if (!isNotifying.peek()) return
  const { received: texts, feed } = t()
  const title = fill(texts.arrived, { from: received.from_name, points: formatPoints(received.value) })
  const body = received.private ? feed.hidden : (received.reason ?? "")
  const shown = new Notification(title, { body, tag: `recognition-${received.id}` })
  shown.onclick = () => {
    focus()
    location.assign(received.private ? addresses.home : recognitionAddress(received.id))
  }
}
