import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { maxReasonLength } from "../../../domain/programme/programme-fields.ts"
import { maxTemplates } from "../../../domain/recognition/suggestions.ts"
import { faceView } from "../../../formats/views/people.ts"
import type { Dependencies } from "../../dependencies.ts"
import { operation } from "../../openapi-operations.ts"
import { openObject, ProtectedQuery } from "../../schemas.ts"
import { face } from "./common-fields.ts"

/** People whom the caller may want to thank, and the caller's templates of reasons. */
export function suggestionRoutes({ app: { suggestions }, guards }: Dependencies<"suggestions">) {
  return new Elysia()
    .use(guards)
    .get(
      "/api/v1/suggestions",
      async ({ caller: { user } }) => ({
        items: (await suggestions.people(user)).map(({ because, ...person }) => ({ ...faceView(person), because })),
      }),
      {
        authenticated: "read",
        query: ProtectedQuery,
        detail: operation("Me", "Suggest people to thank", 200, "Suggestions"),
      },
    )
    .get(
      "/api/v1/me/templates",
      async ({ caller: { user } }) => ({ items: [...(await suggestions.templates(user))] }),
      {
        authenticated: "read",
        query: ProtectedQuery,
        detail: operation("Me", "List your own templates of reasons", 200, "Templates"),
      },
    )
    .put(
      "/api/v1/me/templates",
      async ({ caller: { user }, body: { items } }) => ({ items: [...(await suggestions.saveTemplates(user, items))] }),
      {
        authenticated: "admin",
        query: ProtectedQuery,
        body: TemplatesRequest,
        detail: operation("Me", "Replace your own templates of reasons", 200, "Templates"),
      },
    )
}

const reasons = Type.Array(Type.String(), {
  description: `at most ${maxTemplates}, of at most ${maxReasonLength} characters each`,
})

const TemplatesRequest = openObject({ items: reasons })

export const suggestionComponents = {
  Suggestions: Type.Object({
    items: Type.Array(
      Type.Object({
        ...face,
        because: Type.Union([Type.Literal("recent"), Type.Literal("overlooked")], {
          description:
            "`recent`: you exchanged recognition lately; `overlooked`: you have not thanked them for 30 days",
        }),
      }),
    ),
  }),
  Templates: Type.Object({ items: reasons }),
}
