/** The mail server could not be reached, or did not take a message now; another attempt may succeed. */
export class MailServerFailure extends Error {
  override readonly name = "MailServerFailure"

  constructor(
    /** What the mail server or the system said. */
    readonly problem: string,
    /** What an operator can do about it. Names no person, so that it may be logged. */
    readonly cure: string,
    /** The library's code, such as `EAUTH`. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`${problem}; ${cure}`, options)
  }
}

export function mailServerFailure(error: unknown): MailServerFailure {
  const problem = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return new MailServerFailure(problem, cureFor(error, code, problem), code, { cause: error })
}

function cureFor(error: unknown, code: string, problem: string): string {
  if (code === "EAUTH") return "give email.smtp_user and email.smtp_password as the mail server has them"
  if (code === "EDNS") return "see that email.smtp_server is its name, and that this machine can look up names"
  if (code === "ETLS" || problem.includes("WRONG_VERSION"))
    return "see email.smtp_port: 587 begins with STARTTLS, others with TLS"
  if (problem.includes("altnames")) return "give in email.smtp_server a name of its certificate"
  if (problem.includes("certificate"))
    return "see the mail server's certificate; if it comes from a private authority, name that authority in email.smtp_ca"
  if (hasReply(error)) return "the mail server refuses for now; its own log has the reason"
  return "see email.smtp_server and email.smtp_port, and a firewall on the way"
}

const hasReply = (error: unknown): boolean =>
  error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
