import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import type { User } from "../../../domain/model.ts"
import type { Guards } from "../../guards.ts"
import { bodyErrors, credentialErrors, operation, ref } from "../../openapi-operations.ts"
import { actorOf } from "../../request.ts"
import { nullableText, open, ProtectedQuery, text, Username } from "../../schemas.ts"
import { face, faceView, points, role, roleOf } from "./fields.ts"

interface Dependencies {
  readonly app: Pick<App, "store" | "users">
  readonly guards: Guards
}

/** Other people's accounts, for superusers. */
export function accountRoutes({ app: { store, users }, guards }: Dependencies) {
  const withBalance = async (user: User) => accountView(user, await store.users.balanceOf(user.id))

  return new Elysia()
    .use(guards)
    .get("/api/v1/users/:username", ({ target }) => withBalance(target), {
      toAccount: true,
      params: Username,
      query: ProtectedQuery,
      detail: operation("Users", "Show an account whole (superusers)", 200, ref("Account"), [...errors, "invalid"]),
    })
    .patch(
      "/api/v1/users/:username",
      async ({ caller, target, body: { dept }, clientAddress }) =>
        withBalance(await users.changeDept(actorOf(caller.user, clientAddress), target, dept)),
      {
        toAccount: true,
        params: Username,
        query: ProtectedQuery,
        body: DeptRequest,
        detail: operation("Users", "Move somebody to another department (superusers)", 200, ref("Account"), [
          ...errors,
          ...bodyErrors,
          "unwritable",
        ]),
      },
    )
}

const errors = [...credentialErrors, "user_not_found", "not_superuser"] as const

const DeptRequest = Type.Object({ dept: text("the new department; `management` makes a superuser") }, open)

export const account = {
  ...face,
  email: Type.String(),
  currency: Type.String(),
  bio: nullableText("text"),
  role,
  balance: points,
}

export const accountComponents = { Account: Type.Object(account) }

export const accountView = (user: User, balance: number) => ({
  ...faceView(user),
  email: user.email,
  currency: user.currency,
  bio: user.bio,
  role: roleOf(user),
  balance,
})
