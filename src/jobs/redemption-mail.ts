import type { RedemptionMail } from "../domain/jobs.ts"
import { isActive, type MailLanguage } from "../domain/model.ts"
import type { Store } from "../domain/store.ts"
import type { Message } from "../mail/mailer.ts"
import { redemptionTexts } from "../mail/redemption-texts.ts"
import { type Handler, PermanentFailure } from "./attempt.ts"

interface Dependencies {
  readonly store: Pick<Store, "mail" | "rewards" | "users">
  /** Sends a message. @throws PermanentFailure, TemporaryFailure */
  readonly send: (message: Message, signal: AbortSignal) => Promise<void>
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly service: { readonly name: string; readonly language: MailLanguage }
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

/**
 * Handler of kind `redemption_mail` with the payload `RedemptionMail`: tells a superuser of a request, or the member of its
 * answer, in the language that they chose. The result is `sent`, `answered` when the request no longer waits, `no user` for
 * an inactive account, or `not wanted` for a superuser who chose no mail: the home screen shows what waits. A member always
 * gets the answer to their request.
 */
export function createRedemptionMail({ store, send, sender, service, address }: Dependencies): Handler {
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
    await send({ from: sender, to: user.email, subject, text: words.text }, signal)
    return "sent"
  }
}

function mailOf(payload: unknown): RedemptionMail {
  const { redemption, to, about } = (payload ?? {}) as Partial<Record<keyof RedemptionMail, unknown>>
  if (typeof redemption === "number" && typeof to === "number" && (about === "request" || about === "answer"))
    return { redemption, to, about }
  throw new PermanentFailure("the payload is not { redemption, to, about }")
}
