import { Elysia } from "elysia"
import type { ServerApp } from "../../app/server-app.ts"
import { hidden } from "../openapi-operations.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "logo">
}

/** The company's logo, for everybody: the log-in page, the wall and mail programs show it. */
export function logoRoutes({ app: { logo } }: Dependencies) {
  const routes = new Elysia()
  if (logo === null) return routes
  const headers = {
    "content-type": `image/${logo.kind}`,
    "cache-control": "public, max-age=31536000, immutable",
    // An SVG is a document for a browser that opens its address: nothing in it may run or load anything.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    "cross-origin-resource-policy": "cross-origin", // for web mail, which shows it on its own pages
  }
  return routes.get(logo.path, () => new Response(logo.bytes, { headers }), hidden)
}
