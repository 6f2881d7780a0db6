import type { Language } from "../../domain/languages.ts"
import type { ProgrammeRules } from "../../domain/programme/programme.ts"
import { PermanentFailure, TemporaryFailure } from "../../jobs/attempt.ts"
import { type Mailer, type Message, Undeliverable } from "./mailer.ts"

/** What every mail needs. */
export interface MailOptions {
  readonly mailer: Mailer
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly service: { readonly name: string; readonly language: Language; readonly time_zone: string }
  readonly programme: Pick<ProgrammeRules, "current">
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

/** Sends a message for a job.
 *  @throws PermanentFailure when another attempt cannot help, else TemporaryFailure */
export async function sendTo(mailer: Mailer, message: Message, signal: AbortSignal): Promise<void> {
  try {
    await mailer.send(message, signal)
  } catch (error) {
    if (error instanceof Undeliverable) throw new PermanentFailure(error.message, { cause: error })
    throw new TemporaryFailure(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
