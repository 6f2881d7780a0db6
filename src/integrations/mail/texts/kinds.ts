import type { FactorNotice } from "../../../domain/jobs/jobs.ts"
import type { Digest, Summary, Thanks } from "../../../domain/recognition/mail.ts"
import type { Redemption } from "../../../domain/rewards/model.ts"

/** What each kind of mail says. A language is one file beside this one, and a line in languages.ts. */
export interface MailTexts {
  readonly recognition: RecognitionTexts
  readonly redemption: RedemptionTexts
  readonly factorNotice: FactorNoticeTexts
}

interface Mail {
  readonly subject: string
  readonly text: string
}

/** Mail about an account. `url` is the address that the mail asks to open. */
export interface AccountTexts {
  readonly reset: (words: { readonly service: string; readonly url: string; readonly minutes: number }) => Mail
  /** To an imported person, who has no password yet. */
  readonly invitation: (words: Invitation & { readonly days: number }) => Mail
  /** To an imported person who logs in through the provider. */
  readonly invitationToProvider: (words: Invitation) => Mail
}

type Invitation = Readonly<Record<"service" | "name" | "username" | "url", string>>

/** Mail about recognition, and the page that ends it. */
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

/** Mail about redemptions. `url` is where users reach this server. */
interface RedemptionTexts {
  /** To a superuser: somebody asks for a reward. */
  readonly request: (redemption: Redemption, url: string) => Mail
  /** To the member: the request was fulfilled or declined. */
  readonly answer: (redemption: Redemption, name: string, url: string) => Mail
}

/** Mail about a second factor that was added or removed. */
interface FactorNoticeTexts {
  readonly locale: string
  readonly subject: string
  readonly changes: Readonly<Record<FactorNotice["change"], string>>
  readonly text: (words: Readonly<Record<"name" | "what" | "when" | "url", string>>) => string
}

export const monthIn = (language: string, day: string): string =>
  new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  )

export const sumOf = (thanks: readonly Thanks[]): number => thanks.reduce((points, { value }) => points + value, 0)

/** Text that a person wrote, as a paragraph of its own. */
export const quoted = (words: string | null): string => (words === null ? "" : `\n${words.replaceAll(/^/gm, "> ")}\n`)
