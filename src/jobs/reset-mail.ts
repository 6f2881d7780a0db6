import { invitationLifetimeMinutes } from "../domain/auth/passwords.ts"
import type { User } from "../domain/model.ts"
import { type Mailer, type Message, Undeliverable } from "../mail/mailer.ts"
import type { Handler } from "./attempt.ts"
import { PermanentFailure, TemporaryFailure } from "./failure.ts"

export interface ResetMailOptions {
  readonly findUser: (email: string) => Promise<User | null>
  readonly mintResetToken: (user: User) => Promise<string>
  readonly mailer: Mailer
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly serviceName: string
  /** The page that takes the token, without a query; asked at each mail, since the port may be known late. */
  readonly resetUrl: () => string
  /** Of the link in a reset mail. */
  readonly expireMinutes: number
}

/**
 * Handler of kind `reset_mail`, payload `{ email: string }` (contract, "POST /user/pwd_reset_token/").
 * Its result is `sent`, or `no user` when nobody has the address. The token is minted here, when it is sent:
 * the payload never holds one.
 */
export const createResetMail = (options: ResetMailOptions): Handler => createTokenMail(options, resetMail)

/** Handler of kind `invitation`, likewise: the way to a first password for somebody who was imported. */
export const createInvitationMail = (options: ResetMailOptions): Handler => createTokenMail(options, invitation)

function createTokenMail(options: ResetMailOptions, compose: typeof resetMail): Handler {
  const { findUser, mintResetToken, mailer } = options

  return async (payload, { signal }) => {
    const user = await findUser(emailOf(payload))
    if (user === null) return "no user"
    const message = compose(options, user, await mintResetToken(user))
    try {
      await mailer.send(message, signal)
    } catch (error) {
      if (error instanceof Undeliverable) throw new PermanentFailure(error.message, { cause: error })
      throw new TemporaryFailure(error instanceof Error ? error.message : String(error), { cause: error })
    }
    return "sent"
  }
}

function emailOf(payload: unknown): string {
  if (typeof payload === "object" && payload !== null && "email" in payload && typeof payload.email === "string")
    return payload.email
  throw new PermanentFailure("the payload is not { email }")
}

function resetMail(
  { sender, serviceName, resetUrl, expireMinutes }: ResetMailOptions,
  { email }: User,
  token: string,
): Message {
  return {
    from: sender,
    to: email,
    subject: `Password reset for ${serviceName}`,
    text: `Somebody, we hope you, asked for a new password for your account at ${serviceName}.
Open this link to set one:

${resetUrl()}?pwd_reset_token=${token}

The link expires in ${expireMinutes} ${expireMinutes === 1 ? "minute" : "minutes"}.
If you did not ask, there is nothing to do: your password stays as it is.
`,
  }
}

function invitation(
  { sender, serviceName, resetUrl }: ResetMailOptions,
  { email, username }: User,
  token: string,
): Message {
  return {
    from: sender,
    to: email,
    subject: `Your account at ${serviceName}`,
    text: `You have an account at ${serviceName} now. Your user name is ${username}.
Open this link to choose a password:

${resetUrl()}?pwd_reset_token=${token}

The link expires in ${invitationLifetimeMinutes / (24 * 60)} days. Later than that, say that you forgot your password.
`,
  }
}
