/** Messages of the server that are plainer for people than for programs. A message that is missing here is shown as it is. */
export const details: Readonly<Record<string, string>> = {
  "Too many failed logins for this account from this address": "Too many failed log-ins.",
  "Too many passwords are being checked; try again in a moment": "Too many passwords are being checked.",
  "password: none of the most common passwords":
    "This password is one of the first that people guess. Choose another one.",
  "This Idempotency-Key was used for another request":
    "An earlier attempt did arrive. Look at what it made before you try again.",
  "The database did not say whether this was stored; repeat it only with its Idempotency-Key, or look first":
    "Nobody knows whether this was stored. Try again in a moment, or look first.",
  "Invalid Session ID": "Your session had ended, and nothing was sent. Send it again.",
  "Could not validate credentials": "Your session had ended, and nothing was sent. Send it again.",
}
