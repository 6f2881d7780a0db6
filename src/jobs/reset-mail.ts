import type { User } from "../domain/store.ts"
import { type Mailer, type Message, Undeliverable } from "../mail/mailer.ts"
import type { Handler } from "./attempt.ts"
import { PermanentFailure } from "./failure.ts"

export interface ResetMailOptions {
  readonly findUser: (email: string) => Promise<User | null>
  readonly mintResetToken: (user: User) => Promise<string>
  readonly mailer: Mailer
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly serviceName: string
  /** The page that takes the token, without a query; asked at each mail, since the port may be known late. */
  readonly resetUrl: () => string
  readonly expireMinutes: number
}

/**
 * Handler of kind `reset_mail`, payload `{ email: string }` (contract, "POST /user/pwd_reset_token/").
 * Its result is `sent`, or `no user` when nobody has the address. The token is minted here, when it is sent:
 * the payload never holds one.
 */
export function createResetMail(options: ResetMailOptions): Handler {
  const { findUser, mintResetToken, mailer } = options

  return async (payload, { signal }) => {
    const user = await findUser(emailOf(payload))
    if (user === null) return "no user"
    const message = compose(options, user.email, await mintResetToken(user))
    try {
      await mailer.send(message, signal)
    } catch (error) {
      throw error instanceof Undeliverable ? new PermanentFailure(error.message, { cause: error }) : error
    }
    return "sent"
  }
}

function emailOf(payload: unknown): string {
  if (typeof payload === "object" && payload !== null && "email" in payload && typeof payload.email === "string")
    return payload.email
  throw new PermanentFailure("the payload is not { email }")
}

function compose(
  { sender, serviceName, resetUrl, expireMinutes }: ResetMailOptions,
  to: string,
  token: string,
): Message {
  return {
    from: sender,
    to,
    subject: `Password reset for ${serviceName}`,
    text: `Somebody, we hope you, asked for a new password for your account at ${serviceName}.
Open this link to set one:

${resetUrl()}?pwd_reset_token=${token}

The link expires in ${expireMinutes} ${expireMinutes === 1 ? "minute" : "minutes"}.
If you did not ask, there is nothing to do: your password stays as it is.
`,
  }
}
