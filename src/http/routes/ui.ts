import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { pathOf } from "../caller.ts"
import { HttpRefusal } from "../errors.ts"
import { type Ui, type UiBundle, ui } from "../ui/bundled.ts"
import { type Encoded, respond, respondWith } from "../ui/encoded.ts"
import { composeManifest, composePage, manifestPath } from "../ui/page.ts"

interface Dependencies {
  readonly app: Pick<App, "config">
}

/** The browser app: its page at each of its addresses, and under `/assets/` what the page loads. */
export function uiRoutes({ app }: Dependencies) {
  return ui === null ? new Elysia() : routesOf(ui, app.config)
}

/** Answers a browser that goes to an unknown address with the app's page, which says that nothing is there. Null where
 *  there is no app. */
export function missingPage({ app: { config } }: Dependencies): ((request: Request) => Promise<Response>) | null {
  if (ui === null) return null
  const { bundle } = ui
  const pageOf = once((of) => composePage(of, config.service.name, ""))
  const headers = { ...policyHeaders(config), "cache-control": "no-store" }
  return async (request) => respondWith(404, request, pageOf(await bundle()), headers)
}

/** Whether a browser goes there, so that a person reads the answer. */
export const isNavigation = (request: Request): boolean =>
  request.method === "GET" && request.headers.get("sec-fetch-dest") === "document" && takesPages(request)

function routesOf({ addresses, bundle }: Ui, config: App["config"]) {
  const routes = new Elysia().get("/assets/:file", assetFrom(bundle), hidden)
  routes.get(manifestPath, manifestFrom(bundle, config), hidden)
  for (const address of addresses) routes.get(address, pageFrom(bundle, config, address), hidden)
  return routes
}

const assetFrom =
  (bundle: Ui["bundle"]) =>
  async ({ request }: { request: Request }) => {
    const path = pathOf(request)
    const file = (await bundle()).files.find((one) => one.path === path)
    if (file === undefined) throw new HttpRefusal("not_found")
    return respond(
      request,
      { ...file, etag: `W/"${path}"` },
      { "cache-control": "public, max-age=31536000, immutable" },
    )
  }

const pageFrom = (bundle: Ui["bundle"], config: App["config"], address: string) => {
  const headers = { ...policyHeaders(config), "cache-control": "no-cache" }
  const pageOf = once((of) => composePage(of, config.service.name, address))
  return async ({ request }: { request: Request }) => {
    // The contract has POST /login alone; the page there is for those who ask for a page.
    if (isLogin(request) && !takesPages(request)) throw new HttpRefusal("method_not_allowed", { allow: "POST" })
    return respond(request, pageOf(await bundle()), headers)
  }
}

const manifestFrom = (bundle: Ui["bundle"], { service }: App["config"]) => {
  const manifestOf = once((of) => composeManifest(of, service.name))
  return async ({ request }: { request: Request }) =>
    respond(request, manifestOf(await bundle()), { "cache-control": "no-cache" })
}

/** Composes once for each bundle: in development there are several. */
function once(compose: (of: UiBundle) => Encoded) {
  const composed = new WeakMap<UiBundle, Encoded>()
  return (of: UiBundle): Encoded => {
    const made = composed.get(of) ?? compose(of)
    composed.set(of, made)
    return made
  }
}

const isLogin = (request: Request) => /^\/login\/?$/.test(pathOf(request))

const takesPages = ({ headers }: Request) => headers.get("accept")?.includes("text/html") ?? false

const hidden = { detail: { hide: true } }

const policyHeaders = ({ ui: { avatar_hosts } }: App["config"]) => ({
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
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
}
