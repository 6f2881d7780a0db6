import { Elysia } from "elysia"
import type { Clock } from "../../domain/model.ts"
import { HttpRefusal } from "../errors.ts"
import { type Arrival, isProbe, probeHeader, probePath } from "../probe.ts"

interface Dependencies {
  readonly secret: string | null
  readonly clock: Clock
}

/** How a request arrived, told to `rewards doctor` alone: all others find no such path. */
export function probeRoutes({ secret, clock }: Dependencies) {
  const instance = crypto.randomUUID()

  return new Elysia().get(
    probePath,
    ({ request, server }): Arrival => {
      if (secret === null || !isProbe(request.headers.get(probeHeader), secret, clock()))
        throw new HttpRefusal("not_found")
      return {
        instance,
        peer: server?.requestIP(request)?.address ?? "",
        forwardedFor: request.headers.get("x-forwarded-for"),
        now: clock(),
      }
    },
    { detail: { hide: true } },
  )
}
