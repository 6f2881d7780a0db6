import { type AnyElysia, Elysia } from "elysia"
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" }
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" }
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
    .get("/docs", () => new Response(page, { headers: pageHeaders }), hidden)
    .get("/docs/start.js", () => asset(start, "text/javascript"), hidden)
    .get("/docs/swagger-ui.js", () => asset(Bun.file(script), "text/javascript"), hidden)
    .get("/docs/swagger-ui.css", () => asset(Bun.file(style), "text/css"), hidden)
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

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
}

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} API</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="api"></div>
  <noscript>This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
  <script src="/docs/swagger-ui.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`

const start = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true, withCredentials: true, validatorUrl: null })
`
