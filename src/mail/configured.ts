import type { SecretlessConfig } from "../config/settings.ts"
import { createDebugFileMailer } from "./debug-file.ts"
import type { Mailer } from "./mailer.ts"
import { createSmtpMailer, smtpSettingsOf } from "./smtp.ts"

/** The mailer that the settings ask for. */
export function configuredMailer({ email }: SecretlessConfig): Mailer {
  const smtp = smtpSettingsOf(email)
  return smtp ? createSmtpMailer(smtp) : createDebugFileMailer({ path: email.debug_file })
}
