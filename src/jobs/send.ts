import { type Mailer, type Message, Undeliverable } from "../mail/mailer.ts"
import { PermanentFailure, TemporaryFailure } from "./attempt.ts"

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
