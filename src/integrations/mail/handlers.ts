import type { SecretlessConfig } from "../../config/settings.ts"
import { mayUsePassword, type PasswordLogin } from "../../domain/auth/roles.ts"
import { invitationLifetimeMinutes, type Tokens } from "../../domain/auth/tokens.ts"
import {
  digestMailKind,
  type FactorNotice,
  factorChanges,
  factorNoticeKind,
  invitationKind,
  type RedemptionMail,
  redemptionMailKind,
  resetMailKind,
  summaryMailKind,
  thanksMailKind,
} from "../../domain/jobs/jobs.ts"
import { isActive, type User } from "../../domain/people/model.ts"
import type { Digest, MailContents } from "../../domain/recognition/mail.ts"
import type { MailChoice, MailLanguage } from "../../domain/recognition/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure, TemporaryFailure } from "../../jobs/attempt.ts"
import { type UnsubscribeTokens, unsubscribePath } from "../../security/secrets.ts"
import { type Mailer, type Message, Undeliverable } from "../mail/mailer.ts"
import {
  composed,
  factorNoticeText,
  type Letter,
  type RecognitionTexts,
  recognitionTexts,
  redemptionTexts,
} from "../mail/texts.ts"

interface Dependencies {
  readonly config: SecretlessConfig
  readonly mailer: Mailer
  readonly store: Pick<Store, "mail" | "rewards" | "users">
  readonly tokens: Pick<Tokens, "signReset" | "signInvitation">
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

/** The handlers of the jobs that send mail, by kind. */
export function mailHandlers({ config, mailer, store, tokens, address }: Dependencies): Record<string, Handler> {
  const { email, login, security, service } = config
  const mail = {
    findUser: store.users.byEmail,
    mailer,
    sender: email.smtp_sender,
    serviceName: service.name,
    resetUrl: () => security.pwd_reset_url.replace("{base_url}", () => address.url),
    expireMinutes: security.reset_token_expire_minutes,
    passwordLogin: login.password,
  }
  const notice = { store, mailer, sender: email.smtp_sender, service, address }
  return {
    [resetMailKind]: createResetMail({ ...mail, signToken: tokens.signReset }),
    [invitationKind]: createInvitationMail({ ...mail, signToken: tokens.signInvitation, address }),
    [redemptionMailKind]: createRedemptionMail(notice),
    [factorNoticeKind]: createFactorNotice(notice),
  }
}

export interface ResetMailOptions {
  readonly findUser: (email: string) => Promise<User | null>
  readonly signToken: (user: User) => Promise<string>
  readonly mailer: Mailer
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly serviceName: string
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
export const createResetMail = (options: ResetMailOptions): Handler =>
  mailHandler(options, async (user) =>
    mayUsePassword(options.passwordLogin, user) ? resetMail(options, user, await options.signToken(user)) : null,
  )

interface InvitationOptions extends ResetMailOptions {
  readonly address: { readonly url: string }
}

/** Handler of kind `invitation`: invites an imported user, who has no password yet and may not need one. */
const createInvitationMail = (options: InvitationOptions): Handler =>
  mailHandler(options, async (user) =>
    mayUsePassword(options.passwordLogin, user)
      ? invitation(options, user, await options.signToken(user))
      : invitationToProvider(options, user),
  )

/** `compose` returns null for a user who gets no such mail. */
function mailHandler(
  { findUser, mailer }: ResetMailOptions,
  compose: (user: User) => Promise<Message | null>,
): Handler {
  return async (payload, { signal }) => {
    const user = await findUser(emailOf(payload))
    const message = user !== null && isActive(user) ? await compose(user) : null
    if (message === null) return "no user"
    await sendTo(mailer, message, signal)
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
    text: `Someone, hopefully you, asked to reset the password of your account at ${serviceName}.
Open this link to choose a new one:

${resetUrl()}?pwd_reset_token=${token}

The link expires in ${expireMinutes} ${expireMinutes === 1 ? "minute" : "minutes"}.
If it was not you, ignore this mail: your password stays as it is.
`,
  }
}

function invitation(
  { sender, serviceName, resetUrl }: ResetMailOptions,
  { name, email, username }: User,
  token: string,
): Message {
  return {
    from: sender,
    to: email,
    subject: `Your account at ${serviceName}`,
    text: `Hello ${name},

You now have an account at ${serviceName}. Your user name is ${username}.
Open this link to choose a password:

${resetUrl()}?pwd_reset_token=${token}

The link expires in ${invitationLifetimeMinutes / (24 * 60)} days. After that, use "Forgot your password?" on the log-in page.
`,
  }
}

/** The invitation of a user who logs in through the provider. */
function invitationToProvider(
  { sender, serviceName, address }: InvitationOptions,
  { name, email, username }: User,
): Message {
  return {
    from: sender,
    to: email,
    subject: `Your account at ${serviceName}`,
    text: `Hello ${name},

You now have an account at ${serviceName}. Your user name is ${username}.
Log in here with the account of your company; you need no password of your own:

${address.url}/login
`,
  }
}

interface NoticeOptions {
  readonly store: Pick<Store, "mail" | "rewards" | "users">
  readonly mailer: Mailer
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly service: { readonly name: string; readonly language: MailLanguage; readonly time_zone: string }
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

/**
 * Handler of kind `redemption_mail` with the payload `RedemptionMail`: tells a superuser about a request, or the member
 * about its answer, in the language that the reader chose. The result is `sent`, `answered` when the request no longer
 * waits, `no user` for an inactive account, or `not wanted` for a superuser who turned mail off, because the home
 * screen shows open requests. Active members always get the answer to their request.
 */
function createRedemptionMail({ store, mailer, sender, service, address }: NoticeOptions): Handler {
  return async (payload, { signal }) => {
    const { redemption: id, to, about } = mailOf(payload)
    const redemption = await store.rewards.redemption(id)
    const [user] = await store.users.byIds([to])
    if (!redemption || !user || !isActive(user)) return "no user"
    if (about === "request" && redemption.state !== "requested") return "answered"
    const choice = await store.mail.choiceOf(user.id)
    if (about === "request" && choice.mail === "off") return "not wanted"
    const texts = redemptionTexts[choice.language ?? service.language]
    const words =
      about === "request" ? texts.request(redemption, address.url) : texts.answer(redemption, user.name, address.url)
    const subject = `${words.subject} - ${service.name}`
    await sendTo(mailer, { from: sender, to: user.email, subject, text: words.text }, signal)
    return "sent"
  }
}

function mailOf(payload: unknown): RedemptionMail {
  const { redemption, to, about } = (payload ?? {}) as Partial<Record<keyof RedemptionMail, unknown>>
  if (typeof redemption === "number" && typeof to === "number" && (about === "request" || about === "answer"))
    return { redemption, to, about }
  throw new PermanentFailure("the payload is not { redemption, to, about }")
}

/**
 * Handler of kind `factor_notice` with the payload `FactorNotice`. Writes in the language that the user chose. Nobody
 * can turn this mail off, because an attacker who has taken over the account would do so. The result is `sent`, or
 * `no user` for an inactive account.
 */
function createFactorNotice({ store, mailer, sender, service, address }: NoticeOptions): Handler {
  return async (payload, { signal }) => {
    const { userId, change, at } = noticeOf(payload)
    const [user] = await store.users.byIds([userId])
    if (!user || !isActive(user)) return "no user"
    const { language } = await store.mail.choiceOf(userId)
    const { subject, text } = factorNoticeText(language ?? service.language, {
      change,
      name: user.name,
      service: service.name,
      at,
      timeZone: service.time_zone,
      url: address.url,
    })
    await sendTo(mailer, { from: sender, to: user.email, subject, text }, signal)
    return "sent"
  }
}

function noticeOf(payload: unknown): FactorNotice {
  const { userId, change: given, at } = (payload ?? {}) as Partial<Record<keyof FactorNotice, unknown>>
  const change = factorChanges.find((known) => known === given)
  if (typeof userId === "number" && typeof at === "number" && change !== undefined) return { userId, change, at }
  throw new PermanentFailure("the payload is not { userId, change, at }")
}

/** Sends a message for a job.
 *  @throws PermanentFailure when another attempt cannot help, else TemporaryFailure */
async function sendTo(mailer: Mailer, message: Message, signal: AbortSignal): Promise<void> {
  try {
    await mailer.send(message, signal)
  } catch (error) {
    if (error instanceof Undeliverable) throw new PermanentFailure(error.message, { cause: error })
    throw new TemporaryFailure(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** How many recognitions a digest quotes. It only counts the others. */
const maxQuotes = 20

interface RecognitionMailDependencies {
  readonly contents: MailContents
  readonly mailer: Mailer
  readonly tokens: UnsubscribeTokens
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly service: { readonly name: string; readonly language: MailLanguage }
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

type Body = Pick<Letter, "subject" | "paragraphs" | "quotes" | "closing" | "link">

/** The handlers of mail about recognition, by kind. The result is `sent`, or `nothing to send`. */
export function recognitionMailHandlers(dependencies: RecognitionMailDependencies): Record<string, Handler> {
  const { contents, mailer, tokens, sender, service, address } = dependencies

  return {
    [thanksMailKind]: handler(
      (payload) => contents.thanks({ transactionId: integerIn(payload, "transactionId") }),
      (texts, thanks) => ({
        ...texts.thanks(thanks),
        quotes:
          thanks.reason === "" && thanks.tags.length === 0
            ? []
            : [{ title: texts.quoteTitle(thanks), text: thanks.reason, tags: thanks.tags }],
        closing: [],
        link: home(texts),
      }),
    ),
    [digestMailKind]: handler(
      (payload) =>
        contents.digest({
          userId: integerIn(payload, "userId"),
          period: textIn(payload, "period") === "day" ? "day" : "week",
          since: integerIn(payload, "since"),
          until: integerIn(payload, "until"),
        }),
      digestBody,
    ),
    [summaryMailKind]: handler(
      (payload) =>
        contents.summary({
          userId: integerIn(payload, "userId"),
          from: textIn(payload, "from"),
          to: textIn(payload, "to"),
        }),
      (texts, summary) => ({
        ...texts.summary(summary),
        quotes: [],
        closing: [],
        link: { text: texts.openInsights, url: `${address.url}/admin/insights` },
      }),
    ),
  }

  function digestBody(texts: RecognitionTexts, digest: Digest): Body {
    const { thanks, given, toGive, period } = digest
    const left = thanks.length - maxQuotes
    return {
      ...texts.digest(digest),
      quotes: thanks
        .slice(0, maxQuotes)
        .map((one) => ({ title: texts.quoteTitle(one), text: one.reason, tags: one.tags })),
      closing: [
        ...(left > 0 ? [texts.more(left)] : []),
        ...(period === "week" ? [texts.given(given)] : []),
        ...(toGive > 0 ? [texts.toGive(toGive)] : []),
      ],
      link: home(texts),
    }
  }

  function home(texts: RecognitionTexts) {
    return { text: texts.open, url: `${address.url}/` }
  }

  function handler<T>(
    read: (payload: unknown) => Promise<{ user: User; choice: MailChoice; content: T } | null>,
    write: (texts: RecognitionTexts, content: T) => Body,
  ): Handler {
    return async (payload, { signal }) => {
      const found = await read(payload)
      if (found === null) return "nothing to send"
      const { user, choice, content } = found
      const language = choice.language ?? service.language
      const texts = recognitionTexts[language]
      const letter = {
        ...write(texts, content),
        language,
        reason: texts.reason(service.name),
        unsubscribe: { text: texts.unsubscribe, url: `${address.url}${unsubscribePath}?token=${tokens.sign(user.id)}` },
      }
      await sendTo(mailer, { from: sender, to: user.email, ...composed(letter) }, signal)
      return "sent"
    }
  }
}

function integerIn(payload: unknown, field: string): number {
  const value = valueIn(payload, field)
  if (typeof value !== "number" || !Number.isSafeInteger(value))
    throw new PermanentFailure(`the payload has no ${field}`)
  return value
}

function textIn(payload: unknown, field: string): string {
  const value = valueIn(payload, field)
  if (typeof value !== "string") throw new PermanentFailure(`the payload has no ${field}`)
  return value
}

const valueIn = (payload: unknown, field: string): unknown =>
  typeof payload === "object" && payload !== null
    ? new Map<string, unknown>(Object.entries(payload)).get(field)
    : undefined
