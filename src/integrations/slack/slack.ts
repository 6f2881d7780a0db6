import { slackGiveKind } from "../../domain/jobs/jobs.ts"
import type { Handler } from "../../jobs/attempt.ts"
import { type Chat, fieldsOf, privately } from "../chat/chat.ts"
import { type ChatDependencies, createGiving, type GiveJob } from "../chat/give-job.ts"
import { reply } from "../chat/reply.ts"
import { createSlackApi } from "./api.ts"
import { dialogId, dialogView, requestIn } from "./dialog.ts"
import { isSignedBySlack } from "./signature.ts"
import { restored, stored } from "./stored-job.ts"
import { escaped, parseSlackGive } from "./text.ts"

/** How long opening a dialog may take: Slack allows three seconds after the trigger. */
const dialogMs = 2_500

interface Dependencies extends ChatDependencies {
  readonly settings: {
    readonly signing_secret: string | null
    readonly bot_token: string | null
    readonly api_url: string
  }
}

export type Slack = NonNullable<ReturnType<typeof createSlack>>

/**
 * Giving points from Slack (docs/operations/slack.md). Slack waits only three seconds, so a request becomes a job, and
 * its outcome reaches the person afterwards as a private message. Null when Slack is not set up.
 */
export function createSlack(dependencies: Dependencies) {
  const { settings, outbound, programme, clock, log } = dependencies
  const { signing_secret: secret, bot_token: token, api_url: url } = settings
  if (secret === null || token === null) return null
  const name = "Slack"
  const api = createSlackApi({ outbound, url, token })
  const chat: Chat = {
    name,
    user: api.user,
    plain: escaped,
    async answer({ giver, responseUrl }, text) {
      if (responseUrl === null) await api.tell(giver, text)
      else await reply(outbound, name, responseUrl, privately(text))
    },
  }
  const { wordsIn, enqueue, give } = createGiving(chat, dependencies)
  const enqueueGive = (job: GiveJob) => enqueue(slackGiveKind, stored(job))

  return {
    isSigned: (timestamp: string | null, signature: string | null, body: Uint8Array): boolean =>
      isSignedBySlack({ secret, timestamp, signature, body }, clock()),

    /** The answer to a slash command. */
    async command(form: URLSearchParams): Promise<object | null> {
      const text = form.get("text") ?? ""
      const triggerId = form.get("trigger_id")
      const rules = await programme()
      const texts = wordsIn(rules)
      if (text.trim() === "") return (await openDialog(triggerId ?? "")) ? null : privately(texts.noDialog)
      const request = parseSlackGive(text, rules.points_name)
      if (request === null) return privately(texts.usage)
      const given = { giver: form.get("user_id") ?? "", responseUrl: form.get("response_url") }
      await enqueueGive({ ...request, ...given, key: keyOf("slack", triggerId) })
      return privately(texts.sending)
    },

    /** The answer to a shortcut, or to a dialog that was submitted. */
    async interaction(payload: unknown): Promise<object | null> {
      const { type, trigger_id, callback_id, view: given, user } = fieldsOf(payload)
      if (type === "shortcut" && callback_id === dialogId) {
        await openDialog(String(trigger_id))
        return null
      }
      const view = fieldsOf(given)
      if (type !== "view_submission" || view.callback_id !== dialogId) return null
      const request = requestIn(view)
      if (request === null) return { response_action: "errors", errors: { value: wordsIn(await programme()).badValue } }
      const giver = String(fieldsOf(user).id ?? "")
      await enqueueGive({ ...request, giver, key: keyOf("slack view", view.id), responseUrl: null })
      return null
    },

    handlers: {
      [slackGiveKind]: (payload) => give(restored(payload)),
    } satisfies Record<string, Handler>,
  }

  async function openDialog(triggerId: string): Promise<boolean> {
    try {
      const rules = await programme()
      const view = dialogView(wordsIn(rules).dialog, rules)
      await api.openDialog(triggerId, view, AbortSignal.timeout(dialogMs))
      return true
    } catch (error) {
      log.warn("Slack did not open the form", { error: error instanceof Error ? error.message : String(error) })
      return false
    }
  }
}

/** The idempotency key of a request. One that Slack sends without an id is its own, and shares its key with no other. */
const keyOf = (kind: string, id: unknown): string =>
  `${kind} ${typeof id === "string" && id !== "" ? id : crypto.randomUUID()}`
