import { Elysia } from "elysia"
import { invalid } from "../../../domain/errors.ts"
import type { User } from "../../../domain/model.ts"
import type { ServerApp } from "../../../server-app.ts"
import type { RecognitionFormat } from "../../../stream/recognition-frames.ts"
import { credentialsOf } from "../../caller.ts"
import { credentials, describe, one } from "../../documented.ts"
import { upgradeOnly } from "../../errors.ts"
import type { createOriginRule } from "../../origin.ts"
import { StreamQuery } from "../../schemas.ts"
import type { Upgrade } from "../../upgrade.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "access" | "feed" | "feedHub" | "store">
  readonly origin: ReturnType<typeof createOriginRule>
  readonly upgrade: Upgrade
}

/** The WebSocket of the feed; what flows through it is made in stream/. */
export function feedStreamRoutes({ app: { access, feed, feedHub, store }, origin, upgrade }: Dependencies) {
  return new Elysia().get(
    "/api/v1/stream",
    async ({ request, server, query }) => {
      const { user } = await access.caller(credentialsOf(request))
      const after = query.after === undefined ? await store.ledger.lastId() : Number(query.after)
      if (!Number.isSafeInteger(after)) throw invalid("after", "the id of an entry")
      const format = formatFor(user)
      const data = feedHub.client({ format, after, userId: user.id, checkAdmission: admissionOf(request, format) })
      return upgrade(request, server, data)
    },
    {
      query: StreamQuery,
      async transform({ request }) {
        if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") throw upgradeOnly()
        origin.demandForUpgrade(request)
        await access.caller(credentialsOf(request))
      },
      detail: describe("Recognition", "Watch the feed (WebSocket)", 101, one("FeedMessage"), [
        ...credentials,
        "foreign_origin",
        "malformed_upgrade",
        "too_many_streams",
        "method_not_allowed",
        "invalid",
      ]),
    },
  )

  function formatFor(user: User): RecognitionFormat {
    return feed.seesAll(user) ? "all" : "own"
  }

  /** Keeps the credentials, not the request. Who may see more or less than before has to open it again. */
  function admissionOf(request: Request, format: RecognitionFormat) {
    const shown = credentialsOf(request)
    return async () => {
      const caller = await access.callerIfAny(shown)
      return caller !== null && formatFor(caller.user) === format ? caller.expiresAt : null
    }
  }
}
