import { proveSmtp, type SmtpSettings } from "../../mail/smtp.ts"
import { bad, type Finding, ok, orOk, warn } from "./finding.ts"

/** Whether mail can be handed over: reaches the server, checks its certificate, logs in. Null: mail is not sent. */
export async function checkMail(settings: SmtpSettings | null, sender: string): Promise<readonly Finding[]> {
  if (settings === null) return [ok("mail", "written to a file instead of sent (email.debug_mode)")]
  const { host, port, user } = settings
  try {
    await proveSmtp(settings)
  } catch (error) {
    return [bad("mail", `${host}:${port}: ${error instanceof Error ? error.message : String(error)}`, cureOf(error))]
  }
  const findings = sender.endsWith("@localhost")
    ? [warn("mail", `the sender is ${sender}, which mail servers refuse`, "set email.smtp_sender")]
    : []
  return orOk(findings, "mail", `${host}:${port} takes mail${user === undefined ? "" : ` from ${user}`}`)
}

function cureOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : ""
  const message = String(error)
  if (code === "EAUTH") return "give email.smtp_user and email.smtp_password as the mail server has them"
  if (code === "EDNS") return "see that email.smtp_server is its name, and that this machine can look up names"
  if (code === "ETLS" || message.includes("WRONG_VERSION"))
    return "see email.smtp_port: 587 begins with STARTTLS, others with TLS"
  if (/certificate|altnames/.test(message))
    return "give in email.smtp_server a name of its certificate; NODE_EXTRA_CA_CERTS may name an authority of your own"
  return "see email.smtp_server and email.smtp_port, and a firewall on the way"
}
