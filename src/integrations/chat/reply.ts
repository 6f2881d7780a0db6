import { PermanentFailure } from "../../jobs/attempt.ts"
import type { Outbound } from "../../net/outbound.ts"
import { askChat, ChatUnreachable } from "./chat.ts"

/** Sends the outcome of a command, as a message, to the URL that the chat `name` gave with it. */
export async function reply(outbound: Pick<Outbound, "send">, name: string, url: string, message: object) {
  const headers = { "content-type": "application/json" }
  const { status } = await askChat(outbound, { method: "POST", url, headers, body: JSON.stringify(message) })
  if (status === 404 || status === 410) throw new PermanentFailure(`${name} no longer accepts the answer: ${status}`)
  if (status !== 200) throw new ChatUnreachable(`${name} did not accept the answer: ${status}`)
}
