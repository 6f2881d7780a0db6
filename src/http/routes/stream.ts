import { Elysia } from "elysia"
import { invalid } from "../../domain/errors.ts"
import { maxPageSize } from "../../domain/ledger/ledger.ts"
import type { ServerApp } from "../../server-app.ts"
import { credentialsOf, wallKeyOf } from "../caller.ts"
import { upgradeOnly } from "../errors.ts"
import type { createOriginRule } from "../origin.ts"
import { streamPath } from "../paths.ts"
import { TransactionStreamQuery } from "../schemas.ts"
import type { Upgrade } from "../upgrade.ts"

interface Dependencies {
  readonly app: Pick<ServerApp, "access" | "config" | "feed" | "hub" | "store">
  readonly origin: ReturnType<typeof createOriginRule>
  readonly upgrade: Upgrade
}

/** The WebSocket of transactions (contract, WebSocket /transaction/ws); what flows through it is made in stream/. */
export function streamRoutes({ app: { access, config, feed, hub, store }, origin, upgrade }: Dependencies) {
  const isPublic = config.stream.access === "public"
  const isOpenTo = (request: Request) => isPublic || access.isWall(wallKeyOf(request))

  return new Elysia().get(
    streamPath,
    async ({ request, server, query }) => {
      const user = isOpenTo(request) ? null : (await access.caller(credentialsOf(request))).user
      const after = await beginningOf(query)
      // `?after=` or `?last=` asks for what a dashboard needs to go on.
      const content = after === null ? "plain" : "resumable"
      const seesAll = user === null || feed.seesAll(user)
      const data = hub.client({
        format: seesAll ? content : `${content} of own`,
        after: after ?? 0,
        ...(user !== null && { userId: user.id }),
        checkAdmission: user === null ? null : admissionOf(request, seesAll),
      })
      return upgrade(request, server, data)
    },
    {
      query: TransactionStreamQuery,
      async transform({ request }) {
        if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") throw upgradeOnly()
        origin.demandForUpgrade(request)
        if (!isOpenTo(request)) await access.caller(credentialsOf(request))
      },
      detail: { hide: true },
    },
  )

  /** Id behind which to begin, or null for the contract's stream from the first transaction. */
  async function beginningOf({ after, last }: { after?: string; last?: string }): Promise<number | null> {
    if (after !== undefined) {
      if (!Number.isSafeInteger(Number(after))) throw invalid("after", "the id of a transaction")
      return Number(after)
    }
    if (last === undefined) return null
    if (Number(last) > maxPageSize) throw invalid("last", `an integer from 0 to ${maxPageSize}`)
    // Ids are as dense as commits make them: it may be a few less, and is never more.
    return Math.max(0, (await store.ledger.lastId()) - Number(last))
  }

  /** Keeps the credentials, not the request. Who may see more or less than before has to open it again. */
  function admissionOf(request: Request, sawAll: boolean) {
    const credentials = credentialsOf(request)
    return async () => {
      const caller = await access.callerIfAny(credentials)
      return caller !== null && feed.seesAll(caller.user) === sawAll ? caller.expiresAt : null
    }
  }
}
