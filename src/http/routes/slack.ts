import { type TSchema, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Slack } from "../../integrations/slack/slack.ts"
import { type Incoming, readBody } from "../body.ts"
import type { Dependencies } from "../dependencies.ts"
import { type ErrorCode, HttpError } from "../errors.ts"
import { operation, withBody } from "../openapi-operations.ts"
import { openObject } from "../schemas.ts"

/** Enough for the largest body that Slack sends, that of a dialog. */
const maxBytes = 65_536

/** The requests that Slack sends (docs/operations/slack.md). Answers 404 unless Slack is set up. */
export function slackRoutes({ app: { slack }, guards }: Dependencies<"slack">) {
  const answered =
    (work: (slack: Slack, form: URLSearchParams) => Promise<object | null>) =>
    async ({ request, receive }: Incoming) => {
      if (slack === null) throw new HttpError("not_found")
      const { headers } = request
      const body = await readBody({ request, receive }, "raw", maxBytes)
      const bytes = body instanceof Uint8Array ? body : new Uint8Array()
      if (!slack.isSigned(headers.get("x-slack-request-timestamp"), headers.get("x-slack-signature"), bytes))
        throw new HttpError("bad_signature")
      const answer = await work(slack, new URLSearchParams(new TextDecoder().decode(bytes)))
      return answer === null ? new Response(null) : Response.json(answer)
    }
  const command = answered((to, form) => to.command(form))
  const interaction = answered((to, form) => to.interaction(parsed(form.get("payload") ?? "")))

  return new Elysia()
    .use(guards)
    .post("/integrations/slack/commands", ({ request, receive }) => command({ request, receive }), {
      parse: "none",
      detail: slackOperation("Answer a slash command", CommandRequest, []),
    })
    .post("/integrations/slack/interactions", ({ request, receive }) => interaction({ request, receive }), {
      parse: "none",
      detail: slackOperation("Answer a shortcut or a form", InteractionRequest, ["malformed_json"]),
    })
}

const formField = (description: string) => Type.Optional(Type.String({ description }))

/** What these routes read of Slack's forms. Only for the OpenAPI document, because the signature is checked first. */
const CommandRequest = openObject({
  text: formField("what was typed behind the command"),
  user_id: formField("the person in Slack"),
  trigger_id: formField("identifies this use of the command"),
  response_url: formField("where Slack takes the outcome"),
})
const InteractionRequest = openObject({ payload: Type.String({ description: "JSON" }) })

const signature = {
  type: "apiKey",
  in: "header",
  name: "X-Slack-Signature",
  description: "a signature of timestamp and body with `slack.signing_secret`",
} as const

export const slackScheme = { slack: signature }

const timestamp = {
  name: "X-Slack-Request-Timestamp",
  in: "header",
  required: true,
  description: "when Slack signed the request, in seconds since 1970; at most five minutes ago",
  schema: { type: "integer" },
} as const

function slackOperation(summary: string, form: TSchema, errors: readonly ErrorCode[]) {
  const described = operation("Slack", summary, 200, openObject({}), [
    "bad_signature",
    "not_found",
    "foreign_origin",
    "body_too_large",
    ...errors,
    "unwritable",
  ])
  const answers = { ...described.answers, scheme: "slack" satisfies keyof typeof slackScheme }
  return withBody("application/x-www-form-urlencoded", form, {
    ...described,
    description: "Slack sends these requests. The answer is what Slack shows; it is empty if there is nothing to show.",
    headerParameters: [timestamp],
    answers,
  })
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new HttpError("malformed_json")
  }
}
