import { canNotify, choose, deviceId, endPush, isNotifying, isPushed, ofPush, show } from "../browser-notifications.ts"
import { api, type Failure, request } from "../server/api.ts"

/** How long the push service of the browser may take. */
const maxWaitMs = 20_000

/** Asks the browser for permission if needed. False when it refuses, or cannot show any; a failure when the server refuses. */
export async function setNotifications(on: boolean): Promise<boolean | Failure> {
  if (!on) {
    if (isPushed.peek()) await unsubscribe()
    choose(null)
    return true
  }
  const isPermitted = canNotify && (await Notification.requestPermission()) === "granted"
  const pushed = isPermitted ? await subscribe() : "impossible"
  if (pushed === "done") choose(ofPush.peek())
  else choose(pushed === "impossible" && isPermitted && canShow() ? "on" : null)
  return typeof pushed === "string" ? isNotifying.peek() : pushed
}

/** Switches notifications off here if the server no longer sends them, and subscribes again after a session has ended. */
export async function checkPush(): Promise<void> {
  if (isPushed.peek() && !(await renew())) choose(null)
}

/** Tries a silent one from the page, and closes it at once. */
function canShow(): boolean {
  const shown = show("", { silent: true })
  shown?.close()
  return shown !== null
}

/**
 * Has the server send notifications to this browser, for the user. `impossible`: the browser has no push service, or cannot
 * reach it.
 */
async function subscribe(): Promise<"done" | "impossible" | Failure> {
  const worker = await workerOf()
  if (worker === null || !("pushManager" in worker)) return "impossible"
  const known = await request(api.api.v1.me.push.get())
  if (known.kind !== "done") return known
  const subscription = await subscriptionFor(worker, known.data.public_key).catch(() => null)
  if (subscription === null) return "impossible"
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh = "", auth = "" } = keys ?? {}
  const added = await request(
    api.api.v1.me.push.post({ endpoint: endpoint ?? "", keys: { p256dh, auth }, name: deviceName() }),
  )
  if (added.kind !== "done") return added
  deviceId.set(String(added.data.id))
  return "done"
}

/**
 * Whether the server sends notifications here, or may do so later. It does not when the user removed this browser elsewhere.
 * Subscribes again for the next session of the same user, and when the browser has dropped its subscription: browsers do so
 * after months without a visit, or when somebody takes the permission back for a while. The server learns of it only when it sends.
 */
async function renew(): Promise<boolean> {
  const own = deviceId.get()
  if (own !== null) {
    const known = await request(api.api.v1.me.push.get())
    if (known.kind !== "done") return true
    const isListed = known.data.devices.some(({ id }) => String(id) === own)
    const worker = await workerOf()
    if (worker !== null && (await presentIn(worker, known.data.public_key)) !== null) return isListed
    deviceId.set(null)
    if (isListed) await request(api.api.v1.me.push({ id: own }).delete())
  }
  const outcome = await subscribe()
  return typeof outcome === "string" ? outcome === "done" : outcome.kind !== "refused"
}

/** The subscription that this browser has, if the server can use it; null when the browser has none, or one for another key. */
async function presentIn({ pushManager }: ServiceWorkerRegistration, key: string): Promise<PushSubscription | null> {
  const present = await pushManager?.getSubscription()
  const { applicationServerKey } = present?.options ?? {}
  return present && applicationServerKey && base64url(applicationServerKey) === key ? present : null
}

/** Ends the notifications in this browser. Without a connection, the server learns of it from the push service. */
async function unsubscribe(): Promise<void> {
  const id = deviceId.get()
  deviceId.set(null)
  if (id !== null) await request(api.api.v1.me.push({ id }).delete())
  await endPush()
}

async function subscriptionFor(worker: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  await activated(worker)
  const { pushManager } = worker
  const present = await presentIn(worker, key)
  // One of an earlier session is not used again: the push service may still hold messages for it.
  if (present !== null && deviceId.get() !== null) return present
  await (await pushManager.getSubscription())?.unsubscribe()
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), maxWaitMs))
  return Promise.race([pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }), late])
}

/** A worker subscribes only once it is active. */
function activated({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> | undefined {
  const next = installing ?? waiting
  if (active !== null || next === null) return undefined
  return new Promise((resolve) => {
    next.addEventListener("statechange", () => {
      if (["activated", "redundant"].includes(next.state)) resolve()
    })
  })
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/** The first of each that the browser names itself by: most claim to be others too. */
const browsers = {
  Edg: "Edge",
  OPR: "Opera",
  SamsungBrowser: "Samsung Internet",
  Firefox: "Firefox",
  Chrome: "Chrome",
  Safari: "Safari",
}
const systems = {
  Android: "Android",
  iPhone: "iPhone",
  iPad: "iPad",
  Windows: "Windows",
  "Mac OS": "macOS",
  CrOS: "ChromeOS",
  Linux: "Linux",
}

function deviceName(): string {
  const named = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([word]) => navigator.userAgent.includes(word))?.[1]
  return [named(browsers), named(systems)].filter(Boolean).join(", ") || "Browser"
}

/** The service worker (sw.ts); null where the browser has none, as on a page without https. */
export async function workerOf(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null
  return (await navigator.serviceWorker.register("/sw.js").catch(() => null)) ?? null
}
