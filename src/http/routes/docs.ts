import { promisify } from "node:util"
import { type AnyElysia, Elysia } from "elysia"
// The package exports its modules, and not the script that it makes of them.
import script from "../../../node_modules/@scalar/api-reference/dist/browser/standalone.js" with { type: "file" }
import { embedded } from "../../support/embedded.ts"
import { createListAnswer } from "../downloads.ts"
import { hasAlready, tagOf, takes } from "../encoded.ts"
import type { Guards } from "../guards.ts"
import { hidden } from "../openapi-operations.ts"
import type { Turns } from "../turns.ts"

const title = "Rewards"

interface Dependencies {
  readonly guards: Guards
  readonly parts: () => Promise<readonly AnyElysia[]>
  readonly turns: Turns
}

/** `/openapi.json` describes every route of these parts; `/docs` shows it without loading anything from another server. */
export function docsRoutes({ guards, parts, turns }: Dependencies) {
  let description: Promise<Description> | undefined
  const describe = async () => described(parts)
  const sendList = createListAnswer(turns)
  let reference: Promise<Uint8Array<ArrayBuffer>> | undefined

  return new Elysia()
    .use(guards)
    .get(
      "/openapi.json",
      async ({ request, clientAddress, holder }) => {
        description ??= describe()
        const { plain, gzip, etag } = await description
        const headers = { vary: "accept-encoding", etag, "cache-control": "no-cache" }
        if (hasAlready(request, etag)) return new Response(null, { status: 304, headers })
        const isGzip = takes(request, "gzip")
        const type = { "content-type": "application/json", ...(isGzip && { "content-encoding": "gzip" }) }
        return sendList(isGzip ? gzip : plain, { ...headers, ...type }, { request, clientAddress, holder })
      },
      hidden,
    )
    .get("/docs", page, hidden)
    .get("/docs/start.js", () => asset(start, "text/javascript"), hidden)
    .get("/docs/style.css", () => asset(style, "text/css"), hidden)
    .get(
      "/docs/reference.js",
      async ({ request }) => {
        reference ??= compressed()
        const answer = asset(takes(request, "gzip") ? await reference : await embedded(script), "text/javascript")
        if (takes(request, "gzip")) answer.headers.set("content-encoding", "gzip")
        answer.headers.set("vary", "accept-encoding")
        return answer
      },
      hidden,
    )
}

interface Description {
  readonly plain: Uint8Array
  readonly gzip: Uint8Array
  readonly etag: string
}

/** Written and compressed once, by the first request for it: many servers are never asked. */
async function described(parts: Dependencies["parts"]): Promise<Description> {
  const { openapiOf } = await import("../openapi.ts")
  const plain = new TextEncoder().encode(JSON.stringify(openapiOf(await parts(), title)))
  return { plain, gzip: Bun.gzipSync(plain), etag: tagOf(plain) }
}

/** Cached for an hour, because it changes only with the installed version. */
const asset = (content: BodyInit, type: string) =>
  new Response(content, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } })

/** The script of the page, for all who ask for it. It is compressed beside the event loop. */
async function compressed(): Promise<Uint8Array<ArrayBuffer>> {
  const { gzip } = process.getBuiltinModule("node:zlib")
  return Uint8Array.from(await promisify(gzip)(await embedded(script)))
}

/** The styles that its script adds are allowed by a nonce, a new one for each answer. */
function page(): Response {
  const nonce = crypto.randomUUID()
  const policy = `default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'`
  const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta property="csp-nonce" content="${nonce}">
  <title>${title} API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/style.css">
</head>
<body>
  <div id="api"></div>
  <noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
  <script src="/docs/start.js"></script>
  <script src="/docs/reference.js"></script>
</body>
</html>
`
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  })
}

/**
 * Scalar without what asks other servers: fonts, telemetry, the agent, the tools and the client of its company. What it does beside the
 * policy is done as the policy has it: styles get the nonce, and nothing tries whether code may be made of text.
 */
const start = `const nonce = document.querySelector("meta[property=csp-nonce]").content
const { createElement } = document
document.createElement = function (...of) {
  const made = createElement.apply(this, of)
  if (made instanceof HTMLStyleElement) made.nonce = nonce
  return made
}
const { setAttribute } = Element.prototype
Element.prototype.setAttribute = function (name, value) {
  if (name === "style") this.style.cssText = value
  else setAttribute.call(this, name, value)
}
const innerHTML = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML")
Object.defineProperty(Element.prototype, "innerHTML", {
  ...innerHTML,
  set(html) {
    innerHTML.set.call(this, String(html).replace(/(<code class="[^"]*") style="[^"]*"/g, "$1"))
  },
})
globalThis.__zod_globalConfig = { jitless: true }
console.info = () => {}
addEventListener("DOMContentLoaded", () =>
  Scalar.createApiReference("#api", {
    url: "/openapi.json",
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
  }),
)
`

/** Colours with the contrast that WCAG 2.2 AA asks for. */
const style = `.light-mode {
  --scalar-color-3: #666;
  --scalar-color-accent: #005fa3;
  --scalar-color-green: #00694a;
  --scalar-color-red: #b3152a;
  --scalar-color-orange: #984000;
  --scalar-color-yellow: #725600;
  --scalar-color-blue: #005c9e;
  --scalar-color-purple: #6438a8;
}
.dark-mode {
  --scalar-color-3: #a0a0a0;
}
`
