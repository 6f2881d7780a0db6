/** The stages of an SMTP conversation, in order. At `dot` the server has received the whole message. */
export const stages = ["connect", "greeting", "EHLO", "MAIL", "RCPT", "DATA", "dot"] as const
export type Stage = (typeof stages)[number]

/** What the mail server does instead of its normal reply. */
export type Misbehaviour =
  | { readonly kind: "hang" }
  | { readonly kind: "drop" }
  | { readonly kind: "say"; readonly text: string }
  /** Sends every reply at one byte a second. */
  | { readonly kind: "slow" }
  | { readonly kind: "certificate"; readonly of: "an unknown authority" | "another host" }

export interface MailFault {
  readonly name: string
  readonly at: Stage
  readonly misbehaviour: Misbehaviour
  /** The server does not know the recipient, so that a retry is wrong. */
  readonly isPermanent?: true
}

const replyStages = stages.slice(1)

const say = (at: Stage, text: string): MailFault => ({
  name: `says ${JSON.stringify(text.slice(0, 30))} at ${at}`,
  at,
  misbehaviour: { kind: "say", text },
})

export const mailFaults: readonly MailFault[] = [
  ...stages.map((at): MailFault => ({ name: `hangs at ${at}`, at, misbehaviour: { kind: "hang" } })),
  ...stages.map((at): MailFault => ({ name: `drops the connection at ${at}`, at, misbehaviour: { kind: "drop" } })),
  ...replyStages.map((at) => say(at, "421 4.3.2 going down\r\n")),
  ...replyStages.map((at) => say(at, "450 4.2.0 try again\r\n")),
  ...replyStages.map((at) => say(at, "\0\xff\xfe nothing that one could read\r\n")),
  ...replyStages.map((at) => say(at, `250-${"x".repeat(5_000_000)}`)),
  say("greeting", "554 5.3.2 nobody is served here\r\n"),
  say("EHLO", "550 5.7.1 you are not welcome\r\n"),
  ...(["MAIL", "DATA", "dot"] as const).map((at) => say(at, "550 5.7.1 this account may not\r\n")),
  { ...say("RCPT", "550 5.1.1 never\r\n"), isPermanent: true },
  { name: "says one byte a second", at: "greeting", misbehaviour: { kind: "slow" } },
  ...(["an unknown authority", "another host"] as const).map(
    (of): MailFault => ({
      name: `shows a certificate of ${of}`,
      at: "connect",
      misbehaviour: { kind: "certificate", of },
    }),
  ),
]

/** One of each kind, for the test suite. */
export const someFaults: readonly MailFault[] = [
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
  const fault = mailFaults.find((one) => one.name === name)
  if (!fault) throw new Error(`there is no fault named ${name}`)
  return fault
})
