import { type FactorNotice, factorChanges } from "../../domain/jobs/jobs.ts"
import { takesPart } from "../../domain/people/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { composedFrom } from "./letter.ts"
import { type MailOptions, send } from "./sending.ts"
import { mailWords } from "./words.ts"

interface FactorNoticeOptions extends MailOptions {
  readonly store: Pick<Store, "mail" | "users">
}

/**
 * Handler of kind `factor_notice` with the payload `FactorNotice`. Writes in the language that the user chose. Nobody
 * can turn this mail off, because an attacker who has taken over the account would do so. The result is `sent`, or
 * `no user` for an inactive account.
 */
export function createFactorNotice(options: FactorNoticeOptions): Handler {
  const { store, service, programme, address, logo } = options
  return async (payload, run) => {
    const { userId, change, at } = noticeOf(payload)
    const [user] = await store.users.byIds([userId])
    if (!takesPart(user)) return "no user"
    const language = (await store.mail.choiceOf(userId)).language ?? service.language
    const { texts, moment } = mailWords(language, await programme.current())
    const { [change]: what } = texts.secondFactor
    const when = `${moment(at, service.time_zone)} (${service.time_zone})`
    const template = { ...texts.secondFactor, subject: `${texts.secondFactor.subject} - {service}` }
    const said = { service: service.name, name: user.name, what, when, url: `${address.url}/me` }
    const mail = composedFrom(template, said, { language, logo, reason: null })
    return send(options, { to: user.email, ...mail }, run)
  }
}

function noticeOf(payload: unknown): FactorNotice {
  const { userId, change: given, at } = (payload ?? {}) as Partial<Record<keyof FactorNotice, unknown>>
  const change = factorChanges.find((known) => known === given)
  if (typeof userId === "number" && typeof at === "number" && change !== undefined) return { userId, change, at }
  throw new PermanentFailure("the payload is not { userId, change, at }")
}
