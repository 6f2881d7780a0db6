import type { Outbound } from "../../net/outbound.ts"
import { askChat, ChatRefusal, ChatUnreachable, type ChatUser, fieldsOf } from "../chat/chat.ts"

/** Slack's answers contain a whole profile. */
const maxAnswerBytes = 262_144

/**
 * Permissions of the bot token (docs/operations/slack-manifest.yaml). Without `users:read.email`, Slack silently omits
 * addresses.
 */
const neededScopes = ["chat:write", "users:read", "users:read.email"]

interface Dependencies {
  readonly outbound: Pick<Outbound, "send">
  /** The settings `slack.api_url` and `slack.bot_token`. */
  readonly url: string
  readonly token: string
}

/**
 * The calls of Slack's Web API that this app needs. Methods throw ChatRefusal or ChatUnreachable.
 */
export function createSlackApi({ outbound, url, token }: Dependencies) {
  return {
    /** Null for an unknown id. */
    async user(id: string): Promise<ChatUser | null> {
      const answer = await call("users.info", { user: id }, ["user_not_found", "user_not_visible"])
      if (answer === null) return null
      const user = fieldsOf(answer.user)
      const profile = fieldsOf(user.profile)
      const email = user.is_email_confirmed === true && typeof profile.email === "string" ? profile.email : null
      const name = [profile.display_name, profile.real_name, user.name].find(
        (one) => typeof one === "string" && one !== "",
      )
      const isMember = user.deleted !== true && user.is_bot !== true && user.is_stranger !== true
      return { email, name: String(name ?? id), isMember }
    },

    openDialog: (triggerId: string, view: object, signal: AbortSignal) =>
      call("views.open", { trigger_id: triggerId, view: JSON.stringify(view) }, [], signal),

    tell: (user: string, text: string) => call("chat.postMessage", { channel: user, text }),

    /** The permissions that the token lacks, as Slack reports them. @throws ChatRefusal when the token is not valid */
    async missingScopes(): Promise<readonly string[]> {
      const { headers } = await ask("auth.test", {})
      const granted = headers["x-oauth-scopes"]?.split(",").map((scope) => scope.trim())
      return granted === undefined ? [] : neededScopes.filter((scope) => !granted.includes(scope))
    },
  }

  /** The answer; null when Slack answers with one of the `expected` errors. */
  async function call(
    method: string,
    fields: Readonly<Record<string, string>>,
    expected: readonly string[] = [],
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    return (await ask(method, fields, expected, signal)).answer
  }

  async function ask(
    method: string,
    fields: Readonly<Record<string, string>>,
    expected: readonly string[] = [],
    signal?: AbortSignal,
  ) {
    const { status, body, headers } = await askChat(outbound, {
      method: "POST",
      url: `${url}/${method}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString(),
      maxBytes: maxAnswerBytes,
      signal,
    })
    if (status !== 200) throw new ChatUnreachable(`Slack answered ${method} with ${status}`)
    const answer = fieldsOf(parsed(method, body))
    if (answer.ok === true) return { answer, headers }
    const error = String(answer.error)
    if (expected.includes(error)) return { answer: null, headers }
    if (/^(internal_error|fatal_error|service_unavailable|request_timeout|ratelimited)$/.test(error))
      throw new ChatUnreachable(`Slack answered ${method} with ${error}`)
    throw new ChatRefusal(`Slack refuses ${method}: ${error}`)
  }
}

/** Something between, such as a portal, answers with a page. */
function parsed(method: string, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new ChatUnreachable(`Slack answered ${method} with no JSON`, { cause: error })
  }
}
