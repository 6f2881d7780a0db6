import { fieldsIn, type Outbound } from "../../net/outbound.ts"
import { askChat, ChatRefusal, ChatUnreachable, type ChatUser } from "../chat/chat.ts"

/** The configuration for clients is the longest answer, with some 20,000 bytes. */
const maxAnswerBytes = 262_144

interface Dependencies {
  readonly outbound: Pick<Outbound, "send">
  /** The settings `mattermost.url` and `mattermost.bot_token`. */
  readonly url: string
  readonly token: string
}

/** What Mattermost's settings mean for giving. */
interface Policy {
  /** Whether the bot is shown e-mail addresses. */
  readonly showsAddresses: boolean
  /** Whether people may enter an address that is not theirs, because nobody confirms it. */
  readonly takesAnyAddress: boolean
}

/**
 * The calls of Mattermost's REST API (version 4) that this app needs. Methods throw ChatRefusal, or another error when
 * Mattermost is unreachable.
 */
export function createMattermostApi({ outbound, url, token }: Dependencies) {
  return {
    /** Null for an unknown id. */
    user: async (id: string): Promise<ChatUser | null> =>
      /^[a-z0-9]{26}$/.test(id) ? userOf(await ask(`users/${id}`)) : null,

    /** Null for an unknown name. */
    userNamed: async (name: string): Promise<ChatUser | null> =>
      /^[a-z][a-z0-9._-]{0,63}$/i.test(name) ? userOf(await ask(`users/username/${name.toLowerCase()}`)) : null,

    /** @throws ChatRefusal when the token is not valid */
    async policy(): Promise<Policy> {
      const [me, config] = await Promise.all([ask("users/me"), ask("config/client?format=old")])
      const isOn = (name: string) => config?.[name] === "true"
      const isAdmin = String(me?.roles).split(" ").includes("system_admin")
      const logsInByPassword = isOn("EnableSignInWithEmail") || isOn("EnableSignInWithUsername")
      return {
        showsAddresses: isAdmin || isOn("ShowEmailAddress"),
        takesAnyAddress: logsInByPassword && !isOn("RequireEmailVerification"),
      }
    },
  }

  /** The answer; null for something that Mattermost does not know. */
  async function ask(path: string): Promise<Readonly<Record<string, unknown>> | null> {
    const { status, body } = await askChat(outbound, {
      method: "GET",
      url: `${url}/api/v4/${path}`,
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      maxBytes: maxAnswerBytes,
    })
    if (status === 429 || status >= 500) throw new ChatUnreachable(`Mattermost answered with ${status}`)
    const answer = fieldsIn(body)
    if (answer === null) throw new ChatRefusal(`mattermost.url does not answer as Mattermost does (${status})`)
    if (status === 404) return null
    if (status !== 200) throw new ChatRefusal(`Mattermost refuses the bot (${status}): ${answer.message}`)
    return answer
  }
}

function userOf(user: Readonly<Record<string, unknown>> | null): ChatUser | null {
  if (user === null) return null
  const { email, nickname, first_name, last_name, username, is_bot, delete_at, remote_id } = user
  const text = (value: unknown) => (typeof value === "string" ? value : "")
  if (text(email) === "") throw new ChatRefusal("Mattermost hides e-mail addresses from the bot")
  const full = [first_name, last_name].map(text).filter(Boolean).join(" ")
  // People of other servers have accounts here for channels that are shared with them.
  const isMember = is_bot !== true && !delete_at && text(remote_id) === ""
  return { email: text(email), name: text(nickname) || full || text(username), isMember }
}
