import { Elysia } from "elysia"
import type { ServerApp } from "../../app/server-app.ts"
import { hidden } from "../openapi-operations.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "config">
}

/** Addresses that programs ask every server for: search engines, and managers of passwords. */
export function wellKnownRoutes({ app: { config } }: Dependencies) {
  const routes = new Elysia().get(
    "/robots.txt",
    () => new Response("User-agent: *\nDisallow: /\n", { headers: { "content-type": "text/plain; charset=utf-8" } }),
    hidden,
  )
  // Where nobody has a password, the 404 tells a manager of passwords so.
  if (config.login.password === "off") return routes
  return routes.get(
    "/.well-known/change-password",
    () => new Response(null, { status: 302, headers: { location: passwordPage } }),
    hidden,
  )
}

/** The app's page with the form for a new password. */
const passwordPage = "/me"
