import { Elysia } from "elysia"
import type { App } from "../../app.ts"
import type { Slack } from "../../slack/slack.ts"
import { readBody } from "../body.ts"
import { HttpError } from "../errors.ts"
import { hidden } from "../openapi-operations.ts"

/** Enough for the largest body that Slack sends, that of a dialog. */
const maxBytes = 65_536

interface Dependencies {
  readonly app: Pick<App, "slack">
}

/** The requests that Slack sends (docs/operations/slack.md). Answers 404 unless Slack is set up. */
export function slackRoutes({ app: { slack } }: Dependencies) {
  const answered =
    (work: (slack: Slack, form: URLSearchParams) => Promise<object | null>) => async (request: Request) => {
      if (slack === null) throw new HttpError("not_found")
      const { headers } = request
      const body = await readBody(request, "raw", maxBytes)
      const bytes = body instanceof Uint8Array ? body : new Uint8Array()
      if (!slack.isSigned(headers.get("x-slack-request-timestamp"), headers.get("x-slack-signature"), bytes))
        throw new HttpError("bad_signature")
      const answer = await work(slack, new URLSearchParams(new TextDecoder().decode(bytes)))
      return answer === null ? new Response(null) : Response.json(answer)
    }
  const command = answered((to, form) => to.command(form))
  const interaction = answered((to, form) => to.interaction(parsed(form.get("payload") ?? "")))

  return new Elysia()
    .post("/integrations/slack/commands", ({ request }) => command(request), { parse: "none", ...hidden })
    .post("/integrations/slack/interactions", ({ request }) => interaction(request), { parse: "none", ...hidden })
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new HttpError("malformed_json")
  }
}
