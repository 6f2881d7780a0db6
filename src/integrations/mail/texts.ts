import type { FactorNotice } from "../../domain/jobs/jobs.ts"
import type { Digest, Summary, Thanks } from "../../domain/recognition/mail.ts"
import type { MailLanguage } from "../../domain/recognition/model.ts"
import type { Redemption } from "../../domain/rewards/model.ts"
import { inEnglish, inPortuguese } from "../../support/counted.ts"

/** The contents of a mail, in the language of its reader. */
export interface Letter {
  readonly language: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly quotes: readonly { readonly title: string; readonly text: string; readonly tags: readonly string[] }[]
  readonly closing: readonly string[]
  readonly link: { readonly text: string; readonly url: string }
  /** Why the reader gets the mail, and how to unsubscribe. */
  readonly reason: string
  readonly unsubscribe: { readonly text: string; readonly url: string }
}

/** The two parts of a message: text and HTML. */
export const composed = (letter: Letter) => ({
  subject: letter.subject,
  text: textOf(letter),
  html: htmlOf(letter),
  unsubscribeUrl: letter.unsubscribe.url,
})

function textOf({ paragraphs, quotes, closing, link, reason, unsubscribe }: Letter): string {
  const quoted = quotes.map(({ title, text, tags }) =>
    [title, ...(text === "" ? [] : text.split("\n").map((line) => `> ${line}`)), ...hashed(tags)].join("\n"),
  )
  const blocks = [...paragraphs, ...quoted, ...closing, `${link.text}:\n${link.url}`, "-- ", reason, unsubscribed()]
  return `${blocks.join("\n\n").replace("-- \n\n", "-- \n")}\n`

  function unsubscribed() {
    return `${unsubscribe.text}:\n${unsubscribe.url}`
  }
}

const hashed = (tags: readonly string[]) => (tags.length === 0 ? [] : [tags.map((tag) => `#${tag}`).join(" ")])

/** Colours for light and dark mode. A mail program that ignores this style uses its own. */
const style = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1b211d; background: #f9f9f7; }
main { max-width: 560px; margin: 0 auto; }
blockquote { margin: 16px 0; padding: 4px 16px; border-left: 4px solid #1f7a4d; }
.button { display: inline-block; padding: 10px 18px; border-radius: 8px; color: #ffffff; background: #1f7a4d; text-decoration: none; }
.quiet, .quiet a { color: #59635d; font-size: 14px; }
@media (prefers-color-scheme: dark) {
  body { color: #e7ece8; background: #101512; }
  blockquote { border-color: #5fc08d; }
  .button { color: #0c1410; background: #5fc08d; }
  .quiet, .quiet a { color: #a3aea7; }
}`

function htmlOf({ language, subject, paragraphs, quotes, closing, link, reason, unsubscribe }: Letter): string {
  const paragraph = (text: string) => `<p>${escaped(text)}</p>`
  const quote = ({ title, text, tags }: Letter["quotes"][number]) =>
    `<blockquote>${[title, text, ...hashed(tags)]
      .filter((line) => line !== "")
      .map((line, index) => (index === 0 ? `<p><strong>${escaped(line)}</strong></p>` : paragraph(line)))
      .join("")}</blockquote>`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${style}
</style>
</head>
<body>
<main>
${[...paragraphs.map(paragraph), ...quotes.map(quote), ...closing.map(paragraph)].join("\n")}
<p><a class="button" href="${escaped(link.url)}">${escaped(link.text)}</a></p>
<p class="quiet">${escaped(reason)}<br><a href="${escaped(unsubscribe.url)}">${escaped(unsubscribe.text)}</a></p>
</main>
</body>
</html>
`
}

const escaped = (text: string): string => Bun.escapeHTML(text).replaceAll("\n", "<br>")

/** The sentences of mail about recognition. */
export interface RecognitionTexts {
  readonly thanks: (thanks: Thanks) => { readonly subject: string; readonly paragraphs: readonly string[] }
  readonly quoteTitle: (thanks: Thanks) => string
  readonly digest: (digest: Digest) => { readonly subject: string; readonly paragraphs: readonly string[] }
  readonly more: (count: number) => string
  readonly given: (count: number) => string
  readonly toGive: (points: number) => string
  readonly summary: (summary: Summary) => { readonly subject: string; readonly paragraphs: readonly string[] }
  readonly open: string
  readonly openInsights: string
  readonly reason: (service: string) => string
  readonly unsubscribe: string
  readonly unsubscribeQuestion: string
  readonly unsubscribeButton: string
  readonly unsubscribed: string
  readonly badLink: string
}

const monthIn = (language: string, day: string): string =>
  new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  )

const sumOf = (thanks: readonly Thanks[]): number => thanks.reduce((points, { value }) => points + value, 0)

const en = (() => {
  const points = (value: number) => inEnglish(value, "point", "points")
  const times = (number: number) => (number === 1 ? "once" : inEnglish(number, "time", "times"))
  return {
    thanks: ({ from, value }) => ({
      subject: `${from} thanked you: ${points(value)}`,
      paragraphs: [`${from} thanked you and gave you ${points(value)}.`],
    }),
    quoteTitle: ({ from, value }) => `${from}: ${points(value)}`,
    digest: ({ period, thanks }) => {
      const when = period === "day" ? "yesterday" : "last week"
      if (thanks.length === 0)
        return { subject: "Your week", paragraphs: ["Nobody thanked you last week. Why not thank someone yourself?"] }
      const sentence = `You were thanked ${times(thanks.length)} ${when}, with ${points(sumOf(thanks))}`
      return { subject: sentence, paragraphs: [`${sentence}.`] }
    },
    more: (number) => `And ${inEnglish(number, "more", "more")}.`,
    given: (number) =>
      number === 0 ? "You did not thank anybody last week." : `You thanked others ${times(number)} last week.`,
    toGive: (value) => `You have ${points(value)} to give.`,
    summary: ({ from, month, tags, overlooked }) => ({
      subject: `Recognition in ${monthIn("en", from)}`,
      paragraphs: [
        `In ${monthIn("en", from)}, ${inEnglish(month.senders, "person", "people")} thanked ${inEnglish(month.receivers, "person", "people")}: ${inEnglish(month.count, "time", "times")}, with ${points(month.value)}.`,
        ...(tags.length > 0
          ? [`Most used tags: ${tags.map(({ tag, count }) => `${tag} (${count})`).join(", ")}.`]
          : []),
        overlooked === 0
          ? "Everyone was thanked."
          : `${inEnglish(overlooked, "person was", "people were")} not thanked in that month.`,
      ],
    }),
    open: "See what people say",
    openInsights: "Open the insights",
    reason: (service) => `You get this mail from ${service}. You can change this in "My profile".`,
    unsubscribe: "Unsubscribe from these mails",
    unsubscribeQuestion: "Stop all mail about recognition?",
    unsubscribeButton: "Unsubscribe",
    unsubscribed: 'You will get no more mail about recognition. You can turn it on again in "My profile".',
    badLink: "This link is incomplete. Copy the whole link from the mail.",
  }
})() satisfies RecognitionTexts

const pt = (() => {
  const points = (value: number) => inPortuguese(value, "ponto", "pontos")
  const times = (number: number) => inPortuguese(number, "vez", "vezes")
  return {
    thanks: ({ from, value }) => ({
      subject: `${from} agradeceu a você: ${points(value)}`,
      paragraphs: [`${from} agradeceu a você com ${points(value)}.`],
    }),
    quoteTitle: ({ from, value }) => `${from}: ${points(value)}`,
    digest: ({ period, thanks }) => {
      const when = period === "day" ? "ontem" : "na semana passada"
      if (thanks.length === 0)
        return {
          subject: "Sua semana",
          paragraphs: ["Ninguém agradeceu a você na semana passada. Que tal agradecer a alguém?"],
        }
      const sentence = `Você recebeu agradecimentos ${times(thanks.length)} ${when}, com ${points(sumOf(thanks))}`
      return { subject: sentence, paragraphs: [`${sentence}.`] }
    },
    more: (number) => `E mais ${inPortuguese(number, "agradecimento", "agradecimentos")}.`,
    given: (number) =>
      number === 0
        ? "Você não agradeceu a ninguém na semana passada."
        : `Você agradeceu a outras pessoas ${times(number)} na semana passada.`,
    toGive: (value) => `Você tem ${points(value)} para dar.`,
    summary: ({ from, month, tags, overlooked }) => ({
      subject: `Reconhecimento em ${monthIn("pt-BR", from)}`,
      paragraphs: [
        `Em ${monthIn("pt-BR", from)}, ${inPortuguese(month.senders, "pessoa agradeceu", "pessoas agradeceram")} a ${inPortuguese(month.receivers, "pessoa", "pessoas")}: ${inPortuguese(month.count, "vez", "vezes")}, com ${points(month.value)}.`,
        ...(tags.length > 0
          ? [`Etiquetas mais usadas: ${tags.map(({ tag, count }) => `${tag} (${count})`).join(", ")}.`]
          : []),
        overlooked === 0
          ? "Todos receberam agradecimentos."
          : `${inPortuguese(overlooked, "pessoa não recebeu", "pessoas não receberam")} nenhum agradecimento nesse mês.`,
      ],
    }),
    open: "Ver o que as pessoas dizem",
    openInsights: "Abrir os indicadores",
    reason: (service) => `Você recebe este e-mail de ${service}. Você pode mudar isso em "Meu perfil".`,
    unsubscribe: "Cancelar estes e-mails",
    unsubscribeQuestion: "Parar de receber e-mails sobre reconhecimento?",
    unsubscribeButton: "Cancelar e-mails",
    unsubscribed: 'Você não receberá mais e-mails sobre reconhecimento. Você pode ativá-los de novo em "Meu perfil".',
    badLink: "Este link está incompleto. Copie o link inteiro do e-mail.",
  }
})() satisfies RecognitionTexts

export const recognitionTexts: Readonly<Record<MailLanguage, RecognitionTexts>> = { en, pt }

interface Mail {
  readonly subject: string
  readonly text: string
}

/** Mail about redemptions. `url` is where users reach this server. */
interface RedemptionTexts {
  /** To a superuser: somebody asks for a reward. */
  readonly request: (redemption: Redemption, url: string) => Mail
  /** To the member: the request was fulfilled or declined. */
  readonly answer: (redemption: Redemption, name: string, url: string) => Mail
}

/** Text that a person wrote, as a paragraph of its own. */
const quoted = (words: string | null): string => (words === null ? "" : `\n${words.replaceAll(/^/gm, "> ")}\n`)

export const redemptionTexts: Readonly<Record<MailLanguage, RedemptionTexts>> = {
  en: {
    request: ({ name, username, rewardName, cost, comment }, url) => ({
      subject: `${name} asks for ${rewardName}`,
      text: `${name} (${username}) redeemed ${inEnglish(cost, "point", "points")} for ${rewardName}.
${quoted(comment)}
Fulfil or decline the request here:

${url}/admin/rewards
`,
    }),
    answer: ({ state, rewardName, cost, answer }, name, url) => {
      const [subject, words] =
        state === "fulfilled"
          ? [`Your reward: ${rewardName}`, `your request for ${rewardName} was fulfilled.`]
          : [
              `Your request for ${rewardName} was declined`,
              `your request for ${rewardName} was declined. You have your ${inEnglish(cost, "point", "points")} back.`,
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
    },
  },
  pt: {
    request: ({ name, username, rewardName, cost, comment }, url) => ({
      subject: `${name} pede: ${rewardName}`,
      text: `${name} (${username}) trocou ${inPortuguese(cost, "ponto", "pontos")} por ${rewardName}.
${quoted(comment)}
Atenda ou recuse o pedido aqui:

${url}/admin/rewards
`,
    }),
    answer: ({ state, rewardName, cost, answer }, name, url) => {
      const [subject, words] =
        state === "fulfilled"
          ? [`Seu prêmio: ${rewardName}`, `seu pedido de ${rewardName} foi atendido.`]
          : [
              `Seu pedido de ${rewardName} foi recusado`,
              `seu pedido de ${rewardName} foi recusado. Você recebeu de volta ${inPortuguese(cost, "ponto", "pontos")}.`,
            ]
      return {
        subject,
        text: `Olá, ${name},

${words}
${quoted(answer)}
Todos os seus pedidos:

${url}/rewards
`,
      }
    },
  },
}

interface Notice extends Pick<FactorNotice, "change" | "at"> {
  readonly name: string
  readonly service: string
  /** An IANA name. */
  readonly timeZone: string
  /** Where users reach this server. */
  readonly url: string
}

/** The mail about a second factor that was added or removed. */
export function factorNoticeText(language: MailLanguage, { change, at, name, service, timeZone, url }: Notice) {
  const { locale, changes, subject, text } = factorNoticeTexts[language]
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone })
  const what = changes[change]
  return {
    subject: `${subject} - ${service}`,
    text: text({ name, what, when: `${format.format(at)} (${timeZone})`, url }),
  }
}

interface FactorNoticeTexts {
  readonly locale: string
  readonly subject: string
  readonly changes: Readonly<Record<FactorNotice["change"], string>>
  readonly text: (words: Readonly<Record<"name" | "what" | "when" | "url", string>>) => string
}

const factorNoticeTexts: Readonly<Record<MailLanguage, FactorNoticeTexts>> = {
  en: {
    locale: "en-GB",
    subject: "Your second factor was changed",
    changes: {
      passkey_added: "A passkey was added to your account",
      totp_added: "An app for one-time codes was added to your account",
      passkey_removed: "A passkey was removed from your account",
      totp_removed: "An app for one-time codes was removed from your account",
      reset: "An administrator removed all second factors of your account",
    },
    text: ({ name, what, when, url }) => `Hello ${name},

${what} on ${when}.

If this was you, or you asked for it, there is nothing to do. If not, change your password now, check your second factors, and
tell an administrator:

${url}/me
`,
  },
  pt: {
    locale: "pt-BR",
    subject: "Seu segundo fator foi alterado",
    changes: {
      passkey_added: "Uma chave de acesso foi adicionada à sua conta",
      totp_added: "Um aplicativo de códigos foi adicionado à sua conta",
      passkey_removed: "Uma chave de acesso foi removida da sua conta",
      totp_removed: "Um aplicativo de códigos foi removido da sua conta",
      reset: "Um administrador removeu todos os segundos fatores da sua conta",
    },
    text: ({ name, what, when, url }) => `Olá, ${name},

${what} em ${when}.

Se foi você, ou se você pediu, não há nada a fazer. Se não, troque já a sua senha, confira os seus segundos fatores e avise um
administrador:

${url}/me
`,
  },
}
