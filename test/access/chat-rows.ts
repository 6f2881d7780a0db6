import type { Answer } from "../support/client.ts"
import type { Call, Endpoint } from "./endpoint.ts"
import { mattermostToken, slackSecret } from "./setup.ts"

type Sign = (body: string, isValid: boolean) => Record<string, string>

/** The signature or token of a chat alone counts, whatever other credentials come with it. */
const signed = (path: string, fields: Record<string, string>, sign: Sign, refusal: string): Endpoint => ({
  targets: ["signed", "unsigned"],
  word: ({ target }) => (target === "signed" ? "200" : "401"),
  async ask({ call, target }: Call) {
    const body = new URLSearchParams(fields).toString()
    const headers = { "content-type": "application/x-www-form-urlencoded", ...sign(body, target === "signed") }
    return call("POST", `/integrations/${path}`, { body, headers })
  },
  done: ({ status, body }: Answer) =>
    status === 200 || Bun.deepEquals(body, { detail: refusal }) ? String(status) : null,
})

const slack = (path: string, fields: Record<string, string>) =>
  signed(`slack/${path}`, fields, bySlack, "The signature is not valid, or too old")

function bySlack(body: string, isValid: boolean) {
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const key = isValid ? slackSecret : "a key of somebody else"
  const signature = new Bun.CryptoHasher("sha256", key).update(`v0:${timestamp}:${body}`).digest("hex")
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${signature}` }
}

const byMattermost = (_: string, isValid: boolean) => ({
  authorization: `Token ${isValid ? mattermostToken : "a token of somebody else"}`,
})

/** The rows about requests of chats. None of these requests sends points. */
export const chatRows: Readonly<Record<string, Endpoint>> = {
  "POST /integrations/slack/commands": slack("commands", { command: "/give", text: "help", user_id: "UANA" }),
  "POST /integrations/slack/interactions": slack("interactions", { payload: '{"type":"block_actions"}' }),
  "POST /integrations/mattermost/commands": signed(
    "mattermost/commands",
    { command: "/give", text: "help" },
    byMattermost,
    "The token of this command is not known here",
  ),
}
