/** One message to one person. Both addresses are plain: no display name, no list. */
export interface Message {
  readonly from: string
  readonly to: string
  readonly subject: string
  /** Lines end with `\n`. */
  readonly text: string
  /** The same for readers that show HTML. */
  readonly html?: string
  /** The address that ends mail of this kind, by a POST of the mail program (RFC 8058). */
  readonly unsubscribeUrl?: string
}

export interface Mailer {
  /**
   * Resolves once the message is handed over for good. An aborted signal ends the attempt.
   * @throws Undeliverable when another attempt cannot help; after any other error one may.
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}

/** The header fields that let mail programs offer to unsubscribe. */
export const headersOf = ({ unsubscribeUrl }: Message): Readonly<Record<string, string>> =>
  unsubscribeUrl === undefined
    ? {}
    : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }

export class Undeliverable extends Error {
  override readonly name = "Undeliverable"
}

/**
 * The message with control characters removed from its subject, so that it can be written line by line.
 * @throws Undeliverable unless each address is one plain address: a comma or a line break would add recipients
 */
export function checked(message: Message): Message {
  if (!isPlainAddress(message.from)) throw new Undeliverable("the sender is not one plain e-mail address")
  if (!isPlainAddress(message.to)) throw new Undeliverable("the recipient is not one plain e-mail address")
  return { ...message, subject: message.subject.replace(/\p{Cc}+/gu, " ") }
}

const isPlainAddress = (text: string): boolean => /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u.test(text)
