import { mayUsePassword, type PasswordLogin } from "../../domain/auth/login-rights.ts"
import { invitationLifetimeMinutes } from "../../domain/auth/tokens.ts"
import type { MailRequest } from "../../domain/jobs/jobs.ts"
import { takesPart, type User } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { fill } from "../../languages/writing.ts"
import { composedFrom, type Face, type Template } from "./letter.ts"
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
    const said = { service: options.service.name, url, minutes: count(options.expireMinutes, reset.minutes) }
    return { template: reset, said, reason: null } // the text says why
  })

/** Handler of kind `invitation`: invites an imported user, who has no password yet and may not need one. */
export const createInvitationMail = (options: AccountMailOptions): Handler =>
  handler(options, async (user, { texts, count }, inviter) => {
    const { invitation, invitationToProvider, invited, why } = texts
    const { name: service } = options.service
    const from = inviter && (await options.faceOf(inviter))
    const words = { service, name: user.name, username: user.username, inviter: inviter?.name ?? "" }
    const said = { ...words, invited: inviter ? `${fill(invited, words)} ` : "" }
    const rest = { reason: fill(why, said), from }
    if (!mayUsePassword(options.passwordLogin, user))
      return { template: invitationToProvider, said: { ...said, url: `${options.address.url}/login` }, ...rest }
    const url = await linkFor(options, user)
    const days = count(invitationLifetimeMinutes / (24 * 60), invitation.days)
    return { template: invitation, said: { ...said, url, days }, ...rest }
  })

interface Mail {
  readonly template: Template
  readonly said: Readonly<Record<string, string>>
  readonly reason: string | null
  readonly from?: Face | null
}

const linkFor = async ({ resetUrl, signToken }: AccountMailOptions, user: User): Promise<string> => {
  const token = await signToken(user)
  return `${resetUrl()}?pwd_reset_token=${token}`
}

/** In the language of the user. `compose` returns null for a user who gets no such mail. */
function handler(
  options: AccountMailOptions,
  compose: (user: User, words: MailWords, inviter: User | null) => Promise<Mail | null>,
): Handler {
  const { store, service, programme, logo } = options
  return async (payload, run) => {
    const { email, by } = requestIn(payload)
    const user = await store.users.byEmail(email)
    if (!takesPart(user)) return "no user"
    const language = (await store.mail.choiceOf(user.id)).language ?? service.language
    const [inviter] = by === undefined ? [] : await store.users.byIds([by])
    const mail = await compose(
      user,
      mailWords(language, await programme.current()),
      inviter && inviter.erasedAt === null ? inviter : null,
    )
    if (mail === null) return "no user"
    const { template, said, ...rest } = mail
    return send(options, { to: user.email, ...composedFrom(template, said, { language, logo, ...rest }) }, run)
  }
}

function requestIn(payload: unknown): MailRequest {
  const { email, by } = (payload ?? {}) as Partial<Record<keyof MailRequest, unknown>>
  if (typeof email !== "string") throw new PermanentFailure("the payload is not { email }")
  return typeof by === "number" ? { email, by } : { email }
}
