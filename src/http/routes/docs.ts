import { openapi } from "@elysiajs/openapi"
import { Elysia } from "elysia"
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" }
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" }
import { version } from "../../../package.json" with { type: "json" }
import { sessionCookie } from "../caller.ts"
import { shapes } from "../shapes.ts"

const title = "Rewards"

/** `/openapi.json`, and `/docs`: a page that shows it and asks no other server for anything. */
export function docsRoutes() {
  return new Elysia()
    .use(
      openapi({
        provider: null,
        specPath: "/openapi.json",
        // Paths with a dot would be taken for files: those of the exports are none.
        exclude: { staticFile: false, paths: [/^\/docs/, "/openapi.json", "/transaction/ws"] },
        documentation: {
          info: { title, version, description: "a rewards API" },
          components: {
            schemas: JSON.parse(
              JSON.stringify(shapes).replaceAll(/"\$ref":"(\w+)"/g, '"$ref":"#/components/schemas/$1"'),
            ),
            securitySchemes: {
              bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
              session: { type: "apiKey", in: "cookie", name: sessionCookie },
            },
          },
        },
      }),
    )
    .get("/docs", () => new Response(page, { headers: pageHeaders }), hidden)
    .get("/docs/start.js", () => asset(start, "text/javascript"), hidden)
    .get("/docs/swagger-ui.js", () => asset(Bun.file(script), "text/javascript"), hidden)
    .get("/docs/swagger-ui.css", () => asset(Bun.file(style), "text/css"), hidden)
}

/** The same for everybody until another version is installed. */
const asset = (content: BodyInit, type: string) =>
  new Response(content, { headers: { "content-type": type, "cache-control": "public, max-age=3600" } })

const hidden = { detail: { hide: true } }

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
