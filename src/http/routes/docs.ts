import { type AnyElysia, Elysia } from "elysia"
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" }
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" }
import { hidden } from "../openapi-operations.ts"

const title = "Rewards"

/** `/openapi.json` describes every route of these parts; `/docs` shows it without loading anything from another server. */
export function docsRoutes(parts: () => Promise<readonly AnyElysia[]>) {
  let description: Promise<object> | undefined
  return new Elysia()
    .get(
      "/openapi.json",
      async () => {
        description ??= import("../openapi.ts").then(async ({ openapiOf }) => openapiOf(await parts(), title))
        return description
      },
      hidden,
    )
    .get("/docs", () => new Response(page, { headers: pageHeaders }), hidden)
    .get("/docs/start.js", () => asset(start, "text/javascript"), hidden)
    .get("/docs/swagger-ui.js", () => asset(Bun.file(script), "text/javascript"), hidden)
    .get("/docs/swagger-ui.css", () => asset(Bun.file(style), "text/css"), hidden)
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
