import { hasDuty } from "../../domain/auth/roles.ts"
import type { RedemptionMail } from "../../domain/jobs/jobs.ts"
import { takesPart } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { type MailOptions, sendTo } from "./sending.ts"
import { mailTexts } from "./texts/languages.ts"

interface RedemptionMailOptions extends MailOptions {
  readonly store: Pick<Store, "mail" | "rewards" | "users">
}

/**
 * Handler of kind `redemption_mail` with the payload `RedemptionMail`: tells those who answer requests about one, or the member
 * about its answer, in the language that the reader chose. The result is `sent`, `answered` when the request no longer
 * waits, `no user` for an inactive account, `not theirs` for somebody who does not answer requests any more, or `not
 * wanted` for one who turned mail off, because the home
 * screen shows open requests. Active members always get the answer to their request.
 */
export function createRedemptionMail({ store, mailer, sender, service, address }: RedemptionMailOptions): Handler {
  return async (payload, { signal }) => {
    const { redemption: id, to, about } = mailOf(payload)
    const redemption = await store.rewards.redemption(id)
    const [user] = await store.users.byIds([to])
    if (!redemption || !takesPart(user)) return "no user"
    if (about === "request" && redemption.state !== "requested") return "answered"
    if (about === "request" && !hasDuty(user, "rewards")) return "not theirs"
    const choice = await store.mail.choiceOf(user.id)
    if (about === "request" && choice.mail === "off") return "not wanted"
    const texts = mailTexts[choice.language ?? service.language].redemption
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
