import type { RedemptionMail } from "../../domain/jobs/jobs.ts"
import { takesPart } from "../../domain/people/model.ts"
import { hasDuty } from "../../domain/people/roles.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure } from "../../jobs/attempt.ts"
import { fill } from "../../languages/writing.ts"
import { composedFrom } from "./letter.ts"
import { type MailOptions, send } from "./sending.ts"
import { mailWords, quoted } from "./words.ts"

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
export function createRedemptionMail(options: RedemptionMailOptions): Handler {
  const { store, service, programme, address, logo } = options
  return async (payload, run) => {
    const { redemption: id, to, about } = mailOf(payload)
    const redemption = await store.rewards.redemption(id)
    const [user] = await store.users.byIds([to])
    if (!redemption || !takesPart(user)) return "no user"
    if (about === "request" && redemption.state !== "requested") return "answered"
    if (about === "request" && !hasDuty(user, "rewards")) return "not theirs"
    const choice = await store.mail.choiceOf(user.id)
    if (about === "request" && choice.mail === "off") return "not wanted"
    const language = choice.language ?? service.language
    const { texts, points } = mailWords(language, await programme.current())
    const { name, username, rewardName: reward, cost, comment, answer, state } = redemption
    const [mail, said] =
      about === "request"
        ? [texts.request, { name, username, quote: quoted(comment), url: `${address.url}/admin/rewards` }]
        : [
            state === "fulfilled" ? texts.fulfilled : texts.declined,
            { name: user.name, quote: quoted(answer), url: `${address.url}/rewards` },
          ]
    const words = { ...said, reward, points: points(cost), service: service.name }
    const template = { ...mail, subject: `${mail.subject} - {service}` }
    const letter = composedFrom(template, words, { language, logo, reason: fill(texts.why, words) })
    return send(options, { to: user.email, ...letter }, run)
  }
}

function mailOf(payload: unknown): RedemptionMail {
  const { redemption, to, about } = (payload ?? {}) as Partial<Record<keyof RedemptionMail, unknown>>
  if (typeof redemption === "number" && typeof to === "number" && (about === "request" || about === "answer"))
    return { redemption, to, about }
  throw new PermanentFailure("the payload is not { redemption, to, about }")
}
