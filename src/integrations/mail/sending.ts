import type { Language } from "../../domain/languages.ts"
import type { ProgrammeRules } from "../../domain/programme/programme.ts"
import { PermanentFailure, type Run, TemporaryFailure } from "../../jobs/attempt.ts"
import { failureOf, MailFailure } from "./failures.ts"
import type { Face, Letter } from "./letter.ts"
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
  /** The company's logo, with the name of the service; null to show none. */
  readonly logo: Letter["logo"]
  /** What stands for somebody in a mail. */
  readonly faceOf: (person: { readonly name: string; readonly avatar: string | null }) => Promise<Face>
}

/** A mail as a handler composes it. */
export type Composed = Omit<Message, "from" | "id" | "list" | "name">

/**
 * Sends a mail for a job.
 * @throws PermanentFailure when the recipient is at fault, TemporaryFailure for everything that may pass or that whoever runs
 * the server can correct; a bug as it is
 */
export async function send(options: MailOptions, mail: Composed, { signal, key }: Run): Promise<"sent"> {
  const { mailer, sender: from, service, address } = options
  const { hostname } = new URL(address.url)
  // Hashed, because it names the recipient. The address keeps the mails of two servers with one sender apart.
  const id = new Bun.CryptoHasher("sha256").update(`${address.url} ${key}`).digest("hex").slice(0, 40)
  const list = { id: hostname.replace(/^\[|\]$/g, ""), name: service.name }
  try {
    await mailer.send({ from, name: service.name, id, list, ...mail }, signal)
    return "sent"
  } catch (error) {
    const failure = failureOf(error)
    if (!(failure instanceof MailFailure)) throw error
    const { blame, cure, problem } = failure
    const Failure = blame === "recipient" ? PermanentFailure : TemporaryFailure
    throw new Failure(problem, { cause: error, blame, cure })
  }
}
