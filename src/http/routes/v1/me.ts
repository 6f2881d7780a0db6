import { Elysia } from "elysia"
import type { App } from "../../../app.ts"
import type { Caller } from "../../../domain/auth/access.ts"
import { avatarPath } from "../../../domain/people/avatars.ts"
import { body, credentials, describe, one } from "../../documented.ts"
import { HttpRefusal } from "../../errors.ts"
import type { doors } from "../../guards.ts"
import { ProtectedQuery } from "../../schemas.ts"
import { ownAccount } from "../../v1/own-account.ts"
import { MeRequest, PictureHash } from "../../v1/schemas.ts"

interface Dependencies {
  readonly app: Pick<App, "hasInitialPassword" | "store" | "users">
  readonly door: ReturnType<typeof doors>
  readonly addressOf: (request: Request) => string
}

/** The caller's own account, and pictures that people keep here. */
export function meRoutes({ app, door, addressOf }: Dependencies) {
  const { store, users } = app
  const shown = ownAccount(app)
  const origin = (request: Request, { user }: Caller) => ({
    who: user.username,
    way: "http" as const,
    address: addressOf(request),
  })

  return new Elysia()
    .use(door)
    .get("/api/v1/me", ({ caller }) => shown(caller.user), {
      members: true,
      query: ProtectedQuery,
      detail: describe("Me", "Show the own account", 200, one("Me"), [...credentials, "invalid"]),
    })
    .patch(
      "/api/v1/me",
      async ({ caller, request, body: { name, bio, avatar } }) =>
        shown(await users.change(caller.user, { name, bio, avatar }, origin(request, caller))),
      {
        members: true,
        query: ProtectedQuery,
        body: MeRequest,
        detail: describe("Me", "Change what is given of the own profile", 200, one("Me"), [
          ...writing,
          "name_lookalike",
        ]),
      },
    )
    .put(
      "/api/v1/me/avatar",
      async ({ caller, request, body: bytes }) =>
        shown(await users.saveAvatar(caller.user, bytes as Uint8Array<ArrayBuffer>, origin(request, caller))),
      {
        membersWithPicture: true,
        query: ProtectedQuery,
        detail: {
          ...describe("Me", "Keep a picture here and show it", 200, one("Me"), pictureRefusals),
          requestBody: { required: true, content: { "image/*": { schema: { type: "string", format: "binary" } } } },
        },
      },
    )
    .delete(
      "/api/v1/me/avatar",
      async ({ caller, request }) => shown(await users.change(caller.user, { avatar: null }, origin(request, caller))),
      {
        members: true,
        query: ProtectedQuery,
        detail: describe("Me", "Show no picture", 200, one("Me"), [
          ...credentials,
          "foreign_origin",
          "invalid",
          "unwritable",
        ]),
      },
    )
    .get(
      `${avatarPath}:hash`,
      async ({ params }) => {
        const picture = await store.users.picture(params.hash)
        if (!picture) throw new HttpRefusal("not_found")
        return new Response(picture.bytes, {
          headers: {
            "content-type": `image/${picture.kind}`,
            "cache-control": "public, max-age=31536000, immutable",
            "cross-origin-resource-policy": "cross-origin", // the contract's `avatar` is an address for everybody
          },
        })
      },
      {
        params: PictureHash,
        detail: {
          ...describe("Me", "A picture that somebody shows", 200, one("Me"), ["not_found"]),
          responses: pictureResponses,
        },
      },
    )
}

const writing = [...credentials, ...body, "unwritable"] as const
const pictureRefusals = [...credentials, "foreign_origin", "body_too_large", "invalid", "unwritable"] as const
const pictureResponses = {
  ...describe("", "", 200, {}, ["not_found"]).responses,
  200: { description: "Done", content: { "image/*": { schema: { type: "string", format: "binary" } } } },
}
