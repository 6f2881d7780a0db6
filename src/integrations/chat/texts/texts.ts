import type { DomainError } from "../../../domain/errors.ts"
import { type Details, translatedRefusal } from "../../../domain/languages/details.ts"

/** What people read in a chat. `chat` is its name. A language is one file beside this one, and a line in languages.ts. */
export interface ChatTexts {
  readonly usage: string
  readonly sending: string
  readonly sent: (value: number, name: string, balance: number) => string
  readonly unknownSender: (chat: string, email: string | null) => string
  readonly unknownReceiver: (chat: string, name: string) => string
  readonly tooLittle: (balance: number) => string
  readonly unknownTag: (tags: readonly string[]) => string
  readonly badValue: string
  readonly refused: (error: DomainError) => string
  readonly notSetUp: string
  readonly noDialog: string
  readonly dialog: {
    readonly title: string
    readonly send: string
    readonly cancel: string
    readonly to: string
    readonly value: string
    readonly reason: string
    readonly tags: string
  }
}

/** Why the server refused something, in the words of a language. */
export const refusalIn = (details: Details, { code, field, message }: DomainError): string =>
  translatedRefusal({ code, field, detail: message }, details) ?? message
