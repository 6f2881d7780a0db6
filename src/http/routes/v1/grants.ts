import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { describeWithDryRun, one, repeatable, sending } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { isOn } from "../../schemas.ts"
import { GrantQuery, GrantRequest, grantView } from "../../v1/grants.ts"

interface Dependencies {
  readonly app: Pick<App, "grants">
  readonly door: ReturnType<typeof doors>
}

/** One value to many people, all or nothing. */
export function grantRoutes({ app: { grants }, door }: Dependencies) {
  return new Elysia().use(door).post(
    "/api/v1/grants",
    async ({ caller: { user }, body, query, request, status }) => {
      const { value, usernames, dept, depts } = body
      const asked = {
        value,
        usernames,
        depts: depts ?? (dept === undefined ? undefined : [dept]),
        note: body,
        idempotencyKey: request.headers.get("idempotency-key"),
      }
      if (isOn(query.dry_run)) return status(200, grantView(await grants.preview(user, asked)))
      return status(201, grantView(await grants.give(user, asked)))
    },
    {
      members: true,
      query: GrantQuery,
      body: GrantRequest,
      detail: repeatable(
        describeWithDryRun("Transactions", "Send points to many, all or nothing", 201, one("Grant"), sending),
      ),
    },
  )
}
