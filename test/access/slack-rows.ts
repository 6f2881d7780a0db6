import type { Answer } from "../support/client.ts"
import type { Call, Endpoint } from "./endpoint.ts"
import { slackSecret } from "./setup.ts"

/** Slack's signature alone counts, whatever other credentials come with it. */
const signed = (path: string, fields: Record<string, string>): Endpoint => ({
  targets: ["signed", "unsigned"],
  word: ({ target }) => (target === "signed" ? "200" : "401"),
  async ask({ call, target }: Call) {
    const body = new URLSearchParams(fields).toString()
    const timestamp = `${Math.floor(Date.now() / 1000)}`
    const key = target === "signed" ? slackSecret : "a key of somebody else"
    const signature = new Bun.CryptoHasher("sha256", key).update(`v0:${timestamp}:${body}`).digest("hex")
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${signature}`,
    }
    return call("POST", `/integrations/slack/${path}`, { body, headers })
  },
  done: ({ status, body }: Answer) =>
    status === 200 || Bun.deepEquals(body, { detail: "The signature is not valid, or too old" })
      ? String(status)
      : null,
})

/** The rows about requests of Slack. None of these requests sends points. */
export const slackRows: Readonly<Record<string, Endpoint>> = {
  "POST /integrations/slack/commands": signed("commands", { command: "/give", text: "help", user_id: "UANA" }),
  "POST /integrations/slack/interactions": signed("interactions", { payload: '{"type":"block_actions"}' }),
}
