import { computed, signal } from "@preact/signals"
import { storedValue } from "./browser-storage.ts"
import { me, onSessionEnd, onUserChange } from "./session.ts"

/**
 * `on`: pages show notifications while they are open. `push USERNAME`: the server sends them to this browser, also while no page
 * is open, for this person.
 */
const choice = storedValue("notifications")
const chosen = signal(choice.get())
// Whoever comes next has not chosen (`forgetStored`). For the same person the choice waits until the next log-in.
onUserChange(() => {
  chosen.value = choice.get()
})

/** The id of this browser among the devices of the account. An earlier version stored ids that have ended as `device`. */
export const deviceId = storedValue("push-device")
onSessionEnd(() => {
  for (const notification of shownHere) notification.close()
  shownHere.clear()
  if (deviceId.get() === null) return
  deviceId.set(null)
  void endPush().catch(() => {})
})

/**
 * Ends the subscription of this browser, and closes what it still shows. The server ends the device with the session, so that
 * nothing depends on this; a new subscription also gets nothing that a push service still holds for the old one.
 */
export async function endPush(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  await (await worker?.pushManager?.getSubscription())?.unsubscribe()
  const shown = (await worker?.getNotifications()) ?? []
  for (const notification of shown) notification.close()
}

export const ofPush = computed(() => `push ${me.value?.username}`)

/** Whether this browser has notifications. Those on Android refuse to show one from a page, which only a try reveals. */
export const canNotify = "Notification" in window

/** Whether this person wants notifications in this browser, and the browser permits them. */
export const isNotifying = computed(
  () => canNotify && (chosen.value === "on" || chosen.value === ofPush.value) && Notification.permission === "granted",
)

/** Whether the server sends them, so that pages show none. */
export const isPushed = computed(() => isNotifying.value && chosen.value !== "on")

export function choose(kind: string | null) {
  choice.set(kind)
  chosen.value = kind
}

/** Those that this page has shown. */
const shownHere = new Set<Notification>()

/** Null when this browser shows none from a page. */
export function show(title: string, options: NotificationOptions): Notification | null {
  try {
    const shown = new Notification(title, options)
    shownHere.add(shown)
    return shown
  } catch {
    return null
  }
}
