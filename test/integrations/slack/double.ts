import { createReceiver } from "../../support/receiver.ts"

export interface Member {
  readonly email: string | null
  readonly isConfirmed?: boolean
  readonly isBot?: boolean
}

export type SlackDouble = Awaited<ReturnType<typeof createSlackDouble>>

/** Slack's Web API and its response_url over HTTPS, with the answers that Slack documents. */
export async function createSlackDouble(members: Readonly<Record<string, Member>>) {
  const receiver = await createReceiver("slack.example.test")
  /** The next call of a method is answered with this error. */
  const errors = new Map<string, string>()
  const ok = (fields: object) => ({ body: JSON.stringify({ ok: true, ...fields }) })
  const refused = (error: string) => ({ body: JSON.stringify({ ok: false, error }) })

  receiver.alwaysAnswer((path) => {
    const method = path.split("/").at(-1) ?? ""
    const error = errors.get(method)
    if (error !== undefined) {
      errors.delete(method)
      return error === "down" ? { status: 503 } : refused(error)
    }
    if (method !== "users.info") return ok({})
    const id = new URLSearchParams(receiver.received.at(-1)?.body).get("user") ?? ""
    const member = members[id]
    if (!member) return refused("user_not_found")
    const { email, isConfirmed = true, isBot = false } = member
    const profile = { real_name: `Slack's ${id}`, display_name: "", ...(email !== null && { email }) }
    return ok({
      user: { id, name: id.toLowerCase(), deleted: false, is_bot: isBot, is_email_confirmed: isConfirmed, profile },
    })
  })

  return {
    ...receiver,
    apiUrl: `https://slack.example.test:${receiver.port}/api`,
    responseUrl: `https://slack.example.test:${receiver.port}/response`,
    failNext: (method: string, error: string) => errors.set(method, error),
    /** Requests to paths with this end since the last call of `take`. */
    sentTo: (end: string) => receiver.received.filter(({ path }) => path.endsWith(end)),
  }
}
