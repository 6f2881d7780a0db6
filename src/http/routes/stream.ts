import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { invalid } from "../../domain/errors.ts"
import { credentialsOf } from "../caller.ts"
import { upgradeOnly } from "../errors.ts"
import type { createOriginRule } from "../origin.ts"
import { streamPath } from "../paths.ts"
import { StreamQuery } from "../schemas.ts"
import type { Upgrade } from "../upgrade.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "config" | "hub">
  readonly origin: ReturnType<typeof createOriginRule>
  readonly upgrade: Upgrade
}

/** The WebSocket of transactions (contract, WebSocket /transaction/ws); what flows through it is made in stream/. */
export function streamRoutes({ app: { access, config, hub }, origin, upgrade }: Dependencies) {
  const asksForCredentials = config.stream.access === "auth"

  return new Elysia().get(
    streamPath,
    ({ request, server, query }) => {
      const after = query.after === undefined ? null : Number(query.after)
      if (after !== null && !Number.isSafeInteger(after)) throw invalid("after", "the id of a transaction")
      const data = hub.client({
        // `?after=` asks for what a dashboard needs to go on.
        format: after === null ? "plain" : "resumable",
        after: after ?? 0,
        isAdmitted: asksForCredentials ? admissionOf(request) : null,
      })
      return upgrade(request, server, data)
    },
    {
      query: StreamQuery,
      async transform({ request }) {
        if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") throw upgradeOnly()
        origin.demand(request)
        if (asksForCredentials) await access.caller(credentialsOf(request))
      },
      detail: { hide: true },
    },
  )

  /** Keeps the credentials, not the request. */
  function admissionOf(request: Request) {
    const credentials = credentialsOf(request)
    return async () => (await access.callerIfAny(credentials)) !== null
  }
}
