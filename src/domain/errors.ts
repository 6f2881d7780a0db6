/**
 * Every expected refusal: its code, which programs decide by and which never changes, and the `detail` for people.
 * docs/interface/errors.md, lists them; http/errors.ts maps codes to statuses.
 */
export const details = {
  passwords_differ: "Passwords do not match",
  insufficient_balance: "Insufficient balance",
  wrong_password: "current_password: not your present password",
  bad_login: "Incorrect username or password",
  bad_credentials: "Could not validate credentials",
  second_factor_required: "Second factor required",
  bad_second_factor: "Incorrect code or passkey",
  challenge_ended: "This took too long; start again",
  bad_session: "Invalid Session ID",
  session_user_missing: "Session user not found",
  second_factor_missing: "Set up a second factor first",
  login_not_recent: "Log in again first",
  not_superuser: "Not a super user",
  address_fixed: "Only superusers change the e-mail address of an account that is in use",
  not_own_profile: "You can only update your own profile",
  not_own_data: "You can only see your own data",
  not_own_password: "You are not allowed to change this user's password",
  user_not_found: "User not found",
  mail_not_found: "No such mail waits, and none was given up",
  no_email: "Your account has no e-mail address",
  has_logged_in: "This person has logged in already; a forgotten password is reset on the log-in page",
  webhook_not_found: "Webhook not found",
  delivery_not_found: "Delivery not found",
  not_replayable: "A test cannot be sent again; send another test",
  not_waiting: "No delivery waits",
  username_taken: "Username already taken",
  external_id_taken: "External id already taken",
  email_taken: "E-mail address already taken",
  manager_cycle: "manager: nobody can report to themselves or to somebody who reports to them",
  dept_not_found: "Department not found",
  dept_exists: "A department of this name exists already; with merge, both become one",
  dept_being_paid: "An allowance for this department is being paid; try again in a moment",
  still_active: "Deactivate the account first",
  erased: "This account was erased",
  integrity: "Database IntegrityError",
  beyond_scope: "This token may not do that",
  token_not_found: "Token not found",
  too_many_tokens: "This account already has the maximum number of tokens",
  too_many_devices: "You get notifications on the maximum number of devices; remove one first",
  session_not_found: "Session not found",
  factor_not_found: "Second factor not found",
  device_not_found: "Device not found",
  factor_needed: "You need a second factor; add another one first",
  no_factor: "There is no second factor yet",
  no_setup: "The setup has ended; start again",
  too_many_factors: "You already have the maximum number of second factors",
  passkey_known: "This passkey is in use already",
  passkeys_unusable: "Passkeys need an address with a host name and https",
  transaction_not_found: "Transaction not found",
  recognition_not_found: "Recognition not found",
  no_leaderboard: "There is no leaderboard here",
  reply_not_found: "Reply not found",
  not_own_reply: "You can only delete your own replies",
  nothing_to_reverse: "Nothing left to reverse",
  beyond_what_is_left: "Fewer points are left to reverse",
  allowance_not_found: "Allowance not found",
  period_paid: "This period is paid already",
  no_period: "No period of this allowance has begun",
  not_reversible: "Only transfers, grants, allowances and occasions can be reversed",
  reward_not_found: "Reward not found",
  redemption_not_found: "Redemption not found",
  private: "This recognition is private",
  own_recognition: "You were thanked here yourself",
  taken_back: "This recognition was taken back",
  programme_changed: "Somebody else has changed the programme meanwhile",
  not_redeemable: "Not enough redeemable points",
  out_of_stock: "Out of stock",
  limit_reached: "Limit reached",
  not_requested: "This redemption has been answered",
  own_request: "This concerns yourself; somebody else has to decide",
  not_own_redemptions: "You can only see your own redemptions",
  not_own_transactions: "You can only see your own transactions",
  balance_out_of_range: "The transfer would carry a balance beyond the largest exact integer",
  too_many_failures: "Too many failed logins for this account from this address",
  username_lookalike: "Username looks like one that is already taken",
  name_lookalike: "Name looks like another person's",
  too_many_transfers: "Too many transfers in a minute; try again later",
  most_to_one: "You have given this person the most that is allowed for now",
  too_many_writes: "Too many changes in a minute; try again later",
  too_many_replies: "Too many replies in a minute; try again later",
  too_many_reactions: "Too many reactions in a minute; try again later",
  too_many_kinds: "There are 20 kinds of reactions already; choose one of them",
  key_reused: "This Idempotency-Key was used for another request",
  reference_reused: "This reference was used for another request",
  answer_lost: "This was done before, but its answer can no longer be read; look for it",
  busy: "Too many passwords are being checked; try again in a moment",
  unwritable: "Nothing can be stored at the moment; try again later",
  unavailable: "The database cannot be used at the moment; try again later",
  outcome_unknown:
    "The database did not say whether this was stored; repeat it only with its Idempotency-Key, or look first",
  foreign_origin: "Requests from other sites are not accepted",
  invalid: "The request is not valid",
} as const

export type ErrorCode = keyof typeof details

/** The field of the request that a code is always about. */
const fields: Partial<Record<ErrorCode, string>> = {
  passwords_differ: "password_confirm",
  wrong_password: "current_password",
  username_taken: "username",
  username_lookalike: "username",
  name_lookalike: "name",
  email_taken: "email",
  address_fixed: "email",
  dept_exists: "name",
  manager_cycle: "manager",
  reference_reused: "reference",
}

interface Refusal extends ErrorOptions {
  /** Instead of the `detail` of the code. */
  readonly detail?: string | undefined
  /** The field of the request that is wrong, if it is one, and the code does not say so. */
  readonly field?: string | undefined
  /**
   * For the header `Retry-After`, in whole seconds. Set for each 429, `busy`, `unwritable`, `unavailable` and
   * `outcome_unknown`.
   */
  readonly retryAfterSeconds?: number | undefined
}

/** An expected refusal. Its message is the `detail` of the answer. Any other error that reaches a client is a bug. */
export class DomainError extends Error {
  override readonly name = "DomainError"
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: ErrorCode,
    { detail = details[code], field = fields[code], retryAfterSeconds, ...options }: Refusal = {},
  ) {
    super(detail, options)
    this.field = field
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether the store could not do its work, or cannot say whether it did; the next call may succeed. */
export const isOutage = (error: unknown): error is DomainError =>
  error instanceof DomainError && ["unwritable", "unavailable", "outcome_unknown"].includes(error.code)

/** A value that breaks the rule of its field. The message names field and rule, never the value. */
export const invalid = (field: string, rule: string): DomainError =>
  new DomainError("invalid", { detail: `${field}: ${rule}`, field })

/** Names that somebody asked for and that nobody has, in one field. */
export const usersNotFound = (field: string, usernames: Iterable<string>): DomainError =>
  new DomainError("user_not_found", { detail: `${details.user_not_found}: ${[...usernames].join(", ")}`, field })
