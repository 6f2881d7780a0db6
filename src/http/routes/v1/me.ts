import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import { credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../doors.ts"
import { ProtectedQuery } from "../../schemas.ts"
import { meView } from "../../v1/views.ts"

interface Dependencies {
  readonly app: Pick<App, "hasInitialPassword" | "store">
  readonly door: ReturnType<typeof doors>
}

/** The caller's own account. */
export function meRoutes({ app: { hasInitialPassword, store }, door }: Dependencies) {
  return new Elysia().use(door).get(
    "/api/v1/me",
    async ({ caller: { user } }) =>
      meView(user, {
        balance: await store.users.balanceOf(user.id),
        hasInitialPassword: await hasInitialPassword(user),
      }),
    {
      members: true,
      query: ProtectedQuery,
      detail: describe("Me", "Show the own account", 200, one("Me"), [...credentials, "invalid"]),
    },
  )
}
