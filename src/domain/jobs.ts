/** The kinds of background jobs. The payload of both is a `MailRequest`. */
export const resetMailKind = "reset_mail"
export const invitationKind = "invitation"

/** Holds the address, never a token: the worker looks the user up and signs the token when it sends the mail. */
export interface MailRequest {
  readonly email: string
}

/** How long discarded jobs stay visible, so that an operator who looks once a month sees them. */
export const discardedKeptDays = 30

/** An error message without e-mail addresses, which mail servers like to repeat. At most 500 characters. */
export const withoutAddresses = (text: string): string =>
  text.slice(0, 500).replaceAll(/[^\s<>()"':;,]+@[^\s<>()"':;,]+/g, "…@…")
