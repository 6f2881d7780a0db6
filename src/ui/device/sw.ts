/**
 * The service worker, served at /sw.js: it shows notifications while the app is closed, and opens the app without a connection.
 * It never touches answers of the API. TypeScript's types for service workers exclude those for pages, so the few that are
 * needed stand here.
 */
interface Worker extends EventTarget {
  readonly registration: {
    readonly navigationPreload?: { enable(): Promise<void> }
    showNotification(title: string, options: NotificationOptions): Promise<void>
  }
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { readonly type: "window" }): Promise<readonly Page[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
}

interface Page {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends WorkerEvent {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}

interface PushEvent extends WorkerEvent {
  readonly data: { json(): unknown } | null
}

interface ClickEvent extends WorkerEvent {
  readonly notification: Notification
}

/** Filled in by the build (tooling/bundle/ui.ts). */
declare const BUNDLE: {
  /** Changes with the files. */
  readonly version: string
  /** What the app needs to start without a connection. */
  readonly files: readonly string[]
  /** The texts of each language for that. */
  readonly texts: Readonly<Record<string, readonly string[]>>
  /** Matches the paths of the app's own pages. */
  readonly pages: string
  readonly icon: string
}

/** Named once: the build puts the whole value in place of each use. */
const bundle = BUNDLE
const worker = self as unknown as Worker
const cacheName = `app-${bundle.version}`
const pages = new RegExp(bundle.pages)

const on = <E extends WorkerEvent>(type: string, handle: (event: E) => void) =>
  worker.addEventListener(type, (event) => handle(event as E))

on("install", (event) => event.waitUntil(Promise.all([keepFiles(), worker.skipWaiting()])))

async function keepFiles() {
  const { files, texts } = bundle
  const spoken = navigator.languages.map((tag) => tag.split("-")[0] ?? "").find((tag) => tag in texts) ?? "en"
  await (await openCache()).addAll(["/", ...files, ...(texts[spoken] ?? [])]).catch((error) => {
    // Notifications need no files. With any other failure the browser tries to install again later.
    if (!(error instanceof DOMException && error.name === "QuotaExceededError")) throw error
  })
}

on("activate", (event) => event.waitUntil(Promise.all([dropOldFiles(), worker.clients.claim(), preload()])))

async function dropOldFiles() {
  const old = (await caches.keys()).filter((name) => name.startsWith("app-") && name !== cacheName)
  await Promise.all(old.map((name) => caches.delete(name)))
}

/** Lets the browser request a page while this worker starts. */
const preload = async () => worker.registration.navigationPreload?.enable()

on<FetchEvent>("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== "GET" || origin !== location.origin) return
  if (request.mode === "navigate" && pages.test(pathname)) event.respondWith(pageFor(event))
  else if (pathname.startsWith("/assets/")) event.respondWith(fileFor(event))
})

/** From the server, as long as it answers. The app itself says that there is no connection. */
async function pageFor({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const page = await kept("/")
    if (page === undefined) throw error
    return page
  }
}

/** The name of a file changes with its content, so what is kept stays right. The page gets a file that cannot be kept, too. */
async function fileFor(event: FetchEvent): Promise<Response> {
  const { request } = event
  const known = await kept(request)
  if (known !== undefined) return known
  const answer = await fetch(request)
  if (answer.ok) event.waitUntil(keep(request, answer.clone()))
  return answer
}

/** Does nothing when the browser's storage is full or blocked. */
const keep = async (request: Request, answer: Response) =>
  openCache()
    .then((cache) => cache.put(request, answer))
    .catch(() => {})

const kept = async (request: Request | string) =>
  openCache()
    .then((cache) => cache.match(request, { ignoreVary: true }))
    .catch(() => undefined)

const openCache = () => caches.open(cacheName)

on<PushEvent>("push", (event) => event.waitUntil(show(event.data?.json() ?? {})))

async function show(message: object) {
  const { title = "", body = "", url = "/", tag = "" } = message as Readonly<Record<string, string>>
  await worker.registration.showNotification(title, { body, tag, icon: bundle.icon, data: url })
}

on<ClickEvent>("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})

/** In a page of the app that is open, or in a new one. */
async function open(path: string) {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const [page] = await worker.clients.matchAll({ type: "window" })
  if (page === undefined) return worker.clients.openWindow(url.href)
  await page.focus().catch(() => {}) // a browser may refuse; the page opens the entry all the same
  return page.navigate(url.href)
}

export {}
