import { mayUsePassword, type PasswordLogin } from "../../domain/auth/roles.ts"
import { invitationLifetimeMinutes } from "../../domain/auth/tokens.ts"
import { takesPart, type User } from "../../domain/people/model.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { type MailOptions, sendTo } from "./sending.ts"
import { accountTexts } from "./texts/en.ts"

export interface AccountMailOptions extends MailOptions {
  readonly findUser: (email: string) => Promise<User | null>
  readonly signToken: (user: User) => Promise<string>
  /** The page that takes the token, without a query. A function, because the port may be known only later. */
  readonly resetUrl: () => string
  /** Lifetime of the link in a reset mail. */
  readonly expireMinutes: number
  readonly passwordLogin: PasswordLogin
}

/**
 * Handler of kind `reset_mail` with the payload `{ email: string }` (docs/interface.md, "Users"). The result is `sent`,
 * or `no user` when no active user who may log in with a password has the address. The token is signed when the mail is
 * sent, because the payload must never hold one.
 */
export const createResetMail = (options: AccountMailOptions): Handler =>
  handler(options, async (user) => {
    if (!mayUsePassword(options.passwordLogin, user)) return null
    const url = await linkFor(options, user)
    return accountTexts.reset({ service: options.service.name, url, minutes: options.expireMinutes })
  })

/** Handler of kind `invitation`: invites an imported user, who has no password yet and may not need one. */
export const createInvitationMail = (options: AccountMailOptions): Handler =>
  handler(options, async (user) => {
    const words = { service: options.service.name, name: user.name, username: user.username }
    if (!mayUsePassword(options.passwordLogin, user))
      return accountTexts.invitationToProvider({ ...words, url: `${options.address.url}/login` })
    const url = await linkFor(options, user)
    return accountTexts.invitation({ ...words, url, days: invitationLifetimeMinutes / (24 * 60) })
  })

const linkFor = async ({ resetUrl, signToken }: AccountMailOptions, user: User): Promise<string> => {
  const token = await signToken(user)
  return `${resetUrl()}?pwd_reset_token=${token}`
}

/** `compose` returns null for a user who gets no such mail. */
function handler(
  { findUser, mailer, sender }: AccountMailOptions,
  compose: (user: User) => Promise<{ readonly subject: string; readonly text: string } | null>,
): Handler {
  return async (payload, { signal }) => {
    const user = await findUser(emailOf(payload))
    const mail = takesPart(user) ? await compose(user) : null
    if (user === null || mail === null) return "no user"
    await sendTo(mailer, { from: sender, to: user.email, ...mail }, signal)
    return "sent"
  }
}

function emailOf(payload: unknown): string {
  if (typeof payload === "object" && payload !== null && "email" in payload && typeof payload.email === "string")
    return payload.email
  throw new PermanentFailure("the payload is not { email }")
}
