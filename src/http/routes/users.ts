import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import { seesBalanceOf, seesEveryBalance } from "../../domain/auth/access.ts"
import { documented } from "../documented.ts"
import type { doors } from "../guards.ts"
import {
  isOn,
  PasswordQuery,
  PasswordRequest,
  ProfileRequest,
  ProtectedQuery,
  ProtectedUserQuery,
  ResetRequest,
  Username,
  UserQuery,
  UserRequest,
} from "../schemas.ts"
import { jsonList, userView, userViewWithBalance } from "../views.ts"

interface Dependencies {
  readonly app: Pick<App, "access" | "address" | "config" | "passwords" | "store" | "users">
  readonly door: ReturnType<typeof doors>
  readonly addressOf: (request: Request) => string
}

const resetMessage = "If we found a user with that email, we sent a password reset token to it."

/** Everything under /user/. */
export function userRoutes({ app, door, addressOf }: Dependencies) {
  const { access, address, config, passwords, store, users } = app
  const directoryAccess = config.directory.access
  const directoryQuery = directoryAccess === "public" ? UserQuery : ProtectedUserQuery
  const from = (request: Request) => ({ way: "http" as const, address: addressOf(request) })

  return new Elysia()
    .use(door)
    .get(
      "/user/",
      async ({ caller, query, set }) => {
        const showsBalances = isOn(query.show_balance) && seesEveryBalance(caller)
        set.headers["content-type"] = "application/json;charset=utf-8"
        return jsonList(store.exports.users(), (user) =>
          showsBalances ? userViewWithBalance(user, address.url, user.balance) : userView(user, address.url),
        )
      },
      {
        directory: true,
        query: directoryQuery,
        detail: documented.listUsers(directoryAccess),
      },
    )
    .get(
      "/user/:username/",
      async ({ caller, params, query }) => {
        const user = await access.toUser(params.username)
        return isOn(query.show_balance) && seesBalanceOf(caller, user)
          ? userViewWithBalance(user, address.url, await store.users.balanceOf(user.id))
          : userView(user, address.url)
      },
      {
        directory: true,
        params: Username,
        query: directoryQuery,
        detail: documented.showUser(directoryAccess),
      },
    )
    .post(
      "/user/",
      async ({ caller: { user }, body, request, status }) => {
        const actor = { user, who: user.username, ...from(request) }
        return status(201, userView(await users.create(actor, body), address.url))
      },
      {
        superusers: true,
        query: ProtectedQuery,
        body: UserRequest,
        detail: documented.createUser,
      },
    )
    .patch(
      "/user/:username/",
      async ({ caller, target, body: { avatar = null, bio = null }, request }) => {
        const origin = { who: caller.user.username, ...from(request) }
        return userView(await users.updateProfile(target, { avatar, bio }, origin), address.url)
      },
      {
        toProfile: true,
        params: Username,
        query: ProtectedQuery,
        body: ProfileRequest,
        detail: documented.updateProfile,
      },
    )
    .post(
      "/user/:username/password/",
      async ({ grant, body: { password, password_confirm: confirmation }, request }) =>
        userView(await passwords.change(grant, { password, confirmation }, from(request)), address.url),
      {
        toPassword: true,
        params: Username,
        query: PasswordQuery,
        body: PasswordRequest,
        detail: documented.changePassword,
      },
    )
    .post(
      "/user/pwd_reset_token/",
      async ({ body, request }) => {
        await passwords.requestReset(body.email, addressOf(request))
        return { message: resetMessage }
      },
      {
        json: true,
        body: ResetRequest,
        detail: documented.requestReset,
      },
    )
}
