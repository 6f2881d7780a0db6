import { MailServerFailure, type SmtpSettings, verifySmtp } from "../../mail/smtp.ts"
import { UnusableFile } from "../../system-errors.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

/** Whether mail can be handed over: reaches the server, checks its certificate, logs in. Null: mail is not sent. */
export async function checkMail(settings: SmtpSettings | null, sender: string): Promise<readonly Finding[]> {
  if (settings === null) return [ok("mail", "written to a file instead of sent (email.debug_mode)")]
  const { host, port, user } = settings
  try {
    await verifySmtp(settings)
  } catch (error) {
    if (error instanceof UnusableFile) return [bad("mail", error.message, "see email.smtp_ca")]
    if (!(error instanceof MailServerFailure)) throw error
    return [bad("mail", `${host}:${port}: ${error.problem}`, error.cure)]
  }
  const findings = sender.endsWith("@localhost")
    ? [warn("mail", `the sender is ${sender}, which mail servers refuse`, "set email.smtp_sender")]
    : []
  return orOk(findings, "mail", `${host}:${port} takes mail${user === undefined ? "" : ` from ${user}`}`)
}
