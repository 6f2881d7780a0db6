import type { Details } from "../refusals.ts"

/** What the server says that can be plainer for people than for programs; the rest is shown as it is. */
export const details: Details = {
  refusals: {
    too_many_failures: "Too many failed log-ins.",
    busy: "Too many passwords are being checked.",
    key_reused: "An earlier attempt did arrive. Look at what it made before you try again.",
    outcome_unknown: "Nobody knows whether this was stored. Try again in a moment, or look first.",
    integrity: "Someone already has this e-mail address.",
    email_taken: "Someone already has this e-mail address.",
    not_redeemable: "You haven't earned enough to redeem this.",
    beyond_what_is_left: "That's more than is left to take back.",
    bad_session: "Your session had ended, and nothing was sent. Send it again.",
    bad_credentials: "Your session had ended, and nothing was sent. Send it again.",
  },
  rules: {
    "one emoji, or null": "One emoji, or none.",
    "each name once": "Each name can be there only once.",
    "optional, as long as there are no tags": "Add a tag first, or leave this optional.",
    "it says why the points are taken back": "Say why.",
    "none of the most common passwords": "This password is one of the first that people guess. Choose another one.",
  },
}
