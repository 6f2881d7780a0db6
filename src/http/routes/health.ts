import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { isReady } from "../../health/readiness.ts"

/** For whoever watches over this process: `/healthz` answers while it lives, `/readyz` says whether it can do its work
 *  (200, else 503), with a reason for each part. */
export function healthRoutes({ app: { readiness } }: { readonly app: Pick<App, "readiness"> }) {
  return new Elysia()
    .get("/healthz", () => ({ status: "alive" }), hidden)
    .get(
      "/readyz",
      async ({ status }) => {
        const checks = await readiness()
        return isReady(checks) ? { status: "ready", checks } : status(503, { status: "not ready", checks })
      },
      hidden,
    )
}

const hidden = { detail: { hide: true } }
