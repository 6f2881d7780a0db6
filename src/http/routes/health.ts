import { Elysia } from "elysia"
import { isSuperuser } from "../../domain/auth/roles.ts"
import { isReady } from "../../health.ts"
import type { ServerApp } from "../../server-app.ts"
import { credentialsOf } from "../caller.ts"
import { isProbe, probeHeader } from "../probe.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "access" | "clock" | "config" | "readiness">
}

/**
 * For whoever watches over this process: `/healthz` answers while it lives, `/readyz` says whether it can do its work
 * (200, else 503). The reasons are for superusers and for `rewards healthcheck`, which has the server's secret. Where a
 * connection comes from proves nothing: behind a proxy on this machine everybody comes from the loopback.
 */
export function healthRoutes({ app: { access, clock, config, readiness } }: Dependencies) {
  const { secret_key: secret } = config.security

  return new Elysia()
    .get("/healthz", () => ({ status: "alive" }), hidden)
    .get(
      "/readyz",
      async ({ request, status }) => {
        const checks = await readiness()
        const shown = (await mayKnowWhy(request)) ? { checks } : {}
        return isReady(checks) ? { status: "ready", ...shown } : status(503, { status: "not ready", ...shown })
      },
      hidden,
    )

  async function mayKnowWhy(request: Request): Promise<boolean> {
    const probe = request.headers.get(probeHeader)
    if (probe !== null) return secret !== null && isProbe(probe, secret, clock())
    const caller = await access.callerIfAny(credentialsOf(request)).catch(() => null) // the database may be what is wrong
    return caller !== null && isSuperuser(caller.user)
  }
}

const hidden = { detail: { hide: true } }
