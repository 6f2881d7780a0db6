import { createReceiver, type Reply } from "../../support/receiver.ts"

export interface Member {
  readonly username: string
  readonly email: string
  readonly nickname?: string
  readonly is_bot?: true
  readonly delete_at?: number
  readonly remote_id?: string
}

export const botToken = "bot4kpu3faiec7r7c5zt6tfyab"

export type MattermostDouble = Awaited<ReturnType<typeof createMattermostDouble>>

/**
 * Mattermost over HTTPS, as developers.mattermost.com documents it: its REST API, the response_url of a slash command, and
 * an incoming webhook. It refuses what Mattermost would refuse or show wrongly. Members are by id.
 */
export async function createMattermostDouble(members: Readonly<Record<string, Member>>) {
  const receiver = await createReceiver("chat.example.test")
  /** Answers to the next requests to paths that begin so. */
  const next = new Map<string, Reply>()
  /** Each response_url takes five answers within 30 minutes. */
  const used = new Map<string, number>()
  /** What was refused because its format is wrong. */
  const wrong: string[] = []

  receiver.alwaysAnswer((path) => {
    const early = [...next].find(([beginning]) => path.startsWith(beginning))
    if (early) {
      next.delete(early[0])
      return early[1]
    }
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: "" }
    if (path.startsWith("/hooks/")) return hook(path, headers["content-type"] ?? "", body)
    if (!path.startsWith("/api/v4/")) return { body: "<!doctype html><title>Mattermost</title>" }
    if (headers.authorization !== `Bearer ${botToken}`)
      return refusal(401, "Invalid or expired session, please login again.")
    return answer(path.slice("/api/v4/".length))
  })

  function answer(path: string): Reply {
    const byName = /^users\/username\/([A-Za-z0-9_.-]+)$/.exec(path)?.[1]
    const id = byName
      ? Object.keys(members).find((one) => members[one]?.username === byName)
      : /^users\/([a-z0-9]{26})$/.exec(path)?.[1]
    const member = members[id ?? ""]
    if (!member) return refusal(404, "Unable to find the user.")
    const rest = {
      create_at: 1,
      update_at: 1,
      delete_at: 0,
      auth_data: "",
      auth_service: "",
      first_name: "",
      last_name: "",
    }
    return json(200, { id, ...rest, nickname: "", position: "", roles: "system_user", locale: "en", ...member })
  }

  /** The body of an answer or of a message; both are objects with a text, and Slack's fields are ignored. */
  function hook(path: string, type: string, body: string): Reply {
    const message = type.startsWith("application/json") ? JSON.parse(body) : null
    const { text, response_type } = message ?? {}
    const isAnswer = path.startsWith("/hooks/commands/")
    const uses = (used.get(path) ?? 0) + 1
    used.set(path, uses)
    if (isAnswer && uses > 5) return refusal(400, "Invalid webhook")
    const isWrong =
      typeof text !== "string" ||
      text === "" ||
      [...text].length > 16_383 ||
      (isAnswer && response_type !== "ephemeral")
    if (isWrong) wrong.push(body)
    return isWrong
      ? refusal(400, "Unable to parse incoming data")
      : { headers: { "content-type": "text/plain" }, body: "ok" }
  }

  const { url } = receiver
  return {
    ...receiver,
    url: new URL(url).origin,
    hookUrl: `${new URL(url).origin}/hooks/xrimfp6crb8xpcqxs4ab3dxrdo`,
    wrong,
    answerNext: (beginning: string, reply: Reply) => next.set(beginning, reply),
    /** The messages that arrived below this path since the last call of `take`. */
    messagesAt: (beginning: string): readonly Message[] =>
      receiver.received.filter(({ path }) => path.startsWith(beginning)).map(({ body }) => JSON.parse(body)),
  }
}

interface Message {
  readonly text: string
  readonly response_type?: string
  readonly skip_slack_parsing?: boolean
}

const json = (status: number, body: object): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

/** An error in the form of Mattermost. */
const refusal = (status_code: number, message: string) =>
  json(status_code, { id: "api.some.app_error", message, detailed_error: "", request_id: "r", status_code })
