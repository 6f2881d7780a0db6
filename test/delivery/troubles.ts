/** Where a conversation with a mail server stands, in order. At `dot` the server has the whole message. */
export const stages = ["connect", "greeting", "EHLO", "MAIL", "RCPT", "DATA", "dot"] as const
export type Stage = (typeof stages)[number]

/** What a mail server does instead of what it should. */
export type Deed =
  | { readonly kind: "hang" }
  | { readonly kind: "drop" }
  | { readonly kind: "say"; readonly text: string }
  /** All it says comes one byte a second. */
  | { readonly kind: "slow" }
  | { readonly kind: "certificate"; readonly of: "an unknown authority" | "another host" }

export interface Trouble {
  readonly name: string
  readonly at: Stage
  readonly deed: Deed
  /** The refusal is for good: another attempt would only bother. */
  readonly isPermanent?: true
}

const replyStages = stages.slice(1)
const messageStages = ["MAIL", "RCPT", "DATA", "dot"] as const

const say = (at: Stage, text: string): Trouble => ({
  name: `says ${JSON.stringify(text.slice(0, 30))} at ${at}`,
  at,
  deed: { kind: "say", text },
})

export const troubles: readonly Trouble[] = [
  ...stages.map((at): Trouble => ({ name: `hangs at ${at}`, at, deed: { kind: "hang" } })),
  ...stages.map((at): Trouble => ({ name: `drops the connection at ${at}`, at, deed: { kind: "drop" } })),
  ...replyStages.map((at) => say(at, "421 4.3.2 going down\r\n")),
  ...replyStages.map((at) => say(at, "450 4.2.0 try again\r\n")),
  ...replyStages.map((at) => say(at, "\0\xff\xfe nothing that one could read\r\n")),
  ...replyStages.map((at) => say(at, `250-${"x".repeat(5_000_000)}`)),
  say("greeting", "554 5.3.2 nobody is served here\r\n"),
  say("EHLO", "550 5.7.1 you are not welcome\r\n"),
  ...messageStages.map((at): Trouble => ({ ...say(at, "550 5.1.1 never\r\n"), isPermanent: true })),
  { name: "says one byte a second", at: "greeting", deed: { kind: "slow" } },
  ...(["an unknown authority", "another host"] as const).map(
    (of): Trouble => ({ name: `shows a certificate of ${of}`, at: "connect", deed: { kind: "certificate", of } }),
  ),
]

/** One of each kind, for the suite. */
export const someTroubles: readonly Trouble[] = [
  "hangs at connect",
  "hangs at dot",
  "drops the connection at RCPT",
  "drops the connection at dot",
  'says "421 4.3.2 going down\\r\\n" at MAIL',
  'says "450 4.2.0 try again\\r\\n" at RCPT',
  'says "550 5.1.1 never\\r\\n" at RCPT',
  "says one byte a second",
  "shows a certificate of another host",
].map((name) => {
  const trouble = troubles.find((one) => one.name === name)
  if (!trouble) throw new Error(`there is no trouble that ${name}`)
  return trouble
})
