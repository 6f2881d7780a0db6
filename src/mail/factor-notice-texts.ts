import type { FactorNotice } from "../domain/jobs.ts"
import type { MailLanguage } from "../domain/model.ts"

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
  const { locale, changes, subject, text } = texts[language]
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone })
  const what = changes[change]
  return {
    subject: `${subject} - ${service}`,
    text: text({ name, what, when: `${format.format(at)} (${timeZone})`, url }),
  }
}

interface Texts {
  readonly locale: string
  readonly subject: string
  readonly changes: Readonly<Record<FactorNotice["change"], string>>
  readonly text: (words: Readonly<Record<"name" | "what" | "when" | "url", string>>) => string
}

const texts: Readonly<Record<MailLanguage, Texts>> = {
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
