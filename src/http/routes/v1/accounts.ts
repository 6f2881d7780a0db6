import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { invalid } from "../../../domain/errors.ts"
import { defaultCurrency, maxLengths } from "../../../domain/people/fields.ts"
import { dutyNames, isActive, type User } from "../../../domain/people/model.ts"
import { checkActive } from "../../../domain/people/users.ts"
import { jsonLists } from "../../../formats/json-lists.ts"
import { utcOrNull } from "../../../formats/views/dates.ts"
import { faceView } from "../../../formats/views/people.ts"
import type { Dependencies } from "../../dependencies.ts"
import { sentInPieces } from "../../downloads.ts"
import { bodyErrors, idempotentOperation, operation } from "../../openapi-operations.ts"
import { keyedRequestOf } from "../../request.ts"
import { byUsername, nullableText, oneOf, openObject, ProtectedQuery, text } from "../../schemas.ts"
import { dateOrNull, face, manager, managerView, points, role, roleOf } from "./common-fields.ts"

type AccountDependencies = Dependencies<
  "exports" | "invitations" | "leavers" | "secondFactors" | "store" | "teams" | "users"
>

/** Other people's accounts, for those who maintain them. */
export function accountRoutes({
  app: { exports, invitations, leavers, secondFactors, store, teams, users },
  guards,
}: AccountDependencies) {
  const whole = async (user: User) => ({
    ...accountView(user, await store.users.balanceOf(user.id), await teams.managerOf(user)),
    second_factor: await secondFactors.has(user),
    erased: user.erasedAt !== null,
    has_logged_in: await invitations.hasLoggedIn(user),
  })

  return new Elysia()
    .use(guards)
    .post(
      "/api/v1/users",
      async ({ caller, body, actor, request, status }) => {
        const { invite = true, ...fields } = body
        const invited = await users.invite(
          actor,
          { ...fields, isInvited: invite },
          keyedRequestOf(request, caller, body),
        )
        return status(201, await whole(invited))
      },
      {
        people: "admin",
        query: ProtectedQuery,
        body: NewAccountRequest,
        detail: idempotentOperation(
          "Users",
          "Create an account without a password, and invite its owner",
          201,
          "Account",
          ["username_taken", "username_lookalike", "email_taken"],
        ),
      },
    )
    .get("/api/v1/users/:username", ({ target }) => whole(target), {
      toMaintained: "read",
      ...byUsername,
      detail: operation("Users", "Show all of an account (superusers)", 200, "Account"),
    })
    .get(
      "/api/v1/users/:username/data",
      async ({ target, actor, holder }) => {
        return sentInPieces(jsonLists(await exports.personalData(actor, target)), jsonHeaders, holder)
      },
      {
        toData: "read",
        ...byUsername,
        detail: operation("Users", "Export everything stored about a person", 200, "PersonalData"),
      },
    )
    .patch(
      "/api/v1/users/:username",
      async ({ target, body: { active, return_points: returnPoints = false, ...correction }, actor }) => {
        if (returnPoints && active !== false) throw invalid("return_points", "only with active: false")
        if (active !== undefined) checkActive(target, active)
        let user = await users.correct(actor, target, correction)
        if (active === true) user = await leavers.reactivate(actor, user)
        if (active === false) user = await leavers.deactivate(actor, user, { returnPoints })
        return whole(user)
      },
      {
        toMaintained: "admin",
        ...byUsername,
        body: AccountRequest,
        detail: operation("Users", "Correct an account, deactivate or reactivate it (superusers)", 200, "Account", [
          "username_taken",
          "username_lookalike",
          "email_taken",
          "address_fixed",
          "erased",
          "manager_cycle",
        ]),
      },
    )
    .post(
      "/api/v1/users/invitations",
      async ({ actor }) => ({
        count: await invitations.inviteAll(actor),
      }),
      {
        people: "admin",
        query: ProtectedQuery,
        detail: operation("Users", "Invite everybody again who never logged in", 200, "MailCount", [...bodyErrors]),
      },
    )
    .post(
      "/api/v1/users/:username/invitation",
      async ({ target, actor }) => ({
        count: await invitations.invite(actor, target),
      }),
      {
        toMaintained: "admin",
        ...byUsername,
        detail: operation("Users", "Invite somebody again who never logged in", 200, "MailCount", [
          "has_logged_in",
          ...bodyErrors,
        ]),
      },
    )
    .post(
      "/api/v1/users/:username/erasure",
      async ({ target, body: { reasons }, actor }) => whole(await leavers.erase(actor, target, reasons)),
      {
        toAccount: "admin",
        ...byUsername,
        body: ErasureRequest,
        detail: operation("Users", "Erase what is stored about somebody who left (superusers)", 200, "Account", [
          "still_active",
        ]),
      },
    )
}

const jsonHeaders = { "content-type": "application/json;charset=utf-8" }

/** Without a default, because an erasure cannot be undone. */
const ErasureRequest = openObject({
  reasons: Type.Union([Type.Literal("none"), Type.Literal("written"), Type.Literal("all")]),
})

const AccountRequest = openObject({
  username: Type.Optional(text("the former one is nobody else's for a year, and leads to this person")),
  name: Type.Optional(text(`1 to ${maxLengths.name} characters`)),
  email: Type.Optional(text("ends the links and refresh tokens from before")),
  dept: Type.Optional(text("the new department; `management` makes a superuser")),
  manager: Type.Optional(nullableText("username of the person to report to; null for nobody")),
  active: Type.Optional(Type.Boolean({ description: "false ends all access at once" })),
  birthday: Type.Optional(nullableText("the day of the year, MM-DD")),
  joined: Type.Optional(nullableText("the first day at work, YYYY-MM-DD; it may lie ahead")),
  duties: Type.Optional(
    Type.Array(oneOf(dutyNames, "a duty"), {
      description: `all duties from then on, some of ${dutyNames.join(", ")}; only superusers give them`,
    }),
  ),
  return_points: Type.Optional(Type.Boolean({ description: "with `active: false`: the balance goes to `admin`" })),
})

/** What a person said about being celebrated. */
export const celebrates = Type.Union([Type.Boolean(), Type.Null()], {
  description:
    "whether the person wants to be celebrated; null: they have not said, so their anniversaries are named and their " +
    "birthday is not",
})

const NewAccountRequest = openObject({
  name: text(`1 to ${maxLengths.name} characters`),
  email: text(`one plain address of at most ${maxLengths.email} characters`),
  dept: text(`1 to ${maxLengths.dept} characters; \`management\` makes a superuser`),
  username: Type.Optional(
    nullableText(`1 to ${maxLengths.username} characters; made from the name when absent or null`),
  ),
  currency: Type.Optional(text(`1 to ${maxLengths.currency} characters, by default ${defaultCurrency}`)),
  invite: Type.Optional(Type.Boolean({ description: "false sends no mail with a link to set a password" })),
})

export const account = {
  ...face,
  email: Type.String(),
  currency: Type.String(),
  bio: nullableText("text"),
  birthday: nullableText("the day of the year, MM-DD"),
  joined: nullableText("the first day at work, YYYY-MM-DD"),
  celebrates,
  role,
  ...manager,
  balance: points,
  duties: Type.Array(Type.Union(dutyNames.map((duty) => Type.Literal(duty))), {
    description: "what a superuser gave this person to do",
  }),
  active: Type.Boolean(),
  deactivated_at: dateOrNull("UTC"),
}

export const accountComponents = {
  Account: Type.Object({
    ...account,
    has_logged_in: Type.Boolean({
      description: "whether this person has set a password, or logs in through a provider; others can be invited again",
    }),
    second_factor: Type.Boolean({ description: "whether a log-in asks for more than the password" }),
    erased: Type.Boolean({
      description: "whether placeholders have taken the place of name, username and e-mail address",
    }),
  }),
  PersonalData: Type.Record(Type.String(), Type.Array(Type.Object({}, { additionalProperties: true })), {
    description: "rows by what they are about",
  }),
}

export const accountView = (user: User, balance: number, reportsTo: User | null) => ({
  ...faceView(user),
  email: user.email,
  currency: user.currency,
  bio: user.bio,
  birthday: user.birthday,
  joined: user.joined,
  celebrates: user.celebrates,
  role: roleOf(user),
  ...managerView(reportsTo),
  balance,
  duties: [...user.duties],
  active: isActive(user),
  deactivated_at: utcOrNull(user.deactivatedAt),
})
