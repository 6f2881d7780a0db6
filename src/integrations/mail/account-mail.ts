import { mayUsePassword, type PasswordLogin } from "../../domain/auth/login-rights.ts"
import { invitationLifetimeMinutes } from "../../domain/auth/tokens.ts"
import { takesPart, type User } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { fill } from "../../languages/writing.ts"
import { type MailOptions, send } from "./sending.ts"
import { type MailWords, mailWords } from "./words.ts"

export interface AccountMailOptions extends MailOptions {
  readonly store: Pick<Store, "mail" | "users">
  readonly signToken: (user: User) => Promise<string>
  /** The page that takes the token, without a query. A function, because the port may be known only later. */
  readonly resetUrl: () => string
  /** Lifetime of the link in a reset mail. */
  readonly expireMinutes: number
  readonly passwordLogin: PasswordLogin
}

/**
 * Handler of kind `reset_mail` with the payload `{ email: string }` (docs/interface/users.md). The result is `sent`,
 * or `no user` when no active user who may log in with a password has the address. The token is signed when the mail is
 * sent, because the payload must never hold one.
 */
export const createResetMail = (options: AccountMailOptions): Handler =>
  handler(options, async (user, { texts: { reset }, count }) => {
    if (!mayUsePassword(options.passwordLogin, user)) return null
    const url = await linkFor(options, user)
    return filled(reset, { service: options.service.name, url, minutes: count(options.expireMinutes, reset.minutes) })
  })

/** Handler of kind `invitation`: invites an imported user, who has no password yet and may not need one. */
export const createInvitationMail = (options: AccountMailOptions): Handler =>
  handler(options, async (user, { texts: { invitation, invitationToProvider }, count }) => {
    const said = { service: options.service.name, name: user.name, username: user.username }
    if (!mayUsePassword(options.passwordLogin, user))
      return filled(invitationToProvider, { ...said, url: `${options.address.url}/login` })
    const url = await linkFor(options, user)
    return filled(invitation, { ...said, url, days: count(invitationLifetimeMinutes / (24 * 60), invitation.days) })
  })

interface Mail {
  readonly subject: string
  readonly text: string
}

const filled = ({ subject, text }: Mail, said: Readonly<Record<string, string>>): Mail => ({
  subject: fill(subject, said),
  text: fill(text, said),
})

const linkFor = async ({ resetUrl, signToken }: AccountMailOptions, user: User): Promise<string> => {
  const token = await signToken(user)
  return `${resetUrl()}?pwd_reset_token=${token}`
}

/** In the language of the user. `compose` returns null for a user who gets no such mail. */
function handler(
  options: AccountMailOptions,
  compose: (user: User, words: MailWords) => Promise<Mail | null>,
): Handler {
  const { store, service, programme } = options
  return async (payload, run) => {
    const user = await store.users.byEmail(emailOf(payload))
    if (!takesPart(user)) return "no user"
    const { language } = await store.mail.choiceOf(user.id)
    const mail = await compose(user, mailWords(language ?? service.language, await programme.current()))
    if (mail === null) return "no user"
    return send(options, { to: user.email, ...mail }, run)
  }
}

function emailOf(payload: unknown): string {
  if (typeof payload === "object" && payload !== null && "email" in payload && typeof payload.email === "string")
    return payload.email
  throw new PermanentFailure("the payload is not { email }")
}
