import { Elysia } from "elysia"
import type { ServerApp } from "../../app/server-app.ts"
import type { SecretlessConfig } from "../../config/settings.ts"
import { type Encoded, encoded, respond, respondWith } from "../encoded.ts"
import { codeHeader, HttpError } from "../errors.ts"
import { hidden } from "../openapi-operations.ts"
import { ownOrigins } from "../origin.ts"
import { pathOf, takesPages } from "../request.ts"
import { type InstalledIcon, type Ui, type UiBundle, ui } from "../ui-bundle.ts"

type Config = ServerApp["config"]

interface Dependencies {
  readonly app: Pick<ServerApp, "config" | "logo">
}

/** The browser app: its page at each of its addresses, and the files that the page loads under `/assets/`. */
export function uiRoutes({ app }: Dependencies) {
  return ui === null ? new Elysia() : routesOf(ui, app)
}

/** Answers a browser that opens an unknown address: the app's page with status 404. Null without an app. */
export function missingPage({ app }: Dependencies): ((request: Request) => Promise<Response>) | null {
  if (ui === null) return null
  const { bundle } = ui
  const pageOf = pages(app, "")
  const headers = { ...policyHeaders(app.config), "cache-control": "no-store", vary, [codeHeader]: "not_found" }
  return async (request) => respondWith(404, request, pageOf(await bundle(), request), headers)
}

/** Whether a browser loads the address as a page, so that a person reads the answer. */
export const isNavigation = (request: Request): boolean =>
  request.method === "GET" && request.headers.get("sec-fetch-dest") === "document" && takesPages(request)

function routesOf({ addresses, bundle }: Ui, app: Dependencies["app"]) {
  const routes = new Elysia().get("/assets/:file", assetFrom(bundle), hidden)
  routes.get(workerPath, workerFrom(bundle), hidden)
  routes.get(manifestPath, manifestFrom(bundle, app.config), hidden)
  for (const [path, icon] of Object.entries(askedIcons)) routes.get(path, iconFrom(bundle, icon), hidden)
  for (const address of addresses) routes.get(address, pageFrom(bundle, app, address), hidden)
  return routes
}

const assetFrom =
  (bundle: Ui["bundle"]) =>
  async ({ request }: { request: Request }) => {
    const path = pathOf(request)
    const file = (await bundle()).files.find((one) => one.path === path)
    if (file === undefined) throw new HttpError("not_found")
    return respond(
      request,
      { ...file, etag: `W/"${path}"` },
      { "cache-control": "public, max-age=31536000, immutable" },
    )
  }

/**
 * Icons at the addresses that programs try without reading a page: browsers for files and errors, phones for a bookmark, chats
 * for a preview.
 */
const askedIcons = {
  "/favicon.ico": { size: 192, purpose: "any" },
  "/apple-touch-icon.png": { size: 180, purpose: "maskable" },
  "/apple-touch-icon-precomposed.png": { size: 180, purpose: "maskable" },
} as const satisfies Record<string, Omit<InstalledIcon, "path">>

const iconFrom =
  (bundle: Ui["bundle"], wanted: Omit<InstalledIcon, "path">) =>
  async ({ request }: { request: Request }) => {
    const { files, icons } = await bundle()
    const icon = icons.find(({ size, purpose }) => size === wanted.size && purpose === wanted.purpose)
    const file = files.find(({ path }) => path === icon?.path)
    if (file === undefined) throw new HttpError("not_found")
    return respond(request, { ...file, etag: `W/"${file.path}"` }, { "cache-control": "public, max-age=86400" })
  }

/** Asked for again at each navigation, so that a new version of the app takes over soon. */
const workerFrom =
  (bundle: Ui["bundle"]) =>
  async ({ request }: { request: Request }) => {
    const file = (await bundle()).files.find(({ path }) => path === workerPath)
    if (file === undefined) throw new HttpError("not_found")
    const etag = `W/"${Bun.hash(await file.gzip.arrayBuffer()).toString(36)}"`
    return respond(request, { ...file, etag }, { ...workerHeaders, "cache-control": "no-cache" })
  }

/** What the service worker itself may load: files of the app, and what pages ask for through it. */
const workerHeaders = { "content-security-policy": "default-src 'none'; connect-src 'self'" }

const pageFrom = (bundle: Ui["bundle"], app: Dependencies["app"], address: string) => {
  const headers = { ...policyHeaders(app.config), "cache-control": "no-cache", vary }
  const pageOf = pages(app, address)
  return async ({ request }: { request: Request }) => {
    // The contract has only POST /login. The page is for requests that accept HTML.
    if (isLogin(request) && !takesPages(request)) throw new HttpError("method_not_allowed", { allow: "POST" })
    return respond(request, pageOf(await bundle(), request), headers)
  }
}

const manifestFrom = (bundle: Ui["bundle"], { service }: Config) => {
  const manifestOf = once((of) => composeManifest(of, service.name))
  return async ({ request }: { request: Request }) =>
    respond(request, manifestOf(await bundle()), { "cache-control": "no-cache" })
}

/** What a page depends on. */
const vary = "accept-encoding, accept-language"

/** The page at an address, with preloads for the texts in the language of the browser. */
function pages({ config, logo }: Dependencies["app"], address: string) {
  const about = {
    name: config.service.name,
    logo: logo?.path ?? null,
    login: loginMethodsOf(config),
    origins:
      config.server.base_url === null
        ? []
        : ownOrigins({ baseUrl: config.server.base_url, origins: config.cors.origins }),
  }
  const pageOf = once((of, language) => composePage(of, about, { address, language }))
  return (of: UiBundle, request: Request) => pageOf(of, languageFor(request, of))
}

/** The first language of the app that the browser accepts. The app itself also knows what the person chose. */
function languageFor({ headers }: Request, { texts }: UiBundle): string {
  const accepted = (headers.get("accept-language") ?? "").toLowerCase().split(",")
  return accepted.map((tag) => tag.trim().replace(/[-;].*/, "")).find((tag) => tag in texts) ?? "en"
}

/** Composes the content once for each bundle and language, because the bundle changes in development. */
function once(compose: (of: UiBundle, language: string) => Encoded) {
  const composed = new WeakMap<UiBundle, Map<string, Encoded>>()
  return (of: UiBundle, language = "en"): Encoded => {
    const byLanguage = composed.get(of) ?? new Map<string, Encoded>()
    composed.set(of, byLanguage)
    const made = byLanguage.get(language) ?? compose(of, language)
    byLanguage.set(language, made)
    return made
  }
}

const isLogin = (request: Request) => /^\/login\/?$/.test(pathOf(request))

const policyHeaders = ({ ui: { avatar_hosts } }: Config) => ({
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": policyFor(avatar_hosts),
})

function policyFor(avatarHosts: readonly string[]): string {
  const pictures = avatarHosts.includes("*") ? ["http:", "https:"] : avatarHosts
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...pictures].join(" "),
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
}

const workerPath = "/sw.js"

const manifestPath = "/manifest.webmanifest"

/** The background colours of `style.css`, for the frame that a device draws around the page. */
const colours = { light: "#f9f9f7", dark: "#101512" }

/**
 * The page of the app at one of its addresses. Pages differ only in the screen and the texts that they preload. A page has no inline
 * script or style, so that its Content-Security-Policy can forbid them. It requests the session while the scripts load,
 * and contains the ways to log in, so that the log-in screen need not request them.
 */
function composePage(
  { entry, preloads, texts, icon, icons, noScript }: UiBundle,
  service: {
    readonly name: string
    readonly logo: string | null
    readonly login: LoginMethods
    /** Where people can log in, this server's own address first; empty: wherever the page is. */
    readonly origins: readonly string[]
  },
  { address, language }: { readonly address: string; readonly language: string },
): Encoded {
  const name = Bun.escapeHTML(service.name)
  const sentences = Object.entries(noScript).map(
    ([language, text]) => `<p lang="${language}">${Bun.escapeHTML(text)}</p>`,
  )
  const touchIcon = icons.find(({ purpose }) => purpose === "maskable")
  const loadedAtOnce = [...entry.preloads, ...(preloads[address] ?? []), ...(texts[language]?.[address] ?? [])]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="application-name" content="${name}">
<meta name="login-methods" content="${Bun.escapeHTML(JSON.stringify(service.login))}">
${service.origins.length === 0 ? "" : `<meta name="origins" content="${service.origins.join(" ")}">\n`}${service.logo === null ? "" : `<meta name="logo" content="${service.logo}">\n`}<meta name="description" content="${name}: points and a sentence of thanks, from colleague to colleague">
<title>${name}</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${touchIcon?.path}">
<link rel="manifest" href="${manifestPath}">
<meta name="theme-color" content="${colours.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${colours.dark}" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="${entry.style}">
${loadedAtOnce.map((path) => `<link rel="modulepreload" href="${path}">`).join("\n")}
<link rel="preload" href="/api/v1/session" as="fetch" crossorigin>
<script type="module" src="${entry.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><main class="no-script"><h1>${name}</h1>${sentences.join("")}</main></noscript>
</body>
</html>
`
  return encoded(html, "text/html; charset=utf-8")
}

/** The web app manifest, with which browsers install the app under the name of the service. */
function composeManifest({ icon, icons }: UiBundle, serviceName: string): Encoded {
  const manifest = {
    id: "/",
    name: serviceName,
    short_name: serviceName,
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: colours.light,
    theme_color: colours.light,
    icons: [
      { src: icon, sizes: "any", type: "image/svg+xml" },
      ...icons.map(({ path, size, purpose }) => ({ src: path, sizes: `${size}x${size}`, type: "image/png", purpose })),
    ],
  }
  return encoded(JSON.stringify(manifest), "application/manifest+json")
}

/** The log-in methods of this server, which are public. */
export const loginMethodsOf = ({ login, oidc, security }: Pick<SecretlessConfig, "login" | "oidc" | "security">) => ({
  password: login.password !== "off",
  password_min_length: security.password_min_length,
  oidc: oidc.issuer === null ? null : { button: oidc.button },
})

type LoginMethods = ReturnType<typeof loginMethodsOf>
