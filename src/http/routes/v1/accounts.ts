import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import type { User } from "../../../domain/model.ts"
import { body, credentials, describe, one } from "../../documented.ts"
import type { doors } from "../../guards.ts"
import { ProtectedQuery, Username } from "../../schemas.ts"
import { DeptRequest } from "../../v1/schemas.ts"
import { accountView } from "../../v1/views.ts"

interface Dependencies {
  readonly app: Pick<App, "store" | "users">
  readonly door: ReturnType<typeof doors>
  readonly addressOf: (request: Request) => string
}

/** Other people's accounts, for superusers. */
export function accountRoutes({ app: { store, users }, door, addressOf }: Dependencies) {
  const shown = async (user: User) => accountView(user, await store.users.balanceOf(user.id))

  return new Elysia()
    .use(door)
    .get("/api/v1/users/:username", ({ target }) => shown(target), {
      toAccount: true,
      params: Username,
      query: ProtectedQuery,
      detail: describe("Users", "Show an account whole (superusers)", 200, one("Account"), [...refusals, "invalid"]),
    })
    .patch(
      "/api/v1/users/:username",
      async ({ caller: { user }, target, body: { dept }, request }) => {
        const actor = { user, who: user.username, way: "http" as const, address: addressOf(request) }
        return shown(await users.changeDept(actor, target, dept))
      },
      {
        toAccount: true,
        params: Username,
        query: ProtectedQuery,
        body: DeptRequest,
        detail: describe("Users", "Move somebody to another department (superusers)", 200, one("Account"), [
          ...refusals,
          ...body,
          "unwritable",
        ]),
      },
    )
}

const refusals = [...credentials, "user_not_found", "not_superuser"] as const
