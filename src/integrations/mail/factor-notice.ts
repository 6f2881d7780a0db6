import { type FactorNotice, factorChanges } from "../../domain/jobs/jobs.ts"
import { takesPart } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { type MailOptions, sendTo } from "./sending.ts"
import { mailTexts } from "./texts/languages.ts"

interface FactorNoticeOptions extends MailOptions {
  readonly store: Pick<Store, "mail" | "users">
}

/**
 * Handler of kind `factor_notice` with the payload `FactorNotice`. Writes in the language that the user chose. Nobody
 * can turn this mail off, because an attacker who has taken over the account would do so. The result is `sent`, or
 * `no user` for an inactive account.
 */
export function createFactorNotice({ store, mailer, sender, service, address }: FactorNoticeOptions): Handler {
  return async (payload, { signal }) => {
    const { userId, change, at } = noticeOf(payload)
    const [user] = await store.users.byIds([userId])
    if (!takesPart(user)) return "no user"
    const { language } = await store.mail.choiceOf(userId)
    const texts = mailTexts[language ?? service.language].factorNotice
    const format = new Intl.DateTimeFormat(texts.locale, {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: service.time_zone,
    })
    const subject = `${texts.subject} - ${service.name}`
    const text = texts.text({
      name: user.name,
      what: texts.changes[change],
      when: `${format.format(at)} (${service.time_zone})`,
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
