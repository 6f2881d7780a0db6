import type { RedemptionMail } from "../domain/jobs.ts"
import { isActive, type Redemption, type User } from "../domain/model.ts"
import type { Store } from "../domain/store.ts"
import type { Message } from "../mail/mailer.ts"
import { type Handler, PermanentFailure } from "./attempt.ts"

interface Dependencies {
  readonly store: Pick<Store, "rewards" | "users">
  /** Sends a message; its failure ends or repeats the attempt. */
  readonly send: (message: Message, signal: AbortSignal) => Promise<void>
  /** The setting `email.smtp_sender`. */
  readonly sender: string
  readonly serviceName: string
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

/**
 * Handler of kind `redemption_mail` with the payload `RedemptionMail`: tells a superuser of a request, or the member of its
 * answer. The result is `sent`, `answered` when the request no longer waits, or `no user` for an inactive account.
 */
export function createRedemptionMail({ store, send, sender, serviceName, address }: Dependencies): Handler {
  return async (payload, { signal }) => {
    const { redemption: id, to, about } = mailOf(payload)
    const redemption = await store.rewards.redemption(id)
    const [user] = await store.users.byIds([to])
    if (!redemption || !user || !isActive(user)) return "no user"
    if (about === "request" && redemption.state !== "requested") return "answered"
    const words = about === "request" ? requestMail(redemption, address.url) : answerMail(redemption, user, address.url)
    const subject = `${words.subject} - ${serviceName}`
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

function requestMail({ name, username, rewardName, cost, comment }: Redemption, url: string) {
  return {
    subject: `${name} asks for ${rewardName}`,
    text: `${name} (${username}) redeemed ${inPoints(cost)} for ${rewardName}.
${quoted(comment)}
Fulfil or decline the request here:

${url}/admin/rewards
`,
  }
}

function answerMail({ state, rewardName, cost, answer }: Redemption, { name }: User, url: string) {
  const [subject, words] =
    state === "fulfilled"
      ? [`Your reward: ${rewardName}`, `your request for ${rewardName} was fulfilled.`]
      : [
          `Your request for ${rewardName} was declined`,
          `your request for ${rewardName} was declined. You have your ${inPoints(cost)} back.`,
        ]
  return {
    subject,
    text: `Hello ${name},

${words}
${quoted(answer)}
All your requests:

${url}/rewards
`,
  }
}

const inPoints = (value: number): string => (value === 1 ? "1 point" : `${value} points`)

/** What somebody wrote, as a paragraph of its own. */
const quoted = (words: string | null): string => (words === null ? "" : `\n${words.replaceAll(/^/gm, "> ")}\n`)
