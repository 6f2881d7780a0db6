import { MailFailure } from "./failures.ts"

/** A picture that a message carries and its HTML shows by `cid:` and the id, so that nothing is loaded from elsewhere. */
export interface InlinePicture {
  readonly id: string
  readonly kind: "png" | "jpeg"
  readonly bytes: Uint8Array
}

/** One message to one person. Both addresses are plain: no display name, no list. */
export interface Message {
  readonly from: string
  readonly to: string
  /** Whose mail it is, in words: the name of the service beside the sender's address. */
  readonly name?: string
  /** Tells it from all others, the same for every attempt: the part of its Message-ID before the `@`. */
  readonly id?: string
  /** By what mail programs sort the mail of this service: the name of a host, and that of the service. */
  readonly list?: { readonly id: string; readonly name: string }
  readonly subject: string
  /** Lines end with `\n`. */
  readonly text: string
  /** The message as HTML, for mail programs that show it. */
  readonly html?: string
  readonly pictures?: readonly InlinePicture[]
  /** The address to which the mail program sends a POST to unsubscribe from this kind of mail (RFC 8058). */
  readonly unsubscribeUrl?: string
}

export interface Mailer {
  /**
   * Resolves once the mail server has accepted the message. An aborted signal ends the attempt.
   * @throws errors that `failureOf` in failures.ts explains
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}

/** The header fields that let mail programs offer to unsubscribe. */
export const headersOf = ({ unsubscribeUrl }: Message): Readonly<Record<string, string>> =>
  unsubscribeUrl === undefined
    ? {}
    : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }

/**
 * The message with control characters removed from its subject and the name of its sender, so that it can be written line by line.
 * @throws MailFailure unless each address is one plain address: a comma or a line break would add recipients
 */
export function checked(message: Message): Message {
  const one = "is not one plain e-mail address"
  if (!isPlainAddress(message.from))
    throw new MailFailure("operator", `the sender ${one}`, "correct email.smtp_sender", "EENVELOPE")
  if (!isPlainAddress(message.to))
    throw new MailFailure("recipient", `the recipient ${one}`, "correct the e-mail address of the account", "EENVELOPE")
  const plain = (text: string) => text.replace(/\p{Cc}+/gu, " ")
  return { ...message, subject: plain(message.subject), ...(message.name && { name: plain(message.name) }) }
}

const isPlainAddress = (text: string): boolean => /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u.test(text)

/**
 * Appends each message to a local file instead of sending it (docs/interface/users.md).
 * The text part says all. The file is readable by its owner only: the links in it set passwords.
 */
export function createDebugFileMailer({ path }: { readonly path: string }): Mailer {
  return {
    async send(message, signal) {
      const entry = Buffer.from(entryOf(checked(message)))
      signal.throwIfAborted()
      const { open } = await import("node:fs/promises")
      const file = await open(path, "a", 0o600)
      try {
        // A single write, so that the entries of two processes do not mix.
        const { bytesWritten } = await file.write(entry)
        if (bytesWritten < entry.length)
          throw new Error("only a part of the message was written to the debug mail file")
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

function entryOf(message: Message): string {
  const { from, to, subject, text } = message
  const headers = Object.entries({ From: from, To: to, Subject: subject, ...headersOf(message) })
  return `--- START EMAIL ${to} ---
${headers.map(([name, value]) => `${name}: ${value}`).join("\n")}

${text.trimEnd()}
--- END OF EMAIL ---
`
}
