import type { Logo } from "../../config/logo.ts"
import type { SecretlessConfig } from "../../config/settings.ts"
import type { Tokens } from "../../domain/auth/tokens.ts"
import {
  factorNoticeKind,
  invitationKind,
  redemptionMailKind,
  resetMailKind,
  testMailKind,
} from "../../domain/jobs/jobs.ts"
import type { ProgrammeRules } from "../../domain/programme/programme.ts"
import type { MailContents } from "../../domain/recognition/mail-contents.ts"
import type { Store } from "../../domain/store.ts"
import type { Handler } from "../../jobs/attempt.ts"
import type { UnsubscribeTokens } from "../../security/secrets.ts"
import { createInvitationMail, createResetMail } from "./account-mail.ts"
import { createFactorNotice } from "./factor-notice.ts"
import type { Mailer } from "./mailer.ts"
import { recognitionMailHandlers } from "./recognition-mail.ts"
import { createRedemptionMail } from "./redemption-mail.ts"
import { createTestMail } from "./test-mail.ts"

interface Dependencies {
  readonly config: SecretlessConfig
  readonly logo: Logo | null
  readonly mailer: Mailer
  readonly store: Pick<Store, "mail" | "rewards" | "users">
  readonly tokens: Pick<Tokens, "signReset" | "signInvitation">
  readonly unsubscribeTokens: UnsubscribeTokens
  readonly mailContents: MailContents
  readonly programme: Pick<ProgrammeRules, "current">
  /** Where users reach this server; final once it listens. */
  readonly address: { readonly url: string }
}

/** The handlers of the jobs that send mail, by kind. */
export function mailHandlers({ config, logo, mailer, store, tokens, ...rest }: Dependencies): Record<string, Handler> {
  const { email, login, security, server, service } = config
  const { address, mailContents, programme, unsubscribeTokens } = rest
  const options = { mailer, sender: email.smtp_sender, service, programme, address }
  const account = {
    ...options,
    store,
    resetUrl: () => security.pwd_reset_url.replace("{base_url}", () => address.url),
    expireMinutes: security.reset_token_expire_minutes,
    passwordLogin: login.password,
  }
  return {
    [resetMailKind]: createResetMail({ ...account, signToken: tokens.signReset }),
    [invitationKind]: createInvitationMail({ ...account, signToken: tokens.signInvitation }),
    [redemptionMailKind]: createRedemptionMail({ ...options, store }),
    [factorNoticeKind]: createFactorNotice({ ...options, store }),
    [testMailKind]: createTestMail({ ...options, store }),
    ...recognitionMailHandlers({
      ...options,
      contents: mailContents,
      unsubscribeTokens,
      logoUrl: logoUrlOf(logo, server.base_url),
    }),
  }
}

/**
 * Where mail programs load the logo. Null where they could not or would not: many show neither SVG nor WebP, nor load
 * anything over plain http, and only `server.base_url` is an address for everybody.
 */
function logoUrlOf(logo: Logo | null, baseUrl: string | null): string | null {
  const isShown = (logo?.kind === "png" || logo?.kind === "jpeg") && baseUrl?.startsWith("https:")
  return isShown ? `${baseUrl}${logo.path}` : null
}
