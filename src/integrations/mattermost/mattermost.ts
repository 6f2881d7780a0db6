import { mattermostGiveKind } from "../../domain/jobs/jobs.ts"
import { sha256 } from "../../domain/text.ts"
import type { Handler } from "../../jobs/attempt.ts"
import { isEqualInConstantTime } from "../../security/secrets.ts"
import { type Chat, privately } from "../chat/chat.ts"
import { type ChatDependencies, createGiving, type GiveJob } from "../chat/give-job.ts"
import { parseGive } from "../chat/give-request.ts"
import { reply } from "../chat/reply.ts"
import { createMattermostApi } from "./api.ts"

interface Dependencies extends ChatDependencies {
  readonly settings: {
    readonly url: string | null
    readonly bot_token: string | null
    readonly tokens: readonly string[] | null
  }
}

export type Mattermost = NonNullable<ReturnType<typeof createMattermost>>

/**
 * Giving points from Mattermost (docs/operations/mattermost.md). As with Slack, a request becomes a job, and its outcome
 * reaches the person afterwards. Null when Mattermost is not set up.
 */
export function createMattermost(dependencies: Dependencies) {
  const { settings, outbound, programme, log } = dependencies
  const { url, bot_token: token, tokens } = settings
  if (url === null || token === null || tokens === null) return null
  const name = "Mattermost"
  const { user, userNamed } = createMattermostApi({ outbound, url, token })
  const chat: Chat = {
    name,
    user,
    userNamed,
    plain,
    async answer({ responseUrl }, text) {
      if (responseUrl !== null) await reply(outbound, name, responseUrl, inMarkdown(text))
    },
  }
  const { wordsIn, enqueue, give } = createGiving(chat, dependencies)

  return {
    /** Whether this is the token of one of the slash commands. */
    knows: (given: string): boolean => tokens.some((one) => isEqualInConstantTime(one, given)),

    /** The answer to a slash command. */
    async command(form: URLSearchParams): Promise<object> {
      const rules = await programme()
      const texts = wordsIn(rules)
      const request = parseGive(form.get("text") ?? "", rules.points_name)
      if (request === null) return inMarkdown(texts.usage)
      const responseUrl = answerUrlOf(form.get("response_url"))
      if (responseUrl === null) {
        log.error("Mattermost sent a command without a valid response_url")
        return inMarkdown(texts.notSetUp)
      }
      // A hash, because nothing bounds the length of the id.
      const key = `mattermost ${sha256(form.get("trigger_id") || crypto.randomUUID())}`
      const job: GiveJob = { ...request, giver: form.get("user_id") ?? "", responseUrl, key }
      await enqueue(mattermostGiveKind, job)
      return inMarkdown(texts.sending)
    },

    handlers: {
      [mattermostGiveKind]: give,
    } satisfies Record<string, Handler>,
  }

  /**
   * Where Mattermost takes the outcome. Its own URL begins with the address for browsers, which this server may not reach,
   * and which is missing while Mattermost's setting SiteURL is empty.
   */
  function answerUrlOf(given: string | null): string | null {
    const path = /\/hooks\/commands\/[a-z0-9]{26}$/.exec(given ?? "")?.[0]
    return path === undefined ? null : url + path
  }
}

/** Mattermost shows Markdown. Without the last field it would also look for Slack's markup in it. */
const inMarkdown = (text: string) => ({ ...privately(text), skip_slack_parsing: true })

const plain = (text: string): string => text.replaceAll(/[\\`*_~|<>[\]#]/g, "\\$&")
