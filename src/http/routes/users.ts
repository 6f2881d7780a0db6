import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { seesBalanceOf, seesEverybody } from "../../domain/auth/access.ts"
import { avatarPath } from "../../domain/people/avatars.ts"
import { defaultCurrency, maxLengths } from "../../domain/people/fields.ts"
import { isActive, type User, type UserWithBalance } from "../../domain/people/model.ts"
import { jsonList } from "../../formats/json-lists.ts"
import type { Dependencies } from "../dependencies.ts"
import { createListAnswer } from "../downloads.ts"
import { anyOfRefs, bodyErrors, operation } from "../openapi-operations.ts"
import { activeFor } from "../request.ts"
import {
  ActiveFilter,
  byUsername,
  Flag,
  isOn,
  nullableText,
  openObject,
  ProtectedQuery,
  protectedQuery,
  text,
  Username,
} from "../schemas.ts"
import { createSharedAnswers } from "../shared-answers.ts"
import type { Turns } from "../turns.ts"

const jsonHeaders = { "content-type": "application/json;charset=utf-8" }
const resetMessage = "If we found a user with that email, we sent a password reset token to it."

interface UserDependencies extends Dependencies<"access" | "address" | "config" | "passwords" | "store" | "users"> {
  readonly turns: Turns
}

/** Everything under /user/ (docs/interface/users.md). */
export function userRoutes({ app, guards, turns }: UserDependencies) {
  const { access, address, config, passwords, store, users } = app
  const needsCredentials = config.directory.access === "auth"
  const directoryQuery = needsCredentials ? ProtectedDirectoryQuery : DirectoryQuery
  const lists = createSharedAnswers()
  const sendList = createListAnswer(turns)

  return new Elysia()
    .use(guards)
    .get(
      "/user/",
      async ({ caller, query, request, clientAddress, holder }) => {
        const showsBalances = isOn(query.show_balance) && seesEverybody(caller)
        const active = activeFor(seesEverybody(caller), query.active)
        const view = (user: UserWithBalance) =>
          showsBalances ? userViewWithBalance(user, address.url, user.balance) : userView(user, address.url)
        const isListed = (user: UserWithBalance) => active === null || isActive(user) === active
        const bytes = await lists(`${showsBalances} ${active}`, () => jsonList(store.exports.users(), view, isListed))
        const answer = await sendList(bytes, jsonHeaders, { request, clientAddress, holder })
        // Typed as the list that clients read.
        return answer as unknown as ReturnType<typeof view>[]
      },
      {
        directory: "read",
        query: needsCredentials ? ProtectedListQuery : ListQuery,
        detail: operation(
          "Users",
          "List the users",
          200,
          { type: "array", items: anyOfRefs("UserResponse", "UserResponseWithBalance") },
          ["invalid"],
        ),
      },
    )
    .get(
      "/user/:username/",
      async ({ caller, params, query }) => {
        const user = await access.toListed(caller, params.username)
        return isOn(query.show_balance) && seesBalanceOf(caller, user)
          ? userViewWithBalance(user, address.url, await store.users.balanceOf(user.id))
          : userView(user, address.url)
      },
      {
        directory: "read",
        params: Username,
        query: directoryQuery,
        detail: operation("Users", "Show a user", 200, anyOfRefs("UserResponse", "UserResponseWithBalance"), [
          "user_not_found",
          "invalid",
        ]),
      },
    )
    .post(
      "/user/",
      async ({ body, actor, status }) => status(201, userView(await users.create(actor, body), address.url)),
      {
        superuser: "admin",
        query: ProtectedQuery,
        body: UserRequest,
        detail: operation("Users", "Create a user (superusers)", 201, "UserResponse", [
          "username_taken",
          "username_lookalike",
          "busy",
          "integrity",
        ]),
      },
    )
    .patch(
      "/user/:username/",
      async ({ target, body: { avatar = null, bio = null }, actor }) => {
        return userView(await users.updateProfile(target, { avatar, bio }, actor), address.url)
      },
      {
        toProfile: "admin",
        ...byUsername,
        body: ProfileRequest,
        detail: operation("Users", "Overwrite avatar and bio (oneself, superusers)", 200, "UserResponse"),
      },
    )
    .post(
      "/user/:username/password/",
      async ({ grant, body: { password, password_confirm: confirmation }, clientAddress }) => {
        const from = { way: "http", address: clientAddress } as const
        return userView(await passwords.change(grant, { password, confirmation }, from), address.url)
      },
      {
        toPassword: true,
        params: Username,
        query: PasswordQuery,
        body: PasswordRequest,
        detail: operation("Users", "Set a password (reset token, oneself, superusers)", 200, "UserResponse", [
          "user_not_found",
          "not_own_password",
          "passwords_differ",
          "busy",
        ]),
      },
    )
    .post(
      "/user/pwd_reset_token/",
      async ({ body, clientAddress }) => {
        await passwords.requestReset(body.email, clientAddress)
        return { message: resetMessage }
      },
      {
        json: true,
        body: ResetRequest,
        detail: operation("Users", "Ask for a password reset by e-mail", 200, "Message", [...bodyErrors, "unwritable"]),
      },
    )
}

const showBalance = { show_balance: Type.Optional(Flag) }
const DirectoryQuery = openObject(showBalance)
const ProtectedDirectoryQuery = protectedQuery({ ...showBalance })
const ListQuery = openObject({ ...showBalance, ...ActiveFilter })
const ProtectedListQuery = protectedQuery({ ...showBalance, ...ActiveFilter })
const PasswordQuery = protectedQuery({ pwd_reset_token: Type.Optional(Type.String()) })
const PasswordRequest = openObject({ password: Type.String(), password_confirm: Type.String() })
const ResetRequest = openObject({ email: Type.String() })
const UserRequest = openObject({
  name: text(`1 to ${maxLengths.name} characters`),
  email: text(`one plain address of at most ${maxLengths.email} characters`),
  dept: text(`1 to ${maxLengths.dept} characters; \`management\` makes a superuser`),
  password: text(`at most ${maxLengths.passwordBytes} bytes`),
  currency: Type.Optional(text(`1 to ${maxLengths.currency} characters, by default ${defaultCurrency}`)),
  username: Type.Optional(
    nullableText(`1 to ${maxLengths.username} characters; made from the name when absent or null`),
  ),
  avatar: Type.Optional(nullableText("http or https address of an image")),
  bio: Type.Optional(nullableText(`at most ${maxLengths.bio} characters`)),
})
const ProfileRequest = openObject({
  avatar: Type.Optional(nullableText("http or https address of an image; null when absent")),
  bio: Type.Optional(nullableText(`at most ${maxLengths.bio} characters; null when absent`)),
})

const user = {
  name: Type.String(),
  username: Type.String(),
  dept: Type.String(),
  avatar: nullableText("address of an image"),
  bio: nullableText("text"),
  currency: Type.String(),
}

export const userComponents = {
  UserResponse: Type.Object(user),
  UserResponseWithBalance: Type.Object({ ...user, balance: Type.Integer({ description: "points" }) }),
}

/** `url` is where users reach this server. */
const userView = ({ name, username, dept, avatar, bio, currency }: User, url: string) => ({
  name,
  username,
  dept,
  avatar: avatar?.startsWith(avatarPath) ? url + avatar : avatar, // a picture stored here has a path only
  bio,
  currency,
})

const userViewWithBalance = (user: User, url: string, balance: number) => ({ ...userView(user, url), balance })
