import type { Clock } from "../../domain/clock.ts"
import { details as english } from "../../domain/details/en.ts"
import { details as portuguese } from "../../domain/details/pt.ts"
import { type Details, translatedRefusal } from "../../domain/details/translated.ts"
import { DomainError, isOutage } from "../../domain/errors.ts"
import { slackGiveKind } from "../../domain/jobs/jobs.ts"
import type { Ledger } from "../../domain/ledger/ledger.ts"
import { maxReasonLength } from "../../domain/ledger/notes.ts"
import { isActive, type User } from "../../domain/people/model.ts"
import type { MailLanguage } from "../../domain/recognition/model.ts"
import type { Store } from "../../domain/store.ts"
import { type Handler, PermanentFailure, TemporaryFailure } from "../../jobs/attempt.ts"
import type { Outbound } from "../../net/outbound.ts"
import { isEqualInConstantTime } from "../../security/secrets.ts"
import { groupedEnglish, groupedPortuguese, inEnglish, inPortuguese } from "../../support/counted.ts"
import type { Log } from "../../support/log.ts"
import { createSlackApi, fieldsOf, SlackRefusal } from "./api.ts"

/** How long Slack accepts an answer at `response_url`. A job is retried until then. */
const replyMs = 30 * 60_000
/** How long opening a dialog may take: Slack allows three seconds after the trigger. */
const dialogMs = 2_500
const dialogId = "give"

/** The payload of a job of kind `slack_give`. */
interface GiveJob extends GiveRequest {
  /** The person who gives, by their id in Slack. */
  readonly slackUser: string
  /** The idempotency key, which stays the same when Slack repeats a request. */
  readonly key: string
  /** Where to send the answer; null for a direct message. */
  readonly responseUrl: string | null
}

interface Dependencies {
  readonly settings: {
    readonly signing_secret: string | null
    readonly bot_token: string | null
    readonly api_url: string
  }
  readonly outbound: Pick<Outbound, "send">
  readonly store: Pick<Store, "jobs" | "users">
  readonly ledger: Pick<Ledger, "sendPoints">
  readonly tags: readonly string[]
  readonly language: MailLanguage
  readonly clock: Clock
  readonly log: Log
  readonly maxAttempts: number
  readonly onEnqueue: () => void
}

export type Slack = NonNullable<ReturnType<typeof createSlack>>

/**
 * Giving points from Slack (docs/operations/slack.md). Slack waits only three seconds, so a request becomes a job, and
 * its outcome reaches the person afterwards as a private message. Null when Slack is not set up.
 */
export function createSlack(dependencies: Dependencies) {
  const { settings, outbound, store, ledger, tags, language, clock, log, maxAttempts, onEnqueue } = dependencies
  const { signing_secret: secret, bot_token: token, api_url: url } = settings
  if (secret === null || token === null) return null
  const texts = slackTexts[language]
  const api = createSlackApi({ outbound, url, token })

  return {
    isSigned: (timestamp: string | null, signature: string | null, body: Uint8Array): boolean =>
      isSignedBySlack({ secret, timestamp, signature, body }, clock()),

    /** The answer to a slash command. */
    async command(form: URLSearchParams): Promise<object | null> {
      const text = form.get("text") ?? ""
      const triggerId = form.get("trigger_id")
      if (text.trim() === "") return (await openDialog(triggerId ?? "")) ? null : privately(texts.noDialog)
      const request = parseGive(text)
      if (request === null) return privately(texts.usage)
      const given = { slackUser: form.get("user_id") ?? "", responseUrl: form.get("response_url") }
      await enqueue({ ...request, ...given, key: keyOf("slack", triggerId) })
      return privately(texts.sending)
    },

    /** The answer to a shortcut, or to a dialog that was submitted. */
    async interaction(payload: unknown): Promise<object | null> {
      const { type, trigger_id, callback_id, view: given, user } = fieldsOf(payload)
      if (type === "shortcut" && callback_id === dialogId) {
        await openDialog(String(trigger_id))
        return null
      }
      const view = fieldsOf(given)
      if (type !== "view_submission" || view.callback_id !== dialogId) return null
      const values = fieldsOf(fieldsOf(view.state).values)
      const field = (name: string) => fieldsOf(fieldsOf(values[name])[name])
      const value = String(field("value").value ?? "")
      if (!/^\d{1,16}$/.test(value) || Number(value) < 1)
        return { response_action: "errors", errors: { value: texts.badValue } }
      const chosen = field("tags").selected_options
      await enqueue({
        to: { slackUser: String(field("to").selected_user ?? "") },
        value: Number(value),
        reason: String(field("reason").value ?? ""),
        tags: Array.isArray(chosen) ? chosen.map((option) => String(fieldsOf(option).value)) : [],
        slackUser: String(fieldsOf(user).id ?? ""),
        key: keyOf("slack view", view.id),
        responseUrl: null,
      })
      return null
    },

    handlers: { [slackGiveKind]: give } satisfies Record<string, Handler>,
  }

  async function enqueue(payload: GiveJob) {
    const now = clock()
    const times = { runAt: now, createdAt: now, retryUntil: now + replyMs }
    await store.jobs.enqueue({ kind: slackGiveKind, payload, maxAttempts, ...times })
    onEnqueue()
  }

  /** May run again after a crash: thanks to the idempotency key, the points move once and the answer is the same. */
  async function give(payload: unknown): Promise<string> {
    const job = jobOf(payload)
    try {
      const text = await outcomeOf(job)
      if (job.responseUrl === null) await api.tell(job.slackUser, escaped(text))
      else await reply(job.responseUrl, privately(escaped(text)))
      return "answered"
    } catch (error) {
      if (error instanceof PermanentFailure) throw error
      if (error instanceof SlackRefusal) throw new PermanentFailure(error.message, { cause: error })
      throw new TemporaryFailure(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  async function outcomeOf({ slackUser, to, value, reason, tags: given, key }: GiveJob): Promise<string> {
    try {
      const sender = await senderOf(slackUser)
      if (typeof sender === "string") return sender
      const receiver = await receiverOf(to)
      if (typeof receiver === "string") return receiver
      if (!given.every((tag) => tags.includes(tag))) return texts.unknownTag(tags)
      try {
        const note = { reason, tags: given }
        await ledger.sendPoints({ sender, receiver, value, note, idempotencyKey: key })
        return texts.sent(value, receiver.name, await store.users.balanceOf(sender.id))
      } catch (error) {
        if (isOutage(error) || !(error instanceof DomainError)) throw error
        if (error.code === "insufficient_balance") return texts.tooLittle(await store.users.balanceOf(sender.id))
        return texts.refused(error)
      }
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error
      log.error("points cannot be given from Slack", { error: error.message })
      return texts.notSetUp
    }
  }

  /** The user, or a message that says why there is none. */
  async function senderOf(id: string): Promise<User | string> {
    const found = await api.user(id)
    if (!found?.isMember || found.email === null) return texts.unknownSender(null)
    const user = await store.users.byEmail(found.email)
    return user && isActive(user) ? user : texts.unknownSender(found.email)
  }

  async function receiverOf(person: SlackPerson): Promise<User | string> {
    if ("name" in person) {
      const [user, ...others] = await store.users.byLoginName(person.name)
      return user && others.length === 0 && isActive(user) ? user : texts.unknownReceiver(person.name)
    }
    const found = await api.user(person.slackUser)
    const user = found?.email ? await store.users.byEmail(found.email) : null
    return user && isActive(user) ? user : texts.unknownReceiver(found?.name ?? person.slackUser)
  }

  async function reply(responseUrl: string, message: object) {
    const headers = { "content-type": "application/json" }
    const { status } = await outbound.send({ method: "POST", url: responseUrl, headers, body: JSON.stringify(message) })
    if (status === 404 || status === 410) throw new PermanentFailure(`Slack no longer accepts the answer: ${status}`)
    if (status !== 200) throw new Error(`Slack did not accept the answer: ${status}`)
  }

  async function openDialog(triggerId: string): Promise<boolean> {
    try {
      await api.openDialog(triggerId, dialogView(), AbortSignal.timeout(dialogMs))
      return true
    } catch (error) {
      log.warn("Slack did not open the form", { error: error instanceof Error ? error.message : String(error) })
      return false
    }
  }

  function dialogView(): object {
    const { title, send, cancel, ...labels } = texts.dialog
    const text = (words: string) => ({ type: "plain_text", text: words })
    const input = (id: keyof typeof labels, element: object, optional = false) => ({
      type: "input",
      block_id: id,
      label: text(labels[id]),
      element: { action_id: id, ...element },
      optional,
    })
    // Slack takes at most 100 options.
    const options = tags.slice(0, 100).map((tag) => ({ text: text(`#${tag}`), value: tag }))
    return {
      type: "modal",
      callback_id: dialogId,
      title: text(title),
      submit: text(send),
      close: text(cancel),
      blocks: [
        input("to", { type: "users_select" }),
        input("value", { type: "number_input", is_decimal_allowed: false, min_value: "1" }),
        input("reason", { type: "plain_text_input", multiline: true, max_length: maxReasonLength }, true),
        ...(options.length === 0 ? [] : [input("tags", { type: "multi_static_select", options }, true)]),
      ],
    }
  }
}

/** A reply that only the person who sent the command sees. */
const privately = (text: string) => ({ response_type: "ephemeral", text })

function jobOf(payload: unknown): GiveJob {
  const { slackUser, to, value, reason, tags, key, responseUrl } = fieldsOf(payload)
  const person = fieldsOf(to)
  const isWhole = typeof slackUser === "string" && typeof value === "number" && typeof key === "string"
  if (!isWhole || !Array.isArray(tags)) throw new PermanentFailure("the payload is not that of a transfer from Slack")
  return {
    slackUser,
    to: typeof person.slackUser === "string" ? { slackUser: person.slackUser } : { name: String(person.name) },
    value,
    reason: String(reason),
    tags: tags.map(String),
    key,
    responseUrl: typeof responseUrl === "string" ? responseUrl : null,
  }
}

/** Older requests are refused, because an attacker may replay them. */
const maxAgeSeconds = 300

interface Signed {
  readonly secret: string
  readonly timestamp: string | null
  readonly signature: string | null
  readonly body: Uint8Array
}

/** Whether Slack signed this body (version v0) within the last five minutes. */
function isSignedBySlack({ secret, timestamp, signature, body }: Signed, now: number): boolean {
  if (timestamp === null || signature === null || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now / 1000 - Number(timestamp)) > maxAgeSeconds) return false
  const expected = `v0=${new Bun.CryptoHasher("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex")}`
  return isEqualInConstantTime(signature, expected)
}

/** A person in Slack, by id or by a typed name. */
type SlackPerson = { readonly slackUser: string } | { readonly name: string }

/** A request to give points, not yet validated. */
interface GiveRequest {
  readonly to: SlackPerson
  readonly value: number
  readonly reason: string
  readonly tags: readonly string[]
}

/** Slack sends a person as `<@U123|ada>` and a channel as `<#C123|care>` if the app's manifest requests it. */
const pattern =
  /^(?:<@(?<user>[UW][A-Z0-9]+)(?:\|[^>]*)?>|@?(?<name>[^\s<>]{1,254}))\s+(?<value>\d{1,16})(?:\s+(?<rest>.*))?$/s
const tag = /(?:^|\s)(?:#(?<word>[^\s#<>]+)|<#\w+\|(?<channel>[^>]+)>)(?=\s|$)/gu

/** The idempotency key of a request. One that Slack sends without an id is its own, and shares its key with no other. */
const keyOf = (kind: string, id: unknown): string =>
  `${kind} ${typeof id === "string" && id !== "" ? id : crypto.randomUUID()}`

/** Parses `@ada 25 for the review #care`; null for text of any other form. */
export function parseGive(text: string): GiveRequest | null {
  const groups = pattern.exec(text.trim())?.groups
  if (!groups) return null
  const { user, name = "", value, rest = "" } = groups
  const tags = [...rest.matchAll(tag)].map(({ groups: found }) => unescaped(found?.word ?? found?.channel ?? ""))
  const reason = rest
    .replaceAll(tag, "")
    .replace(/^\s*(points?|pontos?)\b/i, "")
    .replace(/^\s*(for|por|pel[oa])\s+/i, "")
  return {
    to: user === undefined ? { name: unescaped(name) } : { slackUser: user },
    value: Number(value),
    reason: unescaped(reason).trim(),
    tags: [...new Set(tags)],
  }
}

/** Slack escapes these three characters and nothing else. */
const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const wordsOf = ({ code, message }: DomainError, details: Details): string =>
  translatedRefusal({ code, detail: message }, details) ?? message

interface SlackTexts {
  readonly usage: string
  readonly sending: string
  readonly sent: (value: number, name: string, balance: number) => string
  readonly unknownSender: (email: string | null) => string
  readonly unknownReceiver: (name: string) => string
  readonly tooLittle: (balance: number) => string
  readonly unknownTag: (tags: readonly string[]) => string
  readonly badValue: string
  readonly refused: (error: DomainError) => string
  readonly notSetUp: string
  readonly noDialog: string
  readonly dialog: {
    readonly title: string
    readonly send: string
    readonly cancel: string
    readonly to: string
    readonly value: string
    readonly reason: string
    readonly tags: string
  }
}

const slackTexts: Readonly<Record<MailLanguage, SlackTexts>> = {
  en: {
    usage: "Write `/give @ada 25 for the review #care`: a person, the points, and if you like a reason and tags.",
    sending: "Sending…",
    sent: (value, name, balance) =>
      `You gave ${name} ${inEnglish(value, "point", "points")}. You have ${groupedEnglish(balance)} left to give.`,
    unknownSender: (email) =>
      email === null
        ? "Slack knows no confirmed e-mail address of yours. Confirm it in your Slack profile, then try again."
        : `Nobody here has the e-mail address ${email} of your Slack profile. Ask an administrator to enter it in your account.`,
    unknownReceiver: (name) => `${name} has no account here. Choose somebody from the list that Slack shows after @.`,
    tooLittle: (balance) => `You have ${groupedEnglish(balance)} to give. Give less, or wait for your next allowance.`,
    unknownTag: (tags) =>
      tags.length === 0
        ? "There are no tags here. Leave them out."
        : `Choose among these tags: ${tags.map((tag) => `#${tag}`).join(" ")}`,
    badValue: "Give a whole number of points, at least 1.",
    refused: (error) => `Nothing was sent: ${wordsOf(error, english)}`,
    notSetUp: "Nothing was sent: this app is not set up completely. Tell an administrator to run `rewards doctor`.",
    noDialog: "The form could not be opened. Try again, or write `/give @ada 25 for the review`.",
    dialog: {
      title: "Give points",
      send: "Give",
      cancel: "Cancel",
      to: "To",
      value: "Points",
      reason: "For what",
      tags: "Tags",
    },
  },
  pt: {
    usage: "Escreva `/give @ada 25 pela revisão #cuidado`: uma pessoa, os pontos e, se quiser, um motivo e etiquetas.",
    sending: "Enviando…",
    sent: (value, name, balance) =>
      `Você deu ${inPortuguese(value, "ponto", "pontos")} a ${name}. Restam ${groupedPortuguese(balance)} para dar.`,
    unknownSender: (email) =>
      email === null
        ? "O Slack não conhece um e-mail confirmado seu. Confirme-o no seu perfil do Slack e tente de novo."
        : `Ninguém aqui tem o e-mail ${email} do seu perfil do Slack. Peça a um administrador que o cadastre na sua conta.`,
    unknownReceiver: (name) => `${name} não tem conta aqui. Escolha alguém da lista que o Slack mostra depois de @.`,
    tooLittle: (balance) => `Você tem ${groupedPortuguese(balance)} para dar. Dê menos ou espere a próxima cota.`,
    unknownTag: (tags) =>
      tags.length === 0
        ? "Aqui não há etiquetas. Deixe-as de fora."
        : `Escolha entre estas etiquetas: ${tags.map((tag) => `#${tag}`).join(" ")}`,
    badValue: "Dê um número inteiro de pontos, no mínimo 1.",
    refused: (error) => `Nada foi enviado: ${wordsOf(error, portuguese)}`,
    notSetUp:
      "Nada foi enviado: este aplicativo não está configurado por completo. Avise um administrador para usar `rewards doctor`.",
    noDialog: "Não foi possível abrir o formulário. Tente de novo ou escreva `/give @ada 25 pela revisão`.",
    dialog: {
      title: "Dar pontos",
      send: "Dar",
      cancel: "Cancelar",
      to: "Para",
      value: "Pontos",
      reason: "Motivo",
      tags: "Etiquetas",
    },
  },
}
