import type { Language } from "../../domain/languages.ts"
import type { ProgrammeRules } from "../../domain/programme/programme.ts"
import { PermanentFailure, TemporaryFailure } from "../../jobs/attempt.ts"
import { kindOf } from "./failures.ts"
import type { Mailer, Message } from "./mailer.ts"

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
 *  @throws PermanentFailure when another attempt cannot help, TemporaryFailure when one may; a bug as it is */
export async function sendTo(mailer: Mailer, message: Message, signal: AbortSignal): Promise<void> {
  try {
    await mailer.send(message, signal)
  } catch (error) {
    const kind = kindOf(error)
    if (kind === null || !(error instanceof Error)) throw error
    throw new (kind === "permanent" ? PermanentFailure : TemporaryFailure)(error.message, { cause: error })
  }
}
