import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { App } from "../../../app/app.ts"
import { allowanceModes } from "../../../domain/allowances/model.ts"
import { languages } from "../../../domain/languages.ts"
import { givableOf } from "../../../domain/ledger/pockets.ts"
import { avatarPath } from "../../../domain/people/avatars.ts"
import { maxLengths } from "../../../domain/people/fields.ts"
import type { User } from "../../../domain/people/model.ts"
import { examinedPicture } from "../../../domain/people/pictures.ts"
import { isSuperuser } from "../../../domain/people/roles.ts"
import { type MailChoice, mailFrequencies } from "../../../domain/recognition/model.ts"
import { maxUnread } from "../../../domain/recognition/notifications.ts"
import { utc } from "../../../formats/views/dates.ts"
import type { Dependencies } from "../../dependencies.ts"
import { HttpError } from "../../errors.ts"
import { fileOperation, operation } from "../../openapi-operations.ts"
import { nullableText, openObject, ProtectedQuery, text } from "../../schemas.ts"
import { account, accountView, celebrates } from "./accounts.ts"
import { date, points } from "./common-fields.ts"
import { occasionKind, years } from "./feed.ts"

/** The caller's own account, and the pictures that people upload. */
export function meRoutes({
  app,
  guards,
}: Dependencies<
  | "access"
  | "allowances"
  | "initialPasswordOf"
  | "logins"
  | "notifications"
  | "occasions"
  | "programme"
  | "passwords"
  | "statistics"
  | "store"
  | "teams"
  | "users"
>) {
  const { access, logins, passwords, store, users } = app
  const meOf = createMeOf(app)

  return new Elysia()
    .use(guards)
    .get("/api/v1/me", ({ caller }) => meOf(caller.user), {
      authenticated: "read",
      query: ProtectedQuery,
      detail: operation("Me", "Show your account", 200, "Me"),
    })
    .patch(
      "/api/v1/me",
      async ({ caller: { user }, actor, body: { mail, language, ...profile } }) => {
        const { name, bio, avatar, birthday, celebrates } = profile
        const change = { name, bio, avatar, birthday, celebrates }
        const changed = await users.updateOwnProfile(user, change, actor)
        if (mail !== undefined || language !== undefined) await store.mail.choose(user.id, { mail, language })
        return meOf(changed)
      },
      {
        authenticated: "admin",
        query: ProtectedQuery,
        body: MeRequest,
        detail: operation("Me", "Change the given fields of your profile", 200, "Me", ["name_lookalike"]),
      },
    )
    .post(
      "/api/v1/me/password",
      async ({ caller, clientAddress, body }) => {
        await logins.confirmPassword(caller.user, { password: body.current_password, address: clientAddress })
        const grant = await access.toPassword(caller, caller.user.username, null)
        const chosen = { password: body.password, confirmation: body.password_confirm }
        return meOf(await passwords.change(grant, chosen, { way: "http", address: clientAddress }))
      },
      {
        authenticated: true,
        query: ProtectedQuery,
        body: PasswordChange,
        detail: operation("Me", "Change your password", 200, "Me", [
          "not_own_password",
          "wrong_password",
          "passwords_differ",
          "too_many_failures",
          "busy",
        ]),
      },
    )
    .put(
      "/api/v1/me/avatar",
      async ({ caller: { user }, actor, body: bytes }) =>
        meOf(await users.saveAvatar(user, bytes as Uint8Array<ArrayBuffer>, actor)),
      {
        pictureUpload: "admin",
        query: ProtectedQuery,
        detail: {
          ...operation("Me", "Upload your avatar", 200, "Me", ["body_too_large"]),
          requestBody: { required: true, content: { "image/*": { schema: { type: "string", format: "binary" } } } },
        },
      },
    )
    .delete(
      "/api/v1/me/avatar",
      async ({ caller: { user }, actor }) => meOf(await users.updateOwnProfile(user, { avatar: null }, actor)),
      {
        authenticated: "admin",
        query: ProtectedQuery,
        detail: operation("Me", "Remove your avatar", 200, "Me"),
      },
    )
    .get(
      `${avatarPath}:hash`,
      async ({ params }) => {
        const picture = await store.users.picture(params.hash)
        // One that was stored before there were these rules could harm the browsers that show it.
        if (!picture || typeof examinedPicture(picture.bytes) !== "string") throw new HttpError("not_found")
        return new Response(picture.bytes, {
          headers: {
            "content-type": `image/${picture.kind}`,
            "cache-control": "public, max-age=31536000, immutable",
            "cross-origin-resource-policy": "cross-origin", // the contract's `avatar` is an address for everyone
          },
        })
      },
      {
        params: PictureHash,
        detail: fileOperation("Me", "Download an uploaded avatar", picture, ["not_found"]),
      },
    )
}

/** The caller's own account, as /api/v1/me and /api/v1/session show it. */
export const createMeOf =
  ({
    allowances,
    statistics,
    notifications,
    initialPasswordOf,
    occasions,
    programme,
    store,
    teams,
  }: Pick<
    App,
    "allowances" | "statistics" | "notifications" | "initialPasswordOf" | "occasions" | "programme" | "store" | "teams"
  >) =>
  async (user: User) => {
    const initial = await initialPasswordOf(user)
    const next = await allowances.nextFor(user)
    const { toGive: balance, received, budget, redeemable } = await statistics.pointsOf(user)
    return {
      ...accountView(user, balance, await teams.managerOf(user)),
      to_give: givableOf(user, { balance, earned: redeemable }, await programme.current()),
      received,
      budget,
      redeemable,
      reports: await teams.sizeOf(user),
      unread: await notifications.unread(user),
      occasion: await occasions.todayOf(user),
      granted_this_month: isSuperuser(user) ? await statistics.grantedThisMonth() : null,
      next_allowance: next && { ...next, at: utc(next.at) },
      ...(await store.mail.choiceOf(user.id)),
      initial_password: initial !== null,
      default_password: initial === "default",
    }
  }

const MailFrequency = Type.Unsafe<MailChoice["mail"]>(
  Type.Union(
    mailFrequencies.map((word) => Type.Literal(word)),
    {
      description:
        "mail when somebody thanks you: `each` at once, `daily` together, `off` for no mail about recognition",
    },
  ),
)
const Language = Type.Unsafe<MailChoice["language"]>(
  Type.Union([...languages.map((word) => Type.Literal(word)), Type.Null()], {
    description: "language of mail; null for that of the service",
  }),
)

const MeRequest = openObject({
  name: Type.Optional(text(`1 to ${maxLengths.name} characters`)),
  bio: Type.Optional(nullableText(`at most ${maxLengths.bio} characters`)),
  avatar: Type.Optional(nullableText("http or https address of an image, or a path of this server's own")),
  birthday: Type.Optional(nullableText("the day of the year, MM-DD")),
  celebrates: Type.Optional(celebrates),
  mail: Type.Optional(MailFrequency),
  language: Type.Optional(Language),
})

const PasswordChange = openObject({
  current_password: Type.String({ description: "the present one; a wrong one counts like a failed log-in" }),
  password: text(`at most ${maxLengths.passwordBytes} bytes`),
  password_confirm: text("the same again"),
})

const PictureHash = Type.Object({ hash: Type.String() })

const picture = { description: "Done", type: "image/*", format: "binary" }

export const me = {
  ...account,
  to_give: Type.Integer({ description: "points that you can give: the balance, or `budget` if the programme says so" }),
  received: Type.Integer({ description: "points received as recognition, less what was taken back" }),
  budget: Type.Integer({
    description: "of the balance, the points that can be given only, never below 0; giving uses them first",
  }),
  redeemable: Type.Integer({
    description: "of the balance, the points that others gave as recognition; a user can give them or redeem them",
  }),
  reports: Type.Integer({ description: "how many people report to you" }),
  unread: Type.Integer({ description: `notifications that are not seen; ${maxUnread} for more` }),
  occasion: Type.Union(
    [Type.Object({ date: Type.String({ format: "date" }), kind: occasionKind, years }), Type.Null()],
    { description: "what is celebrated of you today; null for nothing" },
  ),
  granted_this_month: Type.Union([Type.Integer(), Type.Null()], {
    description: "points that everybody together granted to others this month; for superusers only",
  }),
  next_allowance: Type.Union(
    [
      Type.Object({
        value: points,
        mode: Type.Union(allowanceModes.map((mode) => Type.Literal(mode))),
        at: date("when it is paid"),
      }),
      Type.Null(),
    ],
    { description: "the next allowance that is paid to you; null when there is none" },
  ),
  mail: MailFrequency,
  language: Language,
  initial_password: Type.Boolean({ description: "whether `admin` still has the password from the start" }),
  default_password: Type.Boolean({
    description: "whether that is the one of every new installation, which anybody can look up",
  }),
}

export const meComponents = { Me: Type.Object(me) }
