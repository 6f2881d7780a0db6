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
import { avatarPath, isAvatarPath } from "../../domain/people/avatars.ts"
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
import type { MailOptions } from "./sending.ts"
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
  const { email, login, security, service } = config
  const { address, mailContents, programme, unsubscribeTokens } = rest
  const pictures = { logo: logoIn(logo, service.name), faceOf: faces(store) }
  const options = { mailer, sender: email.smtp_sender, service, programme, address, ...pictures }
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
    }),
  }
}

/** How large a picture in a mail may be; the initials stand for a larger one. */
const maxPictureBytes = 100_000

/** What stands for somebody in a mail: an uploaded picture that mail programs show, or the initials. */
const faces =
  ({ users }: Pick<Store, "users">): MailOptions["faceOf"] =>
  async ({ name, avatar }) => {
    const hash = avatar !== null && isAvatarPath(avatar) ? avatar.slice(avatarPath.length) : null
    const picture = hash === null ? null : await users.picture(hash)
    if (picture === null || picture.kind === "webp" || picture.bytes.length > maxPictureBytes)
      return { name, picture: null }
    return { name, picture: { id: `face-${picture.hash.slice(0, 16)}`, kind: picture.kind, bytes: picture.bytes } }
  }

/** The logo inside the mail. Null where mail programs would not show it: many know neither SVG nor WebP. */
const logoIn = (logo: Logo | null, name: string): MailOptions["logo"] =>
  logo?.kind === "png" || logo?.kind === "jpeg"
    ? { picture: { id: "logo", kind: logo.kind, bytes: logo.bytes }, name }
    : null
