import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type Incoming, readBody } from "../body.ts"
import type { Dependencies } from "../dependencies.ts"
import { HttpError } from "../errors.ts"
import { operation, withBody } from "../openapi-operations.ts"
import { openObject } from "../schemas.ts"

/** Mattermost's longest message has 16,383 characters. */
const maxBytes = 131_072

/** The request that Mattermost sends (docs/operations/mattermost.md). Answers 404 unless Mattermost is set up. */
export function mattermostRoutes({ app: { mattermost }, guards }: Dependencies<"mattermost">) {
  async function answer({ request, receive }: Incoming): Promise<Response> {
    if (mattermost === null) throw new HttpError("not_found")
    const body = await readBody({ request, receive }, "raw", maxBytes)
    const form = new URLSearchParams(body instanceof Uint8Array ? new TextDecoder().decode(body) : "")
    const inHeader = /^Token (\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1]
    if (!mattermost.knows(inHeader ?? form.get("token") ?? "")) throw new HttpError("bad_command_token")
    return Response.json(await mattermost.command(form))
  }

  return new Elysia()
    .use(guards)
    .post("/integrations/mattermost/commands", ({ request, receive }) => answer({ request, receive }), {
      parse: "none",
      detail,
    })
}

const formField = (description: string) => Type.Optional(Type.String({ description }))

/** What the route reads of Mattermost's form. Only for the OpenAPI document, because the token is checked first. */
const CommandRequest = openObject({
  token: formField("the token again"),
  text: formField("what was typed behind the command"),
  user_id: formField("the person in Mattermost"),
  trigger_id: formField("identifies this use of the command"),
  response_url: formField("where Mattermost takes the outcome; only its path counts, behind `mattermost.url`"),
})

export const mattermostScheme = {
  mattermost: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Token`, a space, and one of `mattermost.tokens`",
  },
} as const

const described = operation("Mattermost", "Answer a slash command", 200, openObject({}), [
  "bad_command_token",
  "not_found",
  "foreign_origin",
  "body_too_large",
  "unwritable",
])
const detail = withBody("application/x-www-form-urlencoded", CommandRequest, {
  ...described,
  description: "Mattermost sends this request. The answer is what Mattermost shows.",
  answers: { ...described.answers, scheme: "mattermost" satisfies keyof typeof mattermostScheme },
})
