import { PermanentFailure } from "../../jobs/attempt.ts"
import type { Outbound } from "../../net/outbound.ts"
import { privately } from "./chat.ts"

/** Sends the outcome of a command to the URL that the chat `name` gave with it. */
export async function reply(outbound: Pick<Outbound, "send">, name: string, url: string, text: string) {
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify(privately(text))
  const { status } = await outbound.send({ method: "POST", url, headers, body })
  if (status === 404 || status === 410) throw new PermanentFailure(`${name} no longer accepts the answer: ${status}`)
  if (status !== 200) throw new Error(`${name} did not accept the answer: ${status}`)
}
