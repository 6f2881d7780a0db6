import { type FactorNotice, factorChanges } from "../domain/jobs.ts"
import { isActive, type MailLanguage } from "../domain/model.ts"
import type { Store } from "../domain/store.ts"
import { factorNoticeText } from "../mail/factor-notice-texts.ts"
import type { Message } from "../mail/mailer.ts"
import { type Handler, PermanentFailure } from "./attempt.ts"

interface Dependencies {
  readonly store: Pick<Store, "mail" | "users">
  /** Sends a message. @throws PermanentFailure, TemporaryFailure */
  readonly send: (message: Message, signal: AbortSignal) => Promise<void>
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly service: { readonly name: string; readonly language: MailLanguage; readonly time_zone: string }
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

/**
 * Handler of kind `factor_notice` with the payload `FactorNotice`. Writes in the language that the user chose. Nobody
 * can turn this mail off, because an attacker who has taken over the account would do so. The result is `sent`, or
 * `no user` for an inactive account.
 */
export function createFactorNotice({ store, send, sender, service, address }: Dependencies): Handler {
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
    await send({ from: sender, to: user.email, subject, text }, signal)
    return "sent"
  }
}

function noticeOf(payload: unknown): FactorNotice {
  const { userId, change: given, at } = (payload ?? {}) as Partial<Record<keyof FactorNotice, unknown>>
  const change = factorChanges.find((known) => known === given)
  if (typeof userId === "number" && typeof at === "number" && change !== undefined) return { userId, change, at }
  throw new PermanentFailure("the payload is not { userId, change, at }")
}
