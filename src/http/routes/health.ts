import { Elysia } from "elysia"
import type { Credentials } from "../../domain/auth/access.ts"
import { isSuperuser } from "../../domain/people/roles.ts"
import { checksView, isReady } from "../../metrics/health.ts"
import type { Dependencies } from "../dependencies.ts"
import { codeHeader, details, type ErrorCode, HttpError } from "../errors.ts"
import { hidden } from "../openapi-operations.ts"
import { isProbe, type ProbeReport, probeHeader, probePath } from "../probe.ts"

/** How many lines of the log are timed for `rewards doctor`. */
const timedLineCount = 5
/** How long a log that nobody reads may hold the answer, give or take a line. */
const timedLinesMs = 500

type HealthDependencies = Dependencies<"access" | "clock" | "config" | "log" | "readiness">

/**
 * For monitoring: `/healthz` answers while the process lives; `/readyz` says whether it can do its work (200 or 503).
 * `/readyz` gives reasons only to superusers and to a request that is signed with the server's secret, as `rewards
 * healthcheck` does. A loopback address proves nothing: behind a proxy on this machine, every request has one.
 * `/probe` tells `rewards doctor` how its request arrived; everyone else gets 404.
 */
export function healthRoutes({ app: { access, clock, config, log, readiness }, guards }: HealthDependencies) {
  const { secret_key: secret } = config.security
  const instance = crypto.randomUUID()

  return new Elysia()
    .use(guards)
    .get("/healthz", () => ({ status: "alive" }), hidden)
    .get(
      "/readyz",
      async ({ request, credentials, set, status }) => {
        // At the same time, because both may wait for a database that does not answer.
        const [checks, isShown] = await Promise.all([
          readiness(),
          maySeeReasons(request.headers.get(probeHeader), credentials),
        ])
        const shown = isShown ? { checks: checksView(checks) } : {}
        if (isReady(checks)) return { status: "ready", ...shown }
        set.headers[codeHeader] = "not_ready" satisfies ErrorCode
        return status(503, { status: details.not_ready, ...shown })
      },
      hidden,
    )
    .get(
      probePath,
      async ({ request, listener }): Promise<ProbeReport> => {
        if (!isSigned(request.headers.get(probeHeader))) throw new HttpError("not_found")
        return {
          instance,
          peer: listener.requestIP(request)?.address ?? "",
          forwardedFor: request.headers.get("x-forwarded-for"),
          now: clock(),
          logMs: await timedLines(),
        }
      },
      hidden,
    )

  async function maySeeReasons(probe: string | null, credentials: Credentials): Promise<boolean> {
    if (probe !== null) return isSigned(probe)
    const caller = await access.callerIfAny(credentials, "read").catch(() => null) // the database itself may be the failing part
    return caller !== null && isSuperuser(caller.user)
  }

  async function timedLines(): Promise<number[]> {
    const times: number[] = []
    const deadline = performance.now() + timedLinesMs
    while (times.length < timedLineCount && performance.now() < deadline) {
      const from = performance.now()
      log.info("probed by rewards doctor")
      await log.written()
      times.push(performance.now() - from)
    }
    return times
  }

  function isSigned(probe: string | null): boolean {
    return secret !== null && isProbe(probe, secret, clock())
  }
}
