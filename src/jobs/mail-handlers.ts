import type { SecretlessConfig } from "../config/settings.ts"
import { invitationKind, resetMailKind } from "../domain/auth/passwords.ts"
import type { Tokens } from "../domain/auth/tokens.ts"
import type { Store } from "../domain/store.ts"
import type { Mailer } from "../mail/mailer.ts"
import type { Handler } from "./attempt.ts"
import { createInvitationMail, createResetMail } from "./reset-mail.ts"

interface Dependencies {
  readonly config: SecretlessConfig
  readonly mailer: Mailer
  readonly store: Pick<Store, "users">
  readonly tokens: Pick<Tokens, "signReset" | "signInvitation">
  /** Where people reach this server; known for good once it listens. */
  readonly address: { readonly url: string }
}

/** What the worker does with each kind of mail. */
export function mailHandlers({ config, mailer, store, tokens, address }: Dependencies): Record<string, Handler> {
  const { email, security, service } = config
  const mail = {
    findUser: store.users.byEmail,
    mailer,
    sender: email.smtp_sender,
    serviceName: service.name,
    resetUrl: () => security.pwd_reset_url.replace("{base_url}", () => address.url),
    expireMinutes: security.reset_token_expire_minutes,
  }
  return {
    [resetMailKind]: createResetMail({ ...mail, mintResetToken: tokens.signReset }),
    [invitationKind]: createInvitationMail({ ...mail, mintResetToken: tokens.signInvitation }),
  }
}
